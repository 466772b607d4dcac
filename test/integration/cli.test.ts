import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { childNodes, rootNodes } from '../../src/presentation/tree/nodes.js';
import { startTaskServer } from '../fixtures/servers/tasks.mjs';
import { type CommandRun, useCommandLine, useCommandProcess } from '../helpers/commandLine.js';
import {
  everything,
  firstNotedPid,
  isAlive,
  memory,
  noted,
  notedPids,
  silent,
  useCoreHarness,
} from '../helpers/coreHarness.js';
import { repository } from '../workbench/paths.mjs';

const fixtures = join(repository, 'test/fixtures/servers');
const cli = useCommandLine();
const ownProcess = useCommandProcess();
const harness = useCoreHarness();

afterEach(() => harness.dispose());

function start(folder: string, ...args: string[]): CommandRun {
  return cli(harness.root, [...args, '--folder', folder]);
}

function run(folder: string, ...args: string[]) {
  return start(folder, ...args).ended;
}

function runJson(folder: string, ...args: string[]) {
  return start(folder, ...args, '--json').document();
}

const path = async (servers: Readonly<Record<string, unknown>>) =>
  (await harness.addFolder('work', servers)).fsPath ?? '';

describe('cli', () => {
  it('lists without connecting', async () => {
    const file = join(harness.root, 'pids');
    await harness.writeGlobal({ mine: noted(file, memory) });
    const folder = await path({ theirs: noted(file, memory), off: { ...memory, enabled: false } });
    expect(await runJson(folder, 'list')).toMatchObject({
      status: 0,
      document: {
        servers: [
          { name: 'mine', scope: 'global', kind: 'stdio', state: 'idle', problems: [] },
          { name: 'theirs', scope: 'folder', folder, state: 'trust_required' },
          { name: 'off', source: join(folder, '.mcp.json'), state: 'disabled' },
        ],
        problems: [],
      },
    });
    expect(await notedPids(file)).toEqual([]);
  });

  it('lists what comes from where and what it hides', async () => {
    await harness.writeGlobal({ both: memory });
    const own = join(harness.root, 'home', '.pi', 'agent', 'mcp.json');
    const folder = await path({ both: memory });
    await mkdir(join(folder, '.pi'));
    const winner = join(folder, '.pi', 'mcp.json');
    await writeFile(winner, JSON.stringify({ mcpServers: { both: everything } }));
    const hidden = join(folder, '.mcp.json');
    expect(await runJson(folder, 'list')).toMatchObject({
      document: {
        servers: [
          { name: 'both', source: own, hides: [] },
          { name: 'both', source: winner, hides: [hidden, own] },
        ],
      },
    });
    const { out } = await run(folder, 'list');
    expect(out).toContain(`  from ${winner}\n  hides the entry in ${hidden}\n`);
    expect(out).toMatch(/^both {2}\[project, stdio\]/m);
  });

  it('lists what a server lacks before it is used', async () => {
    const folder = await path({ mine: { ...memory, env: { KEY: '${NOT_SET_HERE}' } } });
    const { document } = await runJson(folder, 'list');
    expect(document.servers[0].problems).toMatchObject([{ code: 'unknown-variable' }]);
    const { out } = await run(folder, 'list');
    expect(out).toContain('  ! The environment variable NOT_SET_HERE is not set. Write ${input:');
  });

  it('lists what the tree shows', async () => {
    const remote = { url: 'http://127.0.0.1:9/mcp' };
    const write = async (content: object, ...file: string[]) => {
      const target = join(harness.root, ...file);
      await mkdir(dirname(target), { recursive: true });
      await writeFile(target, JSON.stringify(content));
    };
    await write(
      { mcpServers: { shared: remote, both: remote } },
      'home',
      '.config',
      'mcp',
      'mcp.json',
    );
    const opencode = { local: { type: 'local', command: ['node', 'x.js'], enabled: false } };
    await write({ mcp: opencode }, 'home', '.pi', 'agent', 'settings.json');
    const user = {
      imports: ['cursor'],
      servers: { both: remote, off: { ...remote, disabled: true } },
    };
    await write(user, 'home', '.pi', 'agent', 'mcp.json');
    await write({ mcpServers: { theirs: remote } }, 'home', '.cursor', 'mcp.json');
    const folder = await path({ memory, both: remote, broken: null, shared: { enabled: false } });
    await write({ memory: everything }, 'work', '.pi', 'mcp.json');

    const { document } = await runJson(folder, 'list');
    const service = await harness.start();
    const rows = rootNodes(service)
      .flatMap((node) => childNodes(node))
      .flatMap((node) => (node.kind === 'server' ? [node.server] : []));
    expect(document.servers.length).toBeGreaterThan(7);
    const blocked = (state: string) =>
      ['disabled', 'invalid', 'trust_required'].includes(state) ? state : 'runs';
    expect(
      document.servers.map((one: Record<string, never>) => [
        one.name,
        one.scope,
        one.source,
        one.hides,
        blocked(one.state ?? ''),
      ]),
    ).toEqual(
      rows.map(({ definition, state }) => [
        definition.name,
        definition.scope,
        definition.origin.path,
        definition.hides.map((origin) => origin.path),
        blocked(state.value.kind),
      ]),
    );
  });

  it('probes with consent for this run only, and leaves no process', async () => {
    const file = join(harness.root, 'pids');
    const folder = await path({ everything, memory: noted(file, memory) });
    const refused = await runJson(folder, 'probe');
    expect(refused).toMatchObject({
      status: 1,
      document: { servers: [{ state: 'trust_required' }, { state: 'trust_required' }] },
    });
    const allowed = await runJson(folder, 'probe', '--trust');
    expect(allowed).toMatchObject({
      status: 0,
      document: {
        servers: [
          { name: 'everything', state: 'connected', error: null },
          { name: 'memory', state: 'connected', toolCount: 9, connectMs: expect.any(Number) },
        ],
      },
    });
    const pids = await notedPids(file);
    expect([pids.length, pids.filter(isAlive)]).toEqual([1, []]);
    expect(await runJson(folder, 'probe')).toEqual(refused);
  });

  it('names tools for the model with their cost, and finds them', async () => {
    const folder = await path({ memory });
    const { document } = await runJson(folder, 'tools', '--trust');
    const sum = document.tools.reduce(
      (total: number, item: { tokens: number }) => total + item.tokens,
      0,
    );
    // nine of the server, and one that reads its resources
    expect(document.tools).toHaveLength(10);
    expect(document.tools[9]).toMatchObject({ name: 'memory__read_resource' });
    expect(document.tools[0]).toMatchObject({
      name: 'memory__create_entities',
      exposure: 'direct',
    });
    expect(document.totalTokens).toBe(sum);
    const found = await runJson(folder, 'search', 'delete relations', '--trust');
    expect(found.document.results[0]).toMatchObject({ tool: 'delete_relations', server: 'memory' });
    const named = await runJson(folder, 'search', 'select:memory__read_graph,nothing', '--trust');
    expect(named.document).toMatchObject({
      results: [{ name: 'memory__read_graph' }],
      unknown: ['nothing'],
    });
  });

  it.each([['tools'], ['search', 'graph'], ['profile', 'list', '--tokens']])(
    'says beside what "%s" found which servers it could not ask, and why',
    async (...words) => {
      await harness.writeGlobal({ memory });
      const folder = await path({ theirs: memory, off: { ...memory, enabled: false } });
      const { status, out, error } = await run(folder, ...words);
      expect([status, out.includes('theirs')]).toEqual([1, false]);
      expect(error).toBe(
        'theirs: The server waits for your trust before it runs. Review it with "pi-mcp trust", or give "--trust" for one run.\n',
      );
    },
  );

  it.each(['probe', 'tools'])('takes one server for "%s"', async (command) => {
    await harness.writeGlobal({ memory, other: { command: 'nowhere' } });
    const folder = await path({});
    expect(await run(folder, command, 'memory')).toMatchObject({ status: 0, error: '' });
    const { document } = await runJson(folder, command, 'memori');
    expect(document.error).toMatchObject({ code: 'server_unknown' });
  });

  it('says what a command takes that got too much or too little', async () => {
    const folder = await path({});
    const said = async (...words: string[]) => (await run(folder, ...words)).error;
    expect(await said('call', 'memory')).toBe(
      'Too few words: the command is "pi-mcp call SERVER TOOL [JSON]". See "pi-mcp call --help".\n',
    );
    expect(await said('doctor', 'memory')).toBe(
      'Too many words: the command is "pi-mcp doctor". See "pi-mcp doctor --help".\n',
    );
  });

  function declareProfiles(folder: string, profiles: object): Promise<void> {
    const text = JSON.stringify({ mcpServers: { memory }, settings: { profiles } });
    return harness.write({ uri: '', name: 'work', fsPath: folder }, text);
  }

  /** A folder with profiles of its own, one of which the user has, too, and one that is none. */
  async function openProfiles(): Promise<string> {
    const settings = { profiles: { look: ['memory/read_*'] } };
    await harness.writeGlobal(JSON.stringify({ settings }));
    const folder = await path({ memory });
    await declareProfiles(folder, { look: ['*'], one: ['memory/open_nodes'], wrong: 7 });
    return folder;
  }

  async function toolsIn(folder: string, ...args: readonly string[]): Promise<readonly string[]> {
    const { document } = await runJson(folder, 'tools', '--trust', ...args);
    return document.tools.map(({ tool }: { readonly tool: string }) => tool);
  }

  it('narrows them to a profile of the files, and gives a folder no say over those of the user', async () => {
    const folder = await openProfiles();
    expect(await toolsIn(folder, '--profile', 'look')).toEqual(['read_graph', 'read_resource']);
    expect(await toolsIn(folder, '--profile', 'one')).toEqual(['open_nodes']);
    const found = await runJson(folder, 'search', 'delete', '--trust', '--profile', 'one');
    expect(found.document.results).toEqual([]);
    expect(await runJson(folder, 'tools', '--profile', 'two')).toMatchObject({
      status: 2,
      document: {
        error: {
          message: 'There is no profile "two".',
          remedy: 'Known profiles: look, look, one, wrong.',
        },
      },
    });
    expect(await runJson(folder, 'tools', '--profile', 'wrong')).toMatchObject({
      document: { error: { code: 'configuration' } },
    });
  });

  it('lists profiles, and keeps the one that is chosen for a folder', async () => {
    const folder = await openProfiles();
    const { fsPath: other = '' } = await harness.addFolder('other', { memory });
    const listed = async (...args: readonly string[]) =>
      (await runJson(folder, 'profile', 'list', ...args)).document;
    const row = (name: string | null, source: string | null, rest: object = {}) => {
      const state = { isChosen: false, isFlawed: false };
      return { name, source, ...state, ...rest };
    };
    expect(await listed()).toEqual({
      profiles: [
        row(null, null, { isChosen: true }),
        row('look', 'user'),
        row('look', 'folder'),
        row('one', 'folder'),
        row('wrong', 'folder', { isFlawed: true }),
      ],
    });
    const counted = await listed('--tokens', '--trust');
    const tools = counted.profiles.map((one: { readonly tools?: number }) => one.tools);
    expect(tools).toEqual([10, 2, 10, 1, undefined]);
    expect(counted.profiles[1].tokens).toBeLessThan(counted.profiles[0].tokens);
    const chosen = await runJson(folder, 'profile', 'use', 'one');
    expect(chosen).toMatchObject({
      status: 0,
      document: { profile: { name: 'one', source: 'folder' } },
    });
    expect(await toolsIn(folder)).toEqual(['open_nodes']);
    expect(await toolsIn(folder, '--profile', 'look')).toEqual(['read_graph', 'read_resource']);
    expect(await toolsIn(other)).toHaveLength(10);
    const { out } = await run(folder, 'profile', 'list');
    expect(out).toMatch(/^\* one \(of this folder\)$/m);
    await declareProfiles(folder, {});
    expect(await runJson(folder, 'tools', '--trust')).toMatchObject({
      status: 2,
      document: { error: { code: 'configuration', remedy: expect.stringContaining('--none') } },
    });
    expect(await listed()).toMatchObject({ missing: { name: 'one', source: 'folder' } });
    expect(await runJson(folder, 'profile', 'use', '--none')).toMatchObject({
      document: { profile: null },
    });
    expect(await toolsIn(folder)).toHaveLength(10);
  });

  it.each([
    [['profile']],
    [['profile', 'use']],
    [['profile', 'use', 'one', '--none']],
    [['profile', 'list', 'one']],
    [['profile', 'drop', 'one']],
    [['profile', 'use', 'nobody']],
  ])('does not understand %j', async (words) => {
    const folder = await path({ memory });
    const { status, document } = await runJson(folder, ...words);
    expect([status, document.error.code]).toEqual([2, 'usage']);
  });

  it('tells what the tools cost in each way of exposing them', async () => {
    const folder = await path({
      memory: { ...memory, exposure: 'search' },
      everything: { ...everything, exposure: 'proxy' },
    });
    const { document } = await runJson(folder, 'tools', '--trust');
    const { offered, byExposure, ifAll, standingTokens, totalTokens } = document;
    expect(offered.map(({ name }: { readonly name: string }) => name)).toEqual([
      'ToolSearch',
      'mcp',
    ]);
    expect(byExposure).toMatchObject({ direct: { tools: 0, tokens: 0 }, search: { tools: 10 } });
    expect(byExposure.search.tokens + byExposure.proxy.tokens).toBe(totalTokens);
    expect(ifAll.direct.standingTokens).toBe(totalTokens);
    expect(ifAll.proxy.standingTokens).toBeLessThan(standingTokens);
    expect(standingTokens).toBeLessThan(totalTokens / 4);
    const { out } = await run(folder, 'tools', '--trust');
    expect(out).toContain(`tokens, ${standingTokens} of them in every request`);
  });

  it('takes the values of inputs, and the configuration file, that it is given', async () => {
    const file = join(harness.root, 'own.json');
    const env = {
      FROM_LINE: `\${input:line}`,
      FROM_FILE: `\${input:file}`,
      BOTH: `\${input:both}`,
    };
    await writeFile(file, JSON.stringify({ mcpServers: { own: { ...everything, env } } }));
    const values = join(harness.root, 'values');
    await writeFile(values, '# of nobody else\n\nfile=a=b\nboth=from the file\n');
    const folder = await path({});
    const call = ['call', 'own', 'get-env', '{}', '--config', file];
    const unset = await runJson(folder, ...call);
    expect(unset).toMatchObject({ status: 1, document: { error: { code: 'variable_unset' } } });
    expect(unset.document.error.remedy).toContain('--input-file');
    const inputs = ['--input', 'line=1', '--input', 'both=2', '--input-file', values];
    const { document } = await runJson(folder, ...call, ...inputs);
    expect(JSON.parse(document.content[0].text)).toMatchObject({
      FROM_LINE: '1',
      FROM_FILE: 'a=b',
      BOTH: '2',
    });
  });

  describe('the file of the user', () => {
    const ways: readonly [string, (file: string) => readonly string[], boolean][] = [
      ['--config', (file) => ['--config', file], false],
      ['--mcp-config', (file) => ['--mcp-config', file], false],
      ['--mcp-config=', (file) => [`--mcp-config=${file}`], false],
      ['MCP_CONFIG', () => [], true],
    ];

    async function writeOwn() {
      const file = join(harness.root, 'own.json');
      await writeFile(file, JSON.stringify({ mcpServers: { own: everything } }));
      return { file, folder: await path({}) };
    }

    it.each(ways)('is named by %s in every command', async (_name, options, isVariable) => {
      const { file, folder } = await writeOwn();
      const env = { ...process.env, ...(isVariable ? { MCP_CONFIG: file } : {}) };
      const start = (...args: readonly string[]) =>
        cli(harness.root, ['--folder', folder, ...options(file), ...args], { env });
      const json = (...args: readonly string[]) => start('--json', ...args).document();
      const listed = await json('list');
      expect(listed.document.servers.map(({ name }: { name: string }) => name)).toEqual(['own']);
      const called = await json('call', 'own', 'echo', '{"message":"hi"}');
      expect(called.document).toMatchObject({ isError: false });
      expect((await json('add', '--scope', 'user', 'added', 'node', 'server.js')).status).toBe(0);
      expect(JSON.parse(await readFile(file, 'utf8')).mcpServers).toHaveProperty('added');
      const words = await cli(
        harness.root,
        ['--folder', folder, 'complete', '--', ...options(file), 'get', 'ad'],
        { env },
      ).ended;
      expect(words.out.split('\n')).toContain('added');
    });

    it.each(ways)('that %s names has to be there', async (_name, options, isVariable) => {
      const folder = await path({});
      const file = join(harness.root, 'none.json');
      const env = { ...process.env, ...(isVariable ? { MCP_CONFIG: file } : {}) };
      const args = ['--json', '--folder', folder, 'list', ...options(file)];
      const { status, document } = await cli(harness.root, args, { env }).document();
      expect(status).toBe(2);
      expect(document.error.remedy).toContain(isVariable ? 'MCP_CONFIG' : '--config');
    });

    it('is what the option names, before the environment', async () => {
      const { file, folder } = await writeOwn();
      const env = { ...process.env, MCP_CONFIG: join(harness.root, 'none.json') };
      const args = ['--json', '--folder', folder, 'list', '--mcp-config', file];
      expect((await cli(harness.root, args, { env }).document()).status).toBe(0);
    });

    it('is left to the program that stands behind the name of a new server', async () => {
      const { file, folder } = await writeOwn();
      const program = ['node', 'server.js', '--mcp-config', 'x'];
      const added = ['--folder', folder, '--config', file, 'add', '-s', 'user', 'added'];
      expect((await cli(harness.root, [...added, ...program]).ended).status).toBe(0);
      expect(JSON.parse(await readFile(file, 'utf8')).mcpServers.added).toMatchObject({
        args: ['server.js', '--mcp-config', 'x'],
      });
    });
  });

  it('writes results as TOON where the user wants that', async () => {
    const rows = [1, 2, 3, 4].map((id) => ({ id, name: `row ${id}` }));
    const script = join(harness.root, 'script.json');
    const results = {
      'tools/list': { tools: [{ name: 'rows', inputSchema: { type: 'object' } }] },
      'tools/call rows': { content: [{ type: 'text', text: JSON.stringify(rows) }] },
    };
    await writeFile(script, JSON.stringify({ results }));
    const scripted = join(fixtures, 'scripted.mjs');
    const args = [scripted, script, join(harness.root, 'record')];
    const mcpServers = { scripted: { command: process.execPath, args } };
    const settings = { toonEncode: ['scripted'] };
    await harness.writeGlobal(JSON.stringify({ settings, mcpServers }));
    const { out } = await run(await path({}), 'call', 'scripted', 'rows');
    expect(out).toMatch(/^\[4\]\{id,name\}:\n/);
  });

  it('says what the tool takes below a call that failed', async () => {
    const folder = await path({ everything });
    const failed = await runJson(folder, 'call', 'everything', 'get-sum', '{"a":2}', '--trust');
    expect([failed.status, failed.document.isError]).toEqual([1, true]);
    expect(failed.document.content).toMatchObject([
      { type: 'text', text: expect.stringMatching(/^\[error\]/) },
      {
        type: 'text',
        text: expect.stringMatching(
          /^Parameters of get-sum: \n {2}a \(number, required\).*\n {2}b \(number, required\)/,
        ),
      },
    ]);
  });

  const script = "console.error('hello token=0b1c9f1e77aa2233'); process.exit(3)";
  const loud = { command: 'node', args: ['-e', script] };

  it('shows what a server writes to stderr whose entry is debugged, without secrets', async () => {
    const folder = await path({ loud: { ...loud, debug: true }, quiet: loud });
    const { out, error } = await cli(harness.root, ['probe', '--trust', '--json'], { cwd: folder })
      .ended;
    expect(error).toMatch(/^loud: \[info\] \[stderr\] hello token=/m);
    expect(error).not.toMatch(/0b1c9f1e77aa2233|^quiet: \[/m);
    expect(JSON.parse(out).servers).toHaveLength(2);
  });

  it('shows what servers write to stderr for PI_MCP_LOADER_DEBUG, without secrets', async () => {
    const folder = await path({ loud });
    const probe = (PI_MCP_LOADER_DEBUG?: string) =>
      cli(harness.root, ['probe', '--trust', '--json'], {
        cwd: folder,
        env: { ...process.env, PI_MCP_LOADER_DEBUG },
      }).ended;
    const { error } = await probe('1');
    expect(error).toMatch(/^loud: \[info\] \[stderr\] hello token=/m);
    expect(error).not.toContain('0b1c9f1e77aa2233');
    expect((await probe('0')).error).not.toContain('[stderr]');
  });

  it('keeps the numbers of calls where the settings say, and nowhere else', async () => {
    const folder = await path({ everything });
    const agentDir = join(harness.root, 'home', '.pi', 'agent');
    const file = join(harness.root, 'home', 'numbers.json');
    const callTwice = async () => {
      await runJson(folder, 'call', 'everything', 'get-sum', '{"a":2,"b":3}', '--trust');
      await runJson(folder, 'call', 'everything', 'get-sum', '{"a":2}', '--trust');
    };
    await callTwice();
    const settings = { captureStats: { path: '~/numbers.json' } };
    await harness.writeGlobal(JSON.stringify({ settings }));
    await callTwice();
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject([
      { server: 'everything', tool: 'get-sum', calls: 2, errors: { tool_error: 1 } },
    ]);
    expect(await readdir(agentDir)).not.toContain('mcp-tool-stats.json');
  });

  it('calls a tool and maps the result', async () => {
    const folder = await path({ everything });
    expect(
      await runJson(folder, 'call', 'everything', 'get-sum', '{"a":2,"b":3}', '--trust'),
    ).toMatchObject({
      status: 0,
      document: { isError: false, content: [{ type: 'text', text: expect.stringContaining('5') }] },
    });
  });

  it('waits for a tool that runs as a task, over pauses in which nothing is open', async () => {
    const http = await startTaskServer({ pollInterval: 500 });
    try {
      const folder = await path({
        local: { command: process.execPath, args: [join(fixtures, 'tasks.mjs')] },
        remote: { url: http.url },
      });
      const worked = {
        status: 0,
        document: { isError: false, content: [{ type: 'text', text: 'worked on it' }] },
      };
      expect(await runJson(folder, 'call', 'local', 'work', '--trust')).toMatchObject(worked);
      // between two questions about the task nothing but the command holds its process
      const call = ['call', 'remote', 'work', '--trust', '--json', '--folder', folder];
      expect(await ownProcess(harness.root, call).document()).toMatchObject(worked);
      const failed = await runJson(folder, 'call', 'remote', 'fail', '--trust');
      expect(failed).toMatchObject({ status: 1, document: { error: { code: 'task_failed' } } });
    } finally {
      await http.close();
    }
  });

  it('cancels a task when its time is over', async () => {
    const http = await startTaskServer();
    try {
      const folder = await path({ remote: { url: http.url } });
      const call = ['call', 'remote', 'endless', '--trust', '--timeout', '3000'];
      expect((await runJson(folder, ...call)).status).toBe(1);
      expect(http.tasks.stats.cancels).toEqual(['endless']);
    } finally {
      await http.close();
    }
  });

  it('reads resources as the agent does', async () => {
    const folder = await path({ everything });
    const listed = await runJson(folder, 'call', 'everything', 'read_resource', '{}', '--trust');
    expect(listed).toMatchObject({ status: 0, document: { isError: false } });
    const uri = /^(\S+\.md) - /m.exec(listed.document.content[0].text)?.[1] ?? '';
    const args = JSON.stringify({ uri });
    const { document } = await runJson(
      folder,
      ...['call', 'everything', 'read_resource', args, '--trust'],
    );
    expect(document.content[0].text).toMatch(/^\[resource /);
  });

  it('follows the settings of the user in the folder too', async () => {
    const user = { truncation: { maxChars: 100 }, settings: { toolPrefix: 'mcp' } };
    await harness.writeGlobal(JSON.stringify(user));
    const folder = await path({ everything });
    const { document } = await runJson(folder, 'tools', '--trust');
    expect(document.tools[0].name).toBe('mcp__everything__echo');
    const long = JSON.stringify({ message: 'x'.repeat(500) });
    const { out } = await run(folder, 'call', 'everything', 'echo', long, '--trust');
    expect(out).toMatch(/^MCP_RESULT_TRUNCATED: 406 characters/);
  });

  it('calls the server of the user while the one of the folder may not run', async () => {
    await harness.writeGlobal({ shared: everything });
    const folder = await path({ shared: { command: 'sh', args: ['-c', 'exit 3'] } });
    const message = JSON.stringify({ message: 'hello' });
    const offered = await runJson(folder, 'tools');
    expect(offered.document.tools[0]).toMatchObject({ name: 'shared__echo', server: 'shared' });
    const { status, document } = await runJson(folder, 'call', 'shared', 'echo', message);
    expect([status, document.content?.[0]?.text]).toEqual([0, 'Echo: hello']);
    // with consent the folder's goes first
    expect((await runJson(folder, 'call', 'shared', 'echo', message, '--trust')).status).toBe(1);
  });

  it('reports the calls that were counted, from where the settings keep them', async () => {
    const agentDir = join(harness.root, 'home', '.pi', 'agent');
    await mkdir(agentDir, { recursive: true });
    const calls = (tool: string) =>
      JSON.stringify([
        {
          server: 's',
          tool,
          calls: 3,
          errors: { timeout: 1 },
          durations: [5],
          bytes: 9,
          tokens: 2,
        },
      ]);
    await writeFile(join(agentDir, 'mcp-tool-stats.json'), calls('usual'));
    await writeFile(join(harness.root, 'home', 'mine.json'), calls('mine'));
    const folder = await path({});
    const report = async (captureStats: unknown) => {
      const settings = { captureStats };
      await harness.writeGlobal(JSON.stringify({ settings }));
      return (await runJson(folder, 'doctor')).document.report;
    };
    expect(await report(true)).toContain('- s/usual: 3 calls, failed: 1 timeout, median 5 ms');
    expect(await report({ path: '~/mine.json' })).toContain('s/mine');
    expect(await report(false)).not.toContain('s/usual');
  });

  it('writes out what a terminal or a reader of the report would obey', async () => {
    const name = 'a\u001b[2J\u009b\n# b <img src=x>';
    const script = "console.error('\u001b]0;title\u0007 @somebody'); process.exit(3)";
    const folder = await path({ [name]: { command: 'node', args: ['-e', script] } });
    for (const command of ['list', 'probe', 'doctor']) {
      for (const flags of [[], ['--json']]) {
        const { out } = await run(folder, command, '--trust', ...flags);
        expect(out).not.toMatch(/(?!\n)\p{Cc}/u);
      }
    }
    const { document } = await runJson(folder, 'doctor', '--trust');
    expect(document.report).toContain('## ` a\\u{1b}[2J\\u{9b}\\n# b <img src=x> `\n');
    expect(document.report).toMatch(/^- `.*@somebody `$/m);
    expect((await runJson(folder, 'list')).document.servers[0].name).toBe(name);
  });

  it.each([
    ['an unknown command', ['dance']],
    ['arguments that are not JSON', ['call', 'a', 'b', '{']],
    ['an unknown option', ['list', '--nope']],
    ['a server that does not exist', ['probe', '--server', 'nobody']],
    ['a configuration file that does not exist', ['list', '--config', 'nowhere.json']],
    ['an input without a value', ['list', '--input', 'secret']],
    ['a file of inputs that cannot be read', ['list', '--input-file', 'nowhere']],
    ['a recording that cannot be read', ['mock', 'nowhere']],
  ])('ends with status 2 on %s', async (_title, args) => {
    expect((await runJson(await path({ memory }), ...args)).status).toBe(2);
  });

  it('names the line of a file of inputs that is none, and not what it says', async () => {
    const folder = await path({ memory });
    const file = join(harness.root, 'inputs');
    await writeFile(file, '# of mine\none=1\n\nsk-secret-of-mine\n');
    const { status, document } = await runJson(folder, 'list', '--input-file', file);
    expect([status, document.error.message]).toEqual([
      2,
      `${file}:4: an input is written as NAME=VALUE.`,
    ]);
  });

  it('ends with status 2 on a file that cannot be read', async () => {
    const folder = await harness.addFolder('work', {});
    await harness.write(folder, '{ "mcpServers": {');
    const { status, document } = await runJson(folder.fsPath ?? '', 'list');
    expect([status, document.problems.length > 0]).toEqual([2, true]);
  });

  it.each([['probe'], ['tools'], ['get', 'mine']])(
    'says which file cannot be read, once: %s',
    async (...args) => {
      const folder = await harness.addFolder('work', {});
      await harness.write(folder, '{ "mcpServers": {');
      const { error } = await run(folder.fsPath ?? '', ...args);
      const [first = '', ...others] = error.split(join(folder.fsPath ?? '', '.mcp.json'));
      expect([first, others.length]).toEqual(['', 1]);
      expect(others[0]).toContain(' has a syntax error in line 1');
      expect(error).not.toContain('Known servers: .');
    },
  );

  it.each([
    ['call', 'theirs', 'a'],
    ['login', 'theirs'],
  ])('%s says how a server may run that waits for trust', async (...args) => {
    const { status, error } = await run(await path({ theirs: memory }), ...args);
    expect([status, error]).toEqual([1, expect.stringContaining('"pi-mcp trust"')]);
  });

  it('names a file that cannot be read once in the list', async () => {
    const folder = await harness.addFolder('work', {});
    await harness.write(folder, '{ "mcpServers": {');
    const { out, error } = await run(folder.fsPath ?? '', 'list');
    expect([out.split('.mcp.json').length, error]).toEqual([2, '']);
  });

  it('leaves no process when it is interrupted', async () => {
    const file = join(harness.root, 'pids');
    const folder = await path({ hanging: noted(file, silent) });
    const child = ownProcess(harness.root, ['probe', '--trust'], { cwd: folder });
    const pid = await firstNotedPid(file);
    child.interrupt();
    const { status } = await child.ended;
    expect([status, isAlive(pid)]).toEqual([1, false]);
  });
});

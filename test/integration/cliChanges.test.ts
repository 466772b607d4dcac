/** Commands that change configuration files: real processes, real files. */
import { access, chmod, mkdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useCommandFolder } from '../helpers/commandLine.js';
import { memory, noted, notedPids } from '../helpers/coreHarness.js';

const { root, folder, home, userFile, projectFile, write, read, run, json } = useCommandFolder();

it.skipIf(process.platform === 'win32')(
  'closes a file of the user that gets a secret, and says so once',
  async () => {
    await write(userFile(), '{}');
    await chmod(userFile(), 0o644);
    const token = 'ghp_q8Zr4Kx1Vw9Tn3Lb7Ys5Hd2Jc6Mf0Pa4Eg8R';
    const add = (name: string) => run('add', '-s', 'user', '-e', `TOKEN=${token}`, name, '--', 'x');
    expect((await add('one')).error).toContain(`${userFile()} holds a secret`);
    expect((await stat(userFile())).mode & 0o777).toBe(0o600);
    expect((await add('two')).error).not.toContain('holds a secret');
  },
);

describe('add', () => {
  it('keeps a server for the user in this folder alone, out of the folder', async () => {
    const added = await json('add', 'memory', '--', memory.command, ...memory.args);
    expect(added).toMatchObject({
      status: 0,
      document: {
        action: 'added',
        name: 'memory',
        scope: 'local',
        server: { name: 'memory', scope: 'folder', layer: 'local', state: 'idle' },
      },
    });
    const { path } = added.document;
    expect(path.startsWith(join(home(), '.pi', 'agent', 'pi-mcp', 'folders'))).toBe(true);
    expect(await read(path)).toEqual({ mcpServers: { memory } });
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    await expect(access(projectFile())).rejects.toThrow();
    // the user's own words need no consent
    expect(await json('probe')).toMatchObject({
      status: 0,
      document: { servers: [{ name: 'memory', state: 'connected' }] },
    });
    const elsewhere = join(root(), 'elsewhere');
    await mkdir(elsewhere);
    expect((await json('list', '--folder', elsewhere)).document.servers).toEqual([]);
  });

  it.each([
    [
      'a command without dashes',
      ['files', 'npx', '-y', 'pkg', '--json'],
      { command: 'npx', args: ['-y', 'pkg', '--json'] },
    ],
    [
      'a command behind them',
      ['files', '--', 'npx', '-y', 'pkg'],
      { command: 'npx', args: ['-y', 'pkg'] },
    ],
    ['dashes between', ['files', 'npx', '--', '-y'], { command: 'npx', args: ['-y'] }],
    [
      'variables',
      ['-e', 'LEVEL=a=b', '--env=OTHER=', 'files', '--', 'x'],
      { command: 'x', env: { LEVEL: 'a=b', OTHER: '' } },
    ],
    [
      'an address',
      ['files', 'https://example.com/mcp', '-H', 'X-Team: a: b'],
      { type: 'http', url: 'https://example.com/mcp', headers: { 'X-Team': 'a: b' } },
    ],
    [
      'server-sent events',
      ['-t', 'sse', 'files', 'https://example.com/sse'],
      { type: 'sse', url: 'https://example.com/sse' },
    ],
  ])('reads %s as people write it', async (_title, args, entry) => {
    const { status, document } = await json('add', '--scope', 'user', ...args);
    expect([status, document.path]).toEqual([0, userFile()]);
    expect(await read(userFile())).toEqual({ mcpServers: { files: entry } });
  });

  it('takes a folder for no command that has its name', async () => {
    await mkdir(join(folder(), 'tools'));
    const added = await json('--folder', 'tools', 'add', 'files', 'npx', '-y', 'pkg');
    expect(added).toMatchObject({ status: 0, document: { server: { name: 'files' } } });
    const completed = await run('complete', '--', '--folder', 'tools', 'remove', '');
    expect(completed.out).toBe('files\n');
  });

  it('keeps every byte of the rest of the file', async () => {
    const before =
      '{\n  // ours\n  "mcpServers": {\n    "a": { "command": "x", }, // first\n  },\n}\n';
    await write(projectFile(), before);
    expect((await run('add', '-s', 'project', 'b', '--', 'y')).status).toBe(0);
    const after = await readFile(projectFile(), 'utf8');
    expect(after).toContain('{ "command": "x", }, // first\n');
    expect(after).toContain('  // ours\n');
    expect((await run('remove', 'b')).status).toBe(0);
    expect(await readFile(projectFile(), 'utf8')).toBe(before);
  });

  it('grants nothing: what is added for everybody waits for consent as before', async () => {
    const file = join(root(), 'pids');
    const server = noted(file, memory);
    await json('add', '--scope', 'project', 'memory', '--', server.command, ...server.args);
    expect(await json('probe')).toMatchObject({
      status: 1,
      document: { servers: [{ name: 'memory', state: 'trust_required' }] },
    });
    expect(await notedPids(file)).toEqual([]);
  });

  it.each([
    ['a variable', ['add', 'x', '-e', 'API_KEY=0b1c9f1e77aa', '--', 'node']],
    [
      'a header',
      ['add', 'x', 'https://example.com/mcp', '-H', 'Authorization: Bearer 0b1c9f1e77aa'],
    ],
    ['JSON', ['add-json', 'x', '{"command":"node","env":{"API_KEY":"0b1c9f1e77aa"}}']],
  ])('writes no secret of %s into a file of the folder', async (_title, args) => {
    const [verb = '', ...rest] = args;
    const { status, document } = await json(verb, '--scope', 'project', ...rest);
    expect([status, document.error.code]).toEqual([1, 'secret_shared']);
    expect(document.error.remedy).toMatch(
      /\$\{env:NAME\} or \$\{input:x-[\w-]+\}.*"local" or "user"/,
    );
    expect(JSON.stringify(document)).not.toContain('0b1c9f1e77aa');
    await expect(access(projectFile())).rejects.toThrow();
    expect((await json(verb, '--scope', 'local', ...rest)).status).toBe(0);
    const reference = rest.map((word) => word.replace('0b1c9f1e77aa', '${env:MINE}'));
    expect((await json(verb, '--scope', 'project', ...reference)).status).toBe(0);
  });

  it.each([
    ['no program', ['add', 'x'], 'usage'],
    ['half a variable', ['add', 'x', '-e', 'secret', '--', 'node'], 'usage'],
    ['a variable of an address', ['add', 'x', 'https://a.example', '-e', 'A=b'], 'usage'],
    ['a header of a command', ['add', '-H', 'A: b', 'x', '--', 'node'], 'usage'],
    ['a variable of a bundle', ['add', 'x.mcpb', '-e', 'A=b'], 'usage'],
    ['a header of a bundle', ['add', 'x.mcpb', '-H', 'A: b'], 'usage'],
    ['an answer to no bundle', ['add', 'x', '--input', 'a=b', '--', 'node'], 'usage'],
    ['a scope that there is not', ['add', '-s', 'all', 'x', '--', 'node'], 'usage'],
    ['an option of another command', ['add', '--device', 'x', '--', 'node'], 'usage'],
    ['an entry that is none', ['add-json', 'x', '[]'], 'usage'],
    [
      'an entry with both',
      ['add-json', 'x', '{"command":"a","url":"https://b.example"}'],
      'command-and-url',
    ],
  ])('refuses %s and writes nothing', async (_title, args, code) => {
    const { status, document } = await json(...args);
    expect([status, document.error.code]).toEqual([code === 'usage' ? 2 : 1, code]);
    await expect(access(join(home(), '.pi'))).rejects.toThrow();
  });

  it('writes one into a file of the folder that git ignores, which nobody else gets', async () => {
    await mkdir(join(folder(), '.git'));
    await write(join(folder(), '.gitignore'), '.mcp.json\n');
    const secret = ['-e', 'API_KEY=0b1c9f1e77aa', '--', 'node'];
    expect((await json('add', 'x', '--scope', 'project', ...secret)).status).toBe(0);
  });

  it('refuses a name that the file has, and a file that is broken', async () => {
    await write(userFile(), '{ "mcpServers": { "a": { "command": "x" } } }');
    expect((await json('add', '-s', 'user', 'a', '--', 'y')).document.error.code).toBe(
      'server_name_taken',
    );
    await write(userFile(), '{ "mcpServers": {');
    expect((await json('add', '-s', 'user', 'b', '--', 'y')).document.error.code).toBe(
      'config_broken',
    );
    expect(await readFile(userFile(), 'utf8')).toBe('{ "mcpServers": {');
  });
});

describe('get, remove, enable and disable', () => {
  const both = async () => {
    await write(userFile(), { mcpServers: { both: { command: 'mine' } } });
    await write(projectFile(), { mcpServers: { both: { command: 'theirs' } } });
  };

  it('ask which one is meant where several have the name', async () => {
    await both();
    const { status, document } = await json('remove', 'both');
    expect([status, document.error.code]).toEqual([2, 'server_ambiguous']);
    expect((await json('get', 'both', '--scope', 'user')).document.server).toMatchObject({
      place: { scope: 'user', path: userFile() },
      entry: { command: 'mine' },
    });
    expect((await json('remove', 'both', '--scope', 'project')).status).toBe(0);
    expect(await read(projectFile())).toEqual({ mcpServers: {} });
    expect(await read(userFile())).toEqual({ mcpServers: { both: { command: 'mine' } } });
    expect((await json('remove', 'both', '--scope', 'project')).document.error.code).toBe(
      'server_unknown',
    );
  });

  it('reach what a file of higher precedence hides', async () => {
    await both();
    await json('add', 'both', '--', 'here');
    expect((await json('get', 'both', '--scope', 'project')).document.server.entry).toEqual({
      command: 'theirs',
    });
    expect((await json('remove', 'both', '--scope', 'project')).status).toBe(0);
    expect((await json('get', 'both', '--scope', 'local')).document.server.entry).toEqual({
      command: 'here',
    });
  });

  it('show no secret', async () => {
    await json('add', 'x', '-e', 'API_KEY=0b1c9f1e77aa', '--', 'node');
    for (const { out } of [await run('get', 'x'), await run('get', 'x', '--json')]) {
      expect(out).toContain('API_KEY');
      expect(out).not.toContain('0b1c9f1e77aa');
    }
  });

  it('switch a server where it is declared', async () => {
    await both();
    expect((await json('disable', 'both', '--scope', 'user')).document.action).toBe('disabled');
    expect((await read(userFile())).mcpServers.both.enabled).toBe(false);
    expect((await json('enable', 'both', '--scope', 'user')).status).toBe(0);
    expect(await read(userFile())).toEqual({ mcpServers: { both: { command: 'mine' } } });
  });

  it('switch a server of everybody for the user alone, without a change in the folder', async () => {
    const text = JSON.stringify({
      mcpServers: { theirs: { command: 'x', enabled: false }, on: { command: 'y' } },
    });
    await write(projectFile(), text);
    expect((await json('enable', 'theirs', '--scope', 'local')).document.server.state).toBe(
      'trust_required',
    );
    expect((await json('disable', 'on', '--scope', 'local')).document.server.state).toBe(
      'disabled',
    );
    expect((await json('enable', 'on', '--scope', 'local')).document.server.state).toBe(
      'trust_required',
    );
    expect((await json('disable', 'theirs', '--scope', 'local')).document.server.state).toBe(
      'disabled',
    );
    expect(await readFile(projectFile(), 'utf8')).toBe(text);
  });

  it('switch a server of the user off in one folder', async () => {
    await write(userFile(), { mcpServers: { mine: { url: 'http://127.0.0.1:9/mcp' } } });
    expect((await json('disable', 'mine', '--scope', 'local')).status).toBe(0);
    expect((await json('tools')).status).toBe(0);
    const path = (await json('list')).document.servers[0].switchedOffIn;
    expect(path.startsWith(join(home(), '.pi', 'agent', 'pi-mcp', 'folders'))).toBe(true);
    expect((await json('enable', 'mine', '--scope', 'local')).status).toBe(0);
    expect((await json('tools')).status).toBe(1);
    expect(await read(userFile())).toEqual({
      mcpServers: { mine: { url: 'http://127.0.0.1:9/mcp' } },
    });
  });
});

describe('a server of the user that is off in the folder', () => {
  it.each([
    ['by the user for himself', () => json('disable', 'mine', '--scope', 'local')],
    [
      'by a file of the folder',
      () => write(projectFile(), { mcpServers: { mine: { enabled: false } } }),
    ],
  ])('starts by no command, and each says what enables it: %s', async (_by, switchOff) => {
    const pids = join(root(), 'pids');
    await write(userFile(), { mcpServers: { mine: noted(pids, memory) } });
    await switchOff();
    const { document, status } = await json('list');
    expect({ status, state: document.servers[0].state }).toEqual({ status: 0, state: 'disabled' });
    const refused = await run('call', 'mine', 'read_graph', '{}');
    expect(refused.status).toBe(1);
    expect(refused.error).toContain('pi-mcp enable SERVER --scope local');
    expect((await json('probe')).document.servers[0].state).toBe('disabled');
    expect((await run('tools')).out).not.toContain('read_graph');
    expect(await notedPids(pids)).toEqual([]);
    // the control: it starts once it is on
    expect((await json('enable', 'mine', '--scope', 'local')).status).toBe(0);
    expect((await json('call', 'mine', 'read_graph', '{}')).status).toBe(0);
    expect(await notedPids(pids)).not.toEqual([]);
  });
});

describe('help', () => {
  it('tells the commands, and of each its options', async () => {
    const { status, out } = await run('--help');
    expect(status).toBe(0);
    for (const [, name = ''] of out.matchAll(/^ {2}([a-z]+(?:-[a-z]+)*) /gm)) {
      const help = await run(name, '--help');
      expect([help.status, help.out.split('\n')[0]]).toEqual([
        0,
        expect.stringContaining(`Usage: pi-mcp ${name}`),
      ]);
    }
    expect((await run('add', '--help')).out).toMatch(/-e, --env KEY=value/);
    expect((await run('add', 'x', '--', 'npx', '--help')).out).not.toContain('Usage');
  });
});

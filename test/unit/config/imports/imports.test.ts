import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type ImportSource, importSources } from '../../../../src/config/definition.js';
import {
  findImportable,
  lostFields,
  type TakenServer,
  toOwnEntry,
  withAskedInputs,
} from '../../../../src/config/imports/importableServers.js';
import {
  folderImportFiles,
  userImportFiles,
} from '../../../../src/config/imports/importLocations.js';
import type { ConfigFileLocation } from '../../../../src/config/parse/configLocations.js';
import type { ParsedConfigFile } from '../../../../src/config/parse/configTypes.js';
import { parseLocation } from '../../../../src/config/parse/parseLocation.js';
import type { HostEnvironment } from '../../../../src/platform/ports.js';

const fixtures = resolve(import.meta.dirname, '../../../fixtures/config/imports');
const folder = { uri: 'file:///w', name: 'w', fsPath: '/w' };

function machine(
  platform: NodeJS.Platform,
  variables: Readonly<Record<string, string>> = {},
): HostEnvironment {
  return {
    platform,
    homeDir: '/h',
    getVariable: (name) => variables[name],
    allVariables: () => variables,
    loginShellPath: async () => '',
  };
}

const fixtureOf = (source: ImportSource) =>
  readFile(join(fixtures, source === 'codex' ? 'codex.toml' : `${source}.json`), 'utf8');

function parseAt(location: ConfigFileLocation | undefined, text: string): ParsedConfigFile {
  if (!location) {
    throw new Error('The source has no place');
  }
  return parseLocation(text, location);
}

describe('what a source of the user holds', () => {
  const expected: Readonly<Record<ImportSource, object>> = {
    cursor: {
      local: { command: 'npx', args: ['-y', 'mcp-server'], env: { API_KEY: '${env:API_KEY}' } },
      remote: { url: 'http://localhost:3000/mcp', headers: { API_KEY: 'value' } },
    },
    'claude-code': { everywhere: { command: 'npx', args: ['-y', 'everywhere'] } },
    'claude-desktop': { filesystem: { command: 'npx' } },
    codex: {
      docs: {
        command: 'npx',
        args: ['-y', 'docs-mcp'],
        env: { DOCS_TOKEN: '${DOCS_TOKEN:-}', MODE: 'fast' },
        startupTimeoutMs: 20_000,
        includeTools: ['search'],
      },
      'my remote': {
        url: 'https://mcp.example.com/mcp',
        bearerTokenEnv: 'REMOTE_TOKEN',
        headers: { 'X-Region': 'eu', 'X-Key': '${REMOTE_KEY}' },
        enabled: false,
      },
    },
    windsurf: {
      stdio: { command: 'uvx', args: ['server'], enabled: false },
      remote: { url: 'https://example.com/mcp', headers: { API_KEY: 'value' } },
    },
    vscode: {
      perplexity: { command: 'npx', env: { KEY: '${input:key}' } },
      fetch: { url: 'https://example.com/mcp' },
    },
    opencode: {
      local: { command: 'bun', args: ['x', 'cmd'], env: { A: '{env:A}' } },
      remote: { url: 'https://example.com/mcp', headers: { H: 'v' }, enabled: false },
    },
    copilot: {
      local: { command: 'uvx', args: ['serve'], env: { KEY: '${MY_KEY}' } },
      remote: {
        url: 'https://example.com/mcp',
        headers: { 'X-Region': 'eu' },
        includeTools: ['read'],
        requestTimeoutMs: 20_000,
      },
    },
    cline: {
      local: { command: 'node', args: ['server.js'], enabled: false, requestTimeoutMs: 90_000 },
      remote: { url: 'https://example.com/mcp', transport: 'streamable-http' },
    },
    gemini: {
      local: {
        command: 'python',
        args: ['-m', 'server'],
        env: { KEY: '${MY_KEY}', OTHER: '${OTHER}' },
        includeTools: ['read'],
        requestTimeoutMs: 15_000,
      },
      streamed: {
        url: 'https://example.com/mcp',
        headers: { Authorization: 'Bearer ${TOKEN}' },
      },
      events: { url: 'https://example.com/sse', transport: 'sse' },
    },
    zed: {
      local: { command: 'npx', args: ['-y', 'server'] },
      older: { command: 'node', args: ['server.js'], env: { MODE: 'fast' } },
      remote: { url: 'https://example.com/mcp', enabled: false },
    },
    pi: { local: { command: 'npx', args: ['server'] } },
  };
  it.each(importSources)('%s', async (source) => {
    // Pi's usual place is another one's only while ours is elsewhere
    const elsewhere = machine('linux', { PI_CODING_AGENT_DIR: '/elsewhere' });
    const [location] = userImportFiles(source, elsewhere);
    const parsed = parseAt(location, await fixtureOf(source));
    expect(parsed).toMatchObject({ problems: [], layer: 'import', isMasterDisabled: undefined });
    const own = Object.fromEntries(parsed.entries.map((entry) => [entry.name, toOwnEntry(entry)]));
    expect(own).toMatchObject(expected[source]);
    expect(Object.keys(own)).toEqual(Object.keys(expected[source]));
  });

  it('points at the table of a server in TOML', async () => {
    const text = await fixtureOf('codex');
    const [location] = userImportFiles('codex', machine('linux'));
    const { entries } = parseAt(location, text);
    const nameRange = entries[0]?.nameRange;
    expect(text.slice(nameRange?.start, nameRange?.end)).toBe('docs');
    expect(entries.map(({ name, line }) => [name, line])).toEqual([
      ['docs', 3],
      ['my remote', 13],
    ]);
    const [invalid] = parseAt(location, '\n[mcp_servers.both]\ncommand = "a"\nurl = "b"\n').entries;
    expect(invalid?.line).toBe(2);
    expect(invalid?.problems.map(({ range, line }) => [range, line])).toEqual([
      [undefined, undefined],
    ]);
    const broken = parseAt(location, 'a = 1\nb = = 2\n');
    expect(broken).toMatchObject({ hasSyntaxError: true, problems: [{ code: 'syntax' }] });
    expect(broken.problems[0]?.message).toContain('line 2');
  });

  it('takes over a file of variables, and names what has no effect here', () => {
    const [location] = userImportFiles('vscode', machine('linux'));
    const entry = { command: 'x', envFile: '.env', sandboxEnabled: true, gallery: 'g' };
    const [parsed] = parseAt(location, JSON.stringify({ servers: { a: entry } })).entries;
    expect(parsed && [toOwnEntry(parsed), lostFields(parsed)]).toEqual([
      expect.objectContaining({ command: 'x', envFile: '.env' }),
      ['sandboxEnabled'],
    ]);
  });

  it('points at what it has translated, and at what is wrong with it', () => {
    const text = '{"context_servers": {"a": {"command": {"path": 1}}}}';
    const [location] = userImportFiles('zed', machine('linux'));
    const [entry] = parseAt(location, text).entries;
    expect(entry?.kind).toBe('invalid');
    const range = entry?.problems[0]?.range;
    expect(text.slice(range?.start, range?.end)).toBe('a');
  });

  it('reads the inputs of VS Code', async () => {
    const [location] = userImportFiles('vscode', machine('linux'));
    expect(parseAt(location, await fixtureOf('vscode')).inputs).toEqual([
      { id: 'key', description: 'API key', isPassword: true },
    ]);
  });
});

describe('where a source keeps its servers', () => {
  const appData = { APPDATA: '/h/AppData/Roaming' };
  const cline = 'Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json';
  const clineOwn = '/h/.cline/data/settings/cline_mcp_settings.json';
  const cases: readonly (readonly [
    ImportSource,
    readonly string[],
    readonly string[],
    readonly string[],
  ])[] = [
    ['cursor', ['/h/.cursor/mcp.json'], ['/h/.cursor/mcp.json'], ['/h/.cursor/mcp.json']],
    ['claude-code', ['/h/.claude.json'], ['/h/.claude.json'], ['/h/.claude.json']],
    [
      'claude-desktop',
      ['/h/.config/Claude/claude_desktop_config.json'],
      ['/h/Library/Application Support/Claude/claude_desktop_config.json'],
      ['/h/AppData/Roaming/Claude/claude_desktop_config.json'],
    ],
    ['codex', ['/h/.codex/config.toml'], ['/h/.codex/config.toml'], ['/h/.codex/config.toml']],
    [
      'windsurf',
      ['/h/.codeium/windsurf/mcp_config.json'],
      ['/h/.codeium/windsurf/mcp_config.json'],
      ['/h/.codeium/windsurf/mcp_config.json'],
    ],
    [
      'vscode',
      ['/h/.config/Code/User/mcp.json'],
      ['/h/Library/Application Support/Code/User/mcp.json'],
      ['/h/AppData/Roaming/Code/User/mcp.json'],
    ],
    [
      'opencode',
      ['/h/.config/opencode/opencode.json', '/h/.config/opencode/opencode.jsonc'],
      ['/h/.config/opencode/opencode.json', '/h/.config/opencode/opencode.jsonc'],
      ['/h/.config/opencode/opencode.json', '/h/.config/opencode/opencode.jsonc'],
    ],
    [
      'copilot',
      ['/h/.copilot/mcp-config.json'],
      ['/h/.copilot/mcp-config.json'],
      ['/h/.copilot/mcp-config.json'],
    ],
    [
      'cline',
      [clineOwn, `/h/.config/${cline}`],
      [clineOwn, `/h/Library/Application Support/${cline}`],
      [clineOwn, `/h/AppData/Roaming/${cline}`],
    ],
    [
      'gemini',
      ['/h/.gemini/settings.json'],
      ['/h/.gemini/settings.json'],
      ['/h/.gemini/settings.json'],
    ],
    [
      'zed',
      ['/h/.config/zed/settings.json'],
      ['/h/.config/zed/settings.json'],
      ['/h/AppData/Roaming/Zed/settings.json'],
    ],
    ['pi', [], [], []],
  ];
  it.each(cases)('%s', (source, linux, mac, windows) => {
    const paths = (environment: HostEnvironment) =>
      userImportFiles(source, environment).map(({ path }) => path);
    expect(paths(machine('linux'))).toEqual(linux);
    expect(paths(machine('darwin'))).toEqual(mac);
    expect(paths(machine('win32', appData))).toEqual(windows);
  });

  it('finds what Claude Code keeps for one project in the file of the user', async () => {
    const [location] = folderImportFiles('claude-code', folder, machine('linux'));
    expect(location?.path).toBe('/h/.claude.json');
    const parsed = parseAt(location, await fixtureOf('claude-code'));
    expect(parsed.entries.map((entry) => [entry.name, entry.kind])).toEqual([['here', 'http']]);
  });

  it.each([
    ['linux', '/w/x', '/w/x'],
    // VS Code writes the letter of a drive small, Claude Code large
    ['win32', 'c:\\w\\x', 'C:/w/x'],
  ] as const)('on %s the project %s is %s to Claude Code', (platform, fsPath, key) => {
    const project = { uri: 'file:///x', name: 'x', fsPath };
    const locations = folderImportFiles('claude-code', project, machine(platform));
    expect(locations.at(-1)?.block).toEqual(['projects', key, 'mcpServers']);
  });

  it('finds the project of Claude Code by both spellings of its path on Windows', () => {
    const project = { uri: 'file:///x', name: 'x', fsPath: 'c:\\w\\x' };
    const locations = folderImportFiles('claude-code', project, machine('win32'));
    const named = (key: string) =>
      JSON.stringify({ projects: { [key]: { mcpServers: { here: { command: 'x' } } } } });
    for (const key of ['C:/w/x', 'C:\\w\\x']) {
      const found = locations.flatMap((location) => parseLocation(named(key), location).entries);
      expect(found.map(({ name }) => name)).toEqual(['here']);
    }
  });

  it('lists what there is to import', async () => {
    const texts: Readonly<Record<string, string>> = {
      '/h/.cursor/mcp.json': await fixtureOf('cursor'),
      '/h/.claude.json': await fixtureOf('claude-code'),
      '/w/.vscode/mcp.json': '{"servers": {',
      '/h/.codex/config.toml': '',
    };
    const found = await findImportable(machine('linux'), [folder], async (path) => texts[path]);
    expect(
      found.map(({ source, folder: of, parsed }) => [source, of?.name, parsed.entries.length]),
    ).toEqual([
      ['cursor', undefined, 2],
      ['claude-code', undefined, 1],
      ['claude-code', 'w', 1],
      ['vscode', 'w', 0],
    ]);
  });

  it('lists a broken file once, wherever it would have servers', async () => {
    const found = await findImportable(machine('linux'), [folder], async (path) =>
      path === '/h/.claude.json' ? '{broken' : undefined,
    );
    expect(found.map(({ source }) => source)).toEqual(['claude-code']);
  });
});

describe('how a source says which kind of server it is, and whether it is on', () => {
  const entryOf = (source: ImportSource, entry: object, rest: object = {}) => {
    const [location] = userImportFiles(source, machine('linux'));
    const [block = 'mcpServers'] = location?.block ?? [];
    const parsed = parseAt(location, JSON.stringify({ ...rest, [block]: { a: entry } }));
    return parsed.entries[0];
  };
  const url = 'https://example.com/mcp';

  it.each([
    ['http', 'auto'],
    ['HTTP', 'auto'],
    ['remote', 'auto'],
    ['sse', 'sse'],
    ['SSE', 'sse'],
    ['streamable-http', 'streamable-http'],
    ['streamableHttp', 'streamable-http'],
    ['streamable_http', 'streamable-http'],
    ['StreamableHTTP', 'streamable-http'],
    ['http-stream', 'streamable-http'],
  ])('as the type %s', (type, transport) => {
    for (const source of [
      'cursor',
      'cline',
      'copilot',
      'vscode',
      'windsurf',
      'claude-code',
    ] as const) {
      const parsed = entryOf(source, { type, url });
      expect([source, parsed?.launch, parsed?.problems]).toMatchObject([
        source,
        { url, transport },
        [],
      ]);
    }
  });

  it.each(['stdio', 'STDIO', 'local', 'Local'])('as the type %s of a process', (type) => {
    for (const source of ['cursor', 'cline', 'copilot', 'vscode'] as const) {
      const parsed = entryOf(source, { type, command: 'x' });
      expect([parsed?.kind, parsed?.problems]).toEqual(['stdio', []]);
    }
  });

  it('in the words of Cline', () => {
    expect(entryOf('cline', { transportType: 'sse', url })?.launch).toMatchObject({
      transport: 'sse',
    });
    expect(entryOf('cline', { transportType: 'stdio', command: 'x' })).toMatchObject({
      kind: 'stdio',
      problems: [],
    });
    const nested = {
      transport: { type: 'streamableHttp', url, headers: { A: 'b' } },
      disabled: true,
    };
    expect(entryOf('cline', nested)).toMatchObject({
      enabled: false,
      launch: { url, transport: 'streamable-http', headers: { A: 'b' } },
    });
  });

  it.each([
    ['cline', { disabled: true }],
    ['windsurf', { disabled: true }],
    ['cursor', { disabled: true }],
    ['copilot', { disabled: true }],
    ['opencode', { enabled: false }],
    ['zed', { enabled: false }],
    ['claude-desktop', { disabled: true }],
  ] as const)('%s: off by %j', (source, off) => {
    expect(entryOf(source, { command: 'x', ...off })?.enabled).toBe(false);
    expect(entryOf(source, { command: 'x' })?.enabled).not.toBe(false);
  });

  it.each([
    [{ excluded: ['a'] }, false],
    [{ allowed: ['b'] }, false],
    [{ allowed: ['a'] }, undefined],
    [{ allowed: [] }, undefined],
    [{ excluded: 'a', allowed: 3 }, undefined],
    [{ allowed: ['a'], excluded: ['a'] }, false],
    ['a', undefined],
  ])('Gemini CLI: by the lists %j', (mcp, enabled) => {
    expect(entryOf('gemini', { command: 'x' }, { mcp })?.enabled).toBe(enabled);
  });

  it('Claude Code: by the list of the project, for what it keeps privately there', () => {
    const [location] = folderImportFiles('claude-code', folder, machine('linux'));
    const servers = { on: { command: 'x' }, off: { command: 'x' } };
    const text = (rest: object) =>
      JSON.stringify({ projects: { '/w': { mcpServers: servers, ...rest } } });
    const states = (rest: object) =>
      parseAt(location, text(rest)).entries.map(({ name, enabled }) => [name, enabled]);
    expect(states({ disabledMcpServers: ['off'] })).toEqual([
      ['on', undefined],
      ['off', false],
    ]);
    expect(states({ disabledMcpServers: 'off' })).toEqual([
      ['on', undefined],
      ['off', undefined],
    ]);
  });
});

describe('inputs that are taken over', () => {
  const read = (inputs: readonly object[], entry: object): TakenServer => {
    const [location] = userImportFiles('vscode', machine('linux'));
    const file = parseAt(location, JSON.stringify({ inputs, servers: { a: entry } }));
    const [parsed] = file.entries;
    const own = parsed && toOwnEntry(parsed);
    if (!parsed || !own) {
      throw new Error('no entry');
    }
    return { name: 'a', entry: own, file };
  };
  const inputs = [
    { id: 'key', type: 'promptString', description: 'API key', password: true },
    { id: 'level', type: 'pickString', description: 'Level', options: ['a', 'b'], default: 'a' },
    { id: 'name', type: 'promptString', default: 'me' },
    { id: 'unused', type: 'promptString' },
  ];
  const entry = {
    command: 'x',
    args: ['--level=${input:level}', '${input:name:-you}'],
    env: { KEY: 'Bearer ${input:key}', OTHER: '${OTHER}' },
  };

  it('are declared as they were, those that are asked for', () => {
    const [server] = withAskedInputs([read(inputs, entry)], new Set());
    expect(server?.entry).toMatchObject(entry);
    expect(server?.inputs).toEqual([inputs[0], inputs[1], inputs[2]]);
  });

  it('get no answer that was given to another question', () => {
    const taken = new Set(['key']);
    const both = [read(inputs, entry), { ...read(inputs, entry), name: 'b' }];
    const [first, second] = withAskedInputs(both, taken);
    expect(first?.entry.env).toEqual({ KEY: 'Bearer ${input:key-2}', OTHER: '${OTHER}' });
    expect(first?.inputs?.[0]).toEqual({ ...inputs[0], id: 'key-2' });
    // of the same file, so the same question
    expect(second?.entry.env).toEqual(first?.entry.env);
    const undeclared = withAskedInputs([read([], entry)], taken)[0];
    expect([undeclared?.entry.env, undeclared?.inputs]).toMatchObject([
      { KEY: 'Bearer ${input:key-2}' },
      [],
    ]);
  });
});

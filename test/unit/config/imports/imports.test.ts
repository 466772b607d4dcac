import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type ImportSource, importSources } from '../../../../src/config/definition.js';
import {
  findImportable,
  lostFields,
  toOwnEntry,
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
    const nameRange = parseAt(location, text).entries[0]?.nameRange;
    expect(text.slice(nameRange?.start, nameRange?.end)).toBe('docs');
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
    const [location] = folderImportFiles('claude-code', project, machine(platform));
    expect(location?.block).toEqual(['projects', key, 'mcpServers']);
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
});

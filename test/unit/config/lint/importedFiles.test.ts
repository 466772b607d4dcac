import { describe, expect, it } from 'vitest';
import { type ImportSource, importSources } from '../../../../src/config/definition.js';
import { folderImportFiles } from '../../../../src/config/imports/importLocations.js';
import { lintImported } from '../../../../src/config/lint/lintConfig.js';
import type { ConfigFileLocation } from '../../../../src/config/parse/configLocations.js';
import { parseJsonDocument } from '../../../../src/config/parse/jsonDocument.js';
import { parseLocation } from '../../../../src/config/parse/parseLocation.js';

const token = `sbp_${'0f1e2d3c4b'.repeat(4)}`;
const entry = { command: 'x', args: ['--token', token], env: { LEVEL: 'error' }, cwd: '/gone' };
const folder = { uri: 'file:///work', name: 'w', fsPath: '/work' };
const places = importSources.flatMap((source) =>
  folderImportFiles(source, folder, {
    homeDir: '/home/me',
    platform: 'linux',
    getVariable: () => undefined,
  }),
);

function placeOf(source: ImportSource): ConfigFileLocation {
  const found = places.find((place) => place.importSource === source && place.folder !== undefined);
  if (!found) {
    throw new Error(`No file of ${source}`);
  }
  return found;
}

async function lint(source: ImportSource, text: string, ignored: readonly string[] = []) {
  const file = parseLocation(text, placeOf(source));
  const findings = await lintImported(
    { file, document: parseJsonDocument(text), isCommitted: true },
    { isIgnoredByGit: async (path) => ignored.includes(path) },
  );
  return findings.map(({ code, severity, message, range }) => ({
    code,
    severity,
    message,
    text: text.slice(range?.start, range?.end),
  }));
}

describe('a file of another program in a folder', () => {
  it.each([
    ['cursor', { mcpServers: { s: entry } }],
    ['vscode', { servers: { s: entry } }],
    ['opencode', { mcp: { s: { command: ['x', '--token', token], cwd: '/gone' } } }],
  ] as const)('of %s: its secret is found, and no advice is given', async (source, content) => {
    const text = JSON.stringify(content);
    expect(await lint(source, text)).toMatchObject([
      { code: 'literal-secret', severity: 'warning', text: `"${token}"` },
    ]);
    expect(await lint(source, text, [placeOf(source).path])).toMatchObject([{ severity: 'info' }]);
    expect(await lint(source, text.replace(token, '<your-token>'))).toEqual([]);
  });

  it('of Cursor: the servers are those of the last list of that name, which Cursor reads', () => {
    const lists = ['first', 'last'].map((name) => `"mcpServers":{"${name}":{"command":"x"}}`);
    const { entries } = parseLocation(`{${lists.join()}}`, placeOf('cursor'));
    expect(entries.map(({ name }) => name)).toEqual(['last']);
  });

  it('of Codex: its secret is found at the name of the server', async () => {
    const text = `[mcp_servers.s]\ncommand = "x"\n[mcp_servers.s.env]\nANY = "${token}"\n`;
    const [finding, ...others] = await lint('codex', text);
    expect(finding?.message).toBe('s, “env.ANY (Supabase)”: This looks like a secret.');
    expect(finding?.text).toContain('s');
    expect(others).toEqual([]);
  });

  it('is not looked at while it cannot be read', async () => {
    expect(await lint('cursor', `{"mcpServers": {"s": {"args": ["${token}"`)).toEqual([]);
  });
});

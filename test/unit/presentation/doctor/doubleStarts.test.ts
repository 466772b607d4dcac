import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { McpServerDefinition } from '../../../../src/config/definition.js';
import { createNodeHostEnvironment } from '../../../../src/platform/environment/nodeHostEnvironment.js';
import { readDoubleStarts } from '../../../../src/presentation/doctor/doubleStarts.js';
import { FakeServer, fakeDefinition } from '../../../helpers/fakes/fakeMcp.js';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'double-starts-'));
  await mkdir(join(root, 'home', '.cursor'), { recursive: true });
  await mkdir(join(root, 'shop'));
});
afterEach(() => rm(root, { recursive: true }));

const folder = () => ({ uri: `file://${root}/shop`, name: 'shop', fsPath: join(root, 'shop') });

async function cursorHas(servers: object): Promise<void> {
  const text = JSON.stringify({ mcpServers: servers });
  await writeFile(join(root, 'home', '.cursor', 'mcp.json'), text);
}

async function found(
  change: Partial<McpServerDefinition> = {},
  clients: readonly 'vscode'[] = [],
): Promise<readonly unknown[]> {
  const definition = fakeDefinition('weather', { folder: folder(), change });
  const starts = await readDoubleStarts({
    servers: [new FakeServer(definition, { kind: 'idle' })],
    workspace: { folders: [folder()] },
    environment: createNodeHostEnvironment({ homeDir: join(root, 'home'), env: {} }),
    nameOf: () => 'weather',
    clients,
  });
  return starts.map(({ client, kind }) => [client, kind]);
}

it('tells who has the same command, under whatever name', async () => {
  await cursorHas({ other: { command: 'node', args: ['weather.js'], env: { A: 'b' } } });
  expect(await found()).toEqual([['Cursor', 'would']]);
});

it.each([
  ['another command', { weather: { command: 'node', args: ['other.js'] } }, {}],
  ['the entry switched off', { a: { command: 'node', args: ['weather.js'], enabled: false } }, {}],
  [
    'an address, which nobody starts',
    { weather: { url: 'https://weather.example/mcp' } },
    { launch: { kind: 'http', url: 'https://weather.example/mcp', headers: {} } as never },
  ],
  ['what is off here', { a: { command: 'node', args: ['weather.js'] } }, { enabled: false }],
])('tells of nobody who has %s', async (_what, servers, change) => {
  await cursorHas(servers);
  expect(await found(change)).toEqual([]);
});

it('tells who reads the same file of the folder', async () => {
  const { fsPath } = folder();
  const change = { origin: { layer: 'project' as const, path: join(fsPath, '.mcp.json') } };
  expect(await found(change)).toEqual([]);
  expect(await found(change, ['vscode'])).toEqual([['VS Code', 'would']]);
  await writeFile(join(fsPath, 'CLAUDE.md'), '');
  expect(await found(change)).toEqual([['Claude Code', 'would']]);
  expect(await found({ origin: { ...change.origin, path: '/home/mcp.json' } })).toEqual([]);
});

it('is told nothing by a file that cannot be read', async () => {
  await writeFile(join(root, 'home', '.cursor', 'mcp.json'), '{ "mcpServers": {');
  expect(await found()).toEqual([]);
});

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { McpServerDefinition } from '../../../../src/config/definition.js';
import type { DoubleStart } from '../../../../src/mcp/otherClients/doubleStarts.js';
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
  seen?: Partial<DoubleStart>,
): Promise<readonly unknown[]> {
  const definition = fakeDefinition('weather', { folder: folder(), change });
  const server = new FakeServer(definition, { kind: 'idle' });
  const start = { server, isPredicted: true, running: [], choice: undefined };
  const starts = await readDoubleStarts({
    servers: [server],
    workspace: { folders: [folder()] },
    environment: createNodeHostEnvironment({ homeDir: join(root, 'home'), env: {} }),
    nameOf: () => 'weather',
    ...(seen && { seen: [{ ...start, ...seen }] }),
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
  await writeFile(join(fsPath, 'CLAUDE.md'), '');
  expect(await found(change)).toEqual([['Claude Code', 'would']]);
  expect(await found({ origin: { ...change.origin, path: '/home/mcp.json' } })).toEqual([]);
});

it('tells what is seen of running programs, and what the editor itself would start', async () => {
  expect(await found({}, {})).toEqual([['VS Code', 'would']]);
  const running = [
    { client: 'cursor', first: { pid: 7, start: '1' } },
    { client: 'vscode' },
  ] as const;
  expect(await found({}, { running })).toEqual([['Cursor, VS Code', 'has']]);
  expect(await found({ enabled: false }, { running })).toEqual([]);
});

it('leaves to the editor what is known of its own client', async () => {
  const { fsPath } = folder();
  const servers = { a: { command: 'node', args: ['weather.js'] } };
  await mkdir(join(fsPath, '.vscode'));
  await writeFile(join(fsPath, '.vscode', 'mcp.json'), JSON.stringify({ servers }));
  // it reads that file, and the one of the folder
  expect(await found()).toEqual([
    ['VS Code', 'would'],
    ['VS Code', 'would'],
  ]);
  expect(await found({}, { isPredicted: true })).toEqual([['VS Code', 'would']]);
});

it('is told nothing by a file that cannot be read', async () => {
  await writeFile(join(root, 'home', '.cursor', 'mcp.json'), '{ "mcpServers": {');
  expect(await found()).toEqual([]);
});

/** What a model can do with real servers: find and explain tools while nothing runs, and start them by a call. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { defaultToolPolicy } from '../../src/agent/policy/toolPolicy.js';
import { ToolBridge } from '../../src/agent/tools/toolBridge.js';
import { loadTokenCounter } from '../../src/mcp/catalog/tokens/tokenEstimate.js';
import type { McpService } from '../../src/mcp/mcpApi.js';
import { CoreHarness, find, isAlive, memory, noted, notedPids } from '../helpers/coreHarness.js';
import { callAsModel, textOf } from '../helpers/modelCall.js';

const countTokens = await loadTokenCounter();
let harness: CoreHarness;
let bridge: ToolBridge | undefined;

beforeEach(async () => {
  harness = await CoreHarness.create();
});

afterEach(async () => {
  bridge?.dispose();
  bridge = undefined;
  await harness.dispose();
});

/** A window in which nothing runs, after one that has learnt what the servers offer. */
async function openLater(options: object, directTools?: string) {
  const file = join(harness.root, 'pids');
  await harness.writeGlobal({ memory: { ...noted(file, memory), ...options } });
  const earlier = await harness.start();
  await earlier.shutdown();
  const service = await harness.start();
  const started = (await notedPids(file)).length;
  const opened = offer(service, directTools);
  return {
    service,
    run: async (name: string, args: object) => textOf(await callAsModel(opened, name, args)),
    names: () => opened.offered.map(({ name }) => name),
    /** Processes since then. */
    pids: async () => (await notedPids(file)).slice(started),
  };
}

function offer(service: McpService, directTools?: string): ToolBridge {
  bridge = new ToolBridge({
    service,
    folderUri: undefined,
    countTokens,
    policy: defaultToolPolicy,
    directTools,
  });
  return bridge;
}

it('lists, finds and explains tools through the mcp tool while nothing runs', async () => {
  const { run, names, pids } = await openLater({ exposure: 'proxy' });
  expect(names()).toEqual(['mcp']);
  expect(await run('mcp', {})).toMatch(/^memory: idle, \d+ tools$/);
  expect(await run('mcp', { server: 'memory' })).toContain('memory__create_entities: ');
  expect(await run('mcp', { search: 'what do you know' })).toContain('memory__');
  expect(await run('mcp', { describe: 'create_relations' })).toContain('relations');
  expect(await pids()).toEqual([]);
});

it('connects a server through the mcp tool when it is told to', async () => {
  const { run, service, pids } = await openLater({ exposure: 'proxy' });
  expect(await run('mcp', { connect: 'memory' })).toContain('memory__read_graph: ');
  expect(find(service, 'memory').state.value.kind).toBe('connected');
  expect((await pids()).filter(isAlive)).toHaveLength(1);
  expect(await run('mcp', {})).toMatch(/^memory: connected, \d+ tools$/);
});

it.each([
  ['proxy', 'mcp', { tool: 'read_graph', args: '{}' }],
  ['direct', 'memory__read_graph', {}],
])('starts the server of a %s tool by its call', async (exposure, name, args) => {
  const { run, pids } = await openLater({ exposure });
  expect(JSON.parse(await run(name, args))).toEqual({ entities: [], relations: [] });
  expect((await pids()).filter(isAlive)).toHaveLength(1);
});

it('leaves a server running when the conversation that started it is over', async () => {
  const { run, service, pids } = await openLater({ exposure: 'direct' });
  await run('memory__read_graph', {});
  const before = await pids();
  bridge?.dispose();
  await callAsModel(offer(service), 'memory__read_graph', {});
  expect([before.length, await pids()]).toEqual([1, before]);
});

it('offers what ToolSearch found while nothing runs', async () => {
  const { run, names, pids } = await openLater({ exposure: 'search' });
  expect(names()).toEqual(['ToolSearch']);
  expect(await run('ToolSearch', { query: 'select:memory__read_graph' })).toMatch(
    /^Activated; call them by these names:\nmemory__read_graph: /,
  );
  expect(names()).toEqual(['ToolSearch', 'memory__read_graph']);
  expect(await pids()).toEqual([]);
});

it.each([
  ['memory/read_graph', ['ToolSearch', 'memory__read_graph']],
  ['__none__', ['ToolSearch']],
])('goes by MCP_DIRECT_TOOLS=%s before the file', async (variable, expected) => {
  const { names } = await openLater({ directTools: true }, variable);
  expect(names().sort()).toEqual(expected);
});

it('tells why the server of a call does not start, and what helps', async () => {
  const broken = join(harness.root, 'broken');
  const script = `const [, broken, server] = process.argv;
    if (fs.existsSync(broken)) { process.stderr.write('no database\\n', () => process.exit(3)); }
    else { import(url.pathToFileURL(server).href); }`;
  const entry = { command: process.execPath, args: ['-e', script, broken, ...memory.args] };
  await harness.writeGlobal({ memory: { ...entry, exposure: 'direct' } });
  const service = await harness.start();
  await find(service, 'memory').stop();
  await writeFile(broken, '');
  const call = callAsModel(offer(service), 'memory__read_graph', {});
  await expect(call).rejects.toThrow(/exited with code 3\. .*[a-z]\.$/);
});

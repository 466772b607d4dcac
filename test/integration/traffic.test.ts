/** What is recorded of real servers, over stdio and HTTP, and over reconnects. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { McpService } from '../../src/mcp/mcpApi.js';
import type { RequestEntry } from '../../src/mcp/traffic/entries.js';
import { Pairing } from '../../src/mcp/traffic/pairing.js';
import type { McpRecording } from '../../src/mcp/trafficTypes.js';
import { startEverythingHttp } from '../fixtures/everythingHttp.js';
import { CoreHarness, everything, find } from '../helpers/coreHarness.js';

let harness: CoreHarness;

beforeEach(async () => {
  harness = await CoreHarness.create();
});
afterEach(() => harness.dispose());

function requestsOf({ records }: McpRecording): readonly RequestEntry[] {
  const pairing = new Pairing();
  for (const record of records) {
    pairing.add(record);
  }
  return pairing.entries.filter((entry) => entry.kind === 'request');
}

async function open(entry: Readonly<Record<string, unknown>>): Promise<McpService> {
  await harness.writeGlobal({ everything: entry });
  const core = harness.open();
  await core.whenStarted();
  await find(core, 'everything').ensureConnected();
  return core;
}

describe.each(['legacy', 'auto'])('over stdio, %s', (protocolVersion) => {
  it('begins with the first byte and goes on over reconnects', async () => {
    const core = await open({ ...everything, protocolVersion });
    const server = find(core, 'everything');
    const recording = core.traffic.of(server.id);
    await server.callTool('echo', { message: 'hello' });
    await server.restart();
    const requests = requestsOf(recording);
    const [first] = requests;
    expect(first?.method).toBe(protocolVersion === 'auto' ? 'server/discover' : 'initialize');
    expect(requests.filter(({ method }) => method === 'initialize')).toMatchObject([
      { gen: 1, state: 'ok' },
      { gen: 2, state: 'ok' },
    ]);
    expect(requests.find(({ method }) => method === 'tools/call')).toMatchObject({
      target: 'echo',
      state: 'ok',
    });
    expect(requests.filter(({ state }) => state === 'open')).toEqual([]);
    expect(recording.handshakes).toMatchObject([
      { gen: 1, transport: 'stdio', lists: { tools: expect.arrayContaining(['echo']) } },
      { gen: 2 },
    ]);
    expect(recording.records.some(({ kind }) => kind === 'stderr')).toBe(true);
  });
});

it('over HTTP, shows each exchange and its status, headers masked', async () => {
  const http = await startEverythingHttp();
  try {
    const core = await open({ url: http.url, headers: { 'X-Api-Key': 'k3y-that-is-secret-77' } });
    const server = find(core, 'everything');
    await server.callTool('echo', { message: 'hello' });
    await server.stop();
    const { records } = core.traffic.of(server.id);
    const text = JSON.stringify(records);
    expect(text).not.toContain('k3y-that-is-secret-77');
    const pairing = new Pairing();
    for (const record of records) {
      pairing.add(record);
    }
    const exchanges = pairing.entries.filter((entry) => entry.kind === 'http');
    expect(exchanges.filter(({ method }) => method === 'POST').length).toBeGreaterThan(3);
    expect(exchanges.find(({ method }) => method === 'DELETE')).toMatchObject({ status: 200 });
    expect(pairing.entries.at(-1)).toMatchObject({ kind: 'life', record: { event: 'closed' } });
  } finally {
    await http.close();
  }
});

it('keeps a connect that failed, and forgets a server that is no longer configured', async () => {
  await harness.writeGlobal({
    broken: { command: process.execPath, args: ['-e', 'process.exit(3)'] },
  });
  const core = harness.open();
  await core.whenStarted();
  const { id } = find(core, 'broken');
  await find(core, 'broken')
    .ensureConnected()
    .catch(() => undefined);
  expect(core.traffic.of(id).records.at(-1)).toMatchObject({
    kind: 'life',
    event: 'closed',
    error: expect.stringContaining('3'),
  });
  await harness.writeGlobal({});
  await core.reload();
  expect(core.traffic.of(id).records).toEqual([]);
});

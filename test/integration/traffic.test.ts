/** What is recorded of real servers, over stdio and HTTP, and over reconnects. */
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { McpService } from '../../src/mcp/mcpApi.js';
import type { RequestEntry } from '../../src/mcp/traffic/entries.js';
import { exportHar } from '../../src/mcp/traffic/harFile.js';
import { Pairing } from '../../src/mcp/traffic/pairing.js';
import type { McpRecording } from '../../src/mcp/trafficTypes.js';
import { InspectorModel } from '../../src/presentation/inspector/inspectorModel.js';
import { startEverythingHttp } from '../fixtures/everythingHttp.js';
import { everything, find, useCoreHarness } from '../helpers/coreHarness.js';

interface HarEntry {
  readonly request: { readonly postData?: { readonly text: string } };
}

const harness = useCoreHarness();

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
  const core = await harness.start();
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

it('sends a recorded call again, and sets the level of what a real server logs', async () => {
  const core = await open(everything);
  const server = find(core, 'everything');
  const recording = core.traffic.of(server.id);
  await server.callTool('echo', { message: 'again' });
  const model = new InspectorModel(recording);
  try {
    const echoes = () => requestsOf(recording).filter(({ target }) => target === 'echo');
    const [first] = echoes();
    const replay = model.replay(first?.id ?? 0, server);
    if (replay?.kind !== 'send') {
      throw new Error('It is not sent again');
    }
    expect(replay).toMatchObject({ params: { name: 'echo', arguments: { message: 'again' } } });
    const { name, arguments: args } = replay.params;
    await server.callTool(String(name), Object(args));
    expect(echoes()).toMatchObject([{ state: 'ok' }, { state: 'ok' }]);
    const [, second] = echoes();
    expect(model.details(second?.id ?? 0, server).frames[0]?.text).toContain('"again"');

    await server.direct.setLogLevel('debug');
    // the server may ask for the folders meanwhile
    const levels = () =>
      requestsOf(recording).filter(({ method }) => method === 'logging/setLevel');
    expect(levels().at(-1)).toMatchObject({ target: 'debug', state: 'ok' });
    await server.callTool('toggle-simulated-logging', {});
    const logged = () =>
      recording.records.filter(
        (record) => record.kind === 'frame' && record.facts.method === 'notifications/message',
      ).length;
    await expect.poll(logged).toBeGreaterThan(0);
    await server.direct.setLogLevel('emergency');
    expect(levels().at(-1)).toMatchObject({ target: 'emergency', state: 'ok' });
  } finally {
    model.dispose();
  }
});

it('marks answers that are valid on the wire and could not be taken', async () => {
  const scripted = async (results: object): Promise<readonly RequestEntry[]> => {
    const script = join(harness.root, 'script.json');
    await writeFile(script, JSON.stringify({ results }));
    const program = resolve('test/fixtures/servers/scripted.mjs');
    await harness.writeGlobal({
      scripted: { command: process.execPath, args: [program, script, `${script}.record`] },
    });
    const core = await harness.start();
    const server = find(core, 'scripted');
    await server.ensureConnected().catch(() => undefined);
    if (server.state.value.kind === 'connected') {
      await server.callTool('a', {}).catch(() => undefined);
      await server.callTool('none', {}).catch(() => undefined);
    }
    const requests = requestsOf(core.traffic.of(server.id));
    await core.dispose();
    return requests;
  };
  const tool = { name: 'a', inputSchema: { type: 'object' } };
  const requests = await scripted({
    'tools/list': { tools: [tool, { title: 'nameless' }] },
    'tools/call a': { content: [5] },
    'tools/call none': 'no object',
  });
  const faults = requests.map(({ method, target, state, fault }) => [method, target, state, fault]);
  expect(faults).toEqual(
    expect.arrayContaining([
      ['tools/list', undefined, 'faulty', expect.stringContaining('cannot be used')],
      ['tools/call', 'a', 'faulty', expect.stringContaining('only 0 are used')],
      ['tools/call', 'none', 'faulty', expect.stringContaining('"result" is missing')],
    ]),
  );
  const [handshake] = await scripted({ initialize: { serverInfo: null } });
  expect(handshake).toMatchObject({
    method: 'initialize',
    state: 'faulty',
    fault: expect.stringContaining('serverInfo'),
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
    const har = exportHar(records, '1.2.3');
    expect(har).not.toContain('k3y-that-is-secret-77');
    const { log } = JSON.parse(har);
    expect(log).toMatchObject({ version: '1.2', creator: { name: 'Pi MCP', version: '1.2.3' } });
    expect(log.entries).toHaveLength(exchanges.length);
    const called = log.entries.find((one: HarEntry) =>
      one.request.postData?.text.includes('"tools/call"'),
    );
    expect(called).toMatchObject({
      request: {
        method: 'POST',
        url: http.url,
        headers: expect.arrayContaining([{ name: 'x-api-key', value: '***REDACTED***' }]),
      },
      response: { status: 200 },
      timings: { send: 0 },
    });
    expect(called.time).toBeGreaterThanOrEqual(0);
    expect(called.response.content.size).toBeGreaterThan(0);
  } finally {
    await http.close();
  }
});

it('keeps a connect that failed, and forgets a server that is no longer configured', async () => {
  await harness.writeGlobal({
    broken: { command: process.execPath, args: ['-e', 'process.exit(3)'] },
  });
  const core = await harness.start();
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

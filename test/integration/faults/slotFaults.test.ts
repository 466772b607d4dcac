/** Servers that never answer, and values that nobody enters: neither keeps any other server from starting. */
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { InputResolver } from '../../../src/config/ports.js';
import { loadEngine } from '../../../src/mcp/connection/engineSelection.js';
import type { McpService } from '../../../src/mcp/mcpApi.js';
import { misbehaveScript } from '../../fixtures/connections.js';
import { findProcesses, processMarker } from '../../fixtures/processes.js';
import { CoreHarness, find, reach, states } from '../../helpers/coreHarness.js';
import { createDeferred } from '../../helpers/fakes/deferred.js';

let harness: CoreHarness;
let marker: string;
let silent: Server;
const sockets = new Set<Socket>();

beforeEach(async () => {
  harness = await CoreHarness.create();
  marker = processMarker();
  silent = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
  });
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
});

afterEach(async () => {
  await harness.dispose();
  for (const socket of sockets) {
    socket.destroy();
  }
  silent.close();
  expect(await findProcesses(marker)).toEqual([]);
});

const good = (changes: object = {}) => ({
  command: 'node',
  args: [misbehaveScript, marker],
  ...changes,
});

/** Accept connections and never say anything. */
function hung(count: number): Record<string, object> {
  const address = silent.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const names = Array.from({ length: count }, (_, index) => `hung${index}`);
  return Object.fromEntries(
    names.map((name) => [name, { url: `http://127.0.0.1:${port}/${name}` }]),
  );
}

function asking(count: number): Record<string, object> {
  const names = Array.from({ length: count }, (_, index) => `asks${index}`);
  return Object.fromEntries(names.map((name) => [name, good({ env: { KEY: '${input:key}' } })]));
}

async function open(
  servers: Record<string, object>,
  inputs?: InputResolver,
): Promise<{ readonly service: McpService; readonly folderUri: string }> {
  const folder = await harness.addFolder('work', servers);
  const service = harness.open(undefined, inputs && { inputs });
  await service.whenStarted();
  void service.trust.trustFolder(folder.uri);
  return { service, folderUri: folder.uri };
}

function kinds(service: McpService, prefix: string): ReadonlySet<string> {
  const all = Object.entries(states(service)).filter(([name]) => name.startsWith(prefix));
  return new Set(all.map(([, kind]) => kind));
}

it('leave the servers of the user to start', async () => {
  await harness.writeGlobal({ mine: good({ lifecycle: 'keep-alive' }) });
  const { service } = await open({ ...hung(12) });
  await Promise.all(Object.keys(hung(12)).map((name) => reach(find(service, name), 'connecting')));
  const mine = find(service, 'mine');
  await mine.restart();
  expect([mine.state.value.kind, kinds(service, 'hung')]).toEqual([
    'connected',
    new Set(['connecting']),
  ]);
});

it('start ten at a time as long as they do not run', async () => {
  const names = Array.from({ length: 12 }, (_, index) => `many${index}`);
  let starting = 0;
  const gate = createDeferred<void>();
  const tenth = createDeferred<void>();
  await harness.writeGlobal(
    Object.fromEntries(names.map((name) => [name, good({ lifecycle: 'eager' })])),
  );
  const service = harness.open(async (launch) => {
    starting++;
    if (starting === 10) {
      tenth.resolve();
    }
    await gate.promise;
    return await loadEngine(launch);
  });
  await tenth.promise;
  await Promise.all(names.map((name) => reach(find(service, name), 'connecting')));
  await new Promise(setImmediate);
  expect(starting).toBe(10);
  gate.resolve();
  await service.whenStarted();
  expect([starting, kinds(service, 'many')]).toEqual([12, new Set(['connected'])]);
});

it('leave the others of their own folder to start', async () => {
  const { service } = await open({ ...hung(12), good: good() });
  await reach(find(service, 'good'), 'connected');
  expect(kinds(service, 'hung')).toEqual(new Set(['connecting']));
});

it('leave a call to be answered', async () => {
  const { service } = await open({ ...hung(25), good: good() });
  await reach(find(service, 'good'), 'connecting');
  const { content } = await find(service, 'good').callTool('echo', { message: 'hi' });
  expect([content[0]?.text, kinds(service, 'hung')]).toEqual(['hi', new Set(['connecting'])]);
});

it('do not keep a server from being stopped, removed or shut down while it waits for a value', async () => {
  let asked = 0;
  const inputs: InputResolver = {
    resolve: () => {
      asked++;
      return new Promise(() => undefined);
    },
  };
  const { service, folderUri } = await open({ ...asking(12), good: good() }, inputs);
  await reach(find(service, 'good'), 'connected');
  expect([asked, kinds(service, 'asks')]).toEqual([12, new Set(['connecting'])]);
  await find(service, 'asks0').stop();
  expect(states(service)).toMatchObject({ asks0: 'idle', asks1: 'connecting' });
  await service.trust.revoke(folderUri);
  expect(kinds(service, 'asks')).toEqual(new Set(['trust_required']));
  await service.shutdown();
});

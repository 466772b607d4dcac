/** For everything that can happen to a server: its state says so, without being asked where something listens. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { onceEvent } from '../../../src/base/event.js';
import { findProcesses, processMarker, waitForProcesses } from '../../fixtures/processes.js';
import {
  type MisbehavingServer,
  startMisbehavingServer,
} from '../../fixtures/servers/misbehaveHttp.mjs';
import { type StateFault, stateFaults, suffer } from '../../fixtures/stateFaults.js';
import { CoreHarness, find, reach, recordKinds } from '../../helpers/coreHarness.js';
import { createFastClock } from '../../helpers/fastClock.js';

let harness: CoreHarness;
let marker: string;
let remote: MisbehavingServer;

beforeEach(async () => {
  harness = await CoreHarness.create();
  marker = processMarker();
  remote = await startMisbehavingServer();
});

afterEach(async () => {
  await harness.dispose();
  await remote.close();
  expect(await findProcesses(marker)).toEqual([]);
  expect(remote.openStreams()).toBe(0);
});

async function openServer(entry: Readonly<Record<string, unknown>>, factor = 1) {
  await harness.writeGlobal({ one: entry });
  const service = harness.open(undefined, { clock: createFastClock(factor) });
  await service.whenStarted();
  const server = find(service, 'one');
  await server.ensureConnected();
  return server;
}

async function meet(fault: StateFault): Promise<void> {
  Object.assign(remote.faults, fault.faults);
  const server = await openServer(fault.entry({ remote, marker }));
  const { state } = await suffer(fault, { server, remote, marker });
  expect(state).toMatchObject(fault.code ? { failure: { code: fault.code } } : {});
  if (fault.state === 'error' || fault.state === 'needs_auth') {
    await waitForProcesses(marker, 0);
    expect(server.catalog.value.tools.length).toBeGreaterThan(0);
  } else {
    await reach(server, 'connected');
  }
}

describe('the state says by itself that', () => {
  it.each(stateFaults.filter(({ noticed }) => noticed === 'by itself'))('$name', meet);
});

describe('the state says as soon as the server is used that', () => {
  it.each(stateFaults.filter(({ noticed }) => noticed === 'by use'))('$name', meet);
});

describe('a remote server that is kept alive', () => {
  it('is asked now and then, so that its state becomes true without use', async () => {
    const server = await openServer({ url: remote.url, lifecycle: 'keep-alive' }, 200);
    await remote.close();
    await reach(server, 'error');
    await remote.reopen();
    await reach(server, 'connected');
    remote.loseSessions();
    await onceEvent(server.state.onDidChange, ({ kind }) => kind === 'connected');
    Object.assign(remote.faults, { requiredToken: 'secret' });
    await reach(server, 'needs_auth');
  });
});

describe('a remote server that sends nothing for longer than fetch waits', () => {
  const dispatcher = Symbol.for('undici.globalDispatcher.1');
  const holder = globalThis as unknown as Record<symbol, object | undefined>;
  let original: object | undefined;

  beforeEach(async () => {
    // the first request creates the agent of `fetch`
    await fetch(remote.origin).catch(() => undefined);
    original = holder[dispatcher];
    const Agent = original?.constructor as new (options: object) => object;
    holder[dispatcher] = new Agent({ headersTimeout: 300, bodyTimeout: 300 });
  });

  afterEach(() => {
    holder[dispatcher] = original;
  });

  it('is no error when its event stream was merely quiet', async () => {
    const server = await openServer({ url: `${remote.origin}/sse`, type: 'sse' });
    const kinds = recordKinds(server);
    await onceEvent(server.state.onDidChange, ({ kind }) => kind === 'connected');
    expect(kinds).toEqual(['connecting', 'connected']);
    await server.stop();
  });

  it('did not answer in time, rather than being out of reach', async () => {
    const server = await openServer({ url: remote.url });
    Object.assign(remote.faults, { hang: true });
    await expect(server.callTool('echo', {})).rejects.toThrow('did not answer in time');
    Object.assign(remote.faults, { hang: false });
    expect(server.state.value.kind).toBe('connected');
  });
});

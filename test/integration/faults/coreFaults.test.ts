/** What a core does to its servers when many things happen at once or nearly go well. */
import { resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { onceEvent } from '../../../src/base/event.js';
import { stateText } from '../../../src/mcp/trouble/stateText.js';
import { misbehaveScript, stdioLaunch, TestConnections } from '../../fixtures/connections.js';
import { findProcesses, processMarker, waitForProcesses } from '../../fixtures/processes.js';
import { startMisbehavingServer } from '../../fixtures/servers/misbehaveHttp.mjs';
import { CoreHarness, find, pidOf, reach, states } from '../../helpers/coreHarness.js';
import { createFastClock } from '../../helpers/fastClock.js';

let harness: CoreHarness;
let marker: string;

beforeEach(async () => {
  harness = await CoreHarness.create();
  marker = processMarker();
});

afterEach(async () => {
  await harness.dispose();
  expect(await findProcesses(marker)).toEqual([]);
});

function misbehave(...faults: readonly string[]) {
  return { command: 'node', args: [misbehaveScript, ...faults, marker] };
}

async function openGlobal(
  servers: Readonly<Record<string, unknown>>,
  changes: Parameters<CoreHarness['open']>[1] = {},
) {
  await harness.writeGlobal(servers);
  const service = harness.open(undefined, changes);
  await service.whenStarted();
  return service;
}

describe('a server', () => {
  it('has one process however many ask for it at once, reloads and probes among them', async () => {
    const service = await openGlobal({ one: misbehave('--slow-list=100') });
    const server = find(service, 'one');
    await server.stop();
    await Promise.all([
      ...Array.from({ length: 5 }, () => server.ensureConnected()),
      ...Array.from({ length: 3 }, () => service.reload()),
      ...Array.from({ length: 5 }, () => server.callTool('echo', { message: 'hi' })),
    ]);
    expect(await findProcesses(marker)).toEqual([pidOf(server)]);
    await Promise.all([server.restart(), server.restart(), service.reload()]);
    await server.ensureConnected();
    expect(await findProcesses(marker)).toEqual([pidOf(server)]);
  });

  it('that times out again and again never has a second process', async () => {
    const entry = { ...misbehave('--hang-initialize', '--ignore-eof'), startupTimeoutMs: 300 };
    const service = await openGlobal(
      { slow: { ...entry, lifecycle: 'keep-alive', stopGraceMs: 500 } },
      { clock: createFastClock(100) },
    );
    const server = find(service, 'slow');
    for (let round = 0; round < 3; round++) {
      await reach(server, 'connecting');
      await waitForProcesses(marker, 1);
      await reach(server, 'error');
      expect((await findProcesses(marker)).length).toBeLessThanOrEqual(1);
    }
  });

  it('that offers no tools is connected all the same, in one process', async () => {
    const service = await openGlobal({ one: misbehave('--no-tools') });
    for (let round = 0; round < 3; round++) {
      expect((await find(service, 'one').restart()).kind).toBe('connected');
      expect(await findProcesses(marker)).toHaveLength(1);
    }
  });

  it('that prints to stdout what it likes stays connected in the same process', async () => {
    const service = await openGlobal({
      one: { ...misbehave('--banner'), lifecycle: 'keep-alive' },
    });
    const server = find(service, 'one');
    await reach(server, 'connected');
    const pid = pidOf(server);
    for (let round = 0; round < 5; round++) {
      await server.callTool('text_mid_call', {});
    }
    expect([pidOf(server), server.activity.restarts]).toEqual([pid, 0]);
  });

  it('that announces changes without end is read more and more rarely, until it really changes', async () => {
    const service = await openGlobal(
      { one: misbehave('--announce-again') },
      { clock: createFastClock(100) },
    );
    const server = find(service, 'one');
    const pauses: number[] = [];
    server.state.onDidChange((state) =>
      pauses.push((state.kind === 'connected' && state.slowLists?.pauseMs) || 0),
    );
    await server.ensureConnected();
    await onceEvent(server.state.onDidChange, () => pauses.at(-1) === 80_000);
    const { content } = await server.callTool('count_lists', {});
    expect(Number(content[0]?.text)).toBeLessThan(12);
    expect(stateText(server.state.value).sentence).toContain('every 80 s');
    expect(server.activity.restarts).toBe(0);
    const offered = onceEvent(server.catalog.onDidChange, ({ tools }) =>
      tools.some(({ name }) => name === 'late_tool'),
    );
    const fellBack = onceEvent(server.state.onDidChange, () => (pauses.at(-1) ?? 0) <= 5000);
    await server.callTool('add_tool', { name: 'late_tool' });
    await Promise.all([offered, fellBack]);
  });

  it('stays as long as anybody holds it', async () => {
    const service = await openGlobal(
      { one: { ...misbehave(), idleTimeout: 1 }, free: { ...misbehave(), idleTimeout: 1 } },
      { clock: createFastClock(2000) },
    );
    const server = find(service, 'one');
    const [session, pin] = [server.hold('session'), server.hold('pin')];
    await server.ensureConnected();
    session.dispose();
    session.dispose();
    // the control: one that nobody holds, and that was needed later
    await find(service, 'free').ensureConnected();
    await reach(find(service, 'free'), 'idle');
    expect(server.state.value.kind).toBe('connected');
    pin.dispose();
    await reach(server, 'idle');
  });

  it('tells the server when the caller loses interest, and is used on', async () => {
    const service = await openGlobal({ one: misbehave() });
    const server = find(service, 'one');
    const cancellation = new AbortController();
    const call = server.callTool('hang', {}, { signal: cancellation.signal });
    await server.callTool('echo', {});
    cancellation.abort(new Error('no longer'));
    await expect(call).rejects.toThrow('no longer');
    const [told] = (await server.callTool('cancelled', {})).content;
    expect(JSON.parse(String(told?.text))).toHaveLength(1);
  });
});

describe('a remote server', () => {
  it('that hangs while it reconnects delays no call of the others', async () => {
    const remote = await startMisbehavingServer();
    try {
      const service = await openGlobal({
        remote: { url: remote.url, lifecycle: 'keep-alive' },
        local: misbehave(),
      });
      Object.assign(remote.faults, { hang: true });
      const restart = find(service, 'remote').restart();
      await reach(find(service, 'remote'), 'connecting');
      const { content } = await find(service, 'local').callTool('echo', { message: 'here' });
      expect(content[0]?.text).toBe('here');
      expect(find(service, 'remote').state.value.kind).toBe('connecting');
      await find(service, 'remote').stop();
      await restart;
    } finally {
      await remote.close();
    }
  });

  it('that comes back after a failed recovery is recovered', async () => {
    const remote = await startMisbehavingServer();
    try {
      const service = await openGlobal({ remote: { url: remote.url } });
      const server = find(service, 'remote');
      remote.loseSessions();
      Object.assign(remote.faults, { status: 500 });
      await expect(server.callTool('echo', {})).rejects.toThrow('HTTP 500');
      Object.assign(remote.faults, { status: undefined });
      const { content } = await server.callTool('echo', { message: 'back' });
      expect(content[0]?.text).toBe('back');
    } finally {
      await remote.close();
    }
  });
});

describe('a folder', () => {
  it('that is removed takes its servers along and no others', async () => {
    const folders = await Promise.all(
      ['one', 'two'].map((name) => harness.addFolder(name, { [name]: misbehave() })),
    );
    const service = harness.open();
    await service.whenStarted();
    for (const { uri } of folders) {
      await service.trust.trustFolder(uri);
    }
    await Promise.all(['one', 'two'].map((name) => reach(find(service, name), 'connected')));
    const kept = pidOf(find(service, 'two'));
    const [first] = folders;
    if (first) {
      harness.removeFolder(first);
    }
    await waitForProcesses(marker, 1);
    expect(await findProcesses(marker)).toEqual([kept]);
    expect(states(service)).toEqual({ two: 'connected' });
  });

  it('loses only the entry that is broken, and each entry runs where it says', async () => {
    const folder = await harness.addFolder('work', {
      broken: undefined,
      elsewhere: { ...misbehave(), cwd: harness.root },
      here: misbehave(),
    });
    await harness.write(
      folder,
      JSON.stringify({
        mcpServers: {
          broken: null,
          elsewhere: { ...misbehave(), cwd: harness.root },
          here: misbehave(),
        },
      }),
    );
    const service = harness.open();
    await service.whenStarted();
    await service.trust.trustFolder(folder.uri);
    const cwdOf = async (name: string) =>
      (await find(service, name).callTool('cwd', {})).content[0]?.text;
    expect([await cwdOf('here'), await cwdOf('elsewhere')]).toEqual([folder.fsPath, harness.root]);
    expect(states(service).broken).toBe('invalid');
  });

  it('offers a server that is late to whoever works in it already', async () => {
    const folder = await harness.addFolder('work', { late: misbehave('--slow-list=500') });
    const service = harness.open();
    await service.whenStarted();
    await service.trust.trustFolder(folder.uri);
    const [server] = service.serversFor(folder.uri);
    expect(server?.catalog.value.tools).toEqual([]);
    const news = onceEvent(service.onDidChangeServer, (one) => one.catalog.value.tools.length > 0);
    expect((await news).definition.name).toBe('late');
    expect(service.serversFor(folder.uri)[0]?.catalog.value.tools.length).toBeGreaterThan(0);
  });
});

describe('a real server', () => {
  it('that waits for the roots of its client is ended, through npx too', async () => {
    const connections = new TestConnections();
    const script = resolve('node_modules/@modelcontextprotocol/server-everything/dist/index.js');
    const launches = [
      stdioLaunch('node', [script, 'stdio', marker]),
      stdioLaunch('npx', ['--no', '--', 'mcp-server-everything', 'stdio', marker]),
    ];
    const roots = { list: () => [], onDidChange: () => ({ dispose: () => undefined }) };
    for (const launch of [...launches, ...launches, ...launches]) {
      const connection = await connections.open(launch, { features: { roots } });
      await connection.close();
      expect(await findProcesses(marker)).toEqual([]);
    }
  });
});

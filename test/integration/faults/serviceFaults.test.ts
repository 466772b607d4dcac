/** Faults as the whole core meets them: what its states say, and that nothing is left behind. */
import { mkdir, rename, symlink, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { onceEvent } from '../../../src/base/event.js';
import type { McpServer, McpService } from '../../../src/mcp/mcpApi.js';
import { listRunningServers } from '../../../src/mcp/service/runningServers.js';
import { misbehaveScript } from '../../fixtures/connections.js';
import { findProcesses, processMarker, waitForProcesses } from '../../fixtures/processes.js';
import { startMisbehavingServer } from '../../fixtures/servers/misbehaveHttp.mjs';
import { CoreHarness, find, pidOf, reach, recordKinds, states } from '../../helpers/coreHarness.js';
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

/** A core whose only folder is trusted, with the start-up connects under way. */
async function openTrusted(
  servers: Readonly<Record<string, unknown>>,
  changes: Parameters<CoreHarness['open']>[1] = {},
) {
  const folder = await harness.addFolder('work', servers);
  const service = harness.open(undefined, changes);
  await service.whenStarted();
  await service.trust.trustFolder(folder.uri);
  return { folder, service };
}

async function textOf(server: McpServer, tool: string, args = {}): Promise<unknown> {
  return (await server.callTool(tool, args)).content[0]?.text;
}

describe('starting', () => {
  it('lets a hung server delay nobody', async () => {
    const names = Array.from({ length: 9 }, (_, index) => `good${index}`);
    const good = Object.fromEntries(names.map((name) => [name, misbehave()]));
    const { service } = await openTrusted({ hung: misbehave('--hang-initialize'), ...good });
    await Promise.all(names.map((name) => reach(find(service, name), 'connected')));
    expect(find(service, 'hung').state.value.kind).toBe('connecting');
  });

  it('of an entry that was removed and added again waits for the end of the old one', async () => {
    const stubborn = { one: { ...misbehave('--ignore-eof'), stopGraceMs: 1500 } };
    const { folder, service } = await openTrusted(stubborn);
    await reach(find(service, 'one'), 'connected');
    await harness.write(folder, {});
    await service.reload();
    await harness.write(folder, stubborn);
    await service.reload();
    const again = find(service, 'one');
    await again.ensureConnected();
    expect(await findProcesses(marker)).toEqual([pidOf(again)]);
  });

  it('ends a connect under way on shutdown', async () => {
    await openTrusted({
      hung: misbehave('--hang-initialize', '--ignore-eof', '--helper-stubborn'),
    });
    await waitForProcesses(marker, 2);
    await harness.dispose();
    expect(await findProcesses(marker)).toEqual([]);
  });

  it('ends a connect under way on revoke', async () => {
    const { folder, service } = await openTrusted({ hung: misbehave('--hang-initialize') });
    await waitForProcesses(marker, 1);
    await service.trust.revoke(folder.uri);
    expect(await findProcesses(marker)).toEqual([]);
    expect(states(service)).toEqual({ hung: 'trust_required' });
  });

  it('does not start a server that is switched off, also not on request', async () => {
    const { service } = await openTrusted({ off: { ...misbehave(), enabled: false } });
    expect((await find(service, 'off').restart()).kind).toBe('disabled');
    await expect(find(service, 'off').callTool('echo', {})).rejects.toThrow('is disabled');
    expect(await findProcesses(marker)).toEqual([]);
  });

  it('leaves no process of a server whose list fails, however often it is probed', async () => {
    const { service } = await openTrusted({ broken: misbehave('--list-error') });
    await service.whenStarted();
    for (let round = 0; round < 3; round++) {
      expect((await find(service, 'broken').restart()).kind).toBe('error');
      expect(await findProcesses(marker)).toEqual([]);
    }
  });

  it('runs each server of the same name in its own folder', async () => {
    const folders = await Promise.all(
      ['one', 'two'].map((name) => harness.addFolder(name, { db: misbehave() })),
    );
    const service = harness.open();
    await service.whenStarted();
    for (const { uri } of folders) {
      await service.trust.trustFolder(uri);
    }
    const servers = service.pools.flatMap((pool) => pool.servers);
    const cwds = await Promise.all(servers.map((server) => textOf(server, 'cwd')));
    expect(cwds).toEqual(servers.map(({ definition }) => definition.folder?.fsPath));
    expect(new Set(servers.map(pidOf)).size).toBe(2);
  });

  it('gives a child only the safe environment and what its entry sets', async () => {
    const { service } = await openTrusted({ one: { ...misbehave(), env: { OWN: '1' } } });
    const env = JSON.parse(String(await textOf(find(service, 'one'), 'env')));
    expect(
      Object.keys(env)
        .filter((key) => !key.startsWith('__CF'))
        .sort(),
    ).toEqual(['HOME', 'OWN', 'PATH', 'PI_MCP_RUN']);
  });
});

describe('a process', () => {
  it('that dies ten times after healthy lives is started ten times', async () => {
    const clock = createFastClock(200);
    const { service } = await openTrusted(
      { kept: { ...misbehave(), lifecycle: 'keep-alive' } },
      { clock },
    );
    const server = find(service, 'kept');
    await reach(server, 'connected');
    for (let drop = 0; drop < 10; drop++) {
      process.kill(pidOf(server), 'SIGKILL');
      await reach(server, 'error');
      expect(server.catalog.value.tools.length).toBeGreaterThan(0);
      await reach(server, 'connected');
    }
    expect(server.activity.restarts).toBe(10);
  });

  it('that never starts is tried again ever more slowly, and its next try is known', async () => {
    // what the next try is at is then how long it waits
    const clock = { ...createFastClock(100), now: () => 0 };
    const { service } = await openTrusted(
      { broken: { ...misbehave('--exit-early'), lifecycle: 'keep-alive' } },
      { clock },
    );
    const server = find(service, 'broken');
    const waits: number[] = [];
    for (let attempt = 0; attempt < 4; attempt++) {
      await reach(server, 'error');
      const state = server.state.value;
      waits.push(state.kind === 'error' ? (state.nextRetryAt ?? 0) : 0);
      await reach(server, 'connecting');
    }
    expect(waits.map((wait, index) => wait > (waits[index - 1] ?? 0))).toEqual(
      waits.map(() => true),
    );
  });

  it('that hangs is found out and started again when it is kept alive', async () => {
    const clock = createFastClock(100);
    const { service } = await openTrusted(
      { kept: { ...misbehave(), lifecycle: 'keep-alive' } },
      { clock },
    );
    const server = find(service, 'kept');
    await reach(server, 'connected');
    const pid = pidOf(server);
    process.kill(pid, 'SIGSTOP');
    await reach(server, 'error');
    expect(server.state.value).toMatchObject({ failure: { code: 'unresponsive' } });
    await reach(server, 'connected');
    expect(pidOf(server)).not.toBe(pid);
  });

  it('is restarted fifty times in a row without a leftover', async () => {
    const { service } = await openTrusted({ one: misbehave() });
    const server = find(service, 'one');
    for (let round = 0; round < 50; round++) {
      expect((await server.restart()).kind).toBe('connected');
      expect(await findProcesses(marker)).toEqual([pidOf(server)]);
    }
  });

  it('that is stopped on purpose is idle, never an error', async () => {
    const { service } = await openTrusted({ one: { ...misbehave(), lifecycle: 'keep-alive' } });
    const server = find(service, 'one');
    await reach(server, 'connected');
    const kinds = recordKinds(server);
    await server.stop();
    await server.restart();
    await harness.dispose();
    expect(kinds).toEqual(['idle', 'connecting', 'connected', 'idle']);
  });

  it('says in its failure what was run, without secrets', async () => {
    const entry = misbehave('--exit-early');
    const args = [...entry.args, '--api-key', 'sk-0123456789abcdefghij'];
    const { service } = await openTrusted({ broken: { ...entry, args } });
    await service.whenStarted();
    const state = find(service, 'broken').state.value;
    expect(state).toMatchObject({ failure: { code: 'exited', exitCode: 3 } });
    expect(state.kind === 'error' && state.failure.ran).toContain('misbehave.mjs --exit-early');
    expect(JSON.stringify(state)).not.toContain('0123456789');
  });
});

describe('a connection', () => {
  it('survives a protocol error, and so do the other calls under way', async () => {
    const { service } = await openTrusted({ one: misbehave() });
    const server = find(service, 'one');
    await server.ensureConnected();
    const pid = pidOf(server);
    const slow = server.callTool('progress', { steps: 3, intervalMs: 50 });
    await expect(server.callTool('refuse', {})).rejects.toThrow('not like that');
    expect((await slow).content).toEqual([{ type: 'text', text: 'done' }]);
    expect(pidOf(server)).toBe(pid);
  });

  it('never repeats a call whose process died', async () => {
    const { service } = await openTrusted({ one: misbehave() });
    const server = find(service, 'one');
    await expect(server.callTool('crash', {})).rejects.toThrow('exited with code 7');
    expect(await textOf(server, 'started')).toBe('["started"]');
    expect(server.activity.restarts).toBe(1);
  });

  it('shows the tools that a server adds while it runs', async () => {
    const { service } = await openTrusted({ one: misbehave() });
    const server = find(service, 'one');
    await server.ensureConnected();
    const changed = onceEvent(server.catalog.onDidChange, ({ changes = [] }) =>
      changes.some(({ name }) => name === 'fresh'),
    );
    await server.callTool('add_tool', { name: 'fresh' });
    const { changes = [] } = await changed;
    // what is new is used once somebody has seen it
    await expect(textOf(server, 'fresh')).rejects.toMatchObject({ code: 'definition_held' });
    await server.acceptDefinitions(changes.map(({ fingerprint }) => fingerprint));
    expect(await textOf(server, 'fresh')).toBe('fresh');
  });

  it('is closed when nobody needs it, not while somebody holds it', async () => {
    const clock = createFastClock(2000);
    const entry = { ...misbehave(), idleTimeout: 1 };
    const { service } = await openTrusted({ one: entry, free: entry }, { clock });
    const server = find(service, 'one');
    const hold = server.hold('test');
    await server.ensureConnected();
    // the control: one that nobody holds, and that was needed later
    await find(service, 'free').ensureConnected();
    await reach(find(service, 'free'), 'idle');
    expect(server.state.value.kind).toBe('connected');
    hold.dispose();
    await reach(server, 'idle');
    await waitForProcesses(marker, 0);
  });

  it('shows its traffic in the log on request, without secrets', async () => {
    const lines: string[] = [];
    const logger = { log: (_level: string, message: string) => void lines.push(message) };
    let isTrafficTraced = false;
    const { service } = await openTrusted(
      { one: misbehave(), noisy: { ...misbehave(), debug: true, env: { KEY: 't0psecret' } } },
      {
        loggers: { main: logger, forServer: () => logger },
        isTrafficTraced: () => isTrafficTraced,
      },
    );
    await Promise.all(['one', 'noisy'].map((name) => reach(find(service, name), 'connected')));
    const frames = () => lines.filter((line) => /^[→←] /.test(line));
    expect(frames().length).toBeGreaterThan(3);
    const before = frames().length;
    await find(service, 'one').callTool('echo', { message: 'quiet' });
    expect(frames()).toHaveLength(before);
    isTrafficTraced = true;
    await find(service, 'one').callTool('echo', { message: 'loud', password: 'hunter22' });
    await find(service, 'noisy').callTool('echo', { message: 'is t0psecret' });
    expect(frames().slice(before).join('\n')).toContain('loud');
    expect(lines.join('\n')).not.toMatch(/quiet|t0psecret|hunter22/);
  });
});

describe('a remote server', () => {
  async function openRemote() {
    const server = await startMisbehavingServer();
    await harness.writeGlobal({ remote: { url: server.url } });
    const service = harness.open();
    await service.whenStarted();
    return { server, service, remote: find(service, 'remote') };
  }

  it.each([
    ['lost the session', -32001, 'Session not found'],
    ['knows no such session', -32000, 'Bad Request: No valid session ID provided'],
    ['dislikes the call', -32000, 'No session was named'],
  ])(
    'that ran a call and then says that it %s (HTTP 400) runs it once',
    async (_what, code, message) => {
      const { server, remote } = await openRemote();
      server.faults.refusal = JSON.stringify({
        jsonrpc: '2.0',
        id: null,
        error: { code, message },
      });
      await expect(remote.callTool('echo', {})).rejects.toThrow();
      expect(server.stats.calls).toBe(1);
      server.faults.refusal = undefined;
      expect(await textOf(remote, 'echo', { message: 'back' })).toBe('back');
      await server.close();
    },
  );

  it('that is gone is an error, and connected again by the first call after it is back', async () => {
    const { server, remote } = await openRemote();
    await server.close();
    await expect(remote.callTool('echo', {})).rejects.toMatchObject({ code: 'unreachable' });
    await reach(remote, 'error');
    expect(remote.state.value).toMatchObject({ kind: 'error', failure: { code: 'unreachable' } });
    await expect(remote.callTool('echo', {})).rejects.toMatchObject({ code: 'unreachable' });
    const again = await startMisbehavingServer({ port: server.port });
    expect(await textOf(remote, 'echo', { message: 'back' })).toBe('back');
    await again.close();
  });

  it('that asks for authorization says so, and keeps its tools', async () => {
    const { server, remote } = await openRemote();
    Object.assign(server.faults, { requiredToken: 'secret' });
    await expect(remote.callTool('echo', {})).rejects.toThrow('authorization');
    expect(remote.state.value.kind).toBe('needs_auth');
    expect(remote.catalog.value.tools).toHaveLength(1);
    await server.close();
  });

  it('stays connected through unrelated edits and reloads', async () => {
    const { server, service, remote } = await openRemote();
    for (let round = 0; round < 5; round++) {
      const changed = onceEvent(service.onDidChangePools);
      await harness.writeGlobal({
        remote: { url: server.url },
        [`other${round}`]: { command: '' },
      });
      await changed;
      await service.reload();
    }
    expect([server.stats.initializes, remote.state.value.kind]).toEqual([1, 'connected']);
    await server.close();
  });
});

describe('configuration files', () => {
  it('are picked up when they come into being and when they are replaced', async () => {
    const folder = await harness.addFolder('work', {});
    const file = join(folder.fsPath ?? '', '.mcp.json');
    await unlink(file);
    const service = harness.open();
    await service.whenStarted();
    const appears = onceEvent(service.onDidChangePools, () => hasServer(service, 'first'));
    await harness.write(folder, { first: misbehave() });
    await appears;
    const replaced = onceEvent(service.onDidChangePools, () => hasServer(service, 'second'));
    const draft = join(folder.fsPath ?? '', 'draft.json');
    await writeFile(draft, JSON.stringify({ mcpServers: { second: misbehave() } }));
    await rename(draft, file);
    await replaced;
    expect(states(service)).toEqual({ second: 'trust_required' });
  });
});

describe('the list of running servers', () => {
  it('says what each costs and who holds it, and a stop takes it off the list', async () => {
    const { service } = await openTrusted({ one: misbehave('--helper'), off: misbehave() });
    await Promise.all(['one', 'off'].map((name) => reach(find(service, name), 'connected')));
    await find(service, 'off').stop();
    await waitForProcesses(marker, 2);
    find(service, 'one').hold('session');
    const running = await listRunningServers(service);
    expect(running).toMatchObject([
      {
        pid: pidOf(find(service, 'one')),
        processCount: 2,
        activity: { restarts: 0, calls: 0, holders: ['session'] },
      },
    ]);
    expect(running[0]?.memoryBytes).toBeGreaterThan(20_000_000);
    await find(service, 'one').stop();
    expect(await listRunningServers(service)).toEqual([]);
  });
});

describe('npx', () => {
  async function createProject(): Promise<string> {
    const folder = await harness.addFolder('project', {});
    const bin = join(folder.fsPath ?? '', 'node_modules', 'misbehave-mcp');
    await mkdir(bin, { recursive: true });
    const manifest = { name: 'misbehave-mcp', version: '1.2.3', bin: 'run.mjs' };
    await writeFile(join(bin, 'package.json'), JSON.stringify(manifest));
    const script = `#!/usr/bin/env node\nawait import(${JSON.stringify(misbehaveScript)});\n`;
    await writeFile(join(bin, 'run.mjs'), script, { mode: 0o755 });
    const shims = join(bin, '..', '.bin');
    await mkdir(shims);
    await symlink('../misbehave-mcp/run.mjs', join(shims, 'misbehave-mcp'));
    return folder.fsPath ?? '';
  }

  it('starts one process for a package that is there, and says in the log which', async () => {
    const cwd = await createProject();
    const lines: string[] = [];
    const logger = { log: (_level: string, message: string) => void lines.push(message) };
    const entry = { command: 'npx', args: ['-y', 'misbehave-mcp@^1', marker], cwd };
    await harness.writeGlobal({ direct: entry });
    const service = harness.open(undefined, {
      loggers: { main: logger, forServer: () => logger },
    });
    await service.whenStarted();
    expect(states(service)).toEqual({ direct: 'connected' });
    expect(await findProcesses(marker)).toEqual([pidOf(find(service, 'direct'))]);
    expect(lines.join('\n')).toContain('npx runs as misbehave-mcp 1.2.3');
  });

  it('that must run as written is ended with all its processes', async () => {
    const cwd = await createProject();
    const args = ['--no', 'misbehave-mcp', '--ignore-eof', marker];
    await harness.writeGlobal({ wrapped: { command: 'npx', args, cwd } });
    const service = harness.open();
    await service.whenStarted();
    const server = find(service, 'wrapped');
    for (let round = 0; round < 2; round++) {
      expect(await server.restart()).toMatchObject({ kind: 'connected' });
      expect((await findProcesses(marker)).length).toBeGreaterThan(1);
      await server.stop();
      expect(await findProcesses(marker)).toEqual([]);
    }
  });
});

function hasServer(service: McpService, name: string): boolean {
  return service.pools.some((pool) =>
    pool.servers.some(({ definition }) => definition.name === name),
  );
}

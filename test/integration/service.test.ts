import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { onceEvent } from '../../src/base/event.js';
import type { McpServer } from '../../src/mcp/mcpApi.js';
import { serverPageView } from '../../src/presentation/server/serverPageView.js';
import {
  everything,
  filesystem,
  find,
  isAlive,
  memory,
  noted,
  notedPids,
  pidOf,
  reach,
  silent,
  states,
  useCoreHarness,
} from '../helpers/coreHarness.js';

const harness = useCoreHarness();

afterEach(() => harness.dispose());

/** A core whose folder is trusted, with every start-up connect settled. */
async function openTrusted(servers: Readonly<Record<string, unknown>>) {
  const folder = await harness.addFolder('work', servers);
  const service = await harness.start();
  await service.trust.trustFolder(folder.uri);
  await service.whenStarted();
  return { folder, service };
}

describe('the folders that a server may work in', () => {
  const allowed = async (server: McpServer) => {
    const result = await server.callTool('list_allowed_directories', {});
    return result.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
  };

  it('are those of its own arguments, in every call of every run', async () => {
    const elsewhere = await mkdtemp(join(tmpdir(), 'elsewhere-'));
    const args = [filesystem.args[0] ?? '', elsewhere];
    const { service, folder } = await openTrusted({ files: { ...filesystem, args } });
    try {
      const server = find(service, 'files');
      for (let run = 0; run < 2; run++) {
        for (let call = 0; call < 5; call++) {
          const text = await allowed(server);
          expect(text).toContain(elsewhere);
          expect(text).not.toContain(folder.fsPath);
        }
        await server.restart();
      }
    } finally {
      await rm(elsewhere, { recursive: true });
    }
  });

  it('are those of the workspace where they name none outside', async () => {
    const folder = await harness.addFolder('work', {});
    const args = [filesystem.args[0] ?? '', folder.fsPath];
    await harness.write(folder, { files: { ...filesystem, args } });
    const service = await harness.start();
    await service.trust.trustFolder(folder.uri);
    const server = find(service, 'files');
    expect(await allowed(server)).toContain(folder.fsPath);
  });
});

const dying = `process.stderr.write('last words\\n', () => process.exit(7))`;

describe('start', () => {
  it('connects real servers beside ones that fail, each failure with cause and remedy', async () => {
    const { service } = await openTrusted({
      everything,
      memory,
      missing: { command: 'no-such-executable' },
      dies: { command: process.execPath, args: ['-e', dying] },
      hangs: { ...silent, startupTimeoutMs: 700 },
      both: { command: 'x', url: 'http://localhost' },
      nothing: null,
      off: { ...memory, enabled: false },
    });
    expect(states(service)).toEqual({
      everything: 'connected',
      memory: 'connected',
      missing: 'error',
      dies: 'error',
      hangs: 'error',
      both: 'invalid',
      nothing: 'invalid',
      off: 'disabled',
    });
    const failures = ['missing', 'dies', 'hangs'].map((name) => find(service, name).state.value);
    expect(failures).toMatchObject([
      { failure: { code: 'spawn_enoent' } },
      { failure: { code: 'exited', exitCode: 7, stderrTail: ['last words'] } },
      { failure: { code: 'initialize_timeout', message: expect.stringContaining('0.7 s') } },
    ]);
    for (const state of failures) {
      expect(state.kind === 'error' && state.failure.remedy).not.toBe('');
    }
    const result = await find(service, 'everything').callTool('echo', { message: 'hello' });
    expect(result.content).toEqual([{ type: 'text', text: 'Echo: hello' }]);
  });

  it('spawns one process per server however often it is asked', async () => {
    const file = join(harness.root, 'pids');
    const folder = await harness.addFolder('work', { memory: noted(file, memory) });
    const service = await harness.start();
    await service.trust.trustFolder(folder.uri);
    const server = find(service, 'memory');
    await Promise.all([
      service.reload(),
      server.ensureConnected(),
      service.reload(),
      server.ensureConnected(),
      service.whenStarted(),
    ]);
    expect(await notedPids(file)).toEqual([pidOf(server)]);
  });

  it('shows the tools of the last time without starting anything', async () => {
    const file = join(harness.root, 'pids');
    const { service } = await openTrusted({ memory: noted(file, memory) });
    const { tools } = find(service, 'memory').catalog.value;
    await service.shutdown();
    const again = await harness.start();
    const server = find(again, 'memory');
    expect([server.state.value.kind, server.catalog.value.tools]).toEqual(['idle', tools]);
    expect(await notedPids(file)).toHaveLength(1);
    await server.callTool('read_graph', {});
    expect(await notedPids(file)).toHaveLength(2);
  });

  it('connects a lazy server of which nothing is known, and no more once something is', async () => {
    await harness.writeGlobal({ memory });
    for (const expected of ['connected', 'idle']) {
      const service = await harness.start();
      expect(states(service)).toEqual({ memory: expected });
      await service.shutdown();
    }
  });

  it('starts what is eager, although its tools are known', async () => {
    await harness.writeGlobal({
      soon: { ...memory, lifecycle: 'eager' },
      kept: { ...memory, lifecycle: 'keep-alive' },
      later: memory,
    });
    const first = await harness.start();
    await first.shutdown();
    const again = await harness.start();
    expect(states(again)).toEqual({ soon: 'connected', kept: 'connected', later: 'idle' });
  });

  it('leaves no process behind', async () => {
    const { service } = await openTrusted({ everything, memory });
    const pids = ['everything', 'memory'].map((name) => pidOf(find(service, name)));
    expect(pids.every(isAlive)).toBe(true);
    await service.shutdown();
    expect(pids.filter(isAlive)).toEqual([]);
  });
});

describe('an edit', () => {
  it('reconnects only the server that it changes', async () => {
    const { folder, service } = await openTrusted({ everything, memory, filesystem });
    const before = ['everything', 'memory'].map((name) => pidOf(find(service, name)));
    const old = pidOf(find(service, 'filesystem'));
    const changed = onceEvent(service.onDidChangePools);
    await harness.write(folder, {
      everything,
      memory: { ...memory, requestTimeoutMs: 1234 },
      filesystem: { ...filesystem, env: { CHANGED: '1' } },
    });
    await changed;
    await reach(find(service, 'filesystem'), 'connected');
    expect(['everything', 'memory'].map((name) => pidOf(find(service, name)))).toEqual(before);
    expect(find(service, 'memory').definition.options.requestTimeoutMs).toBe(1234);
    expect([pidOf(find(service, 'filesystem')) === old, isAlive(old)]).toEqual([false, false]);
  });

  it('that breaks the file keeps every server running', async () => {
    const { folder, service } = await openTrusted({ memory });
    const pid = pidOf(find(service, 'memory'));
    const changed = onceEvent(service.onDidChangePools);
    await harness.write(folder, '{ "mcpServers": { "memory": ');
    await changed;
    expect(pidOf(find(service, 'memory'))).toBe(pid);
    expect(service.pools[1]?.fileProblems).not.toEqual([]);
  });

  it('that switches a server off or removes it ends its process', async () => {
    const { folder, service } = await openTrusted({ everything, memory });
    const servers = ['everything', 'memory'].map((name) => find(service, name));
    const pids = servers.map(pidOf);
    const changed = onceEvent(service.onDidChangePools);
    await harness.write(folder, { memory: { ...memory, enabled: false } });
    await changed;
    expect(states(service)).toEqual({ memory: 'disabled' });
    const told = await Promise.allSettled(servers.map((server) => server.callTool('any', {})));
    expect(told.map((it) => 'reason' in it && it.reason.code)).toEqual([
      'server_unknown',
      'disabled',
    ]);
    await service.shutdown();
    expect(pids.filter(isAlive)).toEqual([]);
  });
});

describe('a process that dies', () => {
  it('is an error with its signal at once, and is started again by the next call', async () => {
    const { service } = await openTrusted({ memory });
    const server = find(service, 'memory');
    process.kill(pidOf(server), 'SIGKILL');
    await reach(server, 'error');
    expect(server.state.value).toMatchObject({ failure: { code: 'exited', signal: 'SIGKILL' } });
    expect(server.catalog.value.tools.length).toBeGreaterThan(0);
    await server.callTool('read_graph', {});
    expect(server.state.value.kind).toBe('connected');
  });
});

describe('folders', () => {
  it('each have a server of the user or not; one that none has does not run', async () => {
    await harness.writeGlobal({ memory: { ...memory, lifecycle: 'eager' } });
    const one = await harness.addFolder('one', { memory: { enabled: false } });
    const two = await harness.addFolder('two', {});
    const service = await harness.start();
    const pid = pidOf(find(service, 'memory'));
    const [inOne] = service.serversFor(one.uri, 'memory');
    const [inTwo] = service.serversFor(two.uri, 'memory');
    expect(inOne?.state.value).toEqual({
      kind: 'disabled',
      by: 'folder',
      folderName: 'one',
      path: join(one.fsPath ?? '', '.mcp.json'),
    });
    for (const use of [
      () => inOne?.callTool('read_graph', {}),
      () => inOne?.ensureConnected(),
      () => inOne?.readTools(),
      () => inOne?.readResource('file:///x'),
      () => inOne?.direct.ping(),
    ]) {
      await expect(async () => use()).rejects.toMatchObject({ code: 'disabled' });
    }
    expect((await inTwo?.callTool('read_graph', {}))?.isError).not.toBe(true);
    const changed = onceEvent(service.onDidChangePools);
    harness.removeFolder(two);
    await changed;
    expect(states(service)).toEqual({ memory: 'disabled' });
    await service.shutdown();
    expect(isAlive(pid)).toBe(false);
  });

  it('closes the pool of a removed folder and leaves the others alone', async () => {
    const { folder, service } = await openTrusted({ memory });
    await harness.writeGlobal({ everything });
    await service.reload();
    await service.whenStarted();
    const [folderPid, globalPid] = [
      pidOf(find(service, 'memory')),
      pidOf(find(service, 'everything')),
    ];
    const removed = onceEvent(service.onDidChangePools);
    harness.removeFolder(folder);
    await removed;
    expect(service.pools.map(({ id }) => id)).toEqual(['global']);
    expect(pidOf(find(service, 'everything'))).toBe(globalPid);
    await service.shutdown();
    expect(isAlive(folderPid)).toBe(false);
  });

  it('keeps a global server for the agent while the folder entry of its name is gated', async () => {
    await harness.writeGlobal({ memory });
    const folder = await harness.addFolder('work', { memory: everything });
    const service = await harness.start();
    const scopes = () => {
      const found = service.serversFor(folder.uri).map(({ definition }) => definition.scope);
      const named = service.serversFor(folder.uri, 'memory');
      expect(named.map(({ definition }) => definition.scope)).toEqual(found);
      return found;
    };
    expect(scopes()).toEqual(['folder', 'global']);
    await service.trust.trustFolder(folder.uri);
    expect(scopes()).toEqual(['folder']);
    await service.whenStarted();
  });

  it('has on the page of a global server the folders where it is used, those with a gated entry of its name too', async () => {
    await harness.writeGlobal({ memory });
    const own = await harness.addFolder('own', { memory: everything });
    await harness.addFolder('plain', {});
    const service = await harness.start();
    const usedIn = () => {
      const { id } = find(service, 'memory');
      const { sections } = serverPageView(
        service,
        { id, name: 'memory' },
        {
          isWorkspaceTrusted: true,
          folderTrust: (uri) => service.trust.folderTrust(uri),
        },
      );
      return sections.flatMap(({ facts }) => facts).find(({ label }) => label === 'used in')?.text;
    };
    expect(usedIn()).toBe('own, plain');
    await service.trust.trustFolder(own.uri);
    expect(usedIn()).toBe('plain');
    await service.whenStarted();
  });
});

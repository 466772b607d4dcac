import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { onceEvent } from '../../src/base/event.js';
import { loadEngine } from '../../src/mcp/connection/engineSelection.js';
import { createSdkEngine } from '../../src/mcp/connection/sdkEngine/sdkEngine.js';
import { startMisbehavingServer } from '../fixtures/servers/misbehaveHttp.mjs';
import {
  everything,
  find,
  firstNotedPid,
  isAlive,
  memory,
  noted,
  notedPids,
  pidOf,
  reach,
  replaceDirectory,
  silent,
  states,
  useCoreHarness,
} from '../helpers/coreHarness.js';
import { createDeferred } from '../helpers/fakes/deferred.js';

const harness = useCoreHarness();
let file: string;

beforeEach(async () => {
  file = join(harness.root, 'pids');
});

afterEach(() => harness.dispose());

describe('trust', () => {
  it('starts nothing in Restricted Mode, asks once trusted, and connects on consent', async () => {
    harness.isTrusted = false;
    const folder = await harness.addFolder('work', { memory: noted(file, memory) });
    const service = await harness.start();
    const server = find(service, 'memory');
    expect(server.state.value).toEqual({
      kind: 'trust_required',
      reason: { kind: 'workspace_untrusted' },
    });
    harness.setTrusted(true);
    expect(server.state.value).toMatchObject({ reason: { kind: 'never_consented' } });
    expect(await service.trust.pendingConsent(folder.uri)).toMatchObject([
      {
        name: 'memory',
        description: {
          argv: [process.execPath, expect.stringMatching(/noting\.mjs$/), file, ...memory.args],
          executable: { path: process.execPath, isInFolder: false, state: 'after_consent' },
          cwd: { found: { path: folder.fsPath, isInFolder: true } },
        },
      },
    ]);
    expect(await notedPids(file)).toEqual([]);
    await service.trust.trustFolder(folder.uri);
    await reach(server, 'connected');
    expect(await notedPids(file)).toEqual([pidOf(server)]);
  });

  it('stops the whole folder on revoke and asks again', async () => {
    const folder = await harness.addFolder('work', { memory, everything });
    const service = await harness.start();
    await service.trust.trustFolder(folder.uri);
    await service.whenStarted();
    const pids = ['memory', 'everything'].map((name) => pidOf(find(service, name)));
    await service.trust.revoke(folder.uri);
    expect(pids.filter(isAlive)).toEqual([]);
    expect(states(service)).toEqual({ memory: 'trust_required', everything: 'trust_required' });
    expect(service.trust.folderTrust(folder.uri)).toEqual({ kind: 'none' });
  });

  it('covers what is added to a trusted folder later, which starts at once', async () => {
    const folder = await harness.addFolder('work', { memory });
    const service = await harness.start();
    await service.trust.trustFolder(folder.uri);
    await harness.write(folder, { memory, later: noted(file, memory) });
    await expect.poll(() => Object.keys(states(service))).toContain('later');
    await reach(find(service, 'later'), 'connected');
    expect(await notedPids(file)).toEqual([pidOf(find(service, 'later'))]);
  });

  it('of a server elsewhere is not asked for, which consent leaves alone and its end disconnects', async () => {
    const remote = await startMisbehavingServer();
    try {
      const elsewhere = { url: 'https://tools.example.com/mcp' };
      const folder = await harness.addFolder('work', { elsewhere, memory });
      // what is reached at its address is on this machine
      const service = await harness.start(async (launch) => {
        const engine = await loadEngine(launch);
        const { connectHttp } = engine;
        return connectHttp
          ? {
              ...engine,
              connectHttp: (found, options) => connectHttp({ ...found, url: remote.url }, options),
            }
          : engine;
      });
      expect(states(service)).toEqual({ elsewhere: 'connected', memory: 'trust_required' });
      await service.trust.trustFolder(folder.uri);
      await reach(find(service, 'memory'), 'connected');
      expect(remote.stats).toMatchObject({ initializes: 1, deletes: 0 });
      await service.trust.revoke(folder.uri);
      expect(states(service)).toEqual({ elsewhere: 'idle', memory: 'trust_required' });
      expect(remote.stats.deletes).toBe(1);
    } finally {
      await remote.close();
    }
  });

  it('asks again, and says why, when another folder stands at the path of a trusted one', async () => {
    const folder = await harness.addFolder('work', { memory: noted(file, memory) });
    const first = await harness.start();
    await first.trust.trustFolder(folder.uri);
    await reach(find(first, 'memory'), 'connected');
    await first.shutdown();
    const started = await notedPids(file);

    await replaceDirectory(folder.fsPath ?? '');
    const service = await harness.start();
    expect(find(service, 'memory').state.value).toMatchObject({
      kind: 'trust_required',
      reason: { kind: 'folder_replaced', before: expect.stringMatching(/^directory:/) },
    });
    expect(service.trust.folderTrust(folder.uri)).toEqual({ kind: 'none' });
    expect(await service.trust.records()).toMatchObject([
      { folderUri: folder.uri, replaced: { before: expect.any(String) } },
    ]);
    expect(await notedPids(file)).toEqual(started);

    const requests = await service.trust.pendingConsent(folder.uri);
    await service.trust.trustServers(folder.uri, requests);
    await reach(find(service, 'memory'), 'connected');
    expect(service.trust.folderTrust(folder.uri)).toEqual({ kind: 'servers', count: 1 });
  });

  it("asks before the user's own servers for a folder run in another one at its path", async () => {
    const folder = await harness.addFolder('work', {});
    await harness.writeLocal(folder, {
      memory: { ...noted(file, memory), lifecycle: 'eager' },
      everything: { ...everything, lifecycle: 'eager' },
    });
    const first = await harness.start();
    await reach(find(first, 'memory'), 'connected');
    expect(await first.trust.records()).toEqual([]);
    await first.shutdown();
    const pids = await notedPids(file);

    // control: in the same folder they run again without a question
    const again = await harness.start();
    await reach(find(again, 'everything'), 'connected');
    await again.shutdown();
    const later = await notedPids(file);

    await replaceDirectory(folder.fsPath ?? '');
    const service = await harness.start();
    expect(states(service)).toEqual({ memory: 'trust_required', everything: 'trust_required' });
    expect(find(service, 'memory').state.value).toMatchObject({
      reason: { kind: 'folder_replaced', before: expect.stringMatching(/^directory:/) },
    });
    expect([pids.length, await notedPids(file)]).toEqual([1, later]);

    const requests = await service.trust.pendingConsent(folder.uri);
    await service.trust.trustServers(
      folder.uri,
      requests.filter(({ name }) => name === 'memory'),
    );
    await reach(find(service, 'memory'), 'connected');
    expect(states(service)).toEqual({ memory: 'connected', everything: 'trust_required' });
    await service.trust.trustFolder(folder.uri);
    await reach(find(service, 'everything'), 'connected');
    await service.trust.revoke(folder.uri);
    expect(states(service)).not.toMatchObject({ everything: 'trust_required' });
  });

  it('lists and revokes consent of a folder that is not open', async () => {
    const folder = await harness.addFolder('work', { memory });
    const service = await harness.start();
    await service.trust.trustServers(folder.uri, await service.trust.pendingConsent(folder.uri));
    harness.removeFolder(folder);
    const other = await harness.start();
    expect(await other.trust.records()).toMatchObject([
      { folderUri: folder.uri, grantedAt: undefined, servers: [{ name: 'memory' }] },
    ]);
    await other.trust.revoke(folder.uri);
    expect(await other.trust.records()).toEqual([]);
  });

  it('lets no process survive a revoke during connect', async () => {
    const hanging = noted(file, silent);
    const folder = await harness.addFolder('work', { hanging });
    const service = await harness.start();
    await service.trust.trustFolder(folder.uri);
    const pid = await firstNotedPid(file);
    expect([isAlive(pid), states(service)]).toEqual([true, { hanging: 'connecting' }]);
    await service.trust.revoke(folder.uri);
    expect(isAlive(pid)).toBe(false);
    expect(states(service)).toEqual({ hanging: 'trust_required' });
  });

  it('spawns nothing when consent is withdrawn while the engine loads', async () => {
    const folder = await harness.addFolder('work', { memory: noted(file, memory) });
    const asked = createDeferred();
    const release = createDeferred();
    const service = await harness.start(async () => {
      asked.resolve();
      await release.promise;
      return createSdkEngine();
    });
    await service.trust.trustFolder(folder.uri);
    await asked.promise;
    const revoked = service.trust.revoke(folder.uri);
    release.resolve();
    await revoked;
    expect(await notedPids(file)).toEqual([]);
  });

  it('binds the consent to single servers to what the user saw', async () => {
    const folder = await harness.addFolder('work', { memory, everything });
    const service = await harness.start();
    const requests = await service.trust.pendingConsent(folder.uri);
    const changed = onceEvent(service.onDidChangePools);
    await harness.write(folder, { memory: { ...memory, env: { EVIL: '1' } }, everything });
    await changed;
    await service.trust.trustServers(folder.uri, requests);
    await service.whenStarted();
    expect(states(service)).toEqual({ memory: 'trust_required', everything: 'connected' });
    expect(find(service, 'memory').state.value).toMatchObject({
      reason: { kind: 'changed', consented: { env: [] } },
    });
  });

  it('remembers consent for the next window', async () => {
    const folder = await harness.addFolder('work', { memory });
    const service = await harness.start();
    await service.trust.trustServers(folder.uri, await service.trust.pendingConsent(folder.uri));
    await service.shutdown();
    const again = await harness.start();
    expect(again.trust.folderTrust(folder.uri)).toEqual({ kind: 'servers', count: 1 });
    expect(states(again).memory).not.toBe('trust_required');
  });
});

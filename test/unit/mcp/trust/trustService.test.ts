import { mkdir, mkdtemp, realpath, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Emitter } from '../../../../src/base/event.js';
import type { McpServerDefinition, WorkspaceFolder } from '../../../../src/config/definition.js';
import type { LaunchFacts } from '../../../../src/config/launch/launchDescription.js';
import { launchHash } from '../../../../src/config/launch/launchHash.js';
import { nullLoggers } from '../../../../src/config/ports.js';
import type { FolderConsent } from '../../../../src/mcp/trust/canStart.js';
import { describeLaunch } from '../../../../src/mcp/trust/describeLaunch.js';
import { TrustGate, type TrustGateOptions } from '../../../../src/mcp/trust/trustGate.js';
import { TrustService } from '../../../../src/mcp/trust/trustService.js';
import { TrustStore } from '../../../../src/mcp/trust/trustStore.js';
import { createNodeHostEnvironment } from '../../../../src/platform/environment/nodeHostEnvironment.js';
import { nullLogger } from '../../../../src/platform/ports.js';
import { fakeDefinition } from '../../../helpers/fakes/fakeMcp.js';

const server = { hash: 'h' } as never;
const stdio = { kind: 'stdio', command: 'node', args: [], env: {}, inheritEnv: false } as const;
const watcher = { watch: () => ({ dispose: () => undefined }) };

it.each<[string, FolderConsent, object]>([
  ['nothing', { servers: {} }, { kind: 'none' }],
  ['one server', { servers: { a: server } }, { kind: 'servers', count: 1 }],
  ['some servers', { servers: { a: server, b: server } }, { kind: 'servers', count: 2 }],
  [
    'the folder',
    { servers: { a: server }, folderGrantedAt: '2026-01-01' },
    { kind: 'folder', grantedAt: '2026-01-01' },
  ],
])('says that consent covers %s', (_what, consent, trust) => {
  const service = new TrustService({
    gate: { shownConsentOf: () => consent },
    pools: { onDidRead: () => undefined },
    loggers: {},
  } as never);
  expect(service.folderTrust('file:///w')).toEqual(trust);
});

describe('a folder on the disk', () => {
  let root: string;
  let folder: WorkspaceFolder & { readonly fsPath: string };
  /** Of the file of the folder, and what the user declared for it. */
  let definition: McpServerDefinition;
  let own: McpServerDefinition;

  beforeEach(async () => {
    root = await realpath(await mkdtemp(join(tmpdir(), 'pi-mcp-trust-service-')));
    const fsPath = join(root, 'work');
    await mkdir(fsPath);
    folder = { uri: pathToFileURL(fsPath).toString(), name: 'work', fsPath };
    const launch = { ...stdio, command: join(root, 'outside/tool') };
    definition = fakeDefinition('of the file', { folder, change: { launch } });
    own = fakeDefinition('own', {
      folder,
      change: { origin: { layer: 'local', path: join(root, 'mcp.json') } },
    });
  });

  afterEach(() => rm(root, { recursive: true }));

  function open(options: Pick<TrustGateOptions, 'consentOverride'> = {}) {
    const store = new TrustStore({ directory: undefined, watcher, logger: nullLogger });
    const [didChangeTrust, didRead] = [new Emitter<void>(), new Emitter<void>()];
    const workspace = {
      folders: [folder],
      isTrusted: true,
      onDidChangeFolders: new Emitter<void>().event,
      onDidChangeTrust: didChangeTrust.event,
    };
    const stopped: string[] = [];
    const gate = new TrustGate({ store, workspace, ...options });
    const trust = new TrustService({
      gate,
      store,
      pools: {
        definitionsOf: () => [definition, own],
        definitions: () => [definition, own],
        onDidRead: didRead.event,
        reread: () => Promise.resolve(),
        stopPool: async (uri) => void stopped.push(uri),
      },
      environment: createNodeHostEnvironment({ homeDir: root, env: {} }),
      loggers: nullLoggers,
    });
    const ask = () => trust.pendingConsent(folder.uri);
    const waits = () => [definition, own].map((one) => trust.reasonToWait(one)?.kind);
    return { store, gate, trust, ask, waits, workspace, didChangeTrust, didRead, stopped };
  }

  /** Another directory stands at its path then. */
  async function replaceFolder(): Promise<void> {
    await rename(folder.fsPath, `${folder.fsPath}-old`);
    await mkdir(folder.fsPath);
  }

  /** The program is what the command names, in a folder that is where it was. */
  const asWritten = (): LaunchFacts => ({
    executable: { path: join(root, 'outside/tool'), isInFolder: false, state: 'found' },
    cwd: { path: folder.fsPath, isInFolder: true, state: 'found' },
  });

  it('has its server wait until the user trusts it, and not what the user declared for it', async () => {
    const { trust, ask, waits } = open();
    expect(trust.isWorkspaceTrusted).toBe(true);
    expect(waits()).toEqual(['never_consented', undefined]);
    const requests = await ask();
    expect(requests.map(({ name }) => name)).toEqual(['of the file']);
    await trust.trustServers(folder.uri, requests);
    expect(waits()).toEqual([undefined, undefined]);
    expect(await ask()).toEqual([]);
  });

  it('is trusted as a whole since the moment when the user did so', async () => {
    const { trust, waits } = open();
    const before = new Date().toISOString();
    await trust.trustFolder(folder.uri);
    expect(waits()).toEqual([undefined, undefined]);
    const [record] = await trust.records();
    expect([before, record?.grantedAt, new Date().toISOString()].toSorted()[1]).toBe(
      record?.grantedAt,
    );
  });

  it('asks anew in the same window when another one comes to its path', async () => {
    const { gate, trust, waits } = open();
    await trust.trustFolder(folder.uri);
    expect(waits()).toEqual([undefined, undefined]);
    gate.assertDescribed(definition, asWritten());
    await replaceFolder();
    expect(waits()).toEqual(['folder_replaced', undefined]);
  });

  it('is that of the user’s own servers from when one of them first starts in it', async () => {
    const { gate, trust, ask, waits } = open();
    gate.assertDescribed(own, asWritten());
    // that says nothing about trust in what its files declare
    expect(waits()).toEqual(['never_consented', undefined]);
    expect(await trust.records()).toEqual([]);
    await replaceFolder();
    expect(waits()).toEqual(['never_consented', 'folder_replaced']);
    // in the other one they run by consent alone, for as long as it lasts
    const requests = await ask();
    await trust.trustServers(
      folder.uri,
      requests.filter(({ name }) => name === own.name),
    );
    gate.assertDescribed(own, asWritten());
    expect(waits()).toEqual(['never_consented', undefined]);
    await trust.revoke(folder.uri);
    expect(waits()).toEqual(['never_consented', 'folder_replaced']);
    // unless the user trusts it as a whole
    await trust.trustFolder(folder.uri);
    await trust.revoke(folder.uri);
    expect(waits()).toEqual(['never_consented', undefined]);
  });

  it('starts nothing that turns out to be another file of it, tells so, and asks about that file', async () => {
    const { gate, trust, ask, waits } = open();
    await trust.trustServers(folder.uri, await ask());
    gate.assertDescribed(definition, asWritten());
    expect(waits()).toEqual([undefined, undefined]);
    let told = 0;
    gate.onDidChange(() => told++);
    const executable = {
      path: join(root, 'outside/tool'),
      isInFolder: true,
      leadsTo: join(folder.fsPath, 'evil'),
      state: 'found',
    } as const;
    expect(() => gate.assertDescribed(definition, { ...asWritten(), executable })).toThrow(
      expect.objectContaining({ name: 'AbortError' }),
    );
    expect([told, waits()]).toEqual([1, ['changed', undefined]]);
    expect(await ask()).toMatchObject([{ description: { executable } }]);
  });

  it('runs all that it has where the command line says so, also what the agent wrote, and stores nothing', async () => {
    const one = open({ consentOverride: (uri) => uri === folder.uri });
    const end = one.trust.whileAgentActs();
    definition = { ...definition, launch: { ...stdio, command: 'written' } };
    end();
    await expect
      .poll(() => one.store.get(folder.uri).agentWrote)
      .toEqual({ [definition.name]: [expect.any(String)] });
    expect(one.waits()).toEqual([undefined, undefined]);
    expect(await one.trust.records()).toEqual([]);
    const other = open({ consentOverride: (uri) => uri !== folder.uri });
    expect(other.waits()).toEqual(['never_consented', undefined]);
  });

  it('runs a launch that is tried out by consent to what was shown of it, that one time', () => {
    const { gate, waits } = open();
    const launch = { ...stdio, command: join(root, 'outside/tool') };
    const tried = { ...definition, launch };
    const description = describeLaunch(launch, { isGlobalName: false, facts: asWritten() });
    gate.agreeOnce(tried, { hash: launchHash(launch), description });
    expect(gate.check(tried)).toEqual({ allowed: true });
    expect(gate.check({ ...tried }).allowed).toBe(false);
    expect(waits()).toEqual(['never_consented', undefined]);
    const cwd = { ...asWritten().cwd, leadsTo: '/elsewhere' };
    expect(() => gate.assertDescribed(tried, { ...asWritten(), cwd })).toThrow();
    gate.assertDescribed(tried, asWritten());
    expect([tried, definition].map((one) => gate.isAgreedOnce(one))).toEqual([true, false]);
    // what was found of it says nothing about the server of the file
    expect(gate.foundFor(definition)).toBeUndefined();
  });

  it('carries nothing over to another one at its path, where the user trusts a part of that', async () => {
    const { gate, trust, ask, waits } = open();
    gate.assertDescribed(own, asWritten());
    await trust.trustFolder(folder.uri);
    await replaceFolder();
    expect(waits()).toEqual(['folder_replaced', 'folder_replaced']);
    const requests = await ask();
    await trust.trustServers(
      folder.uri,
      requests.filter(({ name }) => name === definition.name),
    );
    expect(trust.folderTrust(folder.uri)).toEqual({ kind: 'servers', count: 1 });
    expect(waits()).toEqual([undefined, 'folder_replaced']);
    await trust.trustFolder(folder.uri);
    expect(waits()).toEqual([undefined, undefined]);
  });

  it('may have extensions run that the user saw, and those alone', async () => {
    const { trust, waits } = open();
    const may = (hash: string) => trust.mayLoadExtensions(folder.uri, hash);
    expect(may('seen')).toBe(false);
    await trust.trustExtensions(folder.uri, { hash: 'seen', files: ['.pi/extensions/a.ts'] });
    expect([may('seen'), may('other')]).toEqual([true, false]);
    expect(waits()).toEqual(['never_consented', undefined]);
    expect(await trust.records()).toMatchObject([
      { extensions: ['.pi/extensions/a.ts'], grantedAt: undefined, servers: [] },
    ]);
    await replaceFolder();
    expect(may('seen')).toBe(false);
  });

  it('is known by its address alone where it is on no disk', async () => {
    const { gate, trust, waits } = open();
    Object.assign(folder, { fsPath: undefined });
    expect(waits()).toEqual(['never_consented', undefined]);
    await trust.trustFolder(folder.uri);
    (await gate.lookAhead()).dispose();
    expect(waits()).toEqual([undefined, undefined]);
    expect(await trust.records()).toMatchObject([{ identity: undefined, replaced: undefined }]);
  });

  it('has what runs in it ended when the user takes their trust back', async () => {
    const { trust, waits, stopped } = open();
    await trust.trustFolder(folder.uri);
    await trust.revoke(folder.uri);
    expect([stopped, waits()]).toEqual([[folder.uri], ['never_consented', undefined]]);
    expect(await trust.records()).toEqual([]);
  });

  it('has nothing trusted by a request that does not say which launch it is about', async () => {
    const { trust, ask, waits } = open();
    const [request] = await ask();
    const unbound = { ...request, launchHash: undefined } as never;
    await expect(trust.trustServers(folder.uri, [unbound])).rejects.toMatchObject({
      code: 'consent_unbound',
    });
    expect(waits()).toEqual(['never_consented', undefined]);
  });

  it('is not looked at in Restricted Mode, in which all of it waits', async () => {
    const { ask, workspace } = open();
    const found = (requests: Awaited<ReturnType<typeof ask>>) =>
      requests.map(({ reason, description }) => [reason.kind, description.cwd?.found?.path]);
    expect(found(await ask())).toEqual([['never_consented', folder.fsPath]]);
    workspace.isTrusted = false;
    expect(found(await ask())).toEqual([
      ['workspace_untrusted', undefined],
      ['workspace_untrusted', undefined],
    ]);
  });

  it('says when something may start, or may not any more, until it is closed', async () => {
    const { gate, trust, didChangeTrust } = open();
    gate.start();
    let told = 0;
    trust.onDidChange(() => told++);
    await trust.trustFolder(folder.uri);
    expect(told).toBe(1);
    didChangeTrust.fire();
    expect(told).toBe(2);
    gate.dispose();
    didChangeTrust.fire();
    expect(told).toBe(2);
  });

  it('asks before a server elsewhere takes the name of one of the user', async () => {
    const { gate, ask, waits } = open();
    const url = 'https://tools.example.com/mcp';
    definition = {
      ...definition,
      launch: {
        kind: 'http',
        url,
        transport: 'auto',
        headers: {},
        ignoreCertificateErrors: false,
      },
    };
    expect(waits()).toEqual([undefined, undefined]);
    gate.setGlobalNames(new Set([definition.name]));
    expect(waits()).toEqual(['sensitive_remote', undefined]);
    expect(await ask()).toMatchObject([{ description: { traits: ['shadows_global'] } }]);
  });

  it('shows the trust in it by the last look at the disk, and decides by a new one', async () => {
    const { gate, trust, waits } = open();
    await trust.trustFolder(folder.uri);
    const ahead = await gate.lookAhead();
    await replaceFolder();
    // what was looked at ahead counts for as long as it is held
    expect(waits()).toEqual([undefined, undefined]);
    ahead.dispose();
    expect(trust.folderTrust(folder.uri).kind).toBe('folder');
    expect(waits()).toEqual(['folder_replaced', undefined]);
    expect(trust.folderTrust(folder.uri)).toEqual({ kind: 'none' });
  });

  it('has what the agent wrote wait as soon as files are read, though all of it is trusted', async () => {
    const { trust, waits, didRead } = open();
    await trust.trustFolder(folder.uri);
    trust.whileAgentActs();
    definition = { ...definition, launch: { ...stdio, command: 'written' } };
    didRead.fire();
    expect(waits()).toEqual(['agent_wrote', undefined]);
  });
});

/** Wires the MCP domain in plain Node: the extension, the CLI and the tests run exactly this. */
import { join } from 'node:path';
import { raceWithSignal } from '../../base/async/cancellation.js';
import { once, onFirstUse } from '../../base/async/onFirstUse.js';
import { ConfigDiscovery } from '../../config/discovery/configDiscovery.js';
import { createEditing } from '../../config/edit/editingOnUse.js';
import { type Clock, systemClock } from '../../platform/clock.js';
import { MemorySecrets } from '../../platform/memorySecrets.js';
import type { FileWatcher, SecretStore } from '../../platform/ports.js';
import { MetadataCache } from '../catalog/metadataCache.js';
import type { McpService } from '../mcpApi.js';
import { StoredAccounts } from '../oauth/storedAccounts.js';
import { TrustGate } from '../trust/trustGate.js';
import { TrustService } from '../trust/trustService.js';
import { TrustStore } from '../trust/trustStore.js';
import type { Connections, ConnectionsOptions } from './connections.js';
import { DefaultMcpService, type StartPolicy } from './mcpService.js';
import type { Processes } from './processes.js';

export interface McpCoreOptions extends ConnectionsOptions {
  readonly watcher: FileWatcher;
  /** Where it is remembered which processes run. Default: in `storageDir`. */
  readonly ledgerDir?: string | undefined;
  /** Where consent is remembered. Default: in `storageDir`. */
  readonly trustDir?: string | undefined;
  /** Where tokens and client registrations are kept. Default: in memory, for this run. */
  readonly secrets?: SecretStore | undefined;
  /** The setting of that name. Default: not set. */
  readonly globalConfigPath?: () => string | undefined;
  readonly startPolicy: StartPolicy;
  /** Comes before anything is connected or swept up; never rejects. Default: at once. */
  readonly whenShown?: () => Promise<void>;
  /** Folders in which everything counts as consented for this run; nothing is stored. Default: none. */
  readonly consentOverride?: (folderUri: string) => boolean;
  /** Default: the system's. */
  readonly clock?: Clock;
}

/** Starts reading the configuration at once; `whenStarted` of the result waits for it. */
export function createMcpCore(options: McpCoreOptions): McpService {
  const { workspace, environment, watcher, loggers, storageDir } = options;
  const logger = loggers.main;
  const globalConfigPath = options.globalConfigPath ?? (() => undefined);
  const store = new TrustStore({ directory: options.trustDir ?? storageDir, watcher, logger });
  const gate = new TrustGate({ store, workspace, consentOverride: options.consentOverride });
  const discovery = new ConfigDiscovery({
    workspace,
    environment,
    watcher,
    logger,
    globalConfigPath,
    links: {
      mayLeave: (uri) =>
        gate.isWorkspaceTrusted && gate.consentOf(uri).folderGrantedAt !== undefined,
      onDidChange: gate.onDidChange,
    },
  });
  const cache =
    storageDir === undefined
      ? undefined
      : new MetadataCache({ directory: join(storageDir, 'catalogs'), logger });
  const secrets = options.secrets ?? new MemorySecrets();
  const stored = new StoredAccounts(secrets);
  const clock = options.clock ?? systemClock;
  let ledgers: Processes | undefined;
  let loaded: Connections | undefined;
  let isFinished = false;
  const assertWanted = () => {
    if (isFinished) {
      throw new DOMException('The service was shut down', 'AbortError');
    }
  };
  const processes = once(async () => {
    await options.whenShown?.();
    const { createProcesses } = await import('./processes.js');
    assertWanted();
    ledgers = createProcesses(options);
    return ledgers;
  });
  const connections = once(async () => {
    const parts = { gate, clock, secrets, stored, processes: await processes() };
    const { createConnections } = await import('./connections.js');
    assertWanted();
    const getServer: DefaultMcpService['getServer'] = (id) => service.getServer(id);
    loaded = createConnections(options, { ...parts, getServer });
    return loaded;
  });
  const service: DefaultMcpService = new DefaultMcpService({
    traffic: { of: async (id) => (await connections()).traffic.of(id) },
    leftovers: onFirstUse(async () => (await processes()).leftovers, 'list', 'end'),
    discovery,
    gate,
    cache,
    loggers,
    connector: async (definition, attempt) => {
      const { connector } = await raceWithSignal(connections(), attempt.signal);
      return connector(definition, attempt);
    },
    clock,
    startPolicy: options.startPolicy,
    createTrust: (pools) => new TrustService({ gate, store, pools, environment, loggers }),
    configuration: createEditing(discovery, async () => (await connections()).transferHooks),
    accounts: {
      onDidChange: stored.onDidChange,
      stored: (id) => stored.of(id),
      ...onFirstUse(
        async () => (await connections()).accounts,
        'signIn',
        'signOut',
        'forgetClient',
      ),
    },
    prepare: () => store.start(),
    finish: async () => {
      isFinished = true;
      const saved = store.close();
      stored.dispose();
      await Promise.all([saved, ledgers?.finish(), loaded?.traffic.dispose(), cache?.flush()]);
    },
  });
  service.onDidChangePools(() => {
    loaded?.traffic.keepOnly(new Set(service.servers.map(({ id }) => id)));
  });
  service.start();
  // what is out of date or left behind can wait until the servers are seen, or the first one is to be spawned
  void service
    .whenStarted()
    .then(async () => {
      await (await processes()).sweep();
      await (isFinished || cache?.evict());
    })
    // the service was shut down before
    .catch(() => undefined);
  return service;
}

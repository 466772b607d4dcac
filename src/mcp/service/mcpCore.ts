/** Wires the MCP domain in plain Node: the extension, the CLI and the tests run exactly this. */
import { ConfigDiscovery } from '../../config/discovery/configDiscovery.js';
import { ConfigurationEditor } from '../../config/edit/configurationEditor.js';
import { createChangingMask } from '../../config/secrets/secretMask.js';
import { type Clock, systemClock } from '../../platform/clock.js';
import type { SecretStore } from '../../platform/ports.js';
import { CallLog, type CallLogOptions } from '../callLog/callLog.js';
import { DefinitionPinFiles } from '../catalog/definitions/definitionPinFiles.js';
import { MetadataCache } from '../catalog/metadataCache.js';
import type { McpService } from '../mcpApi.js';
import { TrustGate } from '../trust/trustGate.js';
import { TrustService } from '../trust/trustService.js';
import { TrustStore } from '../trust/trustStore.js';
import { type ConnectionsOptions, createConnections } from './connections.js';
import { DefaultMcpService, type McpServiceOptions } from './mcpService.js';
import { createProcesses } from './processes.js';
import { secretsOfServers } from './serverSecrets.js';
import { Trials } from './trials.js';

export interface McpCoreOptions
  extends ConnectionsOptions,
    Pick<McpServiceOptions, 'startPolicy' | 'startsAfter'> {
  /** Where tokens and client registrations are kept. */
  readonly secrets: SecretStore;
  /** The setting of that name. */
  readonly globalConfigPath: () => string | undefined;
  /** Where calls are logged, and for how many days the user wants that; 0: not. Default: nowhere. */
  readonly callLog?: Pick<CallLogOptions, 'files' | 'keepDays'> | undefined;
  /** Folders in which everything counts as consented for this run; nothing is stored. Default: none. */
  readonly consentOverride?: (folderUri: string) => boolean;
  /** Default: the system's. */
  readonly clock?: Clock;
}

/** Starts reading the configuration at once; `whenStarted` of the result waits for it. */
export function createMcpCore(options: McpCoreOptions): McpService {
  const { machine, places, secrets, globalConfigPath } = options;
  const { workspace, environment, watcher, loggers } = machine;
  const logger = loggers.main;
  const store = new TrustStore({ directory: places.trust, watcher, logger });
  const gate = new TrustGate({ store, workspace, consentOverride: options.consentOverride });
  const discovery = new ConfigDiscovery({
    ...machine,
    logger,
    globalConfigPath,
    links: {
      mayLeave: (uri) =>
        gate.isWorkspaceTrusted && gate.consentOf(uri).folderGrantedAt !== undefined,
      onDidChange: gate.onDidChange,
    },
  });
  const { catalogs } = places;
  const cache = catalogs ? new MetadataCache({ directory: catalogs, logger }) : undefined;
  const pins = new DefinitionPinFiles(places.definitions);
  const clock = options.clock ?? systemClock;
  const processes = createProcesses({ ...machine, directory: places.processes });
  const connections = createConnections(options, {
    gate,
    clock,
    secrets,
    processes,
    getServer: (id) => service.getServer(id),
  });
  const { accounts, traffic } = connections;
  const trials = new Trials({
    gate,
    environment,
    connector: connections.connector,
    getServer: (id) => service.getServer(id),
  });
  const callLog = options.callLog && new CallLog({ ...options.callLog, clock, logger });
  const maskAll = createChangingMask(() => secretsOfServers(service, environment));
  let isFinished = false;
  const service: DefaultMcpService = new DefaultMcpService({
    discovery,
    gate,
    servers: {
      connector: connections.connector,
      clock,
      loggers,
      pins,
      logCall: async ({ id, name, folder }, { maker = { by: 'person' }, ...made }, work) => {
        const call = { folder: folder?.fsPath, server: name, ...made, maker };
        // the call may outlive its entry, and what was kept of it
        const recording = traffic.of(id);
        const mask = () => (text: string) => maskAll(recording.mask(text));
        return await (callLog ? callLog.run(call, mask, work) : work());
      },
      reviewSkill: options.user.reviewSkill,
    },
    cache,
    startPolicy: options.startPolicy,
    startsAfter: options.startsAfter,
    createTrust: (pools) => new TrustService({ gate, store, pools, environment, loggers }),
    parts: {
      configuration: new ConfigurationEditor(discovery, connections.transferHooks),
      accounts,
      traffic,
      trials,
      leftovers: processes.leftovers,
    },
    prepare: async () => void (await Promise.all([store.start(), accounts.start()])),
    finish: async (limitMs) => {
      isFinished = true;
      await trials.dispose();
      const saved = store.close();
      accounts.dispose();
      await Promise.all([saved, processes.finish(limitMs), traffic.dispose()]);
      await callLog?.flush();
      await Promise.all([cache?.flush(), pins.flush()]);
    },
  });
  service.onDidChangePools(() => {
    traffic.keepOnly(new Set(service.servers.map(({ id }) => id)));
  });
  service.start();
  // what is out of date or left behind can wait until the servers are seen, or the first one is to be spawned
  void service.whenStarted().then(async () => {
    await (isFinished || processes.sweep());
    await (isFinished || cache?.evict());
    await (isFinished || callLog?.prune());
  });
  return service;
}

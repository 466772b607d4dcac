/** Wires the MCP domain in plain Node: the extension, the CLI and the tests run exactly this. */
import { join } from 'node:path';
import { raceWithSignal } from '../../base/async/cancellation.js';
import { errorMessage } from '../../base/errors.js';
import type { McpServerDefinition, ResolvedLaunch } from '../../config/definition.js';
import { ConfigDiscovery } from '../../config/discovery/configDiscovery.js';
import { ConfigurationEditor } from '../../config/edit/configurationEditor.js';
import { launchHash } from '../../config/launch/launchHash.js';
import { resolveLaunch } from '../../config/launch/resolveLaunch.js';
import { nameInWindow } from '../../config/nameInWindow.js';
import type { InputResolver, LoggerProvider, Workspace } from '../../config/ports.js';
import { type Clock, systemClock } from '../../platform/clock.js';
import { MemorySecrets } from '../../platform/memorySecrets.js';
import type { FileWatcher, HostEnvironment, SecretStore } from '../../platform/ports.js';
import { ProcessLedger } from '../../platform/process/ledger.js';
import { createProcessTree, type ProcessTree } from '../../platform/process/tree.js';
import { MetadataCache } from '../catalog/metadataCache.js';
import { FileVerdicts, MemoryVerdicts, ProtocolVerdicts } from '../connection/protocolVerdicts.js';
import type { ClientFeatures } from '../connection/session/clientFeatures.js';
import type { EngineLoader } from '../connection/session/engine.js';
import { StartSlots } from '../connection/startSlots.js';
import type { McpService } from '../mcpApi.js';
import { Authorizations, type CreatePrompt } from '../oauth/authorizations.js';
import { StoredAccounts } from '../oauth/storedAccounts.js';
import { folderRoots } from '../server/folderRoots.js';
import type { Connector } from '../server/serverPorts.js';
import { Traffic } from '../traffic/traffic.js';
import { TrustGate } from '../trust/trustGate.js';
import { TrustService } from '../trust/trustService.js';
import { TrustStore } from '../trust/trustStore.js';
import { Accounts, type AccountsOptions } from './accounts.js';
import { DefaultMcpService, type StartPolicy } from './mcpService.js';
import { type Answers, createTransferHooks } from './transferHooks.js';

export interface McpCoreOptions {
  readonly workspace: Workspace;
  readonly environment: HostEnvironment;
  readonly watcher: FileWatcher;
  readonly loggers: LoggerProvider;
  /** Absolute path of a folder that only we write to; `undefined` remembers nothing beyond this run. */
  readonly storageDir: string | undefined;
  /** Where consent is remembered. Default: in `storageDir`. */
  readonly trustDir?: string | undefined;
  readonly engine: EngineLoader;
  /** Where tokens and client registrations are kept. Default: in memory, for this run. */
  readonly secrets?: SecretStore | undefined;
  /** Where processes that share the secrets see who renews an account. Default: in `storageDir`. */
  readonly accountLockDir?: string | undefined;
  /** Takes the user to an authorization server. Default: nobody can sign in. */
  readonly authorizationPrompt?: CreatePrompt | undefined;
  /** What a server may ask of us beside the workspace's folders. Default: nothing. */
  readonly features?: ((definition: McpServerDefinition) => ClientFeatures | undefined) | undefined;
  /** Default: no input is known. */
  readonly inputs?: InputResolver;
  /** The answers that are kept, which go along with a server that moves. Default: none are. */
  readonly answers?: Answers;
  /** The setting of that name. Default: not set. */
  readonly globalConfigPath?: () => string | undefined;
  readonly startPolicy: StartPolicy;
  readonly clientVersion: string;
  /** Whether the logs show every message of every server. Default: only of those with `debug`. */
  readonly isTrafficTraced?: () => boolean;
  /** Folders in which everything counts as consented for this run; nothing is stored. Default: none. */
  readonly consentOverride?: (folderUri: string) => boolean;
  /** Default: the system's. */
  readonly clock?: Clock;
}

/** As users see it when they grant access. */
const clientName = 'Pi MCP';
const noInputs: InputResolver = { resolve: async () => undefined };

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
  // one for all, since its looks at the processes serve every server that stops
  const tree = createProcessTree();
  const ledger = storageDir === undefined ? undefined : createLedger(storageDir, tree, options);
  let sweeping: Promise<unknown> | undefined;
  const sweep = () => {
    sweeping ??= ledger?.sweep() ?? Promise.resolve();
    return sweeping;
  };
  const cache =
    storageDir === undefined
      ? undefined
      : new MetadataCache({ directory: join(storageDir, 'catalogs'), logger });
  const secrets = options.secrets ?? new MemorySecrets();
  const stored = new StoredAccounts(secrets);
  const clock = options.clock ?? systemClock;
  const authorizations = new Authorizations({
    secrets,
    clock,
    prompt: options.authorizationPrompt,
    clientName,
    lockDir: options.accountLockDir ?? (storageDir && join(storageDir, 'accounts')),
  });
  const traffic = new Traffic(clock);
  const service = new DefaultMcpService({
    traffic,
    leftovers: {
      list: async () => {
        // what it ends is left behind no more
        await sweeping;
        return ledger?.leftovers();
      },
      end: async (keys) => (await ledger?.end(keys)) ?? keys.map(() => 'gone'),
    },
    discovery,
    gate,
    cache,
    loggers,
    connector: createConnector(options, { ledger, sweep, tree, authorizations, gate, traffic }),
    clock,
    startPolicy: options.startPolicy,
    createTrust: (pools) => new TrustService({ gate, store, pools, environment }),
    configuration: new ConfigurationEditor(
      discovery,
      createTransferHooks({
        homeDir: environment.homeDir,
        gate,
        authorizations,
        answers: options.answers,
      }),
    ),
    createAccounts: (getServer) =>
      createAccounts(options, { authorizations, stored, getServer }, gate),
    prepare: () => store.start(),
    finish: async () => {
      store.dispose();
      stored.dispose();
      await Promise.all([sweeping, ledger?.flush(), cache?.flush(), traffic.dispose()]);
    },
  });
  service.onDidChangePools(() => traffic.keepOnly(new Set(service.servers.map(({ id }) => id))));
  service.start();
  // what is out of date or left behind can wait until the servers are seen, or the first one is to be spawned
  void service
    .whenStarted()
    .then(sweep)
    .then(() => cache?.evict());
  return service;
}

function createLedger(
  storageDir: string,
  tree: ProcessTree,
  options: McpCoreOptions,
): ProcessLedger {
  return new ProcessLedger({
    directory: join(storageDir, 'processes'),
    tree,
    folders: () => options.workspace.folders.map(({ fsPath, uri }) => fsPath ?? uri),
    onError: (error) =>
      options.loggers.main.log('warn', `The process ledger failed: ${errorMessage(error)}`),
  });
}

function createAccounts(
  options: McpCoreOptions,
  parts: Pick<AccountsOptions, 'authorizations' | 'stored' | 'getServer'>,
  gate: TrustGate,
): Accounts {
  return new Accounts({
    ...parts,
    engine: options.engine,
    loggers: options.loggers,
    mayReach: (definition) => gate.check(definition).allowed,
    nameOf: (definition) => nameInWindow(definition, options.workspace.folders),
    resolve: async (definition, signal) => {
      const launch = await resolve(definition, options, signal);
      return launch.kind === 'http' ? launch : undefined;
    },
  });
}

function resolve(
  definition: McpServerDefinition,
  options: McpCoreOptions,
  signal: AbortSignal,
): Promise<ResolvedLaunch> {
  const { environment, inputs = noInputs } = options;
  return resolveLaunch(definition, { environment, inputs, signal });
}

function createConnector(
  options: McpCoreOptions,
  parts: {
    readonly ledger: ProcessLedger | undefined;
    /** Ends what dead windows left behind, once. Never rejects. */
    readonly sweep: () => Promise<unknown>;
    readonly tree: ProcessTree;
    readonly authorizations: Authorizations;
    readonly gate: TrustGate;
    readonly traffic: Traffic;
  },
): Connector {
  const { ledger, sweep, tree, authorizations, gate, traffic } = parts;
  const verdicts = new ProtocolVerdicts(
    options.storageDir === undefined
      ? new MemoryVerdicts()
      : new FileVerdicts(join(options.storageDir, 'protocolVerdicts')),
  );
  const { environment, loggers, clientVersion } = options;
  const installs = new StartSlots(1);
  return async (definition, attempt) => {
    const { signal, slot, assertAllowed, isDebugged, logAudience, stopGraceMs, onDidChangeNote } =
      attempt;
    // a question for a value may stay open for ever: it takes no slot and does not keep a server from being stopped
    const launch = await raceWithSignal(resolve(definition, options, signal), signal);
    if (launch.kind === 'stdio') {
      await raceWithSignal(sweep(), signal);
    }
    await slot.take(signal);
    const { openConnection } = await import('../connection/mcpConnection.js');
    assertAllowed();
    return openConnection(launch, {
      engineLoader: async () => {
        // the last wait before the process is spawned or the server is addressed
        const engine = await options.engine(launch);
        assertAllowed();
        return engine;
      },
      environment,
      clientInfo: { name: 'pi-mcp', version: clientVersion },
      logger: loggers.forServer(definition),
      connectTimeoutMs: definition.options.startupTimeoutMs,
      onDidStart: () => slot.release(),
      installs,
      onDidChangeNote,
      isDebugged,
      logAudience,
      openTap: (kind, mask) => traffic.of(definition.id).open(kind, mask),
      isTrafficTraced: () => isDebugged() || (options.isTrafficTraced?.() ?? false),
      signal,
      stopGraceMs,
      tree,
      ledger,
      mayLeaveProcesses: definition.scope === 'global',
      folder: definition.folder?.fsPath,
      assertDescribed: (facts) => gate.assertDescribed(definition, facts),
      features: {
        roots: folderRoots(definition, options.workspace),
        ...options.features?.(definition),
      },
      protocolVerdict: definition.launch && verdicts.for(launchHash(definition.launch)),
      authorization:
        launch.kind === 'http'
          ? authorizations.forServer(
              definition.id,
              nameInWindow(definition, options.workspace.folders),
              launch,
            )
          : undefined,
    });
  };
}

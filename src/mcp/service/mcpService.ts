import { DisposableStore } from '../../base/disposable.js';
import { errorMessage } from '../../base/errors.js';
import { Emitter } from '../../base/event.js';
import type { JsonObject } from '../../base/json.js';
import type { McpConfiguration } from '../../config/configuration.js';
import {
  globalPoolId,
  type McpPoolId,
  type McpServerDefinition,
  type McpServerId,
} from '../../config/definition.js';
import type { ConfigDiscovery } from '../../config/discovery/configDiscovery.js';
import type { DiscoveredPool } from '../../config/discovery/discoveredPools.js';
import { serverUnknown } from '../../config/errors.js';
import type { MetadataCache } from '../catalog/metadataCache.js';
import { StartSlots } from '../connection/startSlots.js';
import type { McpAccounts, McpLeftovers, McpServer, McpService, McpTrust } from '../mcpApi.js';
import type { BlockedState, FolderSwitch } from '../mcpTypes.js';
import { startsAtOnce } from '../server/lifecycle.js';
import { DefaultMcpServer } from '../server/mcpServer.js';
import type { SharedServerPorts } from '../server/serverPorts.js';
import { blockedState } from '../server/serverState.js';
import { isBlocked } from '../stateKinds.js';
import type { McpTraffic } from '../trafficTypes.js';
import type { TrustGate } from '../trust/trustGate.js';
import type { TrustedPools } from '../trust/trustService.js';
import { DefaultMcpPool } from './mcpPool.js';
import { OverriddenServer } from './overriddenServer.js';

export interface McpServiceOptions {
  readonly discovery: ConfigDiscovery;
  readonly gate: TrustGate;
  readonly servers: SharedServerPorts;
  /** `connect`: at start, connect what should run and what is not known yet. `manual`: only on request. */
  readonly startPolicy: 'connect' | 'manual';
  /** Until then nothing is started unasked; never rejects. Default: no time. */
  readonly startsAfter?: Promise<void> | undefined;
  readonly cache?: MetadataCache | undefined;
  readonly createTrust: (pools: TrustedPools) => McpTrust;
  /** What it hands out as it is. */
  readonly parts: Pick<
    McpService,
    'configuration' | 'accounts' | 'traffic' | 'trials' | 'leftovers'
  >;
  /** What must be known before the first server is. Must not reject. */
  readonly prepare: () => Promise<void>;
  /** What remains to be done after the last process is gone; it waits for no other program longer than so many milliseconds. */
  readonly finish: (limitMs: number) => Promise<void>;
}

/** Milliseconds for a shutdown that waits for the system to say who runs; and for that alone when stops took all of it. */
const shutdownMs = 5000;
const finishMs = 500;

/** Servers of one pool that start at the same time. */
const startLimit = 10;

/** Keeps the pools equal to what discovery publishes, and their servers within what the trust gate allows. */
export class DefaultMcpService implements McpService {
  private readonly store = new DisposableStore();
  private readonly _onDidChangePools = this.store.add(new Emitter<void>());
  private readonly _onDidRead = this.store.add(new Emitter<void>());
  private readonly _onDidChangeServer = this.store.add(new Emitter<McpServer>());
  readonly onDidChangePools = this._onDidChangePools.event;
  readonly onDidChangeServer = this._onDidChangeServer.event;
  readonly trust: McpTrust;
  readonly configuration: McpConfiguration;
  readonly accounts: McpAccounts;
  readonly traffic: McpTraffic;
  readonly trials: McpService['trials'];
  readonly leftovers: McpLeftovers;
  private readonly slots = new Map</* pool id */ string, StartSlots>();
  private readonly byPool = new Map</* pool id */ string, DefaultMcpPool>();
  private readonly endings = new Set<Promise<void>>();
  private readonly endingById = new Map<McpServerId, Promise<void>>();
  private readonly starts = new Set<Promise<void>>();
  private starting: Promise<void> | undefined;
  private stopping: Promise<void> | undefined;
  private isReady = false;

  constructor(private readonly options: McpServiceOptions) {
    const { parts } = options;
    this.configuration = parts.configuration;
    this.traffic = parts.traffic;
    this.trials = parts.trials;
    this.leftovers = parts.leftovers;
    this.accounts = parts.accounts;
    this.trust = options.createTrust({
      definitionsOf: (folderUri) => this.waitingDefinitions(folderUri),
      definitions: () =>
        options.discovery.pools.value.flatMap(({ definitions, isMasterDisabled }) =>
          isMasterDisabled ? [] : definitions,
        ),
      onDidRead: this._onDidRead.event,
      reread: () => options.discovery.reload(),
      stopPool: (folderUri) => this.stopPool(folderUri),
    });
  }

  get pools(): readonly DefaultMcpPool[] {
    return [...this.byPool.values()];
  }

  get servers(): readonly DefaultMcpServer[] {
    return this.pools.flatMap((pool) => pool.servers);
  }

  getPool(id: McpPoolId): DefaultMcpPool | undefined {
    return this.byPool.get(id);
  }

  /** Reads the configuration and starts what the policy says. Never rejects; {@link whenStarted} waits for it. */
  start(): void {
    this.starting ??= this.startUp().catch((error) =>
      this.options.servers.loggers.main.log('error', `The start failed: ${errorMessage(error)}`),
    );
  }

  getServer(id: McpServerId): DefaultMcpServer | undefined {
    return this.servers.find((server) => server.id === id);
  }

  serversFor(folderUri: string | undefined, name?: string): readonly McpServer[] {
    const globals = this.byPool.get(globalPoolId)?.named(name) ?? [];
    const pool = folderUri === undefined ? undefined : this.byPool.get(folderUri);
    if (!pool || folderUri === undefined) {
      return globals;
    }
    const offered = globals.filter(({ definition }) => !this.isShadowed(definition.name, pool));
    return [...pool.named(name), ...offered.map((server) => this.inFolder(server, pool))];
  }

  settingsFor(folderUri: string | undefined): JsonObject {
    const own = this.byPool.get(globalPoolId)?.settings;
    const isTrusted = folderUri !== undefined && this.options.gate.isWorkspaceTrusted;
    return { ...own, ...(isTrusted ? this.byPool.get(folderUri)?.settings : {}) };
  }

  async reload(): Promise<void> {
    await this.options.discovery.reload();
    this.sync(this.options.discovery.pools.value);
  }

  async whenRead(): Promise<void> {
    await this.starting;
  }

  async whenStarted(): Promise<void> {
    await this.whenRead();
    while (this.starts.size > 0) {
      await Promise.all(this.starts);
    }
  }

  shutdown(): Promise<void> {
    this.stopping ??= this.shutDown();
    return this.stopping;
  }

  dispose(): void {
    void this.shutdown();
  }

  private async startUp(): Promise<void> {
    const { discovery, gate, prepare } = this.options;
    gate.start();
    this.store.add(gate.onDidChange(() => this.applyGate()));
    this.store.add(discovery.pools.onDidChange((pools) => this.sync(pools)));
    // links are followed by what was consented to
    await prepare();
    const looked = await gate.lookAhead();
    try {
      if (!this.stopping) {
        await discovery.start();
      }
      if (this.stopping) {
        return;
      }
      this.isReady = true;
      this.sync(discovery.pools.value);
    } finally {
      looked.dispose();
    }
  }

  private async shutDown(): Promise<void> {
    const { servers } = this;
    const { finish } = this.options;
    const { clock } = this.options.servers;
    const startedAt = clock.elapsed();
    this.store.dispose();
    this.options.discovery.dispose();
    this.options.gate.dispose();
    await Promise.all([...servers.map((server) => server.dispose()), ...this.endings]);
    await finish(Math.max(finishMs, startedAt + shutdownMs - clock.elapsed()));
  }

  private sync(discovered: readonly DiscoveredPool[]): void {
    if (this.stopping || !this.isReady) {
      return;
    }
    this._onDidRead.fire();
    this.adoptPools(discovered);
    this.updateGlobalNames();
    for (const pool of this.byPool.values()) {
      const change = pool.syncServers((definition) => this.createServer(definition));
      for (const server of change.removed) {
        this.end(server);
      }
      for (const server of change.toStart) {
        this.startNow(server);
      }
      for (const server of change.unknown) {
        this.track(this.starts, this.startIfWanted(server));
      }
    }
    this.applyGate();
    this._onDidChangePools.fire();
  }

  /** Closes the pools of removed folders and puts all into the order of discovery. */
  private adoptPools(discovered: readonly DiscoveredPool[]): void {
    const previous = new Map(this.byPool);
    this.byPool.clear();
    for (const item of discovered) {
      const pool = previous.get(item.id) ?? new DefaultMcpPool(item);
      previous.delete(item.id);
      pool.adopt(item);
      this.byPool.set(item.id, pool);
    }
    for (const server of [...previous.values()].flatMap((pool) => pool.servers)) {
      this.end(server);
    }
  }

  private updateGlobalNames(): void {
    const definitions = this.options.discovery.pools.value.find(
      ({ id }) => id === globalPoolId,
    )?.definitions;
    this.options.gate.setGlobalNames(new Set(definitions?.map(({ name }) => name)));
  }

  /** Ends what may not run any more; starts at once what the user has just let pass. */
  private applyGate(): void {
    for (const server of this.servers) {
      const wasBlocked = server.isBlocked;
      server.updateGate();
      if (wasBlocked && !server.isBlocked) {
        this.startNow(server);
      }
    }
  }

  private createServer(definition: McpServerDefinition): DefaultMcpServer {
    const { servers, cache } = this.options;
    const server = new DefaultMcpServer(definition, {
      ...servers,
      slots: this.slotsOf(definition.poolId),
      predecessor: this.endingById.get(definition.id),
      blockedState: (current) => this.blockedState(current),
      isHiddenIn: (candidate, folderUri) => this.isHidden(candidate, folderUri),
      onDidReadCatalog: (current, catalog) => cache?.save(current, catalog),
    });
    const announce = () => this._onDidChangeServer.fire(server);
    server.state.onDidChange(announce);
    server.catalog.onDidChange(announce);
    server.tasks.onDidChange(announce);
    return server;
  }

  /** A folder that starts many delays neither the user's own servers nor other folders. */
  private slotsOf(poolId: McpPoolId): StartSlots {
    const slots = this.slots.get(poolId) ?? new StartSlots(startLimit);
    this.slots.set(poolId, slots);
    return slots;
  }

  private blockedState(definition: McpServerDefinition): BlockedState | undefined {
    // the user's own master switch is theirs for every folder
    const isMasterDisabled = [globalPoolId, definition.poolId].some(
      (id) => this.byPool.get(id)?.isMasterDisabled === true,
    );
    return (
      blockedState(definition, isMasterDisabled, this.options.gate.check(definition)) ??
      this.offEverywhere(definition)
    );
  }

  /** A global server that no open folder uses does not run at all. */
  private offEverywhere({ scope, name }: McpServerDefinition): BlockedState | undefined {
    const pools = scope === 'global' ? this.pools.filter(({ folder }) => folder) : [];
    const switches = pools.map((pool) => this.switchOf(name, pool));
    return switches.every((one) => one !== undefined) ? offState(switches[0]) : undefined;
  }

  /** Of a folder's files; none counts in Restricted Mode. */
  private switchOf(globalName: string, pool: DefaultMcpPool): FolderSwitch | undefined {
    return this.options.gate.isWorkspaceTrusted ? pool.switchOf(globalName) : undefined;
  }

  private isHidden({ definition: { name, scope } }: McpServer, folderUri: string): boolean {
    const pool = this.byPool.get(folderUri);
    return (
      scope === 'global' &&
      pool?.folder !== undefined &&
      (this.switchOf(name, pool) !== undefined || this.isShadowed(name, pool))
    );
  }

  /** A folder's server hides the global one of its name unless it cannot be used. */
  private isShadowed(globalName: string, pool: DefaultMcpPool): boolean {
    const own = pool.find(globalName);
    return own !== undefined && !isBlocked(own.state.value);
  }

  /** The global server under the switches that the folder's files set; none counts in Restricted Mode. */
  private inFolder(server: McpServer, pool: DefaultMcpPool): McpServer {
    const { name } = server.definition;
    const options = this.options.gate.isWorkspaceTrusted ? pool.optionsFor(name) : undefined;
    const off = isBlocked(server.state.value) ? undefined : offState(this.switchOf(name, pool));
    return options || off ? new OverriddenServer(server, options ?? {}, off) : server;
  }

  private waitingDefinitions(folderUri: string): readonly McpServerDefinition[] {
    const servers = this.byPool.get(folderUri)?.servers ?? [];
    return servers
      .filter((server) => server.state.value.kind === 'trust_required')
      .map((server) => server.definition);
  }

  private async stopPool(folderUri: string): Promise<void> {
    const servers = this.byPool.get(folderUri)?.servers ?? [];
    await Promise.all(servers.map((server) => server.stop()));
  }

  /** Shows the remembered catalog; connects when the lifecycle asks for it or nothing is known. */
  private async startIfWanted(server: DefaultMcpServer): Promise<void> {
    const { definition } = server;
    if (!server.isCatalogKnown) {
      const catalog = await this.options.cache?.load(definition);
      if (catalog) {
        server.restoreCatalog(definition, catalog);
      }
    }
    const isWanted = startsAtOnce(server.definition) || !server.isCatalogKnown;
    if (this.options.startPolicy === 'connect' && isWanted && server.state.value.kind === 'idle') {
      await this.connect(server);
    }
  }

  private startNow(server: DefaultMcpServer): void {
    if (this.options.startPolicy === 'connect' && server.state.value.kind === 'idle') {
      this.track(this.starts, this.connect(server));
    }
  }

  private async connect(server: DefaultMcpServer): Promise<void> {
    await this.options.startsAfter;
    if (this.stopping || this.getServer(server.id) !== server) {
      return;
    }
    // the state says how it went
    await server.connectInBackground().catch(() => undefined);
  }

  private end(server: DefaultMcpServer): void {
    const ending = server.dispose(serverUnknown()).finally(() => {
      if (this.endingById.get(server.id) === ending) {
        this.endingById.delete(server.id);
      }
    });
    this.endingById.set(server.id, ending);
    this.track(this.endings, ending);
  }

  private track(tasks: Set<Promise<void>>, task: Promise<void>): void {
    const tracked = task.catch(() => undefined).finally(() => tasks.delete(tracked));
    tasks.add(tracked);
  }
}

function offState(off: FolderSwitch | undefined): BlockedState | undefined {
  return off && { kind: 'disabled', by: 'folder', ...off };
}

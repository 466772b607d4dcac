import { Coalescer } from '../../base/async/coalescer.js';
import { DisposableMap, DisposableOwner, MutableDisposable } from '../../base/disposable.js';
import { errorMessage } from '../../base/errors.js';
import type { Event } from '../../base/event.js';
import { stableStringify } from '../../base/json.js';
import { type ObservableValue, ValueEmitter } from '../../base/valueEmitter.js';
import { systemClock } from '../../platform/clock.js';
import type { FileWatch, HostEnvironment, Logger } from '../../platform/ports.js';
import {
  globalPoolId,
  type McpPoolId,
  type McpServerDefinition,
  type McpServerId,
} from '../definition.js';
import type { EditablePools } from '../edit/poolFiles.js';
import {
  type ConfigFileLocation,
  folderConfigFiles,
  globalConfigFiles,
} from '../parse/configLocations.js';
import type { Machine } from '../ports.js';
import {
  type ConfigFileState,
  ConfigFileStore,
  emptyFileMs,
  readConfigText,
} from './configFileStore.js';
import { buildPools, type DiscoveredPool, type PoolPlan } from './discoveredPools.js';
import { importsOf } from './importPlans.js';

export interface ConfigDiscoveryOptions extends Omit<Machine, 'loggers'> {
  readonly logger: Logger;
  /** The setting of that name; asked on every reload. */
  readonly globalConfigPath: () => string | undefined;
  /** Whether links are followed out of the folder that holds them. Default: where the workspace is trusted. */
  readonly links?: {
    mayLeave(folderUri: string): boolean;
    readonly onDidChange: Event<void>;
  };
}

// together well under the 500 ms within which an edit must show
const quietMs = 60;
const maxWaitMs = 200;

/**
 * Reads the configuration files of the user and of every workspace folder, watches them, and publishes the merged
 * pools, global first. A file with a syntax error keeps its last good state. Publishes only real changes.
 */
export class ConfigDiscovery extends DisposableOwner implements EditablePools {
  private readonly files = new ConfigFileStore();
  private readonly watches = this.store.add(new DisposableMap</* path */ string, FileWatch>());
  private readonly _pools = this.store.add(
    new ValueEmitter<readonly DiscoveredPool[]>([], isSamePools),
  );
  private readonly refresh = this.store.add(
    new Coalescer(() => this.readAll(), {
      delayMs: quietMs,
      maxDelayMs: maxWaitMs,
      onError: (error) =>
        this.options.logger.log('error', `Reading configuration failed: ${errorMessage(error)}`),
    }),
  );

  private readonly writings = new Set<Promise<void>>();
  /** How many writes of several files have begun. */
  private writes = 0;
  private readonly emptyFileTimer = this.store.add(new MutableDisposable());

  constructor(private readonly options: ConfigDiscoveryOptions) {
    super();
  }

  /** Global first, then the folders in workspace order. Empty until {@link start} has resolved. */
  get pools(): ObservableValue<readonly DiscoveredPool[]> {
    return this._pools;
  }

  /** Reads everything once, then keeps watching. */
  async start(): Promise<void> {
    const { workspace, links } = this.options;
    this.store.add(workspace.onDidChangeFolders(() => this.refresh.request()));
    const onDidChangeLinks = links?.onDidChange ?? workspace.onDidChangeTrust;
    this.store.add(onDidChangeLinks(() => this.readElsewhere()));
    await this.refresh.flush();
  }

  /** Reads all files again; resolves when {@link pools} matches them. */
  async reload(): Promise<void> {
    await this.refresh.flush();
  }

  async during(write: () => Promise<void>): Promise<void> {
    const writing = write();
    this.writings.add(writing);
    this.writes++;
    try {
      await writing;
    } finally {
      this.writings.delete(writing);
    }
  }

  find(id: McpServerId): McpServerDefinition | undefined {
    return this._pools.value
      .flatMap((pool) => pool.definitions)
      .find((definition) => definition.id === id);
  }

  locations(poolId: McpPoolId): readonly ConfigFileLocation[] {
    return this.plan().find((plan) => plan.poolId === poolId)?.locations ?? [];
  }

  knownText(path: string): string | undefined {
    return this.files.textOf(path);
  }

  readText(location: ConfigFileLocation): Promise<string | undefined> {
    return readConfigText(location, this.mayLeave(location));
  }

  private async readAll(): Promise<void> {
    for (;;) {
      // one that begins while others are waited for is waited for, too
      while (this.writings.size > 0) {
        await Promise.allSettled(this.writings);
      }
      const { writes } = this;
      const publish = await this.readOnce();
      // what was read may be half of what was being written
      if (writes === this.writes) {
        publish?.();
        return;
      }
    }
  }

  /** @returns what publishes it; `undefined` when nobody listens any more. */
  private async readOnce(): Promise<(() => void) | undefined> {
    const { environment, logger } = this.options;
    const plans = this.plan();
    const own = await this.readPlans(plans);
    // which files are imported is known only now
    const imports = await planImports(plans, own, environment);
    const imported = await this.readPlans(imports);
    if (this.store.isDisposed) {
      return undefined;
    }
    this.forgetAllBut([...plans, ...imports]);
    if (this.files.isWaiting) {
      this.emptyFileTimer.value = systemClock.after(emptyFileMs, () => this.refresh.request());
    }
    const states = plans.map((_plan, index) => [...(imported[index] ?? []), ...(own[index] ?? [])]);
    const isVariableSet = (name: string) => environment.getVariable(name) !== undefined;
    const previous = this._pools.value;
    return () => this._pools.set(buildPools(plans, states, { previous, logger, isVariableSet }));
  }

  private plan(): readonly PoolPlan[] {
    const { workspace, environment, globalConfigPath } = this.options;
    return [
      {
        poolId: globalPoolId,
        folder: undefined,
        locations: globalConfigFiles(environment, globalConfigPath()),
      },
      ...workspace.folders.map((folder) => ({
        poolId: folder.uri,
        folder,
        locations: folderConfigFiles(folder, environment),
      })),
    ];
  }

  /** Watches before it reads, so that no change falls in between. */
  private async readPlans(
    plans: readonly PoolPlan[],
  ): Promise<readonly (readonly ConfigFileState[])[]> {
    for (const location of plans.flatMap((plan) => plan.locations)) {
      if (!this.watches.has(location.path)) {
        this.watch(location);
      }
    }
    await Promise.all([...this.watches.values()].map(({ begun }) => begun));
    return Promise.all(
      plans.map((plan) =>
        Promise.all(plan.locations.map((item) => this.files.read(item, this.mayLeave(item)))),
      ),
    );
  }

  private mayLeave({ folder: path }: ConfigFileLocation): boolean {
    const { workspace, links } = this.options;
    const folder = workspace.folders.find(({ fsPath }) => fsPath === path);
    return links ? folder !== undefined && links.mayLeave(folder.uri) : workspace.isTrusted;
  }

  /** Files may now be followed to other places, or no longer. */
  private readElsewhere(): void {
    for (const path of [...this.watches.keys()]) {
      this.watches.delete(path);
    }
    this.refresh.request();
  }

  private watch(location: ConfigFileLocation): void {
    const { path, folder } = location;
    const within = this.mayLeave(location) ? undefined : folder;
    try {
      this.watches.set(
        path,
        this.options.watcher.watch(path, () => this.refresh.request(), within),
      );
    } catch (error) {
      this.options.logger.log('error', `${path} is not watched: ${errorMessage(error)}`);
    }
  }

  private forgetAllBut(plans: readonly PoolPlan[]): void {
    const locations = plans.flatMap((plan) => plan.locations);
    this.files.retain(locations);
    const paths = new Set(locations.map(({ path }) => path));
    for (const path of [...this.watches.keys()]) {
      if (!paths.has(path)) {
        this.watches.delete(path);
      }
    }
  }
}

function isSamePools(a: readonly DiscoveredPool[], b: readonly DiscoveredPool[]): boolean {
  return a.length === b.length && stableStringify(a) === stableStringify(b);
}

/** The files of other programs that count, by plan; most people name none. */
async function planImports(
  plans: readonly PoolPlan[],
  own: readonly (readonly ConfigFileState[])[],
  environment: HostEnvironment,
): Promise<readonly PoolPlan[]> {
  const sources = own.map((states) => states.flatMap(({ parsed }) => parsed.imports));
  if (sources.every(({ length }) => length === 0)) {
    return plans.map((plan) => ({ ...plan, locations: [] }));
  }
  return importsOf(plans, sources, environment);
}

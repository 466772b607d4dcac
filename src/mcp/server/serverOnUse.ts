import { type LoadedOnce, onFirstUse } from '../../base/async/onFirstUse.js';
import { type Disposable, toDisposable } from '../../base/disposable.js';
import { Emitter } from '../../base/event.js';
import { type ObservableValue, ValueEmitter } from '../../base/valueEmitter.js';
import type { McpServerDefinition, McpServerId } from '../../config/definition.js';
import { hashOf } from '../../config/launch/launchHash.js';
import type { McpActivity, McpServer } from '../mcpApi.js';
import { emptyCatalog, type McpCatalog, type McpServerState } from '../mcpTypes.js';
import type { McpServerTasks } from '../taskTypes.js';
import { startsAtOnce } from './lifecycle.js';
import type { DefaultMcpServer } from './mcpServer.js';
import type { McpServerOwnerPorts } from './serverPorts.js';
import { isSameState, stoppedError } from './serverState.js';

/** What a server needs that is used. */
export interface UsedServerCode {
  readonly DefaultMcpServer: typeof DefaultMcpServer;
}

/** What outlives the time before the server is used. */
interface Registration {
  readonly register: (used: DefaultMcpServer) => Disposable;
  /** Set for a hold. */
  readonly holder?: string;
  registered?: Disposable;
}

/**
 * A server that is known and at rest: its definition, what keeps it from running, and its remembered catalog. The first
 * who wants something of it makes it a {@link DefaultMcpServer}, which decides everything from then on.
 */
export class ServerOnUse implements McpServer {
  readonly id: McpServerId;
  private readonly _state = new ValueEmitter<McpServerState>({ kind: 'idle' }, isSameState);
  readonly state: ObservableValue<McpServerState> = this._state;
  private readonly _catalog = new ValueEmitter<McpCatalog>(emptyCatalog);
  readonly catalog: ObservableValue<McpCatalog> = this._catalog;
  private readonly tasksEmitter = new Emitter<void>();
  readonly tasks: McpServerTasks = tasksOf(this.tasksEmitter.event, {
    now: () => this.used,
    first: () => this.use(async (server) => server),
  });
  private used: DefaultMcpServer | undefined;
  private readonly registrations = new Set<Registration>();
  private hasCatalog = false;
  private wasBlocked = false;
  /** How often it was stopped before it was used. */
  private stops = 0;
  private isDisposed = false;

  constructor(
    private known: McpServerDefinition,
    private readonly code: LoadedOnce<UsedServerCode>,
    private readonly ports: McpServerOwnerPorts,
  ) {
    this.id = known.id;
    this.updateGate();
  }

  get definition(): McpServerDefinition {
    return this.known;
  }

  get activity(): McpActivity {
    const holders = [...this.registrations].flatMap(({ holder }) => holder ?? []);
    return this.used?.activity ?? { restarts: 0, calls: 0, holders };
  }

  /** The user's switches, its problems or the trust gate keep it from running. */
  get isBlocked(): boolean {
    return this.used?.isBlocked ?? this.wasBlocked;
  }

  /** A catalog is known, from the server or from the cache. */
  get isCatalogKnown(): boolean {
    return this.used?.isCatalogKnown ?? this.hasCatalog;
  }

  isHiddenIn(folderUri: string): boolean {
    return this.ports.isHiddenIn(this, folderUri);
  }

  /** Replaces the definition; only a changed launch ends the connection. @returns whether it should start again. */
  setDefinition(definition: McpServerDefinition): boolean {
    const before = this.known;
    this.known = definition;
    if (this.used) {
      return this.used.setDefinition(definition);
    }
    if (hashOf(before) !== hashOf(definition)) {
      this.hasCatalog = false;
      this._catalog.set(emptyCatalog);
    }
    const { wasBlocked } = this;
    this.updateGate();
    const isNewlyWanted = startsAtOnce(definition) && !startsAtOnce(before);
    return (wasBlocked && !this.isBlocked) || isNewlyWanted;
  }

  /** Reads the gate again: a server that may not run any more ends at once. */
  updateGate(): void {
    if (this.used) {
      this.used.updateGate();
      return;
    }
    const blocked = this.ports.blockedState(this.known);
    this.wasBlocked = blocked !== undefined;
    this._state.set(blocked ?? { kind: 'idle' });
  }

  /** Shows a remembered catalog until the server itself is asked. */
  restoreCatalog(definition: McpServerDefinition, catalog: McpCatalog): void {
    if (this.used) {
      this.used.restoreCatalog(definition, catalog);
    } else if (!this.hasCatalog && hashOf(definition) === hashOf(this.known)) {
      this.hasCatalog = true;
      this._catalog.set(catalog);
    }
  }

  readonly ensureConnected: McpServer['ensureConnected'] = (...args) =>
    this.use((server) => server.ensureConnected(...args));

  /** As {@link ensureConnected}, after all that somebody waits for. */
  connectInBackground(): Promise<void> {
    return this.use((server) => server.connectInBackground());
  }

  async restart(signal?: AbortSignal): Promise<McpServerState> {
    return this.use((server) => server.restart(signal)).catch(() => this.state.value);
  }

  async stop(): Promise<void> {
    this.stops++;
    await (this.used ? this.used.stop() : this.ports.predecessor?.catch(() => undefined));
  }

  readonly callTool: McpServer['callTool'] = (...args) =>
    this.use((server) => server.callTool(...args));

  readonly readTools: McpServer['readTools'] = (...args) =>
    this.use((server) => server.readTools(...args));

  readonly readResource: McpServer['readResource'] = (...args) =>
    this.use((server) => server.readResource(...args));

  readonly getPrompt: McpServer['getPrompt'] = (...args) =>
    this.use((server) => server.getPrompt(...args));

  readonly complete: McpServer['complete'] = (...args) =>
    this.use((server) => server.complete(...args));

  readonly direct = onFirstUse(
    () => this.use(async ({ direct }) => direct),
    'send',
    'ping',
    'setLogLevel',
  );

  readonly log: McpServer['log'] = {
    watch: (...args) => this.register({ register: ({ log }) => log.watch(...args) }),
  };

  watchResource(...args: Parameters<McpServer['watchResource']>): Disposable {
    return this.register({ register: (server) => server.watchResource(...args) });
  }

  hold(holder: string): Disposable {
    return this.register({ register: (server) => server.hold(holder), holder });
  }

  async dispose(): Promise<void> {
    this.stops++;
    this.isDisposed = true;
    await (this.used ? this.used.dispose() : this.ports.predecessor?.catch(() => undefined));
    this._state.dispose();
    this._catalog.dispose();
    this.tasksEmitter.dispose();
  }

  private use<T>(task: (server: DefaultMcpServer) => Promise<T>): Promise<T> {
    if (this.used) {
      return task(this.used);
    }
    const { value } = this.code;
    return value && !this.isDisposed ? task(this.adopt(value)) : this.load().then(task);
  }

  /** @throws {HumanError} when it was stopped meanwhile. */
  private async load(): Promise<DefaultMcpServer> {
    const { stops } = this;
    const code = await this.code.load();
    if (stops !== this.stops || this.isDisposed) {
      throw stoppedError();
    }
    return this.used ?? this.adopt(code);
  }

  private adopt(code: UsedServerCode): DefaultMcpServer {
    const server = new code.DefaultMcpServer(this.known, this.ports);
    this.used = server;
    if (this.hasCatalog) {
      server.restoreCatalog(this.known, this._catalog.value);
    }
    this._state.set(server.state.value);
    server.state.onDidChange((state) => this._state.set(state));
    server.catalog.onDidChange((catalog) => this._catalog.set(catalog));
    server.tasks.onDidChange(() => this.tasksEmitter.fire());
    for (const registration of this.registrations) {
      registration.registered = registration.register(server);
    }
    return server;
  }

  private register(registration: Registration): Disposable {
    if (this.used) {
      return registration.register(this.used);
    }
    this.registrations.add(registration);
    return toDisposable(() => {
      this.registrations.delete(registration);
      registration.registered?.dispose();
    });
  }
}

function tasksOf(
  onDidChange: McpServerTasks['onDidChange'],
  server: {
    readonly now: () => DefaultMcpServer | undefined;
    readonly first: () => Promise<DefaultMcpServer>;
  },
): McpServerTasks {
  return {
    onDidChange,
    get all() {
      return server.now()?.tasks.all ?? [];
    },
    forget: (run) => server.now()?.tasks.forget(run),
    ...onFirstUse(async () => (await server.first()).tasks, 'listOthers', 'resume'),
  };
}

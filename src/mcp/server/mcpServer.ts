import { type Disposable, toDisposable } from '../../base/disposable.js';
import { errorMessage, type HumanError } from '../../base/errors.js';
import type { JsonObject } from '../../base/json.js';
import type { ObservableValue } from '../../base/valueEmitter.js';
import type { McpServerDefinition, McpServerId } from '../../config/definition.js';
import { hashOf } from '../../config/launch/launchHash.js';
import { assertNotHeld } from '../catalog/definitions/heldTool.js';
import { findTool } from '../catalog/findTool.js';
import {
  isAuthorizationFailure,
  isPassing,
  needsOtherAccess,
} from '../connection/authorizationFailure.js';
import { isSessionRefusal } from '../connection/connectionFailure.js';
import type { McpConnection } from '../connection/mcpConnection.js';
import type { RequestOptions } from '../connection/session/engine.js';
import type { McpActivity, McpCallOptions, McpServer } from '../mcpApi.js';
import type { McpCatalog, McpListKind, McpServerState, McpToolResult } from '../mcpTypes.js';
import { ServerTasks } from '../tasks/serverTasks.js';
import { traceId } from '../traceContext.js';
import { ConnectionOwner, type ConnectOptions } from './connectionOwner.js';
import { fixedArguments } from './fixedArguments.js';
import { hasSameRoots } from './folderRoots.js';
import { KnownCatalog } from './knownCatalog.js';
import { comesBack, graceLeftMs, idleMs, isKeptAlive, startsAtOnce } from './lifecycle.js';
import { CatalogReading } from './listRefresh.js';
import { loadSkill, skillCall } from './loadSkill.js';
import { readCatalogPart } from './readCatalog.js';
import type { McpServerOwnerPorts } from './serverPorts.js';
import { HealthCheck } from './watches/healthCheck.js';
import { IdleClock } from './watches/idleClock.js';
import { LogWatches } from './watches/logWatches.js';
import { ResourceWatches } from './watches/resourceWatches.js';

/** No progress extends a request beyond this many milliseconds. */
const maxTotalMs = 3_600_000;

/** The implementation of {@link McpServer}: a definition, the owner of its connection, and its catalog. */
export class DefaultMcpServer implements McpServer {
  readonly id: McpServerId;
  private readonly known: KnownCatalog;
  readonly isHiddenIn = (folderUri: string) => this.ports.isHiddenIn(this, folderUri);
  private readonly owner: ConnectionOwner;
  private calls = 0;
  private readonly holders = new Set<{ readonly holder: string }>();
  private readonly health: HealthCheck;
  private readonly watches: ResourceWatches;
  readonly tasks: ServerTasks;
  readonly log = new LogWatches(() => this.owner.current?.updateLogLevel());
  private connects = 0;
  /** Whose state was acted upon last. */
  private followed: McpConnection | undefined;
  private readonly idleClock: IdleClock;
  private hasConnected = false;
  private reading: CatalogReading | undefined;
  /** On the measuring clock. */
  private disposedAt: number | undefined;

  constructor(
    private _definition: McpServerDefinition,
    private readonly ports: McpServerOwnerPorts,
  ) {
    this.id = _definition.id;
    this.known = new KnownCatalog({
      definition: () => this._definition,
      pins: ports.pins,
      logger: () => ports.loggers.forServer(this._definition),
      onDidRead: (catalog) => ports.onDidReadCatalog(this._definition, catalog),
    });
    this.owner = new ConnectionOwner({
      slots: ports.slots,
      predecessor: ports.predecessor,
      clock: ports.clock,
      connect: (signal, options) => this.connect(signal, options),
      prepare: (connection, signal) => this.prepare(connection, signal),
      isRetryWanted: (failure) =>
        !needsOtherAccess(failure) &&
        (isPassing(failure) || comesBack(this._definition, this.hasConnected)),
    });
    this.idleClock = new IdleClock({
      clock: ports.clock,
      idleMs: () => idleMs(this._definition),
      isInUse: () => this.calls > 0 || this.holders.size > 0 || !this.owner.current,
      onIdle: () => void this.owner.stop(),
    });
    this.health = new HealthCheck({
      clock: ports.clock,
      // nothing else tells that a remote server without a stream is gone
      isWanted: ({ session }) =>
        this.calls === 0 && (isKeptAlive(this._definition) || session.transport !== 'stdio'),
      // as long as a call of its kind would be waited for
      isAtWork: ({ silentMs }) =>
        this.calls > 0 && silentMs < this._definition.options.requestTimeoutMs,
      onDead: (connection, failure) => this.owner.drop(connection, failure),
    });
    this.watches = new ResourceWatches({
      timeoutMs: () => this._definition.options.requestTimeoutMs,
      logger: () => ports.loggers.forServer(this._definition),
    });
    this.tasks = new ServerTasks({
      serverId: this.id,
      clock: ports.clock,
      hold: (holder) => this.hold(holder),
      request: (send, signal) =>
        this.request({ signal }, true, ({ session }, request) => send(session, request)),
      log: (message) => ports.loggers.forServer(this._definition).log('warn', message),
    });
    this.owner.state.onDidChange(({ kind }) => {
      if (kind === 'connected' && this.owner.current === this.followed) {
        return;
      }
      this.followed = this.owner.current;
      this.watches.attach(this.owner.current?.session);
      this.tasks.attach(this.owner.current?.session);
      this.connects += kind === 'connected' ? 1 : 0;
      this.hasConnected ||= kind === 'connected';
      this.health.watch(this.owner.current);
      this.idleClock.restart();
    });
    this.updateGate();
  }

  get definition(): McpServerDefinition {
    return this._definition;
  }

  get catalog(): ObservableValue<McpCatalog> {
    return this.known.used;
  }

  get state(): ObservableValue<McpServerState> {
    return this.owner.state;
  }

  get activity(): McpActivity {
    return {
      restarts: Math.max(0, this.connects - 1),
      calls: this.calls,
      holders: [...this.holders].map(({ holder }) => holder),
    };
  }

  /** The user's switches, its problems or the trust gate keep it from running. */
  get isBlocked(): boolean {
    return this.owner.isBlocked;
  }

  get isCatalogKnown(): boolean {
    return this.known.isKnown;
  }

  /** Replaces the definition; only a changed launch, or roots, end the connection. @returns whether it should start again. */
  setDefinition(definition: McpServerDefinition): boolean {
    const before = this._definition;
    this._definition = definition;
    const isSameLaunch = hashOf(before) === hashOf(definition);
    const { isBlocked: wasBlocked } = this;
    const wasActive = this.owner.isActive || this.state.value.kind === 'error';
    const isSameConnection = isSameLaunch && hasSameRoots(before, definition);
    if (!isSameConnection) {
      void this.stop();
    }
    if (!isSameLaunch) {
      this.hasConnected = false;
      this.known.forget();
    }
    this.known.review();
    this.updateGate();
    this.owner.current?.updateLogLevel();
    this.idleClock.restart();
    this.owner.reviewRetry();
    const isNewlyWanted = startsAtOnce(definition) && !startsAtOnce(before);
    return (!isSameConnection && wasActive) || (wasBlocked && !this.isBlocked) || isNewlyWanted;
  }

  /** Reads the gate again: a server that may not run any more ends at once. */
  updateGate(): void {
    const blocked = this.ports.blockedState(this._definition);
    if (blocked) {
      this.tasks.abandonAll();
    }
    this.owner.setBlocked(blocked);
  }

  readonly forgetPrivate = () => this.known.forgetPrivate();

  restoreCatalog(definition: McpServerDefinition, catalog: McpCatalog): void {
    this.known.restore(definition, catalog);
  }

  async ensureConnected(signal?: AbortSignal): Promise<void> {
    await this.owner.ensure(signal);
  }

  /** As {@link ensureConnected}, after all that somebody waits for. */
  async connectInBackground(): Promise<void> {
    await this.owner.ensure(undefined, true);
  }

  async restart(signal?: AbortSignal): Promise<McpServerState> {
    try {
      await this.owner.restart(signal);
    } catch {
      // the state says it
    }
    return this.state.value;
  }

  async stop(): Promise<void> {
    this.tasks.abandonAll();
    await this.owner.stop();
  }

  readonly callTool: McpServer['callTool'] = (tool, args, options = {}) => {
    const call = { tool, args, maker: options.maker, trace: traceId(options.meta) };
    return this.ports.logCall(this._definition, call, () => this.runTool(tool, args, options));
  };

  private async runTool(
    name: string,
    args: JsonObject,
    options: McpCallOptions,
  ): Promise<McpToolResult> {
    // the list that a connect for this call reads may hold the tool back
    const assertWanted = () => assertNotHeld(this, name, 'tool', options.assertWanted);
    assertNotHeld(this, name);
    if (findTool(this.catalog.value.tools, name)?.taskSupport) {
      this.tasks.assertRoom();
    }
    const open = async () => this.owner.current ?? (await this.owner.ensureForCall(options.signal));
    const fixed = await fixedArguments(this._definition, name, open, options.signal);
    const result = await this.tasks.call(name, options, (callOptions) =>
      this.request({ ...callOptions, assertWanted }, false, (connection, request) =>
        connection.session.startTool(name, fixed.fill(args, connection), request),
      ),
    );
    return fixed.mask(result);
  }

  async readTools(signal?: AbortSignal): Promise<void> {
    await this.request({ signal }, true, async ({ session }, request) => {
      const part = await readCatalogPart(session, 'tools', request);
      this.known.renew(session, part);
    });
  }

  readonly refreshLists = async () => this.owner.current && this.reading?.refreshStale();
  readonly acceptDefinitions: McpServer['acceptDefinitions'] = (all) => this.known.accept(all);

  readonly readResource: McpServer['readResource'] = (uri, options) => {
    const read = () =>
      this.request(options, true, ({ session }, request) => session.readResource(uri, request));
    const call = { tool: 'resources/read', args: { uri }, maker: options?.maker };
    return call.maker ? this.ports.logCall(this._definition, call, read) : read();
  };

  watchResource(uri: string, onDidChange: () => void): Disposable {
    return this.watches.watch(uri, onDidChange);
  }

  readonly getPrompt: McpServer['getPrompt'] = (name, args, options) =>
    this.request(options, true, ({ session }, request) => session.getPrompt(name, args, request));

  readonly loadSkill: McpServer['loadSkill'] = (name, path, options = {}) =>
    this.ports.logCall(this._definition, skillCall(name, path, options), () =>
      loadSkill(this, this.known, this.ports.reviewSkill, { name, path, options }, (read) =>
        this.request(options, true, read),
      ),
    );

  readonly complete: McpServer['complete'] = (reference, argument, context = {}, options) =>
    this.request(options, true, ({ session }, request) =>
      session.complete(reference, argument, context, request),
    );

  readonly direct: McpServer['direct'] = {
    send: (method, params, options) =>
      this.request(options, true, async ({ session }, request) => {
        await session.request(method, params, request);
      }),
    ping: (options) => this.request(options, true, ({ session }, request) => session.ping(request)),
    setLogLevel: (level, options) =>
      this.request(options, true, ({ session }, request) => session.setLogLevel(level, request)),
  };

  hold(holder: string): Disposable {
    const key = { holder };
    this.holders.add(key);
    return toDisposable(() => {
      this.holders.delete(key);
      this.idleClock.restart();
    });
  }

  async dispose(goneBecause?: HumanError): Promise<void> {
    this.disposedAt = this.ports.clock.elapsed();
    for (const part of [this.idleClock, this.health, this.watches, this.tasks]) {
      part.dispose();
    }
    if (this.tasks.isCancelling) {
      await this.tasks.settled();
    }
    await this.owner.dispose(goneBecause);
    this.known.dispose();
  }

  private connect(signal: AbortSignal, options: ConnectOptions): Promise<McpConnection> {
    const definition = this._definition;
    const assertAllowed = () => {
      signal.throwIfAborted();
      if (hashOf(definition) !== hashOf(this._definition)) {
        throw new DOMException('The definition changed', 'AbortError');
      }
      if (this.ports.blockedState(this._definition)) {
        throw new DOMException('The server may not run', 'AbortError');
      }
    };
    assertAllowed();
    return this.ports.connector(definition, {
      ...options,
      signal,
      assertAllowed,
      isDebugged: () => this._definition.options.debug,
      logAudience: this.log,
      stopGraceMs: () => {
        const leftMs = graceLeftMs(this.disposedAt, this.ports.clock.elapsed());
        return Math.min(this._definition.options.stopGraceMs, leftMs);
      },
    });
  }

  private async prepare(connection: McpConnection, signal: AbortSignal): Promise<void> {
    const { session } = connection;
    const timeoutMs = this._definition.options.startupTimeoutMs;
    const reading = new CatalogReading(connection, {
      clock: this.ports.clock,
      timeoutMs: () => this._definition.options.requestTimeoutMs,
      run: (kind, read) => this.refresh(kind, read),
      onNews: (part) => this.known.renew(session, part),
      onDidChangePace: (slow) => this.owner.noteSlowLists(connection, slow),
    });
    this.reading = reading;
    await this.known.prepare();
    this.known.learn(session, await reading.read({ signal, timeoutMs, maxTotalMs: timeoutMs }));
  }

  private async refresh<T>(kind: McpListKind, read: () => Promise<T>): Promise<T | undefined> {
    this.calls++;
    try {
      return await read();
    } catch (error) {
      const logger = this.ports.loggers.forServer(this._definition);
      logger.log('warn', `The ${kind} could not be read again: ${errorMessage(error)}`);
      return undefined;
    } finally {
      this.calls--;
      // a server that announces changes for ever is not in use for that
      this.idleClock.resume();
    }
  }

  private async request<T>(
    options: McpCallOptions | undefined,
    isRepeatable: boolean,
    send: (connection: McpConnection, request: RequestOptions) => Promise<T>,
  ): Promise<T> {
    const signal = options?.signal;
    for (let attempt = 1; ; attempt++) {
      signal?.throwIfAborted();
      const connection = this.owner.current ?? (await this.owner.ensureForCall(signal));
      options?.assertWanted?.();
      this.calls++;
      try {
        return await send(connection, {
          maxTotalMs,
          ...options,
          timeoutMs: options?.timeoutMs ?? this._definition.options.requestTimeoutMs,
        });
      } catch (error) {
        signal?.throwIfAborted();
        const failure = connection.describeError(error);
        if (isAuthorizationFailure(failure) || isPassing(failure)) {
          this.owner.drop(connection, failure);
        } else if (failure.code === 'request_timeout' || failure.code === 'unreachable') {
          // a broken socket or a lost answer may be all that is wrong
          void this.health.checkNow();
        }
        const isSafe = isRepeatable || isSessionRefusal(error);
        if (attempt > 1 || failure.code !== 'session_lost' || !isSafe) {
          throw this.owner.callError(failure, error);
        }
      } finally {
        this.calls--;
        this.idleClock.touch();
        this.health.touch();
      }
    }
  }
}

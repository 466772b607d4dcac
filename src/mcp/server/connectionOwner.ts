import { isCancellationError, raceWithSignal } from '../../base/async/cancellation.js';
import type { Disposable } from '../../base/disposable.js';
import type { HumanError } from '../../base/errors.js';
import { ValueEmitter } from '../../base/valueEmitter.js';
import { maskText } from '../../config/secrets/secretMask.js';
import { backoffMs, type Clock } from '../../platform/clock.js';
import { needsOtherAccess, needsSignIn } from '../connection/authorizationFailure.js';
import { classifyFailure } from '../connection/connectionErrors.js';
import { ConnectionFailedError } from '../connection/connectionFailure.js';
import type { McpConnection } from '../connection/mcpConnection.js';
import type { StartSlot, StartSlots } from '../connection/startSlots.js';
import type {
  BlockedState,
  ConnectingNote,
  McpServerFailure,
  McpServerState,
  SlowLists,
} from '../mcpTypes.js';
import { blockedError, duringPause } from '../trouble/trouble.js';
import { isSameState, stoppedError } from './serverState.js';

export interface ConnectionOwnerOptions {
  readonly slots: StartSlots;
  /** What must have ended before anything is opened. */
  readonly predecessor?: Promise<void> | undefined;
  readonly clock: Clock;
  /**
   * Opens a connection: takes the slot before it starts anything, and gives it back when that is up. Must reject, with
   * nothing left running, when `signal` aborts.
   */
  readonly connect: (signal: AbortSignal, options: ConnectOptions) => Promise<McpConnection>;
  /** Makes a new connection ready for use. */
  readonly prepare: (connection: McpConnection, signal: AbortSignal) => Promise<void>;
  /** Whether to connect again by itself after this failure. */
  readonly isRetryWanted: (failure: McpServerFailure) => boolean;
}

export interface ConnectOptions {
  /** Taken before anything starts, and given back when it is up. */
  readonly slot: StartSlot;
  /** What it waits for now. */
  readonly onDidChangeNote: (note: ConnectingNote) => void;
  /** A person wants it now. */
  readonly isAsked: boolean;
}

type StateOf<Kind> = Extract<McpServerState, { readonly kind: Kind }>;

/** What becomes of the connection, and what is to be said of it while the server may run. */
type Life =
  | { readonly kind: 'resting'; readonly state: StateOf<'idle'> }
  | Flight
  | {
      readonly kind: 'connected';
      readonly state: StateOf<'connected'>;
      readonly connection: McpConnection;
      /** On the measuring clock. */
      readonly adoptedAt: number;
    }
  | {
      readonly kind: 'failed';
      readonly state: StateOf<'needs_auth' | 'error'>;
      /** Undefined: not before the next use. */
      readonly retry: Disposable | undefined;
    };

interface Flight {
  readonly kind: 'connecting';
  state: StateOf<'connecting'>;
  readonly slot: StartSlot;
  readonly controller: AbortController;
  /** Never rejects. */
  readonly done: Promise<void>;
}

const resting: Life = { kind: 'resting', state: { kind: 'idle' } };
/** Failures after which a server is connected again at once: it forgot a session or was silent for minutes. */
const goOnCodes: ReadonlySet<string> = new Set(['session_lost', 'stream_silent']);
/** Milliseconds; a start that fails sooner is repeated by every call. */
const shortStartMs = 3000;
/** Milliseconds after which a start that failed is tried again by any call, however long it took. */
const longestPauseMs = 60_000;
/** A connection that lived longer than this was healthy: its end starts the backoff anew. */
const healthyMs = 5000;

/** The only one who opens and closes the connection of a server: one at a time, the old one gone before the next. */
export class ConnectionOwner {
  readonly state = new ValueEmitter<McpServerState>(resting.state, isSameState);
  private readonly closings = new Set<Promise<void>>();
  private readonly endedEarly = new WeakMap<McpConnection, McpServerFailure>();
  private blocked: BlockedState | undefined;
  private life: Life = resting;
  private failuresInRow = 0;
  /** Calls do not start the server before this time; see {@link ensureForCall}. */
  private pauseEndsAt = 0;
  /** Once it is disposed: what whoever waits is told. */
  private goneBecause: HumanError | undefined;

  constructor(private readonly options: ConnectionOwnerOptions) {
    if (options.predecessor) {
      this.track(options.predecessor);
    }
  }

  get current(): McpConnection | undefined {
    return this.life.kind === 'connected' ? this.life.connection : undefined;
  }

  get isBlocked(): boolean {
    return this.blocked !== undefined;
  }

  /** Connected, connecting, or about to try again. */
  get isActive(): boolean {
    return this.isUp || (this.life.kind === 'failed' && this.life.retry !== undefined);
  }

  private get isUp(): boolean {
    return this.life.kind === 'connecting' || this.life.kind === 'connected';
  }

  /** Ends everything at once when the server must not run; {@link settled} waits for its end. */
  setBlocked(blocked: BlockedState | undefined): void {
    this.blocked = blocked;
    if (blocked) {
      this.end();
    } else {
      this.publish();
    }
  }

  /**
   * Connects if necessary; concurrent callers share one attempt. `signal` ends the waiting, not the attempt, which goes
   * before those `inBackground`.
   * @throws {HumanError} that says what stands in the way, or the signal's reason.
   */
  async ensure(signal?: AbortSignal, inBackground = false): Promise<McpConnection> {
    signal?.throwIfAborted();
    this.begin();
    // a changed definition replaces the attempt under way by a new one
    while (this.life.kind === 'connecting') {
      if (!inBackground) {
        this.life.slot.hurry();
      }
      await raceWithSignal(this.life.done, signal);
    }
    if (this.life.kind === 'connected') {
      return this.life.connection;
    }
    throw this.obstacle();
  }

  /**
   * As {@link ensure}, but fails at once after a start that took long in vain, so that not every call of a series waits
   * for the same time-out.
   */
  async ensureForCall(signal?: AbortSignal): Promise<McpConnection> {
    const restMs = this.pauseEndsAt - this.options.clock.elapsed();
    if (restMs > 0 && this.life.kind === 'failed') {
      throw new ConnectionFailedError(duringPause(this.life.state.failure, restMs));
    }
    return this.ensure(signal);
  }

  /** Since a person wants it. @throws as {@link ensure}. */
  async restart(signal?: AbortSignal): Promise<McpConnection> {
    await this.stop();
    this.begin(true);
    return await this.ensure(signal);
  }

  /** Leaves no failure behind. Resolves when the process or stream is gone. */
  async stop(): Promise<void> {
    this.end();
    await this.settled();
  }

  /** Resolves when nothing is being ended any more. */
  async settled(): Promise<void> {
    while (this.closings.size > 0) {
      await Promise.all(this.closings);
    }
  }

  /** Which of its lists are read after a pause only; undefined when there are none any more. */
  noteSlowLists(connection: McpConnection, slowLists: SlowLists | undefined): void {
    const { life } = this;
    if (life.kind === 'connected' && life.connection === connection) {
      this.enter({ ...life, state: { ...life.state, slowLists } });
    }
  }

  /** Of a call that failed. A connection that was ended on purpose is no failure of it. */
  callError(failure: McpServerFailure, cause: unknown): HumanError {
    return failure.code === 'closed' && this.life.kind === 'resting'
      ? this.obstacle()
      : new ConnectionFailedError(failure, cause);
  }

  /** A request found out that the connection is of no use. */
  drop(connection: McpConnection, failure: McpServerFailure): void {
    this.handleEnd(connection, failure);
  }

  /** @param reason what whoever waits is told. Default: it was stopped. */
  async dispose(reason = stoppedError()): Promise<void> {
    this.goneBecause = reason;
    await this.stop();
    this.state.dispose();
  }

  /** Unless there is a connection, or an attempt. */
  private begin(isAsked = false): void {
    if (this.blocked || this.goneBecause || this.isUp) {
      return;
    }
    const controller = new AbortController();
    const slot = this.options.slots.request();
    const onDidChangeNote = (note: ConnectingNote) => {
      if (flight.state.note !== note) {
        flight.state = { kind: 'connecting', note, since: this.options.clock.elapsed() };
        this.publish();
      }
    };
    const done = this.attempt(controller.signal, { slot, onDidChangeNote, isAsked });
    const state = { kind: 'connecting' } as const;
    const flight: Flight = { kind: 'connecting', state, slot, controller, done };
    this.enter(flight);
  }

  private async attempt(signal: AbortSignal, options: ConnectOptions): Promise<void> {
    const startedAt = this.options.clock.elapsed();
    try {
      // with the signal, since a cancelled attempt is itself among what is being ended
      await raceWithSignal(this.settled(), signal);
      const connection = await this.openReady(signal, options);
      if (signal.aborted) {
        await connection.close();
      } else {
        this.adopt(connection, startedAt);
      }
    } catch (error) {
      const failure = isCancellationError(error)
        ? undefined
        : classifyFailure(error, { mask: maskText });
      if (!signal.aborted) {
        this.recordFailure(failure);
        this.pauseCalls(startedAt);
      }
    }
  }

  private async openReady(signal: AbortSignal, options: ConnectOptions): Promise<McpConnection> {
    const connection = await this.options
      .connect(signal, options)
      .finally(() => options.slot.release());
    connection.onDidClose((failure) => {
      if (failure) {
        this.handleEnd(connection, failure);
      }
    });
    try {
      signal.throwIfAborted();
      options.onDidChangeNote('listing');
      await this.options.prepare(connection, signal);
      return connection;
    } catch (error) {
      const failure = connection.describeError(error);
      await connection.close();
      signal.throwIfAborted();
      throw new ConnectionFailedError(failure, error);
    }
  }

  private adopt(connection: McpConnection, startedAt: number): void {
    const early = this.endedEarly.get(connection);
    if (early) {
      this.track(connection.close());
      this.recordFailure(early);
      return;
    }
    const { clock } = this.options;
    const adoptedAt = clock.elapsed();
    this.pauseEndsAt = 0;
    const state = {
      kind: 'connected',
      transport: connection.session.transport,
      since: clock.now(),
      connectMs: adoptedAt - startedAt,
      pid: connection.pid,
    } as const;
    this.enter({ kind: 'connected', state, connection, adoptedAt });
  }

  private handleEnd(connection: McpConnection, failure: McpServerFailure): void {
    if (this.life.kind !== 'connected' || this.life.connection !== connection) {
      this.endedEarly.set(connection, failure);
      return;
    }
    const lifeMs = this.options.clock.elapsed() - this.life.adoptedAt;
    if (lifeMs >= healthyMs) {
      this.failuresInRow = 0;
    }
    this.life = resting;
    // helpers of a process that is gone may still run
    this.track(connection.close());
    if (goOnCodes.has(failure.code) && this.failuresInRow === 0) {
      this.failuresInRow = 1;
      this.begin();
    } else {
      this.recordFailure(failure);
    }
  }

  private recordFailure(failure: McpServerFailure | undefined): void {
    if (failure) {
      this.failuresInRow++;
    }
    this.enter(failure ? this.failedWith(failure) : resting);
  }

  /** A start that took long is not tried again for as long, and longer each time. */
  private pauseCalls(startedAt: number): void {
    const now = this.options.clock.elapsed();
    const lastedMs = now - startedAt;
    const pauseMs = lastedMs * 2 ** Math.max(0, this.failuresInRow - 1);
    const failure = this.life.kind === 'failed' ? this.life.state.failure : undefined;
    const isPaused = failure && lastedMs >= shortStartMs && !needsOtherAccess(failure);
    this.pauseEndsAt = isPaused ? now + Math.min(longestPauseMs, pauseMs) : 0;
  }

  /** To be called when the answer of `isRetryWanted` may have changed. */
  reviewRetry(): void {
    const { life } = this;
    if (life.kind === 'failed') {
      const { failure } = life.state;
      if (this.options.isRetryWanted(failure) !== (life.retry !== undefined)) {
        this.enter(this.failedWith(failure));
      }
    }
  }

  private failedWith(failure: McpServerFailure): Life {
    const { clock, isRetryWanted } = this.options;
    const waitMs = failure.retryAfterMs ?? backoffMs(this.failuresInRow, clock.random());
    const retry = isRetryWanted(failure) ? clock.after(waitMs, () => this.begin()) : undefined;
    const nextRetryAt = retry && clock.now() + waitMs;
    const state = needsSignIn(failure)
      ? ({ kind: 'needs_auth', failure } as const)
      : ({ kind: 'error', failure, nextRetryAt } as const);
    return { kind: 'failed', state, retry };
  }

  private end(): void {
    const { life } = this;
    this.life = resting;
    this.failuresInRow = 0;
    this.pauseEndsAt = 0;
    if (life.kind === 'connecting') {
      this.track(life.done);
      life.controller.abort();
    } else if (life.kind === 'connected') {
      this.track(life.connection.close());
    } else if (life.kind === 'failed') {
      life.retry?.dispose();
    }
    this.publish();
  }

  private track(closing: Promise<void>): void {
    const tracked = closing.catch(() => undefined).finally(() => this.closings.delete(tracked));
    this.closings.add(tracked);
  }

  private enter(life: Life): void {
    if (this.life.kind === 'failed') {
      this.life.retry?.dispose();
    }
    this.life = life;
    this.publish();
  }

  private obstacle(): HumanError {
    if (this.life.kind === 'failed') {
      return new ConnectionFailedError(this.life.state.failure);
    }
    return this.goneBecause ?? (this.blocked ? blockedError(this.blocked) : stoppedError());
  }

  private publish(): void {
    this.state.set(this.blocked ?? this.life.state);
  }
}

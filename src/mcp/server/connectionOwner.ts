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

interface Flight {
  readonly slot: StartSlot;
  readonly controller: AbortController;
  /** As in the state. */
  note: { readonly note: ConnectingNote; readonly since: number } | undefined;
  /** Never rejects. */
  readonly done: Promise<void>;
}

interface FailureFacts {
  readonly failure: McpServerFailure;
  /** Milliseconds since the epoch. */
  readonly nextRetryAt: number | undefined;
}

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
  readonly state = new ValueEmitter(restingState(undefined), isSameState);
  private readonly closings = new Set<Promise<void>>();
  private readonly endedEarly = new WeakMap<McpConnection, McpServerFailure>();
  private blocked: BlockedState | undefined;
  private flight: Flight | undefined;
  private connection: McpConnection | undefined;
  private connected: Extract<McpServerState, { readonly kind: 'connected' }> | undefined;
  /** When `connection` was taken over, on the measuring clock. */
  private adoptedAt = 0;
  private lastFailure: FailureFacts | undefined;
  private failuresInRow = 0;
  /** Calls do not start the server before this time; see {@link ensureForCall}. */
  private pauseEndsAt = 0;
  private retry: Disposable | undefined;
  private isDisposed = false;

  constructor(private readonly options: ConnectionOwnerOptions) {
    if (options.predecessor) {
      this.track(options.predecessor);
    }
  }

  get current(): McpConnection | undefined {
    return this.connection;
  }

  get isBlocked(): boolean {
    return this.blocked !== undefined;
  }

  /** Connected, connecting, or about to try again. */
  get isActive(): boolean {
    return this.connection !== undefined || this.flight !== undefined || this.retry !== undefined;
  }

  /** Ends everything at once when the server must not run; {@link settled} waits for its end. */
  setBlocked(blocked: BlockedState | undefined): void {
    this.blocked = blocked;
    if (blocked) {
      this.end();
    }
    this.publish();
  }

  /**
   * Connects if necessary; concurrent callers share one attempt. `signal` ends the waiting, not the attempt, which goes
   * before those `inBackground`.
   * @throws {HumanError} that says what stands in the way, or the signal's reason.
   */
  async ensure(signal?: AbortSignal, inBackground = false): Promise<McpConnection> {
    signal?.throwIfAborted();
    let flight = this.connection ? undefined : (this.flight ?? this.begin());
    while (flight && !this.connection) {
      if (!inBackground) {
        flight.slot.hurry();
      }
      await raceWithSignal(flight.done, signal);
      // a changed definition replaces the attempt under way by a new one
      flight = this.flight;
    }
    if (this.connection) {
      return this.connection;
    }
    throw this.obstacle();
  }

  /**
   * As {@link ensure}, but fails at once after a start that took long in vain, so that not every call of a series waits
   * for the same time-out.
   */
  async ensureForCall(signal?: AbortSignal): Promise<McpConnection> {
    const restMs = this.pauseEndsAt - this.options.clock.elapsed();
    const failure = this.lastFailure?.failure;
    if (restMs > 0 && failure && !this.connection && !this.flight) {
      throw new ConnectionFailedError(duringPause(failure, restMs));
    }
    return this.ensure(signal);
  }

  /** Since a person wants it. @throws as {@link ensure}. */
  async restart(signal?: AbortSignal): Promise<McpConnection> {
    await this.stop();
    if (!this.flight) {
      this.begin(true);
    }
    return await this.ensure(signal);
  }

  /** Leaves no failure behind. Resolves when the process or stream is gone. */
  async stop(): Promise<void> {
    this.end();
    this.publish();
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
    if (this.connected && connection === this.connection) {
      this.connected = { ...this.connected, slowLists };
      this.publish();
    }
  }

  /** A request found out that the connection is of no use. */
  drop(connection: McpConnection, failure: McpServerFailure): void {
    this.handleEnd(connection, failure);
  }

  async dispose(): Promise<void> {
    this.isDisposed = true;
    await this.stop();
    this.state.dispose();
  }

  private begin(isAsked = false): Flight | undefined {
    if (this.blocked || this.isDisposed) {
      return undefined;
    }
    this.cancelRetry();
    const controller = new AbortController();
    const slot = this.options.slots.request();
    const onDidChangeNote = (note: ConnectingNote) => {
      if (flight.note?.note !== note) {
        flight.note = { note, since: this.options.clock.elapsed() };
        this.publish();
      }
    };
    const done = this.attempt(controller.signal, { slot, onDidChangeNote, isAsked });
    const flight: Flight = { slot, controller, done, note: undefined };
    this.flight = flight;
    this.publish();
    return flight;
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
        this.flight = undefined;
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
    this.flight = undefined;
    if (early) {
      this.track(connection.close());
      this.recordFailure(early);
      return;
    }
    const { clock } = this.options;
    this.adoptedAt = clock.elapsed();
    this.connection = connection;
    this.connected = {
      kind: 'connected',
      transport: connection.session.transport,
      since: clock.now(),
      connectMs: this.adoptedAt - startedAt,
      pid: connection.pid,
    };
    this.lastFailure = undefined;
    this.pauseEndsAt = 0;
    this.publish();
  }

  private handleEnd(connection: McpConnection, failure: McpServerFailure): void {
    if (connection !== this.connection) {
      this.endedEarly.set(connection, failure);
      return;
    }
    const lifeMs = this.options.clock.elapsed() - this.adoptedAt;
    if (lifeMs >= healthyMs) {
      this.failuresInRow = 0;
    }
    this.connection = undefined;
    this.connected = undefined;
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
    this.lastFailure = undefined;
    if (failure) {
      this.failuresInRow++;
      this.lastFailure = { failure, nextRetryAt: this.scheduleRetry(failure) };
    }
    this.publish();
  }

  /** A start that took long is not tried again for as long, and longer each time. */
  private pauseCalls(startedAt: number): void {
    const now = this.options.clock.elapsed();
    const lastedMs = now - startedAt;
    const pauseMs = lastedMs * 2 ** Math.max(0, this.failuresInRow - 1);
    const failure = this.lastFailure?.failure;
    const isPaused = failure && lastedMs >= shortStartMs && !needsOtherAccess(failure);
    this.pauseEndsAt = isPaused ? now + Math.min(longestPauseMs, pauseMs) : 0;
  }

  /** To be called when the answer of `isRetryWanted` may have changed. */
  reviewRetry(): void {
    const failure = this.flight ? undefined : this.lastFailure?.failure;
    if (failure && this.options.isRetryWanted(failure) !== (this.retry !== undefined)) {
      this.lastFailure = { failure, nextRetryAt: this.scheduleRetry(failure) };
      this.publish();
    }
  }

  private scheduleRetry(failure: McpServerFailure): number | undefined {
    this.cancelRetry();
    if (!this.options.isRetryWanted(failure)) {
      return undefined;
    }
    const { clock } = this.options;
    const waitMs = failure.retryAfterMs ?? backoffMs(this.failuresInRow, clock.random());
    this.retry = clock.after(waitMs, () => {
      this.retry = undefined;
      this.begin();
    });
    return clock.now() + waitMs;
  }

  private end(): void {
    this.cancelRetry();
    this.lastFailure = undefined;
    this.failuresInRow = 0;
    this.pauseEndsAt = 0;
    const { flight, connection } = this;
    this.flight = undefined;
    this.connection = undefined;
    this.connected = undefined;
    if (flight) {
      this.track(flight.done);
      flight.controller.abort();
    }
    if (connection) {
      this.track(connection.close());
    }
  }

  private track(closing: Promise<void>): void {
    const tracked = closing.catch(() => undefined).finally(() => this.closings.delete(tracked));
    this.closings.add(tracked);
  }

  private cancelRetry(): void {
    this.retry?.dispose();
    this.retry = undefined;
  }

  private obstacle(): HumanError {
    if (this.lastFailure) {
      return new ConnectionFailedError(this.lastFailure.failure);
    }
    if (this.blocked) {
      return blockedError(this.blocked);
    }
    return stoppedError();
  }

  private publish(): void {
    const { blocked, flight, connected, lastFailure } = this;
    const connecting = flight && ({ kind: 'connecting', ...flight.note } as const);
    this.state.set(blocked ?? connecting ?? connected ?? restingState(lastFailure));
  }
}

/** While nothing keeps the server from running, and nothing runs. */
function restingState(facts: FailureFacts | undefined): McpServerState {
  if (!facts) {
    return { kind: 'idle' };
  }
  const { failure } = facts;
  return needsSignIn(failure) ? { kind: 'needs_auth', failure } : { kind: 'error', ...facts };
}

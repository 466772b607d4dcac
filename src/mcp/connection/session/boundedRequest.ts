import { possibleDelay } from '../../../base/async/possibleDelay.js';
import type { RequestOptions } from './engine.js';

/** A timer that is later than this, in milliseconds, stood still with the machine or the event loop. */
const lateMs = 1000;
/** Milliseconds between looks at what waits: many requests that are up one after the other must not be counted each time. */
const leastPauseMs = 50;

export interface BoundedRequest {
  createTimeout(): Error;
  /** While true, the time-out does not strike. */
  isWaitingForUser(): boolean;
  /** Called with the caller's reason or a time-out, and not after the bounds were disposed. */
  onBound(reason: unknown): void;
}

/**
 * One timer for the requests of a session, which is not set anew for each of them: next to no request lives to see its
 * time-out.
 */
export class SilenceTimer {
  private readonly watched = new Set<RequestBounds>();
  private timer: NodeJS.Timeout | undefined;
  /** When the timer is up, as `performance.now` measures. */
  private wakesAt = Number.POSITIVE_INFINITY;

  /** Calls `onSilence` once, when the time of the request has come. */
  watch(bounds: RequestBounds): void {
    this.watched.add(bounds);
    if (bounds.silentAt < this.wakesAt) {
      this.wakeAt(bounds.silentAt);
    }
  }

  forget(bounds: RequestBounds): void {
    this.watched.delete(bounds);
  }

  /** Nothing more comes. */
  dispose(): void {
    this.watched.clear();
    clearTimeout(this.timer);
  }

  private wakeAt(time: number): void {
    clearTimeout(this.timer);
    this.wakesAt = time;
    const restMs = possibleDelay(Math.ceil(time - performance.now()));
    // what carries a request keeps the process alive as long as it is wanted
    this.timer = setTimeout(() => this.look(), restMs).unref();
  }

  private look(): void {
    this.wakesAt = Number.POSITIVE_INFINITY;
    const now = performance.now();
    let nextAt = Number.POSITIVE_INFINITY;
    for (const bounds of [...this.watched]) {
      if (bounds.silentAt <= now) {
        this.watched.delete(bounds);
        bounds.onSilence();
      } else {
        nextAt = Math.min(nextAt, bounds.silentAt);
      }
    }
    if (nextAt < this.wakesAt) {
      this.wakeAt(Math.max(nextAt, now + leastPauseMs));
    }
  }
}

/**
 * A request's limits in time, and the caller's signal. A time-out counts only where nothing has arrived by then: what
 * lies in a socket is read first, and after a sleep of the machine the server gets a new period.
 */
export class RequestBounds {
  private readonly startedAt = performance.now();
  private touchedAt = this.startedAt;
  /** When its time-out strikes, as `performance.now` measures. */
  silentAt = 0;
  private total: NodeJS.Timeout | undefined;
  private onAbort: (() => void) | undefined;
  private isOver = false;

  constructor(
    private readonly options: RequestOptions,
    private readonly request: BoundedRequest,
    private readonly timer: SilenceTimer,
  ) {
    const { signal, timeoutMs, maxTotalMs } = options;
    this.awaitLife();
    if (maxTotalMs !== undefined && maxTotalMs < timeoutMs) {
      this.limitTotal(maxTotalMs);
    }
    if (signal) {
      this.onAbort = () => request.onBound(signal.reason);
      signal.addEventListener('abort', this.onAbort, { once: true });
    }
  }

  /** The server shows life: the time-out starts anew. */
  touch(): void {
    if (this.isOver) {
      return;
    }
    this.touchedAt = performance.now();
    this.awaitLife();
    const { maxTotalMs } = this.options;
    // only what shows life can outlast its time-out, so the limit on the total matters from then on
    if (maxTotalMs !== undefined && !this.total) {
      this.limitTotal(maxTotalMs);
    }
  }

  dispose(): void {
    this.isOver = true;
    this.timer.forget(this);
    clearTimeout(this.total);
    if (this.onAbort) {
      this.options.signal?.removeEventListener('abort', this.onAbort);
    }
  }

  private awaitLife(): void {
    this.silentAt = this.touchedAt + this.options.timeoutMs;
    this.timer.watch(this);
  }

  private limitTotal(ms: number): void {
    const restMs = this.startedAt + ms - performance.now();
    this.total = setTimeout(() => this.expire(), possibleDelay(restMs));
  }

  /** It was silent for as long as it may be. */
  onSilence(): void {
    const isLate = performance.now() - this.touchedAt - this.options.timeoutMs > lateMs;
    if (isLate || this.request.isWaitingForUser()) {
      this.touch();
      return;
    }
    const heardAt = this.touchedAt;
    // timers run before sockets are read, and the answer may lie there
    setImmediate(() => {
      if (!this.isOver && this.touchedAt === heardAt) {
        this.expire();
      }
    });
  }

  private expire(): void {
    this.request.onBound(this.request.createTimeout());
  }
}

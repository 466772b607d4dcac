import { possibleDelay } from '../../../base/async/possibleDelay.js';
import { EngineError, type RequestOptions } from './engine.js';

/** A timer that is later than this, in milliseconds, stood still with the machine or the event loop. */
const lateMs = 1000;

export interface BoundedRequest {
  /** While true, the time-out does not strike. */
  isWaitingForUser(): boolean;
  /** Called with the caller's reason or a time-out, and not after the bounds were disposed. */
  onBound(reason: unknown): void;
}

/**
 * A request's limits in time, and the caller's signal. A time-out counts only where nothing has arrived by then: what
 * lies in a socket is read first, and after a sleep of the machine the server gets a new period.
 */
export class RequestBounds {
  private readonly startedAt = performance.now();
  private touchedAt = this.startedAt;
  private readonly silence: NodeJS.Timeout;
  private total: NodeJS.Timeout | undefined;
  private onAbort: (() => void) | undefined;
  private isOver = false;

  constructor(
    private readonly options: RequestOptions,
    private readonly request: BoundedRequest,
  ) {
    const { signal, timeoutMs, maxTotalMs } = options;
    // what carries a request keeps the process alive as long as it is wanted
    this.silence = setTimeout(() => this.onSilence(), possibleDelay(timeoutMs)).unref();
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
    this.silence.refresh();
    const { maxTotalMs } = this.options;
    // only what shows life can outlast its time-out, so the limit on the total matters from then on
    if (maxTotalMs !== undefined && !this.total) {
      this.limitTotal(maxTotalMs);
    }
  }

  dispose(): void {
    this.isOver = true;
    clearTimeout(this.silence);
    clearTimeout(this.total);
    if (this.onAbort) {
      this.options.signal?.removeEventListener('abort', this.onAbort);
    }
  }

  private limitTotal(ms: number): void {
    const restMs = this.startedAt + ms - performance.now();
    this.total = setTimeout(() => this.expire(), possibleDelay(restMs));
  }

  /** It was silent for as long as it may be. */
  private onSilence(): void {
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
    this.request.onBound(new EngineError('request_timeout', 'Request timed out'));
  }
}

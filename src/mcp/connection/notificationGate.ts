import type { Disposable } from '../../base/disposable.js';
import type { JsonObject } from '../../base/json.js';

/** Notifications of one method that pass at once before the rate applies. */
const burst = 200;
const perSecond = 200;
const retryDelayMs = 1000;

interface Bucket {
  tokens: number;
  updatedAt: number;
  dropped: number;
  latest: JsonObject | undefined;
}

/**
 * Keeps a flood of notifications from delaying responses: beyond a rate per method only the latest one is kept, and
 * delivered when the rate allows, so that a last "list changed" is never lost. Everything else passes.
 */
export class NotificationGate implements Disposable {
  private readonly buckets = new Map</* method */ string, Bucket>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private disposed = false;

  constructor(
    private readonly deliver: (message: JsonObject) => void,
    /** Called with the number of notifications of a method that a flood has cost. */
    private readonly onDropped: (method: string, count: number) => void,
  ) {}

  push(message: JsonObject): void {
    const { method } = message;
    if (typeof method !== 'string' || 'id' in message || this.admits(method, message)) {
      this.deliver(message);
    }
  }

  dispose(): void {
    this.disposed = true;
    clearTimeout(this.timer);
    this.buckets.clear();
  }

  private admits(method: string, message: JsonObject): boolean {
    const now = Date.now();
    const bucket = this.buckets.get(method) ?? {
      tokens: burst,
      updatedAt: now,
      dropped: 0,
      latest: undefined,
    };
    this.buckets.set(method, bucket);
    bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.updatedAt) * perSecond) / 1000);
    bucket.updatedAt = now;
    // a kept one goes first, so that order is kept
    if (bucket.tokens >= 1 && !bucket.latest) {
      bucket.tokens--;
      return true;
    }
    if (bucket.latest) {
      bucket.dropped++;
    }
    bucket.latest = message;
    this.timer ??= setTimeout(() => this.flush(), retryDelayMs);
    return false;
  }

  private flush(): void {
    this.timer = undefined;
    for (const [method, bucket] of this.buckets) {
      const { latest, dropped } = bucket;
      bucket.latest = undefined;
      bucket.dropped = 0;
      if (latest && !this.disposed) {
        if (dropped > 0) {
          this.onDropped(method, dropped);
        }
        this.deliver(latest);
      }
    }
  }
}

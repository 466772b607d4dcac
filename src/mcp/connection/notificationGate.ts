import type { Disposable } from '../../base/disposable.js';
import type { JsonObject } from '../../base/json.js';

/** Messages of one method that pass at once before the rate applies. */
const burst = 200;
const perSecond = 200;
const retryDelayMs = 1000;
/** Methods that are counted each for itself; a server that makes up more has them counted together. */
const maxMethods = 32;
const otherMethods = 'notifications';
/** The server's requests count together, whatever they ask for. */
const requests = 'requests';

interface Bucket {
  tokens: number;
  updatedAt: number;
  dropped: number;
  latest: JsonObject | undefined;
}

/**
 * Keeps a flood of messages from delaying responses. Beyond a rate per method only the latest notification is kept,
 * and delivered when the rate allows, so that a last "list changed" is never lost; requests are dropped, since even
 * refusing them would fill a pipe that nobody reads. Responses pass.
 */
export class NotificationGate implements Disposable {
  private readonly buckets = new Map</* method */ string, Bucket>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private disposed = false;

  constructor(
    private readonly deliver: (message: JsonObject) => void,
    /** Called with the number of messages of a method that a flood has cost. */
    private readonly onDropped: (method: string, count: number) => void,
  ) {}

  push(message: JsonObject): void {
    const { method } = message;
    if (typeof method !== 'string' || this.admits(method, message)) {
      this.deliver(message);
    }
  }

  dispose(): void {
    this.disposed = true;
    clearTimeout(this.timer);
    this.buckets.clear();
  }

  private admits(method: string, message: JsonObject): boolean {
    const isRequest = 'id' in message;
    const bucket = this.bucketOf(isRequest ? requests : method);
    const now = Date.now();
    bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.updatedAt) * perSecond) / 1000);
    bucket.updatedAt = now;
    // a kept one goes first, so that order is kept
    if (bucket.tokens >= 1 && !bucket.latest) {
      bucket.tokens--;
      return true;
    }
    if (bucket.latest || isRequest) {
      bucket.dropped++;
    }
    if (!isRequest) {
      bucket.latest = message;
    }
    this.timer ??= setTimeout(() => this.flush(), retryDelayMs);
    return false;
  }

  private bucketOf(method: string): Bucket {
    const known = this.buckets.get(method);
    if (known) {
      return known;
    }
    const isCountedAlone = method === otherMethods || this.buckets.size < maxMethods;
    if (!isCountedAlone && method !== requests) {
      return this.bucketOf(otherMethods);
    }
    const bucket = { tokens: burst, updatedAt: Date.now(), dropped: 0, latest: undefined };
    this.buckets.set(method, bucket);
    return bucket;
  }

  private flush(): void {
    this.timer = undefined;
    for (const [method, bucket] of this.buckets) {
      const { latest, dropped } = bucket;
      bucket.latest = undefined;
      bucket.dropped = 0;
      if (this.disposed) {
        return;
      }
      if (dropped > 0) {
        this.onDropped(method, dropped);
      }
      if (latest) {
        this.deliver(latest);
      }
    }
  }
}

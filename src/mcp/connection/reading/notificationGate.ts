import type { Disposable } from '../../../base/disposable.js';
import { isJsonObject, type JsonObject } from '../../../base/json.js';
import { TokenBucket } from '../../../base/tokenBucket.js';

/** Messages of one method that pass at once before the rate applies. */
const burst = 200;
const perSecond = 200;
const retryDelayMs = 1000;
/** Methods that are counted each for itself; a server that makes up more has them counted together. */
const maxMethods = 32;
const otherMethods = 'notifications';
/** The server's requests count together, whatever they ask for. */
const requests = 'requests';
/** Subjects of one method, such as calls that report progress, of which the latest notification is kept. */
const maxSubjects = 100;
const maxSubjectLength = 2000;

interface Bucket {
  readonly rate: TokenBucket;
  dropped: number;
  /** What waits for the rate, the latest for each subject. */
  readonly latest: Map</* subject */ string, JsonObject>;
}

/**
 * Keeps a flood of messages from delaying responses. Beyond a rate per method only the latest notification of
 * each subject is kept, and delivered when the rate allows, so that neither a last "list changed" nor the progress of a
 * quiet call beside a noisy one is lost; requests are dropped, since even
 * refusing them would fill a pipe that nobody reads. Responses pass.
 */
export class NotificationGate implements Disposable {
  private readonly buckets = new Map</* method */ string, Bucket>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private disposed = false;

  constructor(
    private readonly deliver: (message: JsonObject, text?: string) => void,
    /** Called with the number of messages of a method that a flood has cost. */
    private readonly onDropped: (method: string, count: number) => void,
  ) {}

  /** @param text is passed on with what is delivered at once */
  push(message: JsonObject, text?: string): void {
    const { method } = message;
    if (typeof method !== 'string' || this.admits(method, message)) {
      this.deliver(message, text);
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
    const subject = subjectOf(message);
    // a kept one goes first, so that order is kept
    if (!bucket.latest.has(subject) && bucket.rate.take()) {
      return true;
    }
    if (isRequest) {
      bucket.dropped++;
    } else {
      keepLatest(bucket, subject, message);
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
    const rate = new TokenBucket({ burst, perSecond });
    const bucket: Bucket = { rate, dropped: 0, latest: new Map() };
    this.buckets.set(method, bucket);
    return bucket;
  }

  private flush(): void {
    this.timer = undefined;
    for (const [method, bucket] of this.buckets) {
      const { dropped } = bucket;
      const kept = [...bucket.latest.values()];
      bucket.latest.clear();
      bucket.dropped = 0;
      if (this.disposed) {
        return;
      }
      if (dropped > 0) {
        this.onDropped(method, dropped);
      }
      for (const message of kept) {
        this.deliver(message);
      }
    }
  }
}

function keepLatest(bucket: Bucket, subject: string, message: JsonObject): void {
  const { latest } = bucket;
  if (latest.delete(subject)) {
    bucket.dropped++;
  }
  latest.set(subject, message);
  const [oldest] = latest.keys();
  if (latest.size > maxSubjects && oldest !== undefined) {
    latest.delete(oldest);
    bucket.dropped++;
  }
}

/** The call or resource that a notification is about; empty for those that have none. */
function subjectOf({ method, params }: JsonObject): string {
  const { progressToken, uri } = isJsonObject(params) ? params : {};
  const subject =
    method === 'notifications/progress'
      ? progressToken
      : method === 'notifications/resources/updated'
        ? uri
        : undefined;
  return typeof subject === 'number' || typeof subject === 'string'
    ? String(subject).slice(0, maxSubjectLength)
    : '';
}

import * as l10n from '@vscode/l10n';
import type { Disposable } from '../../../base/disposable.js';
import { errorMessage } from '../../../base/errors.js';
import { asObject, type JsonObject } from '../../../base/json.js';
import { TokenBucket } from '../../../base/tokenBucket.js';
import type { LogLevel } from '../../../platform/ports.js';

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
 * refusing them would fill a pipe that nobody reads. Responses pass. A message that makes a reader throw does not stop
 * the next one.
 */
export class NotificationGate implements Disposable {
  private readonly buckets = new Map</* method */ string, Bucket>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private disposed = false;

  constructor(
    private readonly read: (message: JsonObject, text?: string) => void,
    private readonly onNotice: (level: LogLevel, message: string) => void,
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

  private deliver(message: JsonObject, text?: string): void {
    try {
      this.read(message, text);
    } catch (error) {
      this.onNotice(
        'error',
        l10n.t('A message of the server could not be read: {0}', errorMessage(error)),
      );
    }
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
        this.onNotice(
          'warn',
          l10n.t('The server sent too many {0}; {1} were skipped.', method, dropped),
        );
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
  const { progressToken, uri } = asObject(params);
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

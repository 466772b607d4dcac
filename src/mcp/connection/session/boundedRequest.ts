import { possibleDelay } from '../../../base/async/possibleDelay.js';
import type { RequestOptions } from './engine.js';

/** A timer that is later than this, in milliseconds, stood still with the machine or the event loop. */
const lateMs = 1000;

/** A request's limits in time. */
export interface RequestLimits {
  /** The server shows life: the time-out starts anew. */
  touch(): void;
  dispose(): void;
}

export interface RequestEnd {
  readonly createTimeout: () => Error;
  /** While true, the time-out does not strike. Default: never. */
  readonly isWaitingForUser?: (() => boolean) | undefined;
  /** Called with the caller's reason or a time-out, and not after the request was disposed. */
  readonly onEnd: (reason: unknown) => void;
}

/**
 * A time-out counts only where nothing has arrived by then: what lies in a socket is read first, and after a sleep of the
 * machine the server gets a new period.
 */
export function limitRequest(
  { signal, timeoutMs, maxTotalMs }: RequestOptions,
  { createTimeout, isWaitingForUser, onEnd }: RequestEnd,
): RequestLimits {
  const onAbort = () => onEnd(signal?.reason);
  const expire = () => onEnd(createTimeout());
  const onSilence = () => {
    const isLate = performance.now() - touchedAt - timeoutMs > lateMs;
    if (isLate || isWaitingForUser?.()) {
      touch();
      return;
    }
    const heardAt = touchedAt;
    // timers run before sockets are read, and the answer may lie there
    setImmediate(() => {
      if (!isOver && touchedAt === heardAt) {
        expire();
      }
    });
  };
  let touchedAt = performance.now();
  let silence = setTimeout(onSilence, possibleDelay(timeoutMs));
  let isOver = false;
  const touch = () => {
    if (isOver) {
      return;
    }
    clearTimeout(silence);
    touchedAt = performance.now();
    silence = setTimeout(onSilence, possibleDelay(timeoutMs));
    // only what shows life can outlast its time-out, so the limit on the total matters from then on
    total ??= maxTotalMs === undefined ? undefined : startTotal(maxTotalMs);
  };
  const startedAt = touchedAt;
  const startTotal = (ms: number) =>
    setTimeout(expire, possibleDelay(startedAt + ms - performance.now()));
  let total =
    maxTotalMs !== undefined && maxTotalMs < timeoutMs ? startTotal(maxTotalMs) : undefined;
  signal?.addEventListener('abort', onAbort, { once: true });
  if (signal?.aborted) {
    onAbort();
  }
  return {
    touch,
    dispose: () => {
      isOver = true;
      clearTimeout(silence);
      clearTimeout(total);
      signal?.removeEventListener('abort', onAbort);
    },
  };
}

import type { RequestOptions } from './engine.js';

/** A request's own cancellation and its limits in time. */
export interface RequestBounds {
  /** Aborts with the caller's reason, or with `createTimeout()`. */
  readonly signal: AbortSignal;
  /** The server shows life: the time-out starts anew. */
  touch(): void;
  dispose(): void;
}

/**
 * A signal of a request's own: SDKs keep the one they get, and would cancel requests that are finished.
 * @param isWaitingForUser while true, the time-out does not strike.
 */
export function boundRequest(
  options: RequestOptions,
  createTimeout: () => Error,
  isWaitingForUser: () => boolean = () => false,
): RequestBounds {
  const { signal, timeoutMs, maxTotalMs } = options;
  const cancellation = new AbortController();
  const onAbort = () => cancellation.abort(signal?.reason);
  const expire = () => cancellation.abort(createTimeout());
  const onSilence = () => (isWaitingForUser() ? touch() : expire());
  let silence = setTimeout(onSilence, timeoutMs);
  let isOver = false;
  const touch = () => {
    if (isOver) {
      return;
    }
    clearTimeout(silence);
    silence = setTimeout(onSilence, timeoutMs);
    // only what shows life can outlast its time-out, so the limit on the total matters from then on
    total ??= maxTotalMs === undefined ? undefined : startTotal(maxTotalMs);
  };
  const startedAt = Date.now();
  const startTotal = (ms: number) => setTimeout(expire, Math.max(0, startedAt + ms - Date.now()));
  let total =
    maxTotalMs !== undefined && maxTotalMs < timeoutMs ? startTotal(maxTotalMs) : undefined;
  signal?.addEventListener('abort', onAbort, { once: true });
  if (signal?.aborted) {
    onAbort();
  }
  return {
    signal: cancellation.signal,
    touch,
    dispose: () => {
      isOver = true;
      clearTimeout(silence);
      clearTimeout(total);
      signal?.removeEventListener('abort', onAbort);
    },
  };
}

import type { Disposable } from '../disposable.js';
import { possibleDelay } from './possibleDelay.js';

/** Recognises our own, the DOM's and VS Code's way of saying "cancelled". */
export function isCancellationError(error: unknown): boolean {
  return (
    error instanceof Error &&
    (error.name === 'AbortError' || error.name === 'Canceled' || error.name === 'CancellationError')
  );
}

export class CancellationError extends Error {
  override readonly name = 'CancellationError';

  constructor(message = 'Cancelled') {
    super(message);
  }
}

/** Settles like `promise`, or rejects with the signal's reason as soon as it aborts. */
export function raceWithSignal<T>(
  promise: Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  if (!signal) {
    return promise;
  }
  return new Promise<T>((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) {
      promise.catch(() => undefined);
      onAbort();
      return;
    }
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

/**
 * A signal that aborts with the first of several. Other than what `AbortSignal.any` gives, which Node keeps for as long
 * as the longest-lived of them, it lets go of all when it is disposed. Node 20 forgets a timeout that only
 * `AbortSignal.any` knows of: a time limit is linked here.
 */
export function linkSignals(
  ...signals: readonly (AbortSignal | undefined)[]
): Disposable & { readonly signal: AbortSignal } {
  const linked = new AbortController();
  const releases: (() => void)[] = [];
  for (const signal of signals) {
    if (signal) {
      const onAbort = () => linked.abort(signal.reason);
      signal.addEventListener('abort', onAbort, { once: true });
      releases.push(() => signal.removeEventListener('abort', onAbort));
      if (signal.aborted) {
        onAbort();
      }
    }
  }
  return {
    signal: linked.signal,
    dispose: () => {
      for (const release of releases) {
        release();
      }
    },
  };
}

/** Resolves after `ms` milliseconds; rejects with the signal's reason when it aborts first. */
export function delay(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, possibleDelay(ms));
    signal?.addEventListener('abort', onAbort, { once: true });
    if (signal?.aborted) {
      onAbort();
    }
  });
}

/** Resolves when the signal aborts. */
export function whenAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
    } else {
      signal.addEventListener('abort', () => resolve(), { once: true });
    }
  });
}

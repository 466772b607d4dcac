import type { Fetch } from './fetch.js';
import { watchBody } from './watchedResponse.js';

/**
 * Node's `fetch` listens to a signal until the garbage is collected, and with every listener the next one takes
 * longer. A signal that outlives its requests, as a session's does, is therefore only lent to each of them.
 */
export function withOwnSignal(next: Fetch): Fetch {
  return async (url, init) => {
    const signal = init?.signal;
    if (!signal) {
      return next(url, init);
    }
    signal.throwIfAborted();
    const own = new AbortController();
    const onAbort = () => own.abort(signal.reason);
    const release = () => signal.removeEventListener('abort', onAbort);
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      return watchBody(await next(url, { ...init, signal: own.signal }), { onEnd: release });
    } catch (error) {
      release();
      throw error;
    }
  };
}

import { linkSignals } from '../../../base/async/cancellation.js';
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
    const own = linkSignals(signal);
    try {
      const response = await next(url, { ...init, signal: own.signal });
      return watchBody(response, { onEnd: () => own.dispose() });
    } catch (error) {
      own.dispose();
      throw error;
    }
  };
}

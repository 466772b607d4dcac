import type { HttpEnd } from '../../trafficTypes.js';
import type { Fetch } from './fetch.js';
import { watchBody } from './watchedResponse.js';

/** A step of one HTTP request, unmasked. Steps of one request share the number. */
export type HttpStep = { readonly exchange: number } & (
  | {
      readonly phase: 'request';
      readonly method: string;
      readonly url: string;
      readonly headers: HeadersInit | undefined;
      /** As it was given to `fetch`. */
      readonly body: unknown;
    }
  | { readonly phase: 'response'; readonly status: number; readonly headers: Headers }
  | {
      readonly phase: 'end';
      readonly end: HttpEnd;
      readonly bytes: number;
      readonly error?: unknown;
    }
);

/** @returns what makes a `fetch` tell of every request as it goes over the network */
export function tapExchanges(onStep: (step: HttpStep) => void): (next: Fetch) => Fetch {
  let exchanges = 0;
  return (next) => async (url, init) => {
    const exchange = ++exchanges;
    onStep({
      exchange,
      phase: 'request',
      method: init?.method ?? 'GET',
      url: String(url),
      headers: init?.headers,
      body: init?.body,
    });
    let bytes = 0;
    try {
      const response = await next(url, init);
      onStep({ exchange, phase: 'response', status: response.status, headers: response.headers });
      return watchBody(response, {
        onChunk: (chunk) => {
          bytes += chunk.length;
        },
        onEnd: (end, error) => onStep({ exchange, phase: 'end', end, bytes, error }),
      });
    } catch (error) {
      const end = init?.signal?.aborted ? 'cancelled' : 'broken';
      onStep({ exchange, phase: 'end', end, bytes, error });
      throw error;
    }
  };
}

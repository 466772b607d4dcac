/** One bounded request for JSON, which follows no redirect: what goes along is meant for one place. */
import { linkSignals } from '../../../base/async/cancellation.js';
import { type JsonObject, parseJsonObject } from '../../../base/json.js';
import { withBodyLimit } from './bodyLimit.js';
import type { Fetch } from './fetch.js';
import { readRetryAfterMs } from './retryAfter.js';

export interface JsonQuestion {
  readonly fetch: Fetch;
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds. */
  readonly timeoutMs: number;
  readonly maxBytes: number;
  /** Default: none beside those that JSON needs. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Makes it a POST. */
  readonly body?: JsonObject | undefined;
}

export interface JsonAnswer {
  readonly status: number;
  /** `undefined` for what is no JSON object. */
  readonly body: JsonObject | undefined;
  /** Milliseconds that a busy server asks to wait. */
  readonly retryAfterMs: number | undefined;
}

/** Rejects as `fetch` does, with a `TimeoutError` too, and with a `BodyTooLargeError`. */
export async function askJson(url: string, question: JsonQuestion): Promise<JsonAnswer> {
  const { fetch, signal, timeoutMs, maxBytes, headers, body } = question;
  const linked = linkSignals(signal, AbortSignal.timeout(timeoutMs));
  try {
    const response = await withBodyLimit(fetch, maxBytes)(url, {
      method: body ? 'POST' : 'GET',
      headers: {
        accept: 'application/json',
        ...(body && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body && JSON.stringify(body),
      redirect: 'manual',
      signal: linked.signal,
    });
    return {
      status: response.status,
      body: parseJsonObject(await response.text()),
      retryAfterMs: readRetryAfterMs(response),
    };
  } finally {
    linked.dispose();
  }
}

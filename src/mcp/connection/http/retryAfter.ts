import * as l10n from '@vscode/l10n';
import { delay } from '../../../base/async/cancellation.js';
import type { LogLevel } from '../../../platform/ports.js';
import type { Fetch } from './fetch.js';

/** Longest single wait, and how often one request waits. */
export const maxRetryAfterMs = 30_000;
const maxRetries = 3;

export interface RetryAfterOptions {
  /** Whether anybody still waits for the answer to a request. */
  readonly isWanted: (init: RequestInit | undefined) => boolean;
  readonly onNotice: (level: LogLevel, message: string) => void;
}

/**
 * Repeats a request that an overloaded server has refused (429, 503, 529) when it says after what time, within bounds.
 * Without that header the server has said nothing about whether the request was executed.
 */
export function withRetryAfter(next: Fetch, options: RetryAfterOptions): Fetch {
  return async (url, init) => {
    for (let retries = 0; ; retries++) {
      const response = await next(url, init);
      const waitMs = retries < maxRetries ? readRetryAfterMs(response) : undefined;
      if (waitMs === undefined) {
        return response;
      }
      options.onNotice(
        'info',
        l10n.t('The server is busy (HTTP {0}); trying again in {1} ms.', response.status, waitMs),
      );
      await delay(waitMs, init?.signal ?? undefined);
      if (!options.isWanted(init)) {
        return response;
      }
      await response.body?.cancel();
    }
  };
}

/** Milliseconds; `undefined` when the response asks for none or for too many. */
export function readRetryAfterMs(
  response: Response,
  now = Date.now(),
  maxMs = maxRetryAfterMs,
): number | undefined {
  const isBusy = [429, 503, 529].includes(response.status);
  const text = isBusy ? response.headers.get('retry-after') : null;
  if (text === null) {
    return undefined;
  }
  const waitMs = /^\d+$/.test(text.trim()) ? Number(text) * 1000 : Date.parse(text) - now;
  return Number.isNaN(waitMs) || waitMs > maxMs ? undefined : Math.max(0, waitMs);
}

import { OAuthError } from '@modelcontextprotocol/client';
import * as l10n from '@vscode/l10n';
import { isHumanError } from '../../../../base/errors.js';
import type { PassingTrouble } from '../../../oauth/renewals.js';
import { BodyTooLargeError } from '../../http/bodyLimit.js';
import type { Fetch } from '../../http/fetch.js';
import { networkErrorCode } from '../../http/networkErrors.js';
import { readRetryAfterMs } from '../../http/retryAfter.js';

/** Longest time that an authorization server may ask us to stay away, in milliseconds. */
const maxAwayMs = 3_600_000;
/** With which a server says that another time may be better (RFC 9110, RFC 6585). */
const passingStatuses = [408, 425, 429];
/** How authorization servers say the same (RFC 6749 §4.1.2.1, RFC 8628), `server_error` also for what is no answer. */
const passingCodes = ['server_error', 'temporarily_unavailable', 'too_many_requests', 'slow_down'];

/** Watches requests for failures that say nothing about what was asked for. */
export class TroubleWatch {
  private last: PassingTrouble | undefined;
  first: PassingTrouble | undefined;
  private status: number | undefined;

  constructor(private readonly next: Fetch) {}

  readonly fetch: Fetch = async (url, init) => {
    this.last = undefined;
    this.status = undefined;
    try {
      const response = await this.next(url, init);
      this.status = response.status;
      if (response.status >= 500 || passingStatuses.includes(response.status)) {
        this.note(
          l10n.t('HTTP {0}', response.status),
          readRetryAfterMs(response, undefined, maxAwayMs),
        );
      }
      return response;
    } catch (error) {
      if (!isHumanError(error)) {
        this.note(networkReason(error));
      }
      throw error;
    }
  };

  private note(reason: string, retryAfterMs?: number): void {
    this.last = { reason, retryAfterMs };
    this.first ??= this.last;
  }

  /** Why a task with this `fetch` failed; `undefined` where the server gave a clear answer. */
  troubleOf(error: unknown): PassingTrouble | undefined {
    if (this.last || !isUnread(error)) {
      return this.last;
    }
    const reason = l10n.t('its answer cannot be read (HTTP {0})', this.status ?? 0);
    return { reason, retryAfterMs: undefined };
  }
}

function isUnread(error: unknown): boolean {
  return error instanceof OAuthError
    ? passingCodes.includes(error.code)
    : error instanceof SyntaxError ||
        error instanceof TypeError ||
        error instanceof BodyTooLargeError;
}

function networkReason(error: unknown): string {
  const name = error instanceof Error ? error.name : '';
  return name === 'TimeoutError'
    ? l10n.t('it does not answer in time')
    : l10n.t('it cannot be reached ({0})', networkErrorCode(error) ?? name);
}

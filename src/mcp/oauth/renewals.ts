import * as l10n from '@vscode/l10n';
import { HumanError } from '../../base/errors.js';
import { quotedName } from '../../base/text/nameToken.js';
import { backoffMs, type Clock } from '../../platform/clock.js';

/** Why an authorization server cannot be asked for the moment. */
export interface PassingTrouble {
  /** A clause, such as `HTTP 503`. */
  readonly reason: string;
  /** When the server wants to be asked again; undefined when it does not say. */
  readonly retryAfterMs: number | undefined;
}

/** When the tokens of one account may be renewed: not while the authorization server is known to be in trouble. */
export class Renewals {
  private failures = 0;
  private endsAt = 0;
  private trouble: PassingTrouble | undefined;

  constructor(
    private readonly serverName: string,
    readonly clock: Clock,
  ) {}

  /** @throws {HumanError} while it is not time for another try. */
  assertTime(): void {
    const restMs = this.endsAt - this.clock.elapsed();
    if (this.trouble && restMs > 0) {
      throw this.describe(this.trouble, restMs);
    }
  }

  /** A person wants it tried now, whatever the server wants. */
  allow(): void {
    this.endsAt = 0;
  }

  /** @returns what to say about it. */
  fail(trouble: PassingTrouble): HumanError {
    this.failures++;
    this.trouble = trouble;
    const waitMs = Math.max(
      trouble.retryAfterMs ?? 0,
      backoffMs(this.failures, this.clock.random()),
    );
    this.endsAt = this.clock.elapsed() + waitMs;
    return this.describe(trouble, waitMs);
  }

  succeed(): void {
    this.failures = 0;
    this.trouble = undefined;
  }

  private describe({ reason }: PassingTrouble, waitMs: number): HumanError {
    return new HumanError(
      'account_unavailable',
      l10n.t(
        'The authorization server of {0} is not available now: {1}.',
        quotedName(this.serverName),
        reason,
      ),
      {
        remedy: l10n.t(
          'Your account is kept, and it is tried again in {0} s.',
          Math.ceil(waitMs / 1000),
        ),
        retryAfterMs: waitMs,
      },
    );
  }
}

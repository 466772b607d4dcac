import { OAuthError } from '@modelcontextprotocol/client';
import * as l10n from '@vscode/l10n';
import { raceWithSignal } from '../../../../base/async/cancellation.js';
import { briefly } from '../../../../base/errors.js';
import type { JsonObject } from '../../../../base/json.js';
import { backoffMs, type Clock } from '../../../../platform/clock.js';
import type { LogLevel } from '../../../../platform/ports.js';
import { type RefreshTurn, refreshLimitMs } from '../../../oauth/refreshLock.js';
import type { ServerAuthorization } from '../../../oauth/serverAuthorization.js';
import type { Fetch } from '../../http/fetch.js';
import { fetchForAuthorization } from './discovery.js';
import { TroubleWatch } from './trouble.js';

/** Less than a connect may take, so that the user reads the error of the refresh and not that of a time-out. */
const triesLimitMs = Math.min(20_000, refreshLimitMs);
const maxTries = 3;
/** Longer waits are left to the state of the server. */
const longestWaitMs = 5000;

export interface RefreshOptions {
  readonly authorization: ServerAuthorization;
  /** Who gave the tokens. */
  readonly issuer: string;
  readonly baseFetch: Fetch;
  /** @returns false when the tokens are good for nothing any more. Rejects when that cannot be said. */
  readonly request: (fetchFn: Fetch) => Promise<boolean>;
  readonly onNotice: (level: LogLevel, message: string) => void;
}

/**
 * Renews the tokens of an account that several windows share, one at a time among all of them: a refresh token that comes
 * twice costs the whole grant.
 * @param held tokens that were refused.
 * @param signal ends the waits; a request that is on its way gives tokens that must be kept.
 * @returns false when the user has to authorize again.
 * @throws {HumanError} that says when it is tried again, if the authorization server is in trouble.
 */
export async function renewTokens(
  options: RefreshOptions,
  held: JsonObject,
  signal: AbortSignal,
): Promise<boolean> {
  const { refreshLock } = options.authorization;
  const outcome = await refreshLock.run((turn) => takeTurn(options, turn, held, signal), signal);
  return outcome ?? renewTokens(options, held, signal);
}

/** @returns `undefined` when another window took the turn meanwhile. */
async function takeTurn(
  options: RefreshOptions,
  turn: RefreshTurn,
  held: JsonObject,
  signal: AbortSignal,
): Promise<boolean | undefined> {
  const { credentials } = options.authorization;
  const token = await turn.readUnspent(() => readRefreshToken(options, true), signal);
  const present = await credentials.tokens();
  if (present && present.access_token !== held.access_token) {
    return true;
  }
  signal.throwIfAborted();
  if (token === undefined) {
    return false;
  }
  // the look at the secrets may have waited for the user to unlock them
  if (!turn.isHeld()) {
    return undefined;
  }
  const isRefreshed = await tryRequests(options, signal);
  if (isRefreshed && (await readRefreshToken(options)) !== token) {
    await turn.markSpent(token);
  }
  return isRefreshed;
}

/** A request that failed may have spent the token, which only another one with the same token can tell. */
async function tryRequests(options: RefreshOptions, signal: AbortSignal): Promise<boolean> {
  const { authorization, baseFetch, request, onNotice } = options;
  const { renewals } = authorization;
  const endsAt = performance.now() + triesLimitMs;
  for (let tries = 1; ; tries++) {
    const watch = new TroubleWatch(fetchForAuthorization(authorization, baseFetch, endsAt));
    try {
      return await request(watch.fetch);
    } catch (error) {
      const trouble = watch.troubleOf(error);
      if (!trouble) {
        return giveUp(error, onNotice);
      }
      const said = `${trouble.reason}: ${briefly(error)}`;
      onNotice('warn', l10n.t('The sign-in cannot be renewed: {0}', said));
      const { clock } = renewals;
      const waitMs = trouble.retryAfterMs ?? backoffMs(tries, clock.random());
      const isTooLong = waitMs > longestWaitMs || performance.now() + waitMs > endsAt;
      if (tries === maxTries || isTooLong) {
        throw renewals.fail(trouble);
      }
      await passTime(clock, waitMs, signal);
    }
  }
}

/** An answer that is no verdict on the tokens: they are kept, but the user may get better ones. */
function giveUp(error: unknown, onNotice: RefreshOptions['onNotice']): boolean {
  if (!(error instanceof OAuthError)) {
    throw error;
  }
  onNotice('warn', l10n.t('The sign-in cannot be renewed: {0}', error.code));
  return false;
}

async function readRefreshToken(
  { authorization, issuer }: RefreshOptions,
  isFresh = false,
): Promise<string | undefined> {
  const { tokens } = await authorization.credentials.read(isFresh);
  return tokens[issuer]?.refresh_token as string | undefined;
}

async function passTime(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  let timer: ReturnType<Clock['after']> | undefined;
  const passed = new Promise<void>((resolve) => {
    timer = clock.after(ms, resolve);
  });
  await raceWithSignal(passed, signal).finally(() => timer?.dispose());
}

import { withDpop } from '@modelcontextprotocol/client';
import * as l10n from '@vscode/l10n';
import { isCancellationError, linkSignals } from '../../../../base/async/cancellation.js';
import { HumanError } from '../../../../base/errors.js';
import type { JsonObject } from '../../../../base/json.js';
import { quotedName } from '../../../../base/text/nameToken.js';
import type { LogLevel } from '../../../../platform/ports.js';
import { coversScope, unionOfScopes } from '../../../oauth/scopes.js';
import type { ServerAuthorization } from '../../../oauth/serverAuthorization.js';
import { type StepUp, scopeOf } from '../../../oauth/stepUps.js';
import type { Fetch } from '../../http/fetch.js';
import { Acquisition, type Need } from './acquisition.js';
import { describeChallenge, present, type Refusal, readRefusal } from './challenges.js';

/** How often one request is repeated with new tokens: after a refusal, and after a lack of rights. */
const maxRenewals = 2;

export interface AuthorizedFetchOptions {
  /** A session is open, so the user may be asked. */
  readonly mayAsk: () => boolean;
  /** Whether anybody still waits for the answer to a request. */
  readonly isWanted: (init: RequestInit | undefined) => boolean;
  /** Aborts when nobody does any more; `undefined` where that is not known. */
  readonly endOf: (init: RequestInit | undefined) => AbortSignal | undefined;
}

/** Gets, presents and renews the tokens of one server over one `fetch`. */
export class ClientEngineAuth {
  private readonly acquisition: Acquisition;

  constructor(
    private readonly authorization: ServerAuthorization,
    baseFetch: Fetch,
    private readonly onNotice: (level: LogLevel, message: string) => void,
  ) {
    this.acquisition = new Acquisition(authorization, baseFetch, onNotice);
  }

  /** Presents the token and meets refusals with a new one, if one can be had. */
  authorize(next: Fetch, options: AuthorizedFetchOptions): Fetch {
    const { credentials } = this.authorization;
    const signing = withDpop(
      () => this.acquisition.dpopSession(),
      async () => (await credentials.tokens())?.access_token as string | undefined,
    )(next);
    return async (url, init) => {
      for (let renewals = 0; ; renewals++) {
        const tokens = await credentials.tokens();
        const isBoundToKey = String(tokens?.token_type).toLowerCase() === 'dpop';
        const send = isBoundToKey ? signing : next;
        const response = await send(url, present(tokens, init));
        const refusal = readRefusal(response);
        if (!refusal || renewals === maxRenewals) {
          return response;
        }
        this.authorization.challenge = refusal;
        const waiting = linkSignals(init?.signal ?? undefined, options.endOf(init));
        try {
          if (!(await this.renew(refusal, tokens, options.mayAsk(), waiting.signal))) {
            return response;
          }
        } finally {
          waiting.dispose();
        }
        if (init?.signal?.aborted || !options.isWanted(init)) {
          return response;
        }
        await response.body?.cancel();
      }
    };
  }

  /** @throws {HumanError} or the signal's reason. */
  async signIn(signal: AbortSignal): Promise<void> {
    const { authorization } = this;
    authorization.stepUps.forget();
    authorization.endVisit();
    const before = (await authorization.credentials.tokens(true))?.access_token;
    const isSignedIn = await authorization.authorizeOnce(
      (tokens) => tokens !== undefined && tokens.access_token !== before,
      (shared) =>
        this.acquire(
          { kind: 'sign_in', challenge: authorization.challenge ?? {}, mayAsk: true },
          shared,
        ),
      signal,
      true,
    );
    signal.throwIfAborted();
    if (!isSignedIn) {
      throw new HumanError(
        'sign_in_cancelled',
        l10n.t('The sign-in to {0} was not completed.', quotedName(authorization.serverName)),
        { remedy: l10n.t('Start it again when you are ready.') },
      );
    }
  }

  private async renew(
    refusal: Refusal,
    refused: JsonObject | undefined,
    mayAsk: boolean,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { authorization } = this;
    if (refusal.kind === 'unauthorized') {
      return authorization.authorizeOnce(
        (tokens) => tokens !== undefined && tokens.access_token !== refused?.access_token,
        // a user who has not signed in yet is not interrupted: the state of the server asks
        (shared) =>
          this.acquire(
            { kind: 'expired', challenge: refusal, mayAsk: mayAsk && refused !== undefined },
            shared,
          ),
        signal,
      );
    }
    return this.stepUp(refusal, refused, mayAsk, signal);
  }

  /** One visit asks for what is held and for all that the requests which wait by then lack. */
  private async stepUp(
    refusal: Refusal,
    refused: JsonObject | undefined,
    mayAsk: boolean,
    signal: AbortSignal | undefined,
  ): Promise<boolean> {
    const { authorization } = this;
    const { stepUps, credentials } = authorization;
    const lacking = refusal.scope ?? '';
    authorization.challenge = {
      ...refusal,
      scope: unionOfScopes(scopeOf(refused), lacking) ?? '',
    };
    const isCurrent = (tokens: JsonObject | undefined) =>
      tokens?.access_token === refused?.access_token;
    const isInVain = async () => stepUps.isInVain(lacking, await credentials.tokens());
    if (
      !authorization.isAuthorizing &&
      isCurrent(await credentials.tokens()) &&
      (await isInVain())
    ) {
      return false;
    }
    const waiting = stepUps.wait(lacking);
    try {
      return await authorization.authorizeOnce(
        (tokens) =>
          !isCurrent(tokens) &&
          (stepUps.wasAskedFor(lacking) || coversScope(scopeOf(tokens), lacking)),
        async (shared) => !(await isInVain()) && this.acquireMore(refusal, mayAsk, shared),
        signal,
      );
    } finally {
      waiting.dispose();
    }
  }

  /** {@link acquire} what all waiting requests lack, beside what is held. */
  private async acquireMore(
    refusal: Refusal,
    mayAsk: boolean,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { stepUps, credentials } = this.authorization;
    let stepUp: StepUp | undefined;
    const readScope = async () => {
      stepUp = stepUps.begin();
      return unionOfScopes(scopeOf(await credentials.tokens()), stepUp.scope);
    };
    try {
      const need = { kind: 'step_up', challenge: refusal, mayAsk, readScope } as const;
      const isAcquired = await this.acquire(need, signal);
      if (isAcquired) {
        stepUp?.end(await credentials.tokens());
      }
      return isAcquired;
    } catch (error) {
      if (signal.aborted) {
        stepUp?.giveUp();
      }
      throw error;
    }
  }

  /** @returns whether there are new tokens. */
  private async acquire(need: Need, signal: AbortSignal): Promise<boolean> {
    try {
      const isAcquired = await this.acquisition.acquire(need, signal);
      if (isAcquired) {
        this.authorization.challenge = undefined;
      }
      this.onNotice(
        'info',
        isAcquired ? l10n.t('You are signed in.') : l10n.t('The server asks for authorization.'),
      );
      return isAcquired;
    } catch (error) {
      signal.throwIfAborted();
      if (isCancellationError(error)) {
        return false;
      }
      throw describeChallenge(error, this.authorization.serverName);
    }
  }
}

import { type DpopSession, type OAuthDiscoveryState, withDpop } from '@modelcontextprotocol/client';
import * as l10n from '@vscode/l10n';
import { isCancellationError } from '../../../../base/async/cancellation.js';
import { HumanError } from '../../../../base/errors.js';
import type { JsonObject } from '../../../../base/json.js';
import type { LogLevel } from '../../../../platform/ports.js';
import type { AuthorizationRequest } from '../../../oauth/authorizationPrompt.js';
import type { StoredCredentials } from '../../../oauth/credentialStore.js';
import { OAuthProvider } from '../../../oauth/oauthProvider.js';
import { refreshLimitMs } from '../../../oauth/refreshLock.js';
import { coversScope, unionOfScopes } from '../../../oauth/scopes.js';
import type {
  AuthorizationChallenge,
  ServerAuthorization,
} from '../../../oauth/serverAuthorization.js';
import { type StepUp, scopeOf } from '../../../oauth/stepUps.js';
import {
  assertChallengeMethod,
  describe,
  present,
  type Refusal,
  readRefusal,
  readResponse,
} from './challenges.js';
import { dropForgottenClient } from './clients.js';
import { deviceEndpoint, visitDevice } from './device.js';
import { discoverAuthorization, type Fetch, fetchForAuthorization, issuerOf } from './discovery.js';
import { loadDpopSession } from './dpop.js';
import { type FlowOptions, refreshTokens, requestTokens, visitAuthorization } from './flow.js';
import { createClientGrant } from './grants.js';

/** Answers to one request that may be met with new tokens: one refusal and one lack of rights. */
const maxRenewals = 2;

export interface AuthorizedFetchOptions {
  /** A session is open, so the user may be asked. */
  readonly mayAsk: () => boolean;
  /** Whether anybody still waits for the answer to a request. */
  readonly isWanted: (init: RequestInit | undefined) => boolean;
}

/** What tokens are wanted for. */
interface Need {
  readonly kind: AuthorizationRequest['kind'];
  readonly challenge: AuthorizationChallenge;
  readonly mayAsk: boolean;
  /** The rights to ask for, read when they are asked for. Default: those of the challenge. */
  readonly readScope?: () => Promise<string | undefined>;
}

type FlowParts = Partial<ConstructorParameters<typeof OAuthProvider>[0]> & {
  readonly challenge: AuthorizationChallenge;
  readonly fetchFn?: Fetch;
};

/** Gets, presents and renews the tokens of one server over one `fetch`. */
export class ClientEngineAuth {
  private readonly fetchFn: Fetch;

  constructor(
    private readonly authorization: ServerAuthorization,
    private readonly baseFetch: Fetch,
    private readonly onNotice: (level: LogLevel, message: string) => void,
  ) {
    this.fetchFn = fetchForAuthorization(authorization, baseFetch);
  }

  /** Presents the token and meets refusals with a new one, if one can be had. */
  authorize(next: Fetch, options: AuthorizedFetchOptions): Fetch {
    const { credentials } = this.authorization;
    const signing = withDpop(
      () => this.dpopSession(),
      async () => (await credentials.tokens())?.access_token as string | undefined,
    )(next);
    return async (url, init) => {
      for (let renewals = 0; ; renewals++) {
        const tokens = await credentials.tokens();
        const send = isBoundToKey(tokens) ? signing : next;
        const response = await send(url, present(tokens, init));
        const refusal = readRefusal(response);
        if (!refusal || renewals === maxRenewals) {
          return response;
        }
        this.authorization.challenge = refusal;
        const isRenewed = await this.renew(refusal, tokens, options.mayAsk(), init?.signal);
        if (!isRenewed || init?.signal?.aborted || !options.isWanted(init)) {
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
    const isSignedIn = await authorization.authorizeOnce(
      () => false,
      (shared) =>
        this.acquire(
          { kind: 'sign_in', challenge: authorization.challenge ?? {}, mayAsk: true },
          shared,
        ),
      signal,
    );
    signal.throwIfAborted();
    if (!isSignedIn) {
      throw new HumanError(
        'sign_in_cancelled',
        l10n.t('The sign-in to {0} was not completed.', authorization.serverName),
        { remedy: l10n.t('Start it again when you are ready.') },
      );
    }
  }

  private async renew(
    refusal: Refusal,
    refused: JsonObject | undefined,
    mayAsk: boolean,
    abortion: AbortSignal | null | undefined,
  ): Promise<boolean> {
    const { authorization } = this;
    const signal = abortion ?? undefined;
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
      const isAcquired = await this.acquireUnguarded(need, signal);
      if (isAcquired) {
        this.authorization.challenge = undefined;
      }
      this.onNotice(
        'info',
        isAcquired ? l10n.t('Authorized.') : l10n.t('The server asks for authorization.'),
      );
      return isAcquired;
    } catch (error) {
      signal.throwIfAborted();
      if (isCancellationError(error)) {
        return false;
      }
      throw describe(error, this.authorization.serverName);
    }
  }

  private async acquireUnguarded(
    { kind, mayAsk, readScope, ...need }: Need,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { settings, prompt, credentials } = this.authorization;
    const grant = createClientGrant(settings, this.fetchFn);
    const held = kind === 'expired' ? await credentials.tokens() : undefined;
    if (!grant && !held?.refresh_token && !(mayAsk && prompt)) {
      return false;
    }
    // afresh, since a refused token may mean that another server authorizes now
    const discovery = await discoverAuthorization(
      this.authorization,
      need.challenge,
      this.fetchFn,
      held?.refresh_token !== undefined,
    );
    const scope = await readScope?.();
    const challenge = { ...need.challenge, ...(scope === undefined ? {} : { scope }) };
    if (grant) {
      return this.run(discovery, { grant, challenge });
    }
    if (held?.refresh_token && (await this.refresh(discovery, challenge, held, signal))) {
      return true;
    }
    assertChallengeMethod(discovery, this.authorization.serverName);
    if (!mayAsk || !prompt) {
      return false;
    }
    const stored = await credentials.read();
    const request = {
      serverName: this.authorization.serverName,
      serverUrl: this.authorization.serverUrl,
      kind,
      scopes: (challenge.scope ?? settings.scope ?? '').split(/\s+/).filter(Boolean),
      preferredListenUrl: stored.listenUrl ?? stored.redirectUrl,
      offersDevice: deviceEndpoint(discovery) !== undefined,
    };
    const visit = await this.authorization.whileVisiting(() => prompt.begin(request, signal));
    if (!visit) {
      return false;
    }
    try {
      // who asks for more rights was known a moment ago
      if (kind !== 'step_up' && !visit.wantsDevice) {
        await dropForgottenClient(discovery, visit, this.authorization, this.fetchFn);
      }
      if (!visit.wantsDevice && (await this.run(discovery, { challenge, visit, signal }))) {
        return true;
      }
      return await visitDevice(visit, signal, (grant) =>
        this.flowOf(discovery, { challenge, grant }),
      );
    } finally {
      visit.dispose();
    }
  }

  /**
   * One at a time among all windows: a refresh token that comes twice costs the whole grant.
   * @param held tokens that were refused.
   * @param signal ends the wait for other windows; a request that is on its way gives tokens that must be kept.
   * @returns false when the user has to authorize again.
   */
  private async refresh(
    discovery: OAuthDiscoveryState,
    challenge: AuthorizationChallenge,
    held: JsonObject,
    signal: AbortSignal | undefined,
  ): Promise<boolean> {
    const { credentials, refreshLock } = this.authorization;
    const issuer = issuerOf(discovery);
    const refreshToken = (tokens: StoredCredentials['tokens']) =>
      tokens[issuer]?.refresh_token as string | undefined;
    const outcome = await refreshLock.run(async (turn) => {
      const token = await turn.readUnspent(
        async () => refreshToken((await credentials.read(true)).tokens),
        signal,
      );
      const present = await credentials.tokens();
      if (present && present.access_token !== held.access_token) {
        return true;
      }
      signal?.throwIfAborted();
      if (token === undefined) {
        return false;
      }
      // the look at the secrets may have waited for the user to unlock them
      if (!turn.isHeld()) {
        return undefined;
      }
      const isRefreshed = await this.run(discovery, {
        challenge,
        mayRefresh: true,
        fetchFn: fetchForAuthorization(
          this.authorization,
          this.baseFetch,
          performance.now() + refreshLimitMs,
        ),
      });
      if (isRefreshed && refreshToken((await credentials.read()).tokens) !== token) {
        await turn.markSpent(token);
      }
      return isRefreshed;
    }, signal);
    return outcome ?? this.refresh(discovery, challenge, held, signal);
  }

  private async run(
    discovery: OAuthDiscoveryState,
    { mayRefresh = false, ...rest }: FlowParts & { readonly mayRefresh?: boolean },
  ): Promise<boolean> {
    const flow = await this.flowOf(discovery, rest);
    const { provider } = flow;
    if (mayRefresh) {
      return refreshTokens(flow);
    }
    if (rest.grant) {
      await requestTokens(flow);
      return true;
    }
    await visitAuthorization(flow);
    const answer = readResponse(provider, discovery, this.authorization.serverName);
    if (!answer) {
      return false;
    }
    await requestTokens(flow, answer);
    return true;
  }

  private async flowOf(
    discovery: OAuthDiscoveryState,
    { challenge, fetchFn = this.fetchFn, ...rest }: FlowParts,
  ): Promise<FlowOptions> {
    const { authorization } = this;
    const { settings } = authorization;
    const needsKey = settings.dpop ?? discovery.resourceMetadata?.dpop_bound_access_tokens_required;
    const provider = new OAuthProvider({
      authorization,
      discovery,
      grant: undefined,
      visit: undefined,
      signal: undefined,
      dpop: needsKey ? await this.dpopSession() : undefined,
      ...rest,
    });
    const scope = unionOfScopes(settings.scope, challenge.scope);
    return { authorization, provider, scope, fetchFn, onNotice: this.onNotice };
  }

  private session: Promise<DpopSession> | undefined;

  private dpopSession(): Promise<DpopSession> {
    this.session ??= loadDpopSession(this.authorization.credentials);
    return this.session;
  }
}

function isBoundToKey(tokens: JsonObject | undefined): boolean {
  return String(tokens?.token_type).toLowerCase() === 'dpop';
}

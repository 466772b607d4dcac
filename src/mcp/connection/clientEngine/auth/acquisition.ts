import type { DpopSession, OAuthDiscoveryState } from '@modelcontextprotocol/client';
import { once } from '../../../../base/async/once.js';
import { isHumanError } from '../../../../base/errors.js';
import type { JsonObject } from '../../../../base/json.js';
import type { LogLevel } from '../../../../platform/ports.js';
import type {
  AuthorizationRequest,
  AuthorizationVisit,
} from '../../../oauth/authorizationPrompt.js';
import { OAuthProvider } from '../../../oauth/oauthProvider.js';
import { unionOfScopes } from '../../../oauth/scopes.js';
import type {
  AuthorizationChallenge,
  ServerAuthorization,
} from '../../../oauth/serverAuthorization.js';
import type { Fetch } from '../../http/fetch.js';
import { assertChallengeMethod, readResponse } from './challenges.js';
import { assertClientTaken, ClientRefusedError, refusedClient } from './clients.js';
import { deviceEndpoint, visitDevice } from './device.js';
import {
  discoverAuthorization,
  discoveredIssuer,
  fetchForAuthorization,
  isSameIssuer,
} from './discovery.js';
import { loadDpopSession } from './dpop.js';
import { type FlowOptions, refreshTokens, requestTokens, visitAuthorization } from './flow.js';
import { createClientGrant } from './grants.js';
import { renewTokens } from './refresh.js';
import { widenRegistration, withRegistration } from './registrations.js';
import { TroubleWatch } from './trouble.js';

/** What tokens are wanted for. */
export interface Need {
  readonly kind: AuthorizationRequest['kind'];
  readonly challenge: AuthorizationChallenge;
  readonly mayAsk: boolean;
  /** The rights to ask for, read when they are asked for. Default: those of the challenge. */
  readonly readScope?: () => Promise<string | undefined>;
}

type RunOptions = Partial<ConstructorParameters<typeof OAuthProvider>[0]> & {
  readonly challenge: AuthorizationChallenge;
  readonly fetchFn?: Fetch;
};

/** Gets tokens by a grant of the client's own, by a refresh, or from the user in a browser. */
export class Acquisition {
  readonly dpopSession = once(() => loadDpopSession(this.authorization.credentials));
  private readonly fetchFn: Fetch;

  constructor(
    private readonly authorization: ServerAuthorization,
    private readonly baseFetch: Fetch,
    private readonly onNotice: (level: LogLevel, message: string) => void,
  ) {
    this.fetchFn = fetchForAuthorization(authorization, baseFetch);
  }

  /** @returns whether there are new tokens. */
  async acquire({ kind, mayAsk, readScope, ...need }: Need, signal: AbortSignal): Promise<boolean> {
    const { settings, prompt, credentials, renewals } = this.authorization;
    const tokens = kind === 'expired' ? await credentials.tokens() : undefined;
    const held = tokens?.refresh_token === undefined ? undefined : tokens;
    const isAlone = (settings.grant ?? 'authorization_code') !== 'authorization_code';
    if (!isAlone && !held && !(mayAsk && prompt)) {
      return false;
    }
    if (kind === 'expired' && (isAlone || held)) {
      renewals.assertTime();
    }
    // afresh, since a refused token may mean that another server authorizes now
    const discovery = await this.discover(need.challenge, held, isAlone);
    const { resourceMetadata, authorizationServerMetadata } = discovery;
    this.authorization.hasNoSignIn = !resourceMetadata && !authorizationServerMetadata;
    const scope = await readScope?.();
    const challenge = { ...need.challenge, scope: scope ?? need.challenge.scope };
    const isAcquired = isAlone
      ? await this.grant(discovery, challenge)
      : (held !== undefined && (await this.refresh(discovery, challenge, held, signal))) ||
        (await this.visit({ kind, challenge, mayAsk }, discovery, signal));
    if (isAcquired) {
      renewals.succeed();
    }
    return isAcquired;
  }

  private async discover(
    challenge: AuthorizationChallenge,
    held: JsonObject | undefined,
    isAlone: boolean,
  ): Promise<OAuthDiscoveryState> {
    const { authorization } = this;
    if (!held && !isAlone) {
      return discoverAuthorization(authorization, challenge, this.fetchFn);
    }
    const { issuer: heldIssuer } = await authorization.credentials.read();
    return this.unattended(async (watch) => {
      const isRefresh = held !== undefined;
      const found = await discoverAuthorization(authorization, challenge, watch.fetch, isRefresh);
      const isHeld = heldIssuer === undefined || isSameIssuer(discoveredIssuer(found), heldIssuer);
      // a server in trouble does not say who authorizes for it
      if (!isHeld && !found.resourceMetadata && watch.first) {
        throw authorization.renewals.fail(watch.first);
      }
      return found;
    });
  }

  private grant(
    discovery: OAuthDiscoveryState,
    challenge: AuthorizationChallenge,
  ): Promise<boolean> {
    return this.unattended(({ fetch }) => {
      const grant = createClientGrant(this.authorization.settings, fetch);
      return this.run(discovery, { grant, challenge, fetchFn: fetch });
    });
  }

  /** @throws {HumanError} that says when it is tried again, if the authorization server is in trouble. */
  private async unattended<T>(task: (watch: TroubleWatch) => Promise<T>): Promise<T> {
    const watch = new TroubleWatch(this.fetchFn);
    try {
      return await task(watch);
    } catch (error) {
      const isPassing = isHumanError(error) && error.retryAfterMs !== undefined;
      const trouble = isPassing ? undefined : watch.troubleOf(error);
      throw trouble ? this.authorization.renewals.fail(trouble) : error;
    }
  }

  private refresh(
    discovery: OAuthDiscoveryState,
    challenge: AuthorizationChallenge,
    held: JsonObject,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { authorization, baseFetch, onNotice } = this;
    const issuer = discoveredIssuer(discovery);
    const request = async (fetchFn: Fetch) =>
      refreshTokens(await this.flow(discovery, { challenge, fetchFn }));
    return renewTokens({ authorization, issuer, onNotice, baseFetch, request }, held, signal);
  }

  private async visit(
    { kind, challenge, mayAsk }: Need,
    discovery: OAuthDiscoveryState,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { serverName, settings, prompt, credentials } = this.authorization;
    assertChallengeMethod(discovery, serverName);
    if (!mayAsk || !prompt) {
      return false;
    }
    const stored = await credentials.read();
    const request = {
      serverName,
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
      const flow = { challenge, visit, signal };
      if (!visit.wantsDevice && (await this.visitAsClient(discovery, flow))) {
        return true;
      }
      return await visitDevice(visit, signal, (grant) =>
        this.flow(discovery, { challenge, grant }),
      );
    } finally {
      visit.dispose();
    }
  }

  /** With the client that is there or, where the authorization server refuses it, with another one. */
  private async visitAsClient(
    discovery: OAuthDiscoveryState,
    flow: RunOptions & { readonly visit: AuthorizationVisit },
  ): Promise<boolean> {
    const { authorization, fetchFn } = this;
    let wanted: string | undefined;
    try {
      return await this.run(discovery, {
        ...flow,
        inspect: (page, client, scope) => {
          wanted = scope;
          return assertClientTaken(page, client, scope, fetchFn);
        },
      });
    } catch (error) {
      const refused = refusedClient(error);
      if (!refused || authorization.settings.clientId !== undefined) {
        throw error;
      }
      const { redirectUrl } = flow.visit;
      const isWidened =
        refused.lacks === 'scope' &&
        (await widenRegistration(authorization, discovery, wanted, redirectUrl, fetchFn));
      return this.run(discovery, { ...flow, isClientRenewed: !isWidened });
    }
  }

  private async run(
    discovery: OAuthDiscoveryState,
    { challenge, fetchFn = this.fetchFn, ...rest }: RunOptions,
  ): Promise<boolean> {
    const flow = await this.flow(discovery, { challenge, fetchFn, ...rest });
    if (rest.grant) {
      await requestTokens(flow);
      return true;
    }
    await visitAuthorization(flow);
    const answer = this.readAnswer(flow.provider, discovery);
    if (!answer) {
      return false;
    }
    await requestTokens(flow, answer);
    return true;
  }

  private readAnswer(
    provider: OAuthProvider,
    discovery: OAuthDiscoveryState,
  ): ReturnType<typeof readResponse> {
    try {
      return readResponse(provider, discovery, this.authorization);
    } catch (error) {
      const isRefusal = isHumanError(error) && error.code === 'sign_in_refused';
      const isForScope = isRefusal && provider.response?.get('error') === 'invalid_scope';
      throw isForScope && provider.usesOldClient
        ? new ClientRefusedError('scope', { cause: error })
        : error;
    }
  }

  private async flow(
    discovery: OAuthDiscoveryState,
    { challenge, fetchFn = this.fetchFn, ...rest }: RunOptions,
  ): Promise<FlowOptions> {
    const { authorization, onNotice } = this;
    const provider = new OAuthProvider({
      authorization,
      discovery,
      dpop: await this.dpopFor(discovery),
      ...rest,
    });
    const scope = unionOfScopes(authorization.settings.scope, challenge.scope);
    const keepingFetch = withRegistration(fetchFn, discovery, (extra) => {
      provider.registration = extra;
    });
    return { authorization, provider, scope, fetchFn: keepingFetch, onNotice };
  }

  private dpopFor({ resourceMetadata }: OAuthDiscoveryState): Promise<DpopSession> | undefined {
    const isBound =
      this.authorization.settings.dpop ?? resourceMetadata?.dpop_bound_access_tokens_required;
    return isBound ? this.dpopSession() : undefined;
  }
}

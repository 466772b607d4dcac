import {
  auth,
  computeScopeUnion,
  type DpopSession,
  discoverOAuthServerInfo,
  extractWWWAuthenticateParams,
  isStrictScopeSuperset,
  type OAuthDiscoveryState,
  validateAuthorizationResponseIssuer,
  withDpop,
} from '@modelcontextprotocol/client';
import * as l10n from '@vscode/l10n';
import { isCancellationError } from '../../base/cancellation.js';
import { errorMessage, HumanError, isHumanError } from '../../base/errors.js';
import type { JsonObject } from '../../base/json.js';
import type { AuthorizationRequest } from '../oauth/authorizationPrompt.js';
import { OAuthProvider } from '../oauth/oauthProvider.js';
import type { AuthorizationChallenge, ServerAuthorization } from '../oauth/serverAuthorization.js';
import type { LogLevel } from '../ports.js';
import { withBodyLimit } from './bodyLimit.js';
import { loadDpopSession } from './clientEngineDpop.js';
import { createClientGrant } from './clientEngineGrants.js';

export type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** Answers to one request that may be met with new tokens: one refusal and one lack of rights. */
const maxRenewals = 2;
const maxDetailLength = 300;
/** Metadata, registrations and tokens are small, and come soon. */
const maxAnswerBytes = 1024 * 1024;
const answerTimeoutMs = 20_000;

interface Refusal extends AuthorizationChallenge {
  readonly kind: 'unauthorized' | 'insufficient_scope';
}

export interface AuthorizedFetchOptions {
  /** A session is open, so the user may be asked. */
  readonly mayAsk: () => boolean;
  /** Whether anybody still waits for the answer to a request. */
  readonly isWanted: (init: RequestInit | undefined) => boolean;
}

/** Gets, presents and renews the tokens of one server over one `fetch`. */
export class ClientEngineAuth {
  private readonly fetchFn: Fetch;

  constructor(
    private readonly authorization: ServerAuthorization,
    baseFetch: Fetch,
    private readonly onNotice: (level: LogLevel, message: string) => void,
  ) {
    const limited = withBodyLimit(baseFetch, maxAnswerBytes);
    this.fetchFn = async (url, init) => {
      assertSafeAddress(url, authorization);
      return limited(url, {
        ...init,
        // as text, since not every fetch of ours takes another kind
        body: init?.body ? String(init.body) : null,
        signal: AbortSignal.timeout(answerTimeoutMs),
      });
    };
  }

  /** Presents the token and meets refusals with a new one, if one can be had. */
  authorize(next: Fetch, options: AuthorizedFetchOptions): Fetch {
    const { credentials } = this.authorization;
    const signing = withDpop(
      async () => ((await this.isBound()) ? this.dpopSession() : undefined),
      async () => (await credentials.tokens())?.access_token as string | undefined,
    )(next);
    return async (url, init) => {
      for (let renewals = 0; ; renewals++) {
        const tokens = await credentials.tokens();
        const response = await signing(url, present(tokens, init));
        const refusal = await readRefusal(response);
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
    authorization.forgetStepUps();
    const isSignedIn = await authorization.authorizeOnce(
      () => false,
      () => this.acquire('sign_in', authorization.challenge ?? {}, true, signal),
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
        () => this.acquire('expired', refusal, mayAsk && refused !== undefined, signal),
      );
    }
    const scope = computeScopeUnion(refused?.scope as string | undefined, refusal.scope);
    if (!authorization.beginStepUp(scope ?? '')) {
      return false;
    }
    return authorization.authorizeOnce(
      (tokens) =>
        tokens?.access_token !== refused?.access_token &&
        !isStrictScopeSuperset(scope, tokens?.scope as string | undefined),
      () => this.acquire('step_up', { ...refusal, ...(scope ? { scope } : {}) }, mayAsk, signal),
    );
  }

  /** @returns whether there are new tokens. */
  private async acquire(
    kind: AuthorizationRequest['kind'],
    challenge: AuthorizationChallenge,
    mayAsk: boolean,
    signal?: AbortSignal,
  ): Promise<boolean> {
    try {
      const isAcquired = await this.acquireUnguarded(kind, challenge, mayAsk, signal);
      if (isAcquired) {
        this.authorization.challenge = undefined;
      }
      this.onNotice(
        'info',
        isAcquired ? l10n.t('Authorized.') : l10n.t('The server asks for authorization.'),
      );
      return isAcquired;
    } catch (error) {
      signal?.throwIfAborted();
      if (isCancellationError(error)) {
        return false;
      }
      throw describe(error, this.authorization.serverName);
    }
  }

  private async acquireUnguarded(
    kind: AuthorizationRequest['kind'],
    challenge: AuthorizationChallenge,
    mayAsk: boolean,
    signal: AbortSignal | undefined,
  ): Promise<boolean> {
    const { settings, prompt, credentials } = this.authorization;
    const grant = createClientGrant(settings, this.fetchFn);
    const canRefresh = kind === 'expired' && (await credentials.tokens())?.refresh_token;
    if (!grant && !canRefresh && !(mayAsk && prompt)) {
      return false;
    }
    // afresh, since a refused token may mean that another server authorizes now
    const discovery = await this.discover(challenge);
    if (grant) {
      return this.run(discovery, { grant, challenge });
    }
    if (canRefresh && (await this.refresh(discovery, challenge))) {
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
      preferredRedirectUrl: stored.redirectUrl,
    };
    const waiting = signal ?? new AbortController().signal;
    const visit = await this.authorization.whileVisiting(() => prompt.begin(request, waiting));
    if (!visit) {
      return false;
    }
    try {
      return await this.run(discovery, { challenge, visit, signal: waiting });
    } finally {
      visit.dispose();
    }
  }

  private async discover(challenge: AuthorizationChallenge): Promise<OAuthDiscoveryState> {
    const { serverUrl, settings } = this.authorization;
    const { resourceMetadataUrl } = challenge;
    const info = await discoverOAuthServerInfo(serverUrl, {
      fetchFn: this.fetchFn,
      ...(resourceMetadataUrl ? { resourceMetadataUrl: new URL(resourceMetadataUrl) } : {}),
      ...(settings.skipIssuerMetadataValidation ? { skipIssuerMetadataValidation: true } : {}),
    });
    return { ...info, ...(resourceMetadataUrl ? { resourceMetadataUrl } : {}) };
  }

  /** @returns false when the user has to authorize again. */
  private async refresh(
    discovery: OAuthDiscoveryState,
    challenge: AuthorizationChallenge,
  ): Promise<boolean> {
    const { tokens } = await this.authorization.credentials.read();
    const issuer =
      discovery.authorizationServerMetadata?.issuer ?? discovery.authorizationServerUrl;
    if (tokens[issuer]?.refresh_token === undefined) {
      return false;
    }
    return this.run(discovery, { challenge, mayRefresh: true });
  }

  private async run(
    discovery: OAuthDiscoveryState,
    {
      challenge,
      mayRefresh = false,
      ...rest
    }: Partial<ConstructorParameters<typeof OAuthProvider>[0]> & {
      readonly challenge: AuthorizationChallenge;
      readonly mayRefresh?: boolean;
    },
  ): Promise<boolean> {
    const { authorization } = this;
    const { settings, serverUrl } = authorization;
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
    const scope = computeScopeUnion(settings.scope, challenge.scope);
    const options = {
      serverUrl,
      fetchFn: this.fetchFn,
      ...(scope === undefined ? {} : { scope }),
      ...(settings.skipIssuerMetadataValidation ? { skipIssuerMetadataValidation: true } : {}),
    };
    const result = await auth(provider, { ...options, forceReauthorization: !mayRefresh });
    if (result === 'AUTHORIZED') {
      return true;
    }
    const code = readResponse(provider, discovery);
    return code === undefined
      ? false
      : (await auth(provider, { ...options, ...code })) === 'AUTHORIZED';
  }

  /** Tokens of the server are bound to a key. */
  private async isBound(): Promise<boolean> {
    const tokens = await this.authorization.credentials.tokens();
    return String(tokens?.token_type).toLowerCase() === 'dpop';
  }

  private session: Promise<DpopSession> | undefined;

  private dpopSession(): Promise<DpopSession> {
    this.session ??= loadDpopSession(this.authorization.credentials);
    return this.session;
  }
}

function present(tokens: JsonObject | undefined, init: RequestInit | undefined): RequestInit {
  const headers = new Headers(init?.headers);
  if (typeof tokens?.access_token === 'string') {
    headers.set('authorization', `Bearer ${tokens.access_token}`);
  }
  return { ...init, headers };
}

async function readRefusal(response: Response): Promise<Refusal | undefined> {
  if (response.status !== 401 && response.status !== 403) {
    return undefined;
  }
  const { resourceMetadataUrl, scope, error } = extractWWWAuthenticateParams(response);
  const challenge = {
    ...(resourceMetadataUrl ? { resourceMetadataUrl: resourceMetadataUrl.href } : {}),
    ...(scope ? { scope } : {}),
  };
  if (response.status === 401) {
    return { kind: 'unauthorized', ...challenge };
  }
  return error === 'insufficient_scope' ? { kind: 'insufficient_scope', ...challenge } : undefined;
}

/** Nothing of an authorization goes over the network in the clear, except where the MCP server itself is. */
function assertSafeAddress(
  address: string | URL,
  { serverName, serverUrl }: ServerAuthorization,
): void {
  const url = new URL(address);
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  if (url.protocol !== 'https:' && !isLocal && url.origin !== new URL(serverUrl).origin) {
    throw new HumanError(
      'insecure_authorization',
      l10n.t('The sign-in to {0} would go to {1}, which is not encrypted.', serverName, url.host),
      { remedy: l10n.t('Ask the operator of the server to use https.') },
    );
  }
}

/** The specification lets nobody authorize without S256; a server without metadata predates it. */
function assertChallengeMethod(
  { authorizationServerMetadata: metadata }: OAuthDiscoveryState,
  serverName: string,
): void {
  if (metadata && !metadata.code_challenge_methods_supported?.includes('S256')) {
    throw new HumanError(
      'no_pkce',
      l10n.t('The authorization server of {0} does not offer PKCE with S256.', serverName),
      { remedy: l10n.t('Sign-in would not be safe. Ask the operator of the server to enable it.') },
    );
  }
}

/** `undefined` when the user gave up. @throws {HumanError} when the server refused. */
function readResponse(
  { response }: OAuthProvider,
  { authorizationServerMetadata: metadata }: OAuthDiscoveryState,
): { readonly authorizationCode: string; readonly iss?: string } | undefined {
  if (!response) {
    return undefined;
  }
  const iss = response.get('iss') ?? undefined;
  // before anything else is read, since another server may have written the rest
  validateAuthorizationResponseIssuer({
    iss,
    expectedIssuer: metadata?.issuer,
    issParameterSupported: metadata?.authorization_response_iss_parameter_supported === true,
  });
  const authorizationCode = response.get('code');
  if (authorizationCode) {
    return { authorizationCode, ...(iss === undefined ? {} : { iss }) };
  }
  const reason = response.get('error_description') ?? response.get('error') ?? '';
  throw new HumanError(
    'sign_in_refused',
    l10n.t('The authorization server refused: {0}', reason.slice(0, maxDetailLength)),
    { remedy: l10n.t('Sign in again, perhaps with another account.') },
  );
}

function describe(error: unknown, serverName: string): HumanError {
  if (isHumanError(error)) {
    return error;
  }
  return new HumanError(
    'sign_in_failed',
    l10n.t(
      'The sign-in to {0} failed: {1}',
      serverName,
      errorMessage(error).slice(0, maxDetailLength),
    ),
    { remedy: l10n.t('Sign in again; see the log of the server for details.'), cause: error },
  );
}

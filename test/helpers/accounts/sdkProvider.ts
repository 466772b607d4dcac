/** Where the SDK's `mcpAuthRouter` leaves the work to its user: a page, codes and tokens, kept in memory. */
import { randomUUID } from 'node:crypto';
import type { OAuthRegisteredClientsStore } from '@modelcontextprotocol/sdk/server/auth/clients.js';
import {
  InvalidGrantError,
  InvalidScopeError,
  InvalidTokenError,
} from '@modelcontextprotocol/sdk/server/auth/errors.js';
import type {
  AuthorizationParams,
  OAuthServerProvider,
} from '@modelcontextprotocol/sdk/server/auth/provider.js';
import type { AuthInfo } from '@modelcontextprotocol/sdk/server/auth/types.js';
import type {
  OAuthClientInformationFull,
  OAuthTokenRevocationRequest,
  OAuthTokens,
} from '@modelcontextprotocol/sdk/shared/auth.js';
import type { TokenInfo } from './resource.js';

interface Grant {
  readonly clientId: string;
  readonly scopes: readonly string[];
  readonly resource: string | undefined;
  readonly codeChallenge: string;
}

type Response = Parameters<OAuthServerProvider['authorize']>[2];

export class SdkProvider implements OAuthServerProvider {
  readonly clients = new Map<string, OAuthClientInformationFull>();
  readonly accessTokens = new Map<string, Grant>();
  readonly refreshTokens = new Map<string, Grant>();
  readonly codes = new Map<string, Grant>();
  private readonly pending = new Map</* id of a page */ string, [Grant, AuthorizationParams]>();
  /** Of refresh tokens that were used. */
  private readonly spent = new Map<string, Grant>();

  /** @param holdsToScope a client may ask for no scope that it did not register, as with the SDK for Python. */
  constructor(private readonly holdsToScope: boolean) {}

  readonly clientsStore: OAuthRegisteredClientsStore = {
    getClient: (id) => this.clients.get(id),
    registerClient: (client) => {
      const full = client as OAuthClientInformationFull;
      this.clients.set(full.client_id, full);
      return full;
    },
  };

  async authorize(
    client: OAuthClientInformationFull,
    params: AuthorizationParams,
    response: Response,
  ): Promise<void> {
    const { scopes = [], codeChallenge } = params;
    const registered = client.scope?.split(' ') ?? [];
    const foreign = scopes.find((scope) => !registered.includes(scope));
    if (this.holdsToScope && foreign !== undefined) {
      throw new InvalidScopeError(`Client was not registered with scope ${foreign}`);
    }
    const id = randomUUID();
    const resource = params.resource?.href;
    this.pending.set(id, [{ clientId: client.client_id, scopes, resource, codeChallenge }, params]);
    response.setHeader('content-type', 'text/html');
    response.end(
      `<!doctype html><title>Sign in</title><form method="post" action="/consent"><input type="hidden" name="id" value="${id}">` +
        '<button name="decision" value="allow">Allow</button><button name="decision" value="deny">Deny</button></form>',
    );
  }

  /** @returns where the browser goes when the button of a page was pressed. */
  decide(form: URLSearchParams): string {
    const id = form.get('id') ?? '';
    const [grant, params] = this.pending.get(id) ?? [];
    if (!grant || !params) {
      throw new InvalidGrantError('The page has run out');
    }
    this.pending.delete(id);
    const target = new URL(params.redirectUri);
    if (form.get('decision') === 'allow') {
      const code = randomUUID();
      this.codes.set(code, grant);
      target.searchParams.set('code', code);
    } else {
      target.searchParams.set('error', 'access_denied');
    }
    if (params.state !== undefined) {
      target.searchParams.set('state', params.state);
    }
    return target.href;
  }

  async challengeForAuthorizationCode(
    client: OAuthClientInformationFull,
    code: string,
  ): Promise<string> {
    return find(this.codes, code, client).codeChallenge;
  }

  async exchangeAuthorizationCode(
    client: OAuthClientInformationFull,
    code: string,
  ): Promise<OAuthTokens> {
    const grant = find(this.codes, code, client);
    this.codes.delete(code);
    return this.give(grant);
  }

  async exchangeRefreshToken(
    client: OAuthClientInformationFull,
    token: string,
  ): Promise<OAuthTokens> {
    const stolen = this.spent.get(token);
    if (stolen) {
      this.end(stolen);
    }
    const grant = find(this.refreshTokens, token, client);
    this.refreshTokens.delete(token);
    this.spent.set(token, grant);
    return this.give(grant);
  }

  async verifyAccessToken(token: string): Promise<AuthInfo> {
    const grant = this.accessTokens.get(token);
    if (!grant) {
      throw new InvalidTokenError('The token is not good');
    }
    const { clientId, scopes } = grant;
    const expiresAt = Math.floor(Date.now() / 1000) + 3600;
    return { token, clientId, scopes: [...scopes], expiresAt };
  }

  async revokeToken(
    _client: OAuthClientInformationFull,
    { token }: OAuthTokenRevocationRequest,
  ): Promise<void> {
    const grant = this.refreshTokens.get(token) ?? this.accessTokens.get(token);
    if (grant) {
      this.end(grant);
    }
  }

  async lookUp(token: string): Promise<TokenInfo | undefined> {
    const grant = this.accessTokens.get(token);
    return grant && { scopes: grant.scopes, audience: grant.resource };
  }

  private give(grant: Grant): OAuthTokens {
    const [access_token, refresh_token] = [randomUUID(), randomUUID()];
    this.accessTokens.set(access_token, grant);
    this.refreshTokens.set(refresh_token, grant);
    const scope = grant.scopes.join(' ');
    return { access_token, refresh_token, token_type: 'Bearer', expires_in: 3600, scope };
  }

  private end(grant: Grant): void {
    for (const tokens of [this.accessTokens, this.refreshTokens]) {
      for (const [token, owner] of tokens) {
        if (owner === grant) {
          tokens.delete(token);
        }
      }
    }
  }
}

function find(
  grants: ReadonlyMap<string, Grant>,
  key: string,
  client: OAuthClientInformationFull,
): Grant {
  const grant = grants.get(key);
  if (grant?.clientId !== client.client_id) {
    throw new InvalidGrantError('The code or token is not good');
  }
  return grant;
}

import { randomBytes } from 'node:crypto';
import type {
  AddClientAuthentication,
  DpopSession,
  OAuthClientInformationContext,
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import * as l10n from '@vscode/l10n';
import { HumanError } from '../../base/errors.js';
import type { JsonObject } from '../../base/json.js';
import { defined } from '../../base/json.js';
import { httpAddress, mustBe, ofServer } from '../../config/sentences.js';
import type { AuthorizationVisit } from './authorizationPrompt.js';
import { assertSafeAddress } from './safeAddress.js';
import type { ServerAuthorization } from './serverAuthorization.js';
import type { StoredCredentials } from './storedCredentials.js';

/** Stands for the address of a browser that is not going to be opened. */
const noRedirectUrl = 'http://127.0.0.1/callback';

/** How a client gets tokens without a user. */
export interface ClientGrant {
  readonly grantTypes: readonly string[];
  readonly prepareTokenRequest: (
    scope: string | undefined,
    context: { readonly issuer: string; readonly resource: string | undefined },
  ) => Promise<URLSearchParams>;
  /** Whether requests say which client sends them. Default: true. */
  readonly isClientNamed?: boolean;
}

export interface OAuthProviderOptions {
  readonly authorization: ServerAuthorization;
  readonly discovery: OAuthDiscoveryState;
  /** Undefined for the user's authorization. */
  readonly grant?: ClientGrant | undefined;
  readonly dpop?: DpopSession | undefined;
  /** Undefined when no page may be opened. */
  readonly visit?: AuthorizationVisit;
  readonly signal?: AbortSignal;
  /** Registers another client although there is one. */
  readonly isClientRenewed?: boolean;
  /** Looks at a page before the user sees it, as a client that registered itself a while ago. Rejects to keep it back. */
  readonly inspect?: (page: URL, client: JsonObject, scope: string | undefined) => Promise<void>;
}

/** One flow of an authorization as the SDK sees it: what it stores goes to the secret storage, verbatim. */
export class OAuthProvider implements OAuthClientProvider {
  readonly clientMetadataUrl: string | undefined;
  readonly prepareTokenRequest: OAuthClientProvider['prepareTokenRequest'];
  /** Set for each request. */
  addClientAuthentication?: AddClientAuthentication;
  /** The query with which the browser returned. */
  response: URLSearchParams | undefined;
  /** What the browser has to return with. */
  readonly returnState = randomBytes(32).toString('base64url');
  private verifier: string | undefined;
  /** Refresh token that was read last. */
  private presented: string | undefined;
  /** Id of the client that was read last. */
  private presentedClient: string | undefined;
  /** What the tokens are for. */
  resource: string | undefined;
  /** Rights that this flow asked for. */
  requestedScope: string | undefined;
  /** What the registration of this flow says beyond what the SDK reads. */
  registration: JsonObject = {};
  /** Of this flow. */
  private newClient: StoredOAuthClientInformation | undefined;
  /** Another client is registered; the one before stays until there are new tokens. */
  isClientRenewed: boolean;

  constructor(private readonly options: OAuthProviderOptions) {
    this.isClientRenewed = options.isClientRenewed ?? false;
    const { authorization, grant } = options;
    this.clientMetadataUrl = authorization.settings.clientMetadataUrl;
    this.prepareTokenRequest =
      grant &&
      ((scope) =>
        grant.prepareTokenRequest(scope, { issuer: this.issuer, resource: this.resource }));
  }

  get discovery(): OAuthDiscoveryState {
    return this.options.discovery;
  }

  get isClientNamed(): boolean {
    return this.options.grant?.isClientNamed ?? true;
  }

  /** The client was registered by hand. */
  get isClientGiven(): boolean {
    return this.options.authorization.settings.clientId !== undefined;
  }

  get redirectUrl(): string | undefined {
    return this.options.grant ? undefined : (this.options.visit?.redirectUrl ?? noRedirectUrl);
  }

  get clientMetadata(): OAuthClientMetadata {
    const { grant, authorization, visit } = this.options;
    const one = this.redirectUrl === undefined ? [] : [this.redirectUrl];
    return {
      client_name: authorization.clientName,
      redirect_uris: [...(grant ? [] : (visit?.redirectUrls ?? one))],
      grant_types: [...(grant?.grantTypes ?? ['authorization_code', 'refresh_token'])],
      response_types: grant ? [] : ['code'],
      application_type: grant ? undefined : ('native' as const),
      scope: authorization.settings.scope,
    };
  }

  async clientInformation(
    context?: OAuthClientInformationContext,
  ): Promise<StoredOAuthClientInformation | undefined> {
    const { settings, credentials } = this.options.authorization;
    const issuer = context?.issuer ?? '';
    if (settings.clientId !== undefined) {
      return this.registeredClient(settings.clientId, issuer);
    }
    if (this.newClient || this.isClientRenewed) {
      return this.newClient;
    }
    const client = (await credentials.read()).clients[issuer] as
      | StoredOAuthClientInformation
      | undefined;
    this.presentedClient = client?.client_id;
    return client && this.isFitting(client) ? client : undefined;
  }

  async saveClient(client: StoredOAuthClientInformation, issuer: string): Promise<void> {
    const { credentials } = this.options.authorization;
    this.newClient = { ...this.registration, ...client };
    // the tokens of the client before are of use until there are new ones
    if ((await credentials.read()).tokens[issuer] === undefined) {
      await credentials.update((stored) => this.withNewClient(stored, issuer));
    }
  }

  private withNewClient(stored: StoredCredentials, issuer: string): StoredCredentials {
    const { newClient, redirectUrl } = this;
    const listenUrl = this.options.visit?.listenUrl;
    return newClient
      ? {
          ...stored,
          clients: { ...stored.clients, [issuer]: { ...newClient } },
          redirectUrl: redirectUrl ?? stored.redirectUrl,
          listenUrl: listenUrl ?? stored.listenUrl,
        }
      : stored;
  }

  /** Remembers how a client that was registered by hand has to authenticate itself. */
  async saveClientMethod(clientId: string, method: string): Promise<void> {
    const { issuer } = this;
    await this.options.authorization.credentials.update((stored) => {
      const client = { client_id: clientId, token_endpoint_auth_method: method };
      return { ...stored, clients: { ...stored.clients, [issuer]: client } };
    });
  }

  async tokens(context?: OAuthClientInformationContext): Promise<StoredOAuthTokens | undefined> {
    const { tokens, issuer } = await this.options.authorization.credentials.read();
    const from = context?.issuer ?? issuer;
    const found = from === undefined ? undefined : (tokens[from] as StoredOAuthTokens | undefined);
    this.presented = found?.refresh_token;
    return found;
  }

  async saveTokens(
    tokens: StoredOAuthTokens,
    context?: OAuthClientInformationContext,
  ): Promise<void> {
    const issuer = context?.issuer ?? tokens.issuer ?? '';
    await this.options.authorization.credentials.update((stored) => {
      // without rotation no new refresh token is sent
      const before = stored.tokens[issuer];
      const isSameClient =
        !this.newClient || stored.clients[issuer]?.client_id === this.newClient.client_id;
      const refreshToken =
        tokens.refresh_token ?? (isSameClient ? before?.refresh_token : undefined);
      // no scope in the answer: what was asked for, or as before (RFC 6749 §5.1, §6)
      const given = this.options.visit ? undefined : before?.scope;
      const scope = tokens.scope || this.requestedScope || given;
      const kept: JsonObject = defined({ ...tokens, refresh_token: refreshToken, scope });
      const all = { ...stored.tokens, [issuer]: kept };
      return { ...this.withNewClient(stored, issuer), issuer, tokens: all };
    });
  }

  /** Forgets what the authorization server does not take any more: the tokens, or the client and its tokens. */
  async forgetRefused(what: 'client' | 'tokens'): Promise<void> {
    // a client that was registered by hand is mended by a change of its entry
    if (what === 'client' && this.isClientGiven) {
      return;
    }
    const { issuer } = this;
    const newClient = what === 'client' ? this.newClient : undefined;
    if (newClient) {
      this.newClient = undefined;
    }
    await this.options.authorization.credentials.update((stored) => {
      // the tokens of the client before a new one are still of use, as is one of another window
      const refused = newClient?.client_id ?? this.presentedClient;
      const isOther = stored.clients[issuer]?.client_id !== refused;
      // another window may have been quicker to refresh, which is why ours was refused
      const isReplaced = newClient || stored.tokens[issuer]?.refresh_token !== this.presented;
      return {
        ...stored,
        tokens: isReplaced ? stored.tokens : without(stored.tokens, issuer),
        clients: what === 'tokens' || isOther ? stored.clients : without(stored.clients, issuer),
      };
    });
  }

  dpop(): DpopSession | undefined {
    return this.options.dpop;
  }

  saveCodeVerifier(verifier: string): void {
    this.verifier = verifier;
  }

  codeVerifier(): string {
    if (this.verifier === undefined) {
      throw new Error('No authorization is under way');
    }
    return this.verifier;
  }

  async redirectToAuthorization(url: URL): Promise<void> {
    const { visit, authorization, signal } = this.options;
    if (!visit) {
      return;
    }
    // the address comes from a server; opened as it is, another scheme would start a program
    if (url.protocol !== 'https:' && url.protocol !== 'http:') {
      throw new HumanError(
        'insecure_authorization',
        ofServer(authorization.serverName, mustBe('authorization_endpoint', httpAddress)),
        { remedy: l10n.t('Ask the operator of the server.') },
      );
    }
    assertSafeAddress(url, authorization);
    await this.inspect(url);
    const never = new AbortController().signal;
    this.response = await authorization.whileVisiting(() =>
      visit.open(url, this.returnState, signal ?? never),
    );
  }

  /** This flow uses a client that registered itself before. */
  get usesOldClient(): boolean {
    return this.newClient === undefined && !this.isClientGiven;
  }

  private async inspect(page: URL): Promise<void> {
    const { issuer, clientMetadataUrl } = this;
    const client = this.usesOldClient ? await this.clientInformation({ issuer }) : undefined;
    if (client && client.client_id !== clientMetadataUrl) {
      await this.options.inspect?.(page, { ...client }, this.requestedScope);
    }
  }

  private get issuer(): string {
    const { authorizationServerMetadata: metadata, authorizationServerUrl } = this.discovery;
    return metadata?.issuer ?? authorizationServerUrl;
  }

  /** A client that was registered by hand belongs to one authorization server: the named one, or the first. */
  private async registeredClient(
    clientId: string,
    issuer: string,
  ): Promise<StoredOAuthClientInformation> {
    const { settings, credentials } = this.options.authorization;
    const { clients } = await credentials.read();
    const bound = Object.keys(clients)[0];
    const method = clients[issuer]?.token_endpoint_auth_method;
    if (settings.issuer === undefined && bound === undefined && issuer !== '') {
      await credentials.update((stored) => ({
        ...stored,
        clients: { [issuer]: { client_id: clientId } },
      }));
    }
    return {
      client_id: clientId,
      issuer: settings.issuer ?? bound ?? issuer,
      ...defined({ token_endpoint_auth_method: method, client_secret: settings.clientSecret }),
    };
  }

  /** A client that registered itself can be used for the grants and the return address that it registered. */
  private isFitting(client: StoredOAuthClientInformation): boolean {
    const { visit, grant } = this.options;
    const { redirect_uris: uris, grant_types: types } = client as {
      readonly redirect_uris?: readonly string[];
      readonly grant_types?: readonly string[];
    };
    const wanted = grant?.grantTypes ?? (visit ? ['authorization_code'] : []);
    return (
      (!types || wanted.every((type) => types.includes(type))) &&
      (!visit || !uris || uris.includes(visit.redirectUrl))
    );
  }
}

function without<T>(record: Readonly<Record<string, T>>, key: string): Record<string, T> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => name !== key));
}

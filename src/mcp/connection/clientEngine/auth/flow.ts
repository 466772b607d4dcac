/**
 * The flows of OAuth, made of the SDK's parts. Its `auth`, which does the same, writes what servers say to the console,
 * sends a refused code once more, and takes a server that is out of order for one that refuses.
 */
import {
  type AddClientAuthentication,
  AuthorizationServerMismatchError,
  fetchToken,
  isHttpsUrl,
  OAuthError,
  OAuthErrorCode,
  refreshAuthorization,
  resolveClientMetadata,
  type StoredOAuthClientInformation,
  selectResourceURL,
  startAuthorization,
} from '@modelcontextprotocol/client';
import * as l10n from '@vscode/l10n';
import { briefly, HumanError } from '../../../../base/errors.js';
import { defined } from '../../../../base/json.js';
import type { OAuthSettings } from '../../../../config/definition.js';
import { mustBe, ofServer, required } from '../../../../config/sentences.js';
import type { LogLevel } from '../../../../platform/ports.js';
import type { OAuthProvider } from '../../../oauth/oauthProvider.js';
import type { ServerAuthorization } from '../../../oauth/serverAuthorization.js';
import type { Fetch } from '../../http/fetch.js';
import { asClient, assertCanSign, methodToRegister, publicKeys } from './authentication.js';
import { discoveredIssuer, isSameIssuer } from './discovery.js';
import { mustPush, pushRequest } from './pushed.js';
import { register } from './registrations.js';

export interface FlowOptions {
  readonly authorization: ServerAuthorization;
  readonly provider: OAuthProvider;
  /** To ask for. Default: what the server says that there is. */
  readonly scope: string | undefined;
  readonly fetchFn: Fetch;
  readonly onNotice: (level: LogLevel, message: string) => void;
}

/** What a browser returned with. */
export interface AuthorizationAnswer {
  readonly authorizationCode: string;
  readonly iss?: string;
}

/** @returns false when the tokens are good for nothing any more. Rejects when that cannot be said. */
export async function refreshTokens(options: FlowOptions): Promise<boolean> {
  const { provider, fetchFn } = options;
  const { discovery } = provider;
  const issuer = discoveredIssuer(discovery);
  const client = await readClient(options);
  const refreshToken = (await provider.tokens({ issuer }))?.refresh_token;
  if (!client || refreshToken === undefined) {
    return false;
  }
  const resource = await resourceOf(options);
  try {
    const tokens = await authenticated(options, client, (addClientAuthentication) =>
      refreshAuthorization(discovery.authorizationServerUrl, {
        metadata: discovery.authorizationServerMetadata,
        resource,
        dpop: provider.dpop(),
        addClientAuthentication,
        clientInformation: client,
        refreshToken,
        fetchFn,
      }),
    );
    await provider.saveTokens({ ...tokens, issuer }, { issuer });
    return true;
  } catch (error) {
    if (!isRefused(error) && !isLost(error) && !isRefusedBehindProxy(error)) {
      throw error;
    }
    options.onNotice('warn', l10n.t('The sign-in cannot be renewed: {0}', briefly(error)));
    await provider.forgetRefused(isClientRefused(error) ? 'client' : 'tokens');
    return false;
  }
}

/** Sends the user to the authorization server; {@link OAuthProvider.response} is what comes of it. */
export async function visitAuthorization(options: FlowOptions): Promise<void> {
  const { provider, authorization } = options;
  assertCanSign(authorization.settings);
  const scope = scopeToAskFor(options);
  const client = await ensureClient(options, scope);
  provider.requestedScope = scope;
  try {
    await provider.redirectToAuthorization(await authorizationPage(options, client, scope));
  } catch (error) {
    // at a server that takes pushed requests alone, a client learns by them that it was forgotten
    if (!isRefused(error) || !isClientRefused(error) || provider.isClientGiven) {
      throw error;
    }
    await provider.forgetRefused('client');
    const another = await ensureClient(options, scope);
    await provider.redirectToAuthorization(await authorizationPage(options, another, scope));
  }
}

async function authorizationPage(
  options: FlowOptions,
  client: StoredOAuthClientInformation,
  scope: string | undefined,
): Promise<URL> {
  const { authorization, provider, fetchFn } = options;
  const { settings, serverName } = authorization;
  const { authorizationServerMetadata: metadata, authorizationServerUrl } = provider.discovery;
  const { redirectUrl } = provider;
  if (redirectUrl === undefined) {
    throw new Error('Nobody is going to visit a page');
  }
  const { authorizationUrl, codeVerifier } = await startAuthorization(authorizationServerUrl, {
    metadata,
    resource: await resourceOf(options),
    scope,
    clientInformation: client,
    state: provider.returnState,
    redirectUrl,
  });
  provider.saveCodeVerifier(codeVerifier);
  if (authorization.isOneOfSeveral()) {
    askWhichAccount(authorizationUrl.searchParams, metadata);
  }
  addParameters(authorizationUrl.searchParams, settings);
  return mustPush(metadata, client)
    ? pushRequest(authorizationUrl, { settings, serverName, client, metadata }, fetchFn)
    : authorizationUrl;
}

/**
 * A browser that is signed in to one account would take that again. Servers that do not say what they know refuse one of
 * the two values, and each of them another one.
 */
function askWhichAccount(
  params: URLSearchParams,
  { prompt_values_supported: known }: Readonly<Record<string, unknown>> = {},
): void {
  // OpenID Connect Core §3.1.2.1; some list the second without having a page for it
  const wanted = ['login', 'select_account'].find(
    (value) => Array.isArray(known) && known.includes(value),
  );
  if (wanted !== undefined) {
    const others = params.get('prompt')?.split(' ') ?? [];
    params.set('prompt', [...others, wanted].join(' '));
  }
}

/** @param answer `undefined` for a client that gets tokens by itself. */
export async function requestTokens(
  options: FlowOptions,
  answer?: AuthorizationAnswer,
): Promise<void> {
  const { provider, fetchFn } = options;
  const issuer = discoveredIssuer(provider.discovery);
  const scope = scopeToAskFor(options);
  const resource = await resourceOf(options);
  if (!answer) {
    provider.requestedScope = scope;
  }
  try {
    const find = () => (provider.isClientNamed ? ensureClient(options, scope) : undefined);
    const client = await (answer ? readClient(options) : find());
    const tokens = await authenticated(options, client, (addClientAuthentication) => {
      provider.addClientAuthentication = addClientAuthentication;
      return fetchToken(provider, provider.discovery.authorizationServerUrl, {
        metadata: provider.discovery.authorizationServerMetadata,
        resource,
        scope,
        ...answer,
        fetchFn,
      });
    });
    await provider.saveTokens({ ...tokens, issuer }, { issuer });
  } catch (error) {
    if (isRefused(error) && isClientRefused(error)) {
      await provider.forgetRefused('client');
    }
    throw isRefused(error) && !answer ? grantRefused(error) : error;
  }
}

/** What the entry wants to be said, which is nothing that the flow says itself. */
export function addParameters(
  params: URLSearchParams,
  { audience, parameters }: OAuthSettings,
): void {
  for (const [name, value] of Object.entries(defined({ ...parameters, audience }))) {
    params.set(name, String(value));
  }
}

/** @param client `undefined` where requests name none. */
async function authenticated<T>(
  { authorization: { settings }, provider }: FlowOptions,
  client: StoredOAuthClientInformation | undefined,
  send: (addClientAuthentication: AddClientAuthentication) => Promise<T>,
): Promise<T> {
  if (!client) {
    return send((_headers, params) => addParameters(params, settings));
  }
  const metadata = provider.discovery.authorizationServerMetadata;
  const credentials = { settings, client, metadata };
  const { result, method, isLikeliest } = await asClient(credentials, (authenticate) =>
    send((headers, params, ...rest) => {
      addParameters(params, settings);
      return authenticate(headers, params, ...rest);
    }),
  );
  if (!isLikeliest) {
    await provider.saveClientMethod(client.client_id, method);
  }
  return result;
}

async function readClient({
  provider,
}: FlowOptions): Promise<StoredOAuthClientInformation | undefined> {
  const issuer = discoveredIssuer(provider.discovery);
  const client = await provider.clientInformation({ issuer });
  if (client?.issuer === undefined || isSameIssuer(client.issuer, issuer)) {
    return client;
  }
  if (provider.isClientGiven) {
    throw new AuthorizationServerMismatchError(client.issuer, issuer);
  }
  return undefined;
}

export async function ensureClient(
  options: FlowOptions,
  scope: string | undefined,
): Promise<StoredOAuthClientInformation> {
  const { provider } = options;
  const known = await readClient(options);
  if (known) {
    return known;
  }
  const { authorizationServerMetadata: metadata } = provider.discovery;
  const issuer = discoveredIssuer(provider.discovery);
  const { clientMetadataUrl } = provider;
  const isDocumentTaken = metadata?.client_id_metadata_document_supported === true;
  let client: StoredOAuthClientInformation;
  if (clientMetadataUrl !== undefined && isDocumentTaken) {
    assertDocumentAddress(clientMetadataUrl, options);
    client = { client_id: clientMetadataUrl, issuer };
  } else {
    assertRegistrable(options);
    client = { ...(await register(options, registrationOf(options), scope)), issuer };
  }
  await provider.saveClient(client, issuer);
  return client;
}

/** @throws {HumanError} where the entry has to say what no metadata can. */
function assertRegistrable({ authorization: { settings, serverName } }: FlowOptions): void {
  const { tokenUrl, registrationUrl } = settings;
  if (tokenUrl !== undefined && registrationUrl === undefined) {
    throw new HumanError('oauth_settings', ofServer(serverName, required('oauth.clientId')), {
      remedy: l10n.t('Register a client there, and write its id into the entry.'),
    });
  }
}

function registrationOf({ authorization: { settings }, provider }: FlowOptions) {
  const registration = resolveClientMetadata(provider);
  // whoever gets refresh tokens acts for a person
  const isProgram =
    provider.redirectUrl === undefined && !registration.grant_types?.includes('refresh_token');
  const metadata = provider.discovery.authorizationServerMetadata;
  const method = methodToRegister(settings, metadata, isProgram);
  return {
    ...registration,
    token_endpoint_auth_method: method ?? registration.token_endpoint_auth_method,
    ...(method === 'private_key_jwt' ? { jwks: publicKeys(settings) } : {}),
  };
}

function assertDocumentAddress(url: string, { authorization: { serverName } }: FlowOptions): void {
  if (!isHttpsUrl(url)) {
    throw new HumanError(
      'oauth_settings',
      ofServer(serverName, mustBe('oauth.clientMetadataUrl', '"https://…/…"')),
      { remedy: l10n.t('Correct the value.') },
    );
  }
}

/** What was asked for, or else all that the server names; with the right to refresh, where the server has one. */
export function scopeToAskFor({ provider, scope }: FlowOptions): string | undefined {
  const { resourceMetadata, authorizationServerMetadata: metadata } = provider.discovery;
  const { scope: ownScope, grant_types: grantTypes } = provider.clientMetadata;
  const wanted = scope || resourceMetadata?.scopes_supported?.join(' ') || ownScope;
  const refreshes =
    metadata?.scopes_supported?.includes('offline_access') && grantTypes?.includes('refresh_token');
  return wanted && refreshes && !wanted.split(' ').includes('offline_access')
    ? `${wanted} offline_access`
    : wanted;
}

/** Verbatim, since a parsed address may be written otherwise. @throws when the server names one that it is not part of. */
export async function resourceOf({
  authorization: { serverUrl, settings },
  provider,
}: FlowOptions): Promise<string | undefined> {
  if (settings.resource !== undefined) {
    provider.resource = settings.resource;
    return settings.resource;
  }
  const { resourceMetadata } = provider.discovery;
  const selected = await selectResourceURL(serverUrl, provider, resourceMetadata);
  if (!selected || !resourceMetadata) {
    return undefined;
  }
  const { resource } = resourceMetadata;
  provider.resource = resource;
  return resource;
}

const refusals: readonly string[] = [
  OAuthErrorCode.InvalidClient,
  OAuthErrorCode.UnauthorizedClient,
  OAuthErrorCode.InvalidGrant,
  OAuthErrorCode.InvalidDpopProof,
];

/** Refusals of a refresh token alone, by OpenID Connect, by GitHub and by others. */
const lostCodes: readonly string[] = [
  OAuthErrorCode.InvalidToken,
  OAuthErrorCode.AccessDenied,
  'login_required',
  'consent_required',
  'interaction_required',
  'bad_refresh_token',
  'expired_token',
];

/** Whether the credentials are refused for good. */
function isRefused(error: unknown): error is OAuthError {
  return error instanceof OAuthError && refusals.includes(error.code);
}

/** The SDK's own proxy reports a server error when the server behind it refuses; the status of that is in the text alone. */
function isRefusedBehindProxy(error: unknown): error is OAuthError {
  return (
    error instanceof OAuthError &&
    error.code === OAuthErrorCode.ServerError &&
    /^Token refresh failed: 40[013]$/.test(error.message)
  );
}

function isLost(error: unknown): error is OAuthError {
  return error instanceof OAuthError && lostCodes.includes(error.code);
}

export function isClientRefused({ code }: OAuthError): boolean {
  return code === OAuthErrorCode.InvalidClient || code === OAuthErrorCode.UnauthorizedClient;
}

function grantRefused(cause: OAuthError): HumanError {
  return new HumanError(
    'grant_refused',
    l10n.t('The authorization server refused: {0}', cause.code),
    { remedy: l10n.t('Correct "{0}".', 'oauth'), cause },
  );
}

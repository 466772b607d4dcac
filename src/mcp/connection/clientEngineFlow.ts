/**
 * The flows of OAuth, made of the SDK's parts. Its `auth`, which does the same, writes what servers say to the console,
 * sends a refused code once more, and takes a server that is out of order for one that refuses.
 */
import {
  AuthorizationServerMismatchError,
  fetchToken,
  isHttpsUrl,
  OAuthError,
  OAuthErrorCode,
  refreshAuthorization,
  registerClient,
  resolveClientMetadata,
  type StoredOAuthClientInformation,
  selectResourceURL,
  startAuthorization,
} from '@modelcontextprotocol/client';
import * as l10n from '@vscode/l10n';
import { HumanError } from '../../base/errors.js';
import type { OAuthProvider } from '../oauth/oauthProvider.js';
import type { ServerAuthorization } from '../oauth/serverAuthorization.js';
import { type Fetch, issuerOf } from './clientEngineDiscovery.js';

export interface FlowOptions {
  readonly authorization: ServerAuthorization;
  readonly provider: OAuthProvider;
  /** To ask for. Default: what the server says that there is. */
  readonly scope: string | undefined;
  readonly fetchFn: Fetch;
}

/** With which a browser returned. */
export interface AuthorizationAnswer {
  readonly authorizationCode: string;
  readonly iss?: string;
}

/** @returns false when the tokens are good for nothing any more. Rejects when that cannot be said. */
export async function refreshTokens(options: FlowOptions): Promise<boolean> {
  const { provider, fetchFn } = options;
  const { discovery, addClientAuthentication } = provider;
  const issuer = issuerOf(discovery);
  const clientInformation = await readClient(options);
  const refreshToken = (await provider.tokens({ issuer }))?.refresh_token;
  if (!clientInformation || refreshToken === undefined) {
    return false;
  }
  try {
    const tokens = await refreshAuthorization(discovery.authorizationServerUrl, {
      ...metadataOf(provider),
      ...(await resourceOf(options)),
      ...(addClientAuthentication ? { addClientAuthentication } : {}),
      ...dpopOf(provider),
      clientInformation,
      refreshToken,
      fetchFn,
    });
    await provider.saveTokens({ ...tokens, issuer }, { issuer });
    return true;
  } catch (error) {
    if (!isRefused(error)) {
      throw error;
    }
    await provider.forgetRefused(isClientRefused(error) ? 'client' : 'tokens');
    return false;
  }
}

/** Sends the user to the authorization server; {@link OAuthProvider.response} is what comes of it. */
export async function visitAuthorization(options: FlowOptions): Promise<void> {
  const { provider } = options;
  const { redirectUrl } = provider;
  if (redirectUrl === undefined) {
    throw new Error('Nobody is going to visit a page');
  }
  const scope = scopeToAskFor(options);
  const clientInformation = await ensureClient(options, scope);
  const { authorizationUrl, codeVerifier } = await startAuthorization(
    provider.discovery.authorizationServerUrl,
    {
      ...metadataOf(provider),
      ...(await resourceOf(options)),
      ...(scope === undefined ? {} : { scope }),
      clientInformation,
      state: provider.state(),
      redirectUrl,
    },
  );
  provider.requestedScope = scope;
  provider.saveCodeVerifier(codeVerifier);
  await provider.redirectToAuthorization(authorizationUrl);
}

/** @param answer `undefined` for a client that gets tokens by itself. */
export async function requestTokens(
  options: FlowOptions,
  answer?: AuthorizationAnswer,
): Promise<void> {
  const { provider, fetchFn } = options;
  const issuer = issuerOf(provider.discovery);
  const scope = scopeToAskFor(options);
  const resource = await resourceOf(options);
  if (!answer) {
    provider.requestedScope = scope;
    await ensureClient(options, scope);
  }
  try {
    const tokens = await fetchToken(provider, provider.discovery.authorizationServerUrl, {
      ...metadataOf(provider),
      ...resource,
      ...(scope === undefined ? {} : { scope }),
      ...answer,
      fetchFn,
    });
    await provider.saveTokens({ ...tokens, issuer }, { issuer });
  } catch (error) {
    if (isRefused(error) && isClientRefused(error)) {
      await provider.forgetRefused('client');
    }
    throw isRefused(error) && !answer ? grantRefused(options, error) : error;
  }
}

async function readClient({
  provider,
}: FlowOptions): Promise<StoredOAuthClientInformation | undefined> {
  const issuer = issuerOf(provider.discovery);
  const client = await provider.clientInformation({ issuer });
  if (client?.issuer === undefined || isSameIssuer(client.issuer, issuer)) {
    return client;
  }
  if (provider.isClientGiven) {
    throw new AuthorizationServerMismatchError(client.issuer, issuer);
  }
  return undefined;
}

/** As the SDK compares them, which makes issuers of addresses. */
function isSameIssuer(one: string, other: string): boolean {
  return one.replace(/\/$/, '') === other.replace(/\/$/, '');
}

async function ensureClient(
  options: FlowOptions,
  scope: string | undefined,
): Promise<StoredOAuthClientInformation> {
  const { provider, fetchFn } = options;
  const known = await readClient(options);
  if (known) {
    return known;
  }
  const { authorizationServerMetadata: metadata, authorizationServerUrl } = provider.discovery;
  const issuer = issuerOf(provider.discovery);
  const { clientMetadataUrl } = provider;
  const isDocumentTaken = metadata?.client_id_metadata_document_supported === true;
  let client: StoredOAuthClientInformation;
  if (clientMetadataUrl !== undefined && isDocumentTaken) {
    assertDocumentAddress(clientMetadataUrl, options);
    client = { client_id: clientMetadataUrl, issuer };
  } else {
    const registered = await registerClient(authorizationServerUrl, {
      ...metadataOf(provider),
      ...(scope === undefined ? {} : { scope }),
      clientMetadata: resolveClientMetadata(provider),
      fetchFn,
    });
    client = { ...registered, issuer };
  }
  await provider.saveClientInformation(client, { issuer });
  return client;
}

function assertDocumentAddress(url: string, { authorization: { serverName } }: FlowOptions): void {
  if (!isHttpsUrl(url)) {
    throw new HumanError(
      'oauth_settings',
      l10n.t('"oauth.clientMetadataUrl" of {0} is no https address with a path.', serverName),
      { remedy: l10n.t('Correct it in the configuration of the server.') },
    );
  }
}

/** What was asked for, or else all that the server names; with the right to refresh, where the server has one. */
function scopeToAskFor({ provider, scope }: FlowOptions): string | undefined {
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
async function resourceOf({
  authorization: { serverUrl },
  provider,
}: FlowOptions): Promise<{ readonly resource?: string }> {
  const { resourceMetadata } = provider.discovery;
  const selected = await selectResourceURL(serverUrl, provider, resourceMetadata);
  if (!selected || !resourceMetadata) {
    return {};
  }
  const { resource } = resourceMetadata;
  provider.saveResourceUrl(resource);
  return { resource };
}

function metadataOf({ discovery: { authorizationServerMetadata: metadata } }: OAuthProvider) {
  return metadata ? { metadata } : {};
}

function dpopOf(provider: OAuthProvider) {
  const dpop = provider.dpop();
  return dpop ? { dpop } : {};
}

const refusals: readonly string[] = [
  OAuthErrorCode.InvalidClient,
  OAuthErrorCode.UnauthorizedClient,
  OAuthErrorCode.InvalidGrant,
  OAuthErrorCode.InvalidDpopProof,
];

/** Whether credentials are refused, which the same ones will be again. */
function isRefused(error: unknown): error is OAuthError {
  return error instanceof OAuthError && refusals.includes(error.code);
}

function isClientRefused({ code }: OAuthError): boolean {
  return code === OAuthErrorCode.InvalidClient || code === OAuthErrorCode.UnauthorizedClient;
}

function grantRefused(
  { authorization: { serverName } }: FlowOptions,
  cause: OAuthError,
): HumanError {
  return new HumanError(
    'grant_refused',
    l10n.t('The authorization server refused the credentials of {0}.', serverName),
    { remedy: l10n.t('Check "oauth" in the configuration of the server.'), cause },
  );
}

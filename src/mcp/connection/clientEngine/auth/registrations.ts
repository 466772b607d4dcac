/** Registrations of clients beyond the SDK: what it does not read of them, and their change (RFC 7592). */
import {
  type OAuthClientMetadata,
  type OAuthDiscoveryState,
  RegistrationRejectedError,
  registerClient,
  type StoredOAuthClientInformation,
} from '@modelcontextprotocol/client';
import * as l10n from '@vscode/l10n';
import { asList, asString, type JsonObject, parseJsonObject } from '../../../../base/json.js';
import type { LogLevel } from '../../../../platform/ports.js';
import type { OAuthProvider } from '../../../oauth/oauthProvider.js';
import { coversScope, unionOfScopes } from '../../../oauth/scopes.js';
import type { ServerAuthorization } from '../../../oauth/serverAuthorization.js';
import type { Fetch } from '../../http/fetch.js';
import { withBody } from '../../http/watchedResponse.js';
import { discoveredIssuer } from './discovery.js';

/** What was asked for when a client registered; beside what came back. */
export const requestedScope = 'requested_scope';
/** Of RFC 7592; the SDK's reader drops them. */
const managementKeys = ['registration_client_uri', 'registration_access_token'];

interface Registration {
  readonly provider: OAuthProvider;
  readonly fetchFn: Fetch;
  readonly onNotice: (level: LogLevel, message: string) => void;
}

/**
 * Registers without the scope where it is refused: the resource may name more than the authorization server knows; and
 * then with one return address, since some servers take no more.
 */
export async function register(
  { provider: { discovery }, fetchFn, onNotice }: Registration,
  { scope: ownScope, ...clientMetadata }: OAuthClientMetadata,
  scope: string | undefined,
): Promise<StoredOAuthClientInformation> {
  const wanted = scope ?? ownScope;
  const attempt = async (registration: OAuthClientMetadata, askedScope?: string) => {
    try {
      return await registerClient(discovery.authorizationServerUrl, {
        metadata: discovery.authorizationServerMetadata,
        scope: askedScope,
        clientMetadata: registration,
        fetchFn,
      });
    } catch (error) {
      if (error instanceof RegistrationRejectedError && error.status === 400) {
        return error;
      }
      throw error;
    }
  };
  let result = await attempt(clientMetadata, wanted);
  if (result instanceof Error && wanted !== undefined) {
    onNotice('info', l10n.t('The client is registered without a scope.'));
    result = await attempt(clientMetadata);
  }
  const [first, ...others] = clientMetadata.redirect_uris;
  if (result instanceof Error && first !== undefined && others.length > 0) {
    result = await attempt({ ...clientMetadata, redirect_uris: [first] }, wanted);
  }
  if (result instanceof Error) {
    throw result;
  }
  return result;
}

/** Hands what a registration says beyond what the SDK reads to `keep`, which is called before the answer is read. */
export function withRegistration(
  next: Fetch,
  { authorizationServerMetadata: metadata }: OAuthDiscoveryState,
  keep: (extra: JsonObject) => void,
): Fetch {
  return async (url, init) => {
    const response = await next(url, init);
    if (String(url) !== metadata?.registration_endpoint || init?.method !== 'POST') {
      return response;
    }
    const text = await response.text();
    const answer = parseJsonObject(text);
    const sent = parseJsonObject(String(init.body ?? ''));
    const extra = managementKeys.map((key) => [key, answer?.[key]] as const);
    const kept = [...extra, [requestedScope, sent?.scope] as const];
    keep(Object.fromEntries(kept.filter(([, value]) => typeof value === 'string')) as JsonObject);
    return withBody(text, response);
  };
}

/**
 * Registers a client for more rights where the server lets clients do so (RFC 7592).
 * @returns whether it did; the client and its tokens stay as good as they were if not.
 */
export async function widenRegistration(
  { credentials }: ServerAuthorization,
  discovery: OAuthDiscoveryState,
  wanted: string | undefined,
  redirectUrl: string,
  fetch: Fetch,
): Promise<boolean> {
  const issuer = discoveredIssuer(discovery);
  const client = (await credentials.read()).clients[issuer];
  const address = asString(client?.registration_client_uri);
  const token = asString(client?.registration_access_token);
  const endpoint = discovery.authorizationServerMetadata?.registration_endpoint;
  if (!client || !address || !token || !endpoint || !isSameOrigin(address, endpoint)) {
    return false;
  }
  const scope = unionOfScopes(asString(client.scope), wanted);
  try {
    const response = await fetch(address, {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(registrationOf(client, scope, redirectUrl)),
      redirect: 'error',
    });
    const answer = response.ok ? parseJsonObject(await response.text()) : undefined;
    const given = asString(answer?.scope);
    const isWide = given === undefined || coversScope(given, wanted);
    if (answer?.client_id !== client.client_id || !isWide) {
      return false;
    }
    await credentials.update((stored) => ({
      ...stored,
      clients: {
        ...stored.clients,
        [issuer]: { ...client, ...answer, issuer, [requestedScope]: scope ?? '' },
      },
    }));
    return true;
  } catch {
    // a new client is registered instead
    return false;
  }
}

const ownKeys = ['issuer', requestedScope, ...managementKeys];
/** Given with a client, and not to be sent back (RFC 7592 §2.2). */
const givenKeys = ['client_id_issued_at', 'client_secret_expires_at'];

function registrationOf(
  client: JsonObject,
  scope: string | undefined,
  redirectUrl: string,
): JsonObject {
  const kept = Object.entries(client).filter(
    ([key]) => !ownKeys.includes(key) && !givenKeys.includes(key),
  );
  const uris = asList(client.redirect_uris);
  return {
    ...(Object.fromEntries(kept) as JsonObject),
    redirect_uris: uris.includes(redirectUrl) ? uris : [redirectUrl],
    scope,
  };
}

function isSameOrigin(one: string, other: string): boolean {
  return URL.canParse(one) && URL.canParse(other) && new URL(one).origin === new URL(other).origin;
}

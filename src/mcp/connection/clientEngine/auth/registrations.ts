/** Registrations of clients beyond the SDK: what it does not read of them, and their change (RFC 7592). */
import type { OAuthDiscoveryState } from '@modelcontextprotocol/client';
import { type JsonObject, parseJsonObject } from '../../../../base/json.js';
import { coversScope, unionOfScopes } from '../../../oauth/scopes.js';
import type { ServerAuthorization } from '../../../oauth/serverAuthorization.js';
import type { Fetch } from '../../http/fetch.js';
import { discoveredIssuer } from './discovery.js';

/** What was asked for when a client registered; beside what came back. */
export const requestedScope = 'requested_scope';
/** Of RFC 7592; the SDK's reader drops them. */
const managementKeys = ['registration_client_uri', 'registration_access_token'];

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
    const { status, statusText, headers } = response;
    return new Response(text, { status, statusText, headers });
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
  const address = textOf(client?.registration_client_uri);
  const token = textOf(client?.registration_access_token);
  const endpoint = discovery.authorizationServerMetadata?.registration_endpoint;
  if (!client || !address || !token || !endpoint || !isSameOrigin(address, endpoint)) {
    return false;
  }
  const scope = unionOfScopes(textOf(client.scope), wanted);
  try {
    const response = await fetch(address, {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(registrationOf(client, scope, redirectUrl)),
      redirect: 'error',
    });
    const answer = response.ok ? parseJsonObject(await response.text()) : undefined;
    const given = textOf(answer?.scope);
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
  return {
    ...(Object.fromEntries(kept) as JsonObject),
    redirect_uris: [redirectUrl],
    ...(scope === undefined ? {} : { scope }),
  };
}

function isSameOrigin(one: string, other: string): boolean {
  return URL.canParse(one) && URL.canParse(other) && new URL(one).origin === new URL(other).origin;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

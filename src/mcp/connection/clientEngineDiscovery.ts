import { discoverOAuthServerInfo, type OAuthDiscoveryState } from '@modelcontextprotocol/client';
import { assertSafeAddress } from '../oauth/safeAddress.js';
import type { AuthorizationChallenge, ServerAuthorization } from '../oauth/serverAuthorization.js';
import { withBodyLimit } from './bodyLimit.js';

export type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** Metadata, registrations and tokens are small, and come soon. */
const maxAnswerBytes = 1024 * 1024;
const answerTimeoutMs = 20_000;

/**
 * A `fetch` for everything that is not the MCP server's.
 * @param endsAt when all answers are there or given up, by the clock of `performance`. Default: never.
 */
export function fetchForAuthorization(
  authorization: ServerAuthorization,
  baseFetch: Fetch,
  endsAt = Number.POSITIVE_INFINITY,
): Fetch {
  const limited = withBodyLimit(baseFetch, maxAnswerBytes);
  return async (url, init) => {
    assertSafeAddress(url, authorization);
    const leftMs = Math.max(0, Math.floor(endsAt - performance.now()));
    return limited(url, {
      ...init,
      // as text, since not every fetch of ours takes another kind
      body: init?.body ? String(init.body) : null,
      signal: AbortSignal.timeout(Math.min(answerTimeoutMs, leftMs)),
    });
  };
}

/** Who authorizes, as the server says now. */
export async function discoverAuthorization(
  { serverUrl, settings }: ServerAuthorization,
  { resourceMetadataUrl }: AuthorizationChallenge,
  fetchFn: Fetch,
): Promise<OAuthDiscoveryState> {
  const info = await discoverOAuthServerInfo(serverUrl, {
    fetchFn,
    ...(resourceMetadataUrl ? { resourceMetadataUrl: new URL(resourceMetadataUrl) } : {}),
    ...(settings.skipIssuerMetadataValidation ? { skipIssuerMetadataValidation: true } : {}),
  });
  return { ...info, ...(resourceMetadataUrl ? { resourceMetadataUrl } : {}) };
}

export function issuerOf(discovery: OAuthDiscoveryState): string {
  return discovery.authorizationServerMetadata?.issuer ?? discovery.authorizationServerUrl;
}

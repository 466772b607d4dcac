import { createHash, randomBytes } from 'node:crypto';
import type { OAuthDiscoveryState } from '@modelcontextprotocol/client';
import type { AuthorizationVisit } from '../../../oauth/authorizationPrompt.js';
import type { ServerAuthorization } from '../../../oauth/serverAuthorization.js';
import { type Fetch, issuerOf } from './discovery.js';
import { mustPush } from './pushed.js';

/** With which an authorization page answers a client or a return address that it does not know. */
const unknownClientStatuses = [400, 401, 403, 404];

/**
 * Forgets a client that registered itself and that the authorization server does not know any more, so that the user
 * is not sent to an error page from which no browser returns. Never rejects.
 */
export async function dropForgottenClient(
  discovery: OAuthDiscoveryState,
  visit: AuthorizationVisit,
  { settings, credentials }: ServerAuthorization,
  fetch: Fetch,
): Promise<void> {
  const issuer = issuerOf(discovery);
  const clientId = (await credentials.read()).clients[issuer]?.client_id;
  const endpoint = discovery.authorizationServerMetadata?.authorization_endpoint;
  const isOwn = settings.clientId === undefined && clientId !== settings.clientMetadataUrl;
  // a page that takes references alone refuses everybody; who pushes a request learns whether it is known
  const isTelling = endpoint && !mustPush(discovery.authorizationServerMetadata);
  if (!isOwn || typeof clientId !== 'string' || !isTelling) {
    return;
  }
  try {
    const page = await fetch(pageAddress(endpoint, clientId, visit), {
      redirect: 'manual',
      // nobody sees this page
      headers: { accept: 'text/html', 'sec-purpose': 'prefetch' },
    });
    await page.body?.cancel();
    if (unknownClientStatuses.includes(page.status)) {
      await credentials.update(({ clients, ...stored }) => {
        const { [issuer]: _, ...others } = clients;
        return { ...stored, clients: others };
      });
    }
  } catch {
    // the user's browser may get further than we do
  }
}

/** As the browser will be sent there; what only serves to bind an answer is thrown away. */
function pageAddress(endpoint: string, clientId: string, { redirectUrl }: AuthorizationVisit): URL {
  const random = () => randomBytes(32).toString('base64url');
  const page = new URL(endpoint);
  const query = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUrl,
    state: random(),
    code_challenge: createHash('sha256').update(random()).digest('base64url'),
    code_challenge_method: 'S256',
  };
  for (const [name, value] of Object.entries(query)) {
    page.searchParams.set(name, value);
  }
  return page;
}

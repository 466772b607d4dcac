import { errorMessage } from '../../base/errors.js';
import type { JsonObject } from '../../base/json.js';
import type { ServerAuthorization } from '../oauth/serverAuthorization.js';
import type { LogLevel } from '../ports.js';
import {
  discoverAuthorization,
  type Fetch,
  fetchForAuthorization,
} from './clientEngineDiscovery.js';

const maxDetailLength = 300;

/** Gives the tokens of an account back. Best effort. Never rejects. */
export async function revokeTokens(
  authorization: ServerAuthorization,
  baseFetch: Fetch,
  onNotice: (level: LogLevel, message: string) => void,
): Promise<void> {
  const { credentials, settings } = authorization;
  const fetchFn = fetchForAuthorization(authorization, baseFetch);
  try {
    const { tokens, clients, issuer = '' } = await credentials.read(true);
    const token = tokens[issuer]?.refresh_token ?? tokens[issuer]?.access_token;
    const { authorizationServerMetadata: metadata } = await discoverAuthorization(
      authorization,
      {},
      fetchFn,
    );
    const endpoint = (metadata as JsonObject | undefined)?.revocation_endpoint;
    // only the server that gave a token is told about it
    if (typeof token === 'string' && typeof endpoint === 'string' && metadata?.issuer === issuer) {
      const client = clients[issuer];
      const secret = settings.clientSecret ?? client?.client_secret;
      const body = new URLSearchParams({
        token,
        client_id: settings.clientId ?? String(client?.client_id ?? ''),
        ...(typeof secret === 'string' ? { client_secret: secret } : {}),
      });
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      await fetchFn(endpoint, { method: 'POST', headers, body, redirect: 'error' });
    }
  } catch (error) {
    onNotice('debug', errorMessage(error).slice(0, maxDetailLength));
  }
}

/** Pushed authorization requests (RFC 9126): the browser carries a reference to what the client has asked for. */
import type {
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
} from '@modelcontextprotocol/client';
import * as l10n from '@vscode/l10n';
import { HumanError } from '../../../../base/errors.js';
import { isJsonObject, type JsonObject } from '../../../../base/json.js';
import type { Fetch } from '../../http/fetch.js';
import { type ClientCredentials, postAsClient } from './authentication.js';
import { notOffered } from './challenges.js';

type Metadata = OAuthDiscoveryState['authorizationServerMetadata'];

/** Whether the authorization server takes no other requests, from anybody or from this client. */
export function mustPush(metadata: Metadata, client?: StoredOAuthClientInformation): boolean {
  return [metadata, client].some(
    (document) =>
      (document as JsonObject | undefined)?.require_pushed_authorization_requests === true,
  );
}

/**
 * @param page with the whole request in its query.
 * @returns the page that has it by reference. @throws {OAuthError} when the server refuses the request.
 */
export async function pushRequest(
  page: URL,
  credentials: ClientCredentials & { readonly serverName: string },
  fetchFn: Fetch,
): Promise<URL> {
  const { client, metadata, serverName } = credentials;
  const endpoint = (metadata as JsonObject | undefined)?.pushed_authorization_request_endpoint;
  if (typeof endpoint !== 'string') {
    throw unusable(serverName);
  }
  const response = await postAsClient(endpoint, page.searchParams, credentials, fetchFn);
  const answer: unknown = await response.json().catch(() => undefined);
  if (!isJsonObject(answer) || typeof answer.request_uri !== 'string') {
    throw unusable(serverName);
  }
  const short = new URL(metadata?.authorization_endpoint ?? page);
  short.searchParams.set('client_id', client.client_id);
  short.searchParams.set('request_uri', answer.request_uri);
  return short;
}

function unusable(serverName: string): HumanError {
  return new HumanError('pushed_request', notOffered(serverName, 'PAR'), {
    remedy: l10n.t('Ask the operator of the server.'),
  });
}

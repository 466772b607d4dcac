/** Clients that registered themselves, and what authorization servers make of them later. */
import { createHash, randomBytes } from 'node:crypto';
import { OAuthError, OAuthErrorCode } from '@modelcontextprotocol/client';
import { asString, isJsonObject, type JsonObject } from '../../../../base/json.js';
import { coversScope, unionOfScopes } from '../../../oauth/scopes.js';
import type { Fetch } from '../../http/fetch.js';
import { requestedScope } from './registrations.js';

/** With which an authorization page answers a client or a return address that it does not know. */
const unknownClientStatuses = [400, 401, 403, 404];
/** The same in the address of an error page; the last ones are of servers that have words of their own. */
const unknownClientErrors = [
  'invalid_client',
  'unauthorized_client',
  'invalid_redirect_uri',
  'redirect_uri_mismatch',
  'client_not_found',
  'invalid_client_id',
  'unknown_client',
];
const maxPageLength = 64 * 1024;
/** What servers say of a client that asks for more than it registered for. */
const scopeRefusal =
  /\binvalid_scope\b|\bscopes?\b[^<>]{0,80}\b(?:not (?:allowed|registered|permitted|granted)|exceed)/i;

/** The authorization server refuses a client that registered itself, but may accept a newly registered one. */
export class ClientRefusedError extends Error {
  override readonly name = 'ClientRefusedError';

  constructor(
    readonly lacks: 'registration' | 'scope',
    options?: ErrorOptions,
  ) {
    super(`The authorization server refuses the client for its ${lacks}`, options);
  }
}

/** @returns what a new registration may change about an error; `undefined` for other errors. */
export function refusedClient(error: unknown): ClientRefusedError | undefined {
  if (error instanceof OAuthError && error.code === OAuthErrorCode.InvalidScope) {
    return new ClientRefusedError('scope', { cause: error });
  }
  return error instanceof ClientRefusedError ? error : undefined;
}

/**
 * Looks at the page that the user is about to see, since no browser returns from an error page.
 * @param client that registered itself a while ago.
 * @throws {ClientRefusedError}
 */
export async function assertClientTaken(
  page: URL,
  client: JsonObject,
  scope: string | undefined,
  fetch: Fetch,
): Promise<void> {
  const registered = unionOfScopes(asString(client.scope), asString(client[requestedScope]));
  // a server that did not register what was asked for then would not do it now
  if (typeof client.scope === 'string' && !coversScope(registered, scope)) {
    throw new ClientRefusedError('scope');
  }
  // the page of a pushed request may work only once
  if (page.searchParams.has('request_uri')) {
    return;
  }
  const lacks = await lookAt(page, fetch).catch(() => {
    // the user's browser may get further than we do
    return undefined;
  });
  if (lacks) {
    throw new ClientRefusedError(lacks);
  }
}

async function lookAt(page: URL, fetch: Fetch): Promise<ClientRefusedError['lacks'] | undefined> {
  const response = await fetch(withoutBinding(page), {
    redirect: 'manual',
    // nobody sees this page
    headers: { accept: 'text/html', 'sec-purpose': 'prefetch' },
  });
  const location = response.headers.get('location');
  if (location !== null && response.status >= 300 && response.status < 400) {
    await response.body?.cancel();
    return readAddress(new URL(location, page), page);
  }
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  const isRefusal = unknownClientStatuses.includes(response.status);
  if (!isRefusal && !(response.ok && isJson)) {
    await response.body?.cancel();
    return undefined;
  }
  const text = (await response.text()).slice(0, maxPageLength);
  if (isRefusal) {
    return scopeRefusal.test(text) ? 'scope' : 'registration';
  }
  const answer: unknown = JSON.parse(text);
  return isJsonObject(answer) ? readAnswer(answer, page) : undefined;
}

/** A server that sees that `fetch` does not navigate answers with JSON: an error, or the page that a browser would get. */
function readAnswer(
  { error, error_description: description, url }: JsonObject,
  page: URL,
): ClientRefusedError['lacks'] | undefined {
  return typeof url === 'string' && URL.canParse(url, page.href)
    ? readAddress(new URL(url, page), page)
    : readError(error, description);
}

/** Where a page leads to at once: back to us, to an error page, or to where the user signs in. */
function readAddress(target: URL, page: URL): ClientRefusedError['lacks'] | undefined {
  const fragment = new URLSearchParams(target.hash.slice(1));
  const read = (name: string) => target.searchParams.get(name) ?? fragment.get(name);
  const refusal = readError(read('error'), read('error_description'));
  if (refusal) {
    return refusal;
  }
  const returnUrl = page.searchParams.get('redirect_uri') ?? '';
  const isReturn = URL.canParse(returnUrl) && samePlace(new URL(returnUrl), target);
  const isErrorPage = target.pathname.split('/').some((part) => /^errors?$/i.test(part));
  return isErrorPage && !isReturn ? 'registration' : undefined;
}

function readError(error: unknown, description: unknown): ClientRefusedError['lacks'] | undefined {
  if (typeof error !== 'string') {
    return undefined;
  }
  if (scopeRefusal.test(`${error} ${asString(description) ?? ''}`.slice(0, maxPageLength))) {
    return 'scope';
  }
  return unknownClientErrors.includes(error.toLowerCase()) ? 'registration' : undefined;
}

function samePlace(one: URL, other: URL): boolean {
  return one.origin === other.origin && one.pathname === other.pathname;
}

/** The page without what only binds the answer to the browser that asked. */
function withoutBinding(page: URL): URL {
  const random = () => randomBytes(32).toString('base64url');
  const probe = new URL(page);
  probe.searchParams.set('state', random());
  probe.searchParams.set(
    'code_challenge',
    createHash('sha256').update(random()).digest('base64url'),
  );
  return probe;
}

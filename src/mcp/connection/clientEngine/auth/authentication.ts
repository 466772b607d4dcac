import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import {
  type AddClientAuthentication,
  createPrivateKeyJwtAuth,
  type OAuthDiscoveryState,
  OAuthError,
  OAuthErrorCode,
  parseErrorResponse,
  type StoredOAuthClientInformation,
} from '@modelcontextprotocol/client';
import * as l10n from '@vscode/l10n';
import { HumanError } from '../../../../base/errors.js';
import type { JsonObject } from '../../../../base/json.js';
import type { OAuthSettings } from '../../../../config/definition.js';
import { mustBe } from '../../../../config/sentences.js';
import type { Fetch } from '../../http/fetch.js';

export type ClientMethod =
  | 'none'
  | 'client_secret_basic'
  | 'client_secret_post'
  | 'private_key_jwt';

type Metadata = OAuthDiscoveryState['authorizationServerMetadata'];

/** A client, and what is known of the authorization server that it authenticates itself to. */
export interface ClientCredentials {
  readonly settings: OAuthSettings;
  readonly client: StoredOAuthClientInformation;
  readonly metadata: Metadata;
  /** Pushed authorization requests are authenticated as requests for tokens are (RFC 9126 §2). Default `token`. */
  readonly endpoint?: 'token' | 'revocation';
}

/**
 * Sends a request to an endpoint of the authorization server in the ways in which the client may authenticate itself,
 * the likeliest one first, until one is not refused: of a client that was registered by hand nobody tells us its way.
 * @param send rejects with an {@link OAuthError} when the client is refused.
 * @returns what `send` does, and the way that was taken.
 */
export async function asClient<T>(
  credentials: ClientCredentials,
  send: (addClientAuthentication: AddClientAuthentication) => Promise<T>,
): Promise<{ readonly result: T; readonly method: ClientMethod; readonly isLikeliest: boolean }> {
  const [first, ...others] = clientMethods(credentials);
  const attempt = async (method: ClientMethod) => ({
    method,
    isLikeliest: method === first,
    result: await send(clientAuthentication(method, credentials)),
  });
  try {
    return await attempt(first);
  } catch (error) {
    const isRefused = error instanceof OAuthError && error.code === OAuthErrorCode.InvalidClient;
    for (const method of isRefused ? others : []) {
      try {
        return await attempt(method);
      } catch {
        // the error of the likeliest way says most
      }
    }
    throw error;
  }
}

/** Sends a form to an endpoint other than that for tokens. @throws {OAuthError} or the network's. */
export async function postAsClient(
  url: string,
  form: URLSearchParams,
  credentials: ClientCredentials,
  fetchFn: Fetch,
): Promise<Response> {
  const { result } = await asClient(credentials, async (addClientAuthentication) => {
    const headers = new Headers({
      accept: 'application/json',
      'content-type': 'application/x-www-form-urlencoded',
    });
    const body = new URLSearchParams(form);
    await addClientAuthentication(headers, body, url, credentials.metadata);
    const response = await fetchFn(url, { method: 'POST', headers, body, redirect: 'error' });
    if (!response.ok) {
      throw await parseErrorResponse(response);
    }
    return response;
  });
  return result;
}

/** Never empty; more than one where the client was registered by hand with a secret. */
export function clientMethods({
  settings,
  client,
  metadata,
  endpoint = 'token',
}: ClientCredentials): readonly [ClientMethod, ...ClientMethod[]] {
  const supported = supportedMethods(metadata, endpoint);
  const hasSecret = Boolean(client.client_secret);
  const possible: ClientMethod[] = [
    ...(settings.privateKey === undefined ? [] : ['private_key_jwt' as const]),
    ...(hasSecret ? (['client_secret_basic', 'client_secret_post'] as const) : []),
    'none',
  ];
  const taken = possible.filter((method) => supported.length === 0 || supported.includes(method));
  const registered = taken.find(
    (method) => method === (client as JsonObject).token_endpoint_auth_method,
  );
  const likeliest = registered ?? taken[0] ?? possible[0] ?? 'none';
  const isGiven = settings.clientId !== undefined && settings.privateKey === undefined;
  const others = taken.filter((method) => method !== likeliest && method !== 'none');
  return [likeliest, ...(isGiven ? others : [])];
}

/** How a client that registers itself will authenticate itself: without a secret, where the server takes such clients. */
export function methodToRegister(
  { privateKey }: OAuthSettings,
  metadata: Metadata,
  isProgram: boolean,
): ClientMethod | undefined {
  const supported = supportedMethods(metadata, 'token');
  const wanted: readonly ClientMethod[] = [
    ...(privateKey === undefined ? [] : ['private_key_jwt' as const]),
    // a program on the user's machine keeps no secret; one that acts by itself has nothing else
    ...(isProgram ? [] : ['none' as const]),
    'client_secret_basic',
    'client_secret_post',
  ];
  if (supported.length === 0) {
    return isProgram ? undefined : 'none';
  }
  return wanted.find((method) => supported.includes(method));
}

/** @throws {HumanError} before the user is sent away for nothing. */
export function assertCanSign(settings: OAuthSettings): void {
  if (settings.privateKey !== undefined) {
    signingKey(settings);
  }
}

/** Public half of the key that signs, for a registration. */
export function publicKeys(settings: OAuthSettings): { readonly keys: readonly JsonObject[] } {
  const { key, algorithm } = signingKey(settings);
  const jwk = createPublicKey(key).export({ format: 'jwk' });
  return { keys: [{ ...jwk, alg: algorithm, use: 'sig' }] };
}

function clientAuthentication(
  method: ClientMethod,
  { client: { client_id: clientId, client_secret: secret = '' }, settings }: ClientCredentials,
): AddClientAuthentication {
  switch (method) {
    case 'client_secret_basic':
      return (headers) => {
        const credentials = `${formEncode(clientId)}:${formEncode(secret)}`;
        headers.set('authorization', `Basic ${Buffer.from(credentials).toString('base64')}`);
      };
    case 'client_secret_post':
      return (_headers, params) => {
        params.set('client_id', clientId);
        params.set('client_secret', secret);
      };
    case 'none':
      return (_headers, params) => params.set('client_id', clientId);
    case 'private_key_jwt':
      return signedAuthentication(clientId, settings);
  }
}

function signedAuthentication(clientId: string, settings: OAuthSettings): AddClientAuthentication {
  const { key, algorithm } = signingKey(settings);
  const sign = createPrivateKeyJwtAuth({
    issuer: clientId,
    subject: clientId,
    privateKey: key.export({ type: 'pkcs8', format: 'pem' }).toString(),
    alg: algorithm,
  });
  return async (headers, params, url, metadata) => {
    // not every server reads it out of the assertion
    params.set('client_id', clientId);
    try {
      await sign(headers, params, url, metadata);
    } catch {
      throw unusableKey(algorithm);
    }
  };
}

function signingKey({ privateKey = '', algorithm }: OAuthSettings): {
  readonly key: KeyObject;
  readonly algorithm: string;
} {
  try {
    const key = createPrivateKey(privateKey);
    return { key, algorithm: algorithm ?? (key.asymmetricKeyType === 'rsa' ? 'RS256' : 'ES256') };
  } catch {
    throw unusableKey(algorithm ?? 'ES256');
  }
}

function unusableKey(algorithm: string): HumanError {
  return new HumanError('oauth_settings', mustBe('oauth.privateKey', `PEM (${algorithm})`), {
    remedy: l10n.t('Correct the value.'),
  });
}

function supportedMethods(metadata: Metadata, endpoint: 'token' | 'revocation'): readonly string[] {
  // the schema of OpenID providers leaves it out
  const forRevocation = (metadata as JsonObject | undefined)
    ?.revocation_endpoint_auth_methods_supported as readonly string[] | undefined;
  const own = endpoint === 'revocation' ? forRevocation : undefined;
  return own ?? metadata?.token_endpoint_auth_methods_supported ?? [];
}

/** As in a form: RFC 6749 §2.3.1 demands it of id and secret before they are joined. */
function formEncode(text: string): string {
  return new URLSearchParams({ '': text }).toString().slice(1);
}

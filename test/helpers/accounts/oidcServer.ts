import { generateKeyPairSync, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import Provider from 'oidc-provider';
import type { Certificate } from '../../fixtures/certificate.js';
import type { AccountServer } from './accountServer.js';
import { DpopProofs } from './dpopProof.js';
import { OidcStore } from './oidcStore.js';
import { Resource, type ResourceOptions } from './resource.js';
import { Wire } from './wire.js';

export interface OidcOptions extends Omit<Partial<ResourceOptions>, 'url' | 'verify' | 'scheme'> {
  /** What its clients may ask for. Default: `read write admin openid offline_access`. */
  readonly scopes?: readonly string[];
  /** How clients may authenticate at the token endpoint, RFC 7591's names. Default: every way. */
  readonly authMethods?: readonly string[];
  /** Registered by hand, with RFC 7591's names. */
  readonly clients?: readonly object[];
  /** Authorization requests have to be pushed (RFC 9126). */
  readonly requiresPar?: boolean;
  /** Tokens are bound to keys, and proofs need a nonce of each server. */
  readonly requiresDpop?: boolean;
  /** Client ids may be addresses of metadata documents; how they are fetched. */
  readonly fetchClientMetadata?: (url: string) => Promise<Response>;
  readonly hasDeviceFlow?: boolean;
  /** Of the issuer, such as `/tenant`. Default: none. */
  readonly path?: string;
  /** Refresh tokens only with this scope, as the OpenID providers do. Default: always. */
  readonly refreshesOnlyOffline?: boolean;
  /** Of both servers. */
  readonly certificate?: Certificate;
  /** Of the authorization server alone. */
  readonly issuerCertificate?: Certificate;
  /** Merged into the configuration of oidc-provider, and into its features. */
  readonly features?: object;
  readonly configuration?: object;
}

/** oidc-provider with its own pages, and an MCP server on another port whose tokens it verifies. */
export interface OidcServer extends AccountServer {
  readonly store: OidcStore;
  readonly provider: Provider;
  /** Of the MCP server. */
  readonly proofs: DpopProofs | undefined;
}

export async function startOidcServer(options: OidcOptions = {}): Promise<OidcServer> {
  const { certificate, issuerCertificate = certificate, path = '' } = options;
  const wire = await Wire.listen(issuerCertificate);
  const resourceWire = await Wire.listen(certificate);
  const url = `${resourceWire.origin}/mcp`;
  const issuer = `${wire.origin}${path}`;
  const store = new OidcStore();
  const provider = quietly(() => new Provider(issuer, configure(options, url, store)));
  const answer = provider.callback();
  wire.handle((request, response) => {
    // as the provider's manual mounts it below a path; the well-known addresses of RFC 8414 stand before that path
    const asked = request.url ?? '/';
    const wellKnown = /^(\/\.well-known\/[^/]+)(\/.*)$/.exec(asked);
    const inner = wellKnown?.[2] === path ? wellKnown[1] : withoutPrefix(asked, path);
    if (inner === undefined) {
      return response.writeHead(404).end();
    }
    if (path) {
      Object.assign(request, { originalUrl: path + inner, url: inner });
    }
    return answer(request, response);
  });
  const proofs = options.requiresDpop ? new DpopProofs(url) : undefined;
  const verify = (token: string, request: IncomingMessage) =>
    find(provider, token, request, proofs);
  const scheme = options.requiresDpop ? 'DPoP' : 'Bearer';
  const metadata = {
    ...(options.requiresDpop ? { dpop_bound_access_tokens_required: true } : {}),
    ...options.metadata,
  };
  const all = { issuers: [issuer], ...options, metadata, url, verify, scheme };
  const resource = new Resource(all);
  resourceWire.handle(resource.handler());
  return {
    url,
    issuer,
    wire,
    resourceWire,
    resource,
    store,
    provider,
    proofs,
    paths: {
      authorize: `${path}/auth`,
      token: `${path}/token`,
      register: `${path}/reg`,
      revoke: `${path}/token/revocation`,
    },
    findClient: async (id) => (await store.adapter('Client').find(id)) as Found,
    expireAccessTokens: () => store.forget('AccessToken', 'ClientCredentials'),
    forgetClients: () => store.forget('Client', 'RegistrationAccessToken'),
    revokeGrants: () =>
      store.forget(
        'AccessToken',
        'ClientCredentials',
        'RefreshToken',
        'AuthorizationCode',
        'Grant',
      ),
    close: async () => void (await Promise.all([wire.close(), resourceWire.close()])),
  };
}

function configure(options: OidcOptions, url: string, store: OidcStore): object {
  const { scopes = ['read', 'write', 'admin', 'openid', 'offline_access'] } = options;
  const authMethods = options.authMethods ?? [
    'none',
    'client_secret_basic',
    'client_secret_post',
    'private_key_jwt',
  ];
  const hour = 3600;
  const day = 24 * hour;
  return {
    adapter: store.adapter,
    clients: options.clients ?? [],
    clientAuthMethods: authMethods,
    clientBasedCORS: () => false,
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    cookies: { keys: [randomBytes(16).toString('hex')] },
    ...(options.fetchClientMetadata
      ? { fetch: (address: unknown) => options.fetchClientMetadata?.(String(address)) }
      : {}),
    findAccount: async (_context: unknown, accountId: string) => ({
      accountId,
      claims: async () => ({ sub: accountId }),
    }),
    issueRefreshToken: async (_context: unknown, client: Client, source: Source) =>
      client.grantTypeAllowed('refresh_token') &&
      (!options.refreshesOnlyOffline || source.scopes.has('offline_access')),
    expiresWithSession: async () => false,
    jwks: { keys: [signingKey()] },
    pkce: { required: () => true },
    renderError: (context: { type: string; body: string }, out: Record<string, string>) => {
      context.type = 'html';
      context.body = `<!doctype html><title>Error</title><p>${out.error}: ${out.error_description}`;
    },
    rotateRefreshToken: () => true,
    scopes,
    ttl: {
      AccessToken: hour,
      ClientCredentials: hour,
      RefreshToken: day,
      Grant: day,
      Interaction: hour,
      Session: day,
      IdToken: hour,
    },
    ...options.configuration,
    features: { ...features(options, url, scopes), ...options.features },
  };
}

type Found = Awaited<ReturnType<AccountServer['findClient']>>;

interface Client {
  grantTypeAllowed(type: string): boolean;
}

interface Source {
  readonly scopes: ReadonlySet<string>;
}

function features(options: OidcOptions, url: string, scopes: readonly string[]): object {
  const { requiresDpop, fetchClientMetadata } = options;
  return {
    devInteractions: { enabled: true },
    registration: { enabled: true },
    registrationManagement: { enabled: true },
    revocation: { enabled: true, allowedPolicy: async () => true },
    introspection: { enabled: true, allowedPolicy: async () => true },
    clientCredentials: { enabled: true },
    deviceFlow: { enabled: options.hasDeviceFlow ?? false },
    pushedAuthorizationRequests: {
      enabled: true,
      requirePushedAuthorizationRequests: options.requiresPar ?? false,
    },
    dPoP: {
      enabled: requiresDpop ?? false,
      ...(requiresDpop ? { nonceSecret: randomBytes(32), requireNonce: () => true } : {}),
    },
    clientIdMetadataDocument: {
      enabled: fetchClientMetadata !== undefined,
      ack: 'draft-02',
    },
    resourceIndicators: {
      enabled: true,
      defaultResource: async () => url,
      useGrantedResource: async () => true,
      getResourceServerInfo: async (_context: unknown, resource: string) => ({
        scope: scopes.filter((scope) => !['openid', 'offline_access'].includes(scope)).join(' '),
        audience: resource,
        accessTokenTTL: 3600,
        accessTokenFormat: 'opaque',
      }),
    },
  };
}

async function find(
  provider: Provider,
  token: string,
  request: IncomingMessage,
  proofs: DpopProofs | undefined,
): ReturnType<ResourceOptions['verify']> {
  const given =
    (await provider.AccessToken.find(token)) ?? (await provider.ClientCredentials.find(token));
  if (!given?.isValid) {
    return undefined;
  }
  const verdict = proofs?.check(request, token, given.jkt) ?? 'proven';
  if (verdict !== 'proven') {
    return verdict === 'not proven' ? undefined : verdict;
  }
  const [audience] = [given.aud].flat();
  return { scopes: (given.scope ?? '').split(' '), audience };
}

/** The provider warns of what only a test would do. */
function quietly<T>(create: () => T): T {
  const { warn } = console;
  console.warn = () => undefined;
  try {
    return create();
  } finally {
    console.warn = warn;
  }
}

function signingKey(): object {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'ES256', kid: 'test' };
}

function withoutPrefix(text: string, prefix: string): string | undefined {
  return text.startsWith(`${prefix}/`) ? text.slice(prefix.length) : undefined;
}

import { ProxyOAuthServerProvider } from '@modelcontextprotocol/sdk/server/auth/providers/proxyProvider.js';
import { mcpAuthRouter } from '@modelcontextprotocol/sdk/server/auth/router.js';
import express from 'express';
import type { Certificate } from '../../fixtures/certificate.js';
import type { AccountServer } from './accountServer.js';
import { Resource, type ResourceOptions, readAll } from './resource.js';
import { SdkProvider } from './sdkProvider.js';
import { Wire } from './wire.js';

export interface SdkOptions extends Omit<Partial<ResourceOptions>, 'url' | 'verify' | 'issuers'> {
  /** A client may ask for no scope that it did not register. Default: false. */
  readonly holdsToScope?: boolean;
  readonly certificate?: Certificate;
}

export interface SdkServer extends AccountServer {
  readonly provider: SdkProvider;
}

const paths = {
  authorize: '/authorize',
  token: '/token',
  register: '/register',
  revoke: '/revoke',
};

/** The SDK's `mcpAuthRouter` and the MCP server that it protects, in one program. */
export async function startSdkServer(options: SdkOptions = {}): Promise<SdkServer> {
  const wire = await Wire.listen(options.certificate);
  const provider = new SdkProvider(options.holdsToScope ?? false);
  const { url, issuer, resource } = serve(wire, provider, provider.lookUp.bind(provider), options);
  return {
    url,
    issuer,
    wire,
    resourceWire: wire,
    resource,
    provider,
    paths,
    findClient: async (id) => provider.clients.get(id),
    expireAccessTokens: () => provider.accessTokens.clear(),
    forgetClients: () => provider.clients.clear(),
    revokeGrants: () => {
      provider.accessTokens.clear();
      provider.refreshTokens.clear();
      provider.codes.clear();
    },
    close: () => wire.close(),
  };
}

/** The SDK's `mcpAuthRouter` that hands everything on to another server, which it takes along when it ends. */
export async function startSdkProxy(
  upstream: AccountServer,
  options: SdkOptions = {},
): Promise<AccountServer> {
  const wire = await Wire.listen(options.certificate);
  const { origin } = upstream.wire;
  const lookUp = upstream.resource.options.verify;
  const provider = new ProxyOAuthServerProvider({
    endpoints: {
      authorizationUrl: origin + upstream.paths.authorize,
      tokenUrl: origin + upstream.paths.token,
      revocationUrl: origin + upstream.paths.revoke,
      registrationUrl: origin + upstream.paths.register,
    },
    verifyAccessToken: () => Promise.reject(new Error('The resource looks tokens up by itself')),
    getClient: (id) => upstream.findClient(id),
  });
  const { url, issuer, resource } = serve(wire, provider, lookUp, options);
  return {
    url,
    issuer,
    wire,
    resourceWire: wire,
    resource,
    paths,
    findClient: (id) => upstream.findClient(id),
    expireAccessTokens: () => upstream.expireAccessTokens(),
    forgetClients: () => upstream.forgetClients(),
    revokeGrants: () => upstream.revokeGrants(),
    close: async () => void (await Promise.all([wire.close(), upstream.close()])),
  };
}

function serve(
  wire: Wire,
  provider: SdkProvider | ProxyOAuthServerProvider,
  verify: ResourceOptions['verify'],
  options: SdkOptions,
): { readonly url: string; readonly issuer: string; readonly resource: Resource } {
  const url = `${wire.origin}/mcp`;
  const issuerUrl = new URL(wire.origin);
  const issuer = issuerUrl.href;
  const app = express();
  const scopesSupported = [...(options.scopesSupported ?? options.connectScopes ?? ['read'])];
  const resourceServerUrl = new URL(url);
  app.use(mcpAuthRouter({ provider, issuerUrl, resourceServerUrl, scopesSupported }));
  if (provider instanceof SdkProvider) {
    app.post('/consent', async (request, response) => {
      const form = new URLSearchParams(await readAll(request));
      response.redirect(provider.decide(form));
    });
  }
  // the router has metadata of its own
  const hasForeignMetadata = options.metadataAt === undefined;
  const resource = new Resource({ ...options, url, issuers: [issuer], verify, hasForeignMetadata });
  wire.handle(resource.handler(app));
  return { url, issuer, resource };
}

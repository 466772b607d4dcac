import {
  AuthorizationError,
  OAuthAuthorizationServer,
  type OAuthHelpers,
} from '@cloudflare/workers-oauth-provider';
import type { OAuthClientInformationFull } from '@modelcontextprotocol/sdk/shared/auth.js';
import type { AccountServer } from './accountServer.js';
import { MemoryKv } from './memoryKv.js';
import { Resource, type ResourceOptions } from './resource.js';
import { webHandler } from './webHandler.js';
import { Wire } from './wire.js';

export type CloudflareOptions = Omit<Partial<ResourceOptions>, 'url' | 'verify'>;

const paths = {
  authorize: '/authorize',
  token: '/oauth/token',
  register: '/oauth/register',
  // the token endpoint revokes as well
  revoke: '/oauth/token',
};

/** Cloudflare's `workers-oauth-provider` with the consent page of its documentation, on Node.js. */
export async function startCloudflareServer(
  options: CloudflareOptions = {},
): Promise<AccountServer> {
  const [wire, resourceWire] = [await Wire.listen(), await Wire.listen()];
  const issuer = wire.origin;
  const url = `${resourceWire.origin}/mcp`;
  const kv = new MemoryKv();
  const env = { OAUTH_KV: kv };
  const server = new OAuthAuthorizationServer<typeof env>({
    issuer,
    resources: [url],
    clientRegistrationEndpoint: paths.register,
    scopesSupported: ['read', 'write', 'admin', 'offline_access'],
    onError: () => undefined,
  });
  const context = {
    waitUntil: () => undefined,
    passThroughOnException: () => undefined,
    props: {},
  };
  wire.handle(
    webHandler(issuer, (request) =>
      new URL(request.url).pathname === paths.authorize
        ? authorize(request, server.getOAuthApi(env))
        : server.fetch(request, env, context as never),
    ),
  );
  const verify = async (token: string) => {
    const valid = await server.validateToken(url, token, env);
    return valid ? { scopes: valid.scope, audience: url } : undefined;
  };
  const resource = new Resource({ issuers: [issuer], ...options, url, verify });
  resourceWire.handle(resource.handler());
  return {
    url,
    issuer,
    wire,
    resourceWire,
    resource,
    paths,
    findClient: async (id) =>
      ((await kv.get(`client:${id}`, { type: 'json' })) ?? undefined) as
        | OAuthClientInformationFull
        | undefined,
    expireAccessTokens: () => kv.forget('token:'),
    forgetClients: () => kv.forget('client:'),
    revokeGrants: () => kv.forget('token:', 'grant:'),
    close: async () => void (await Promise.all([wire.close(), resourceWire.close()])),
  };
}

async function authorize(request: Request, oauth: OAuthHelpers): Promise<Response> {
  try {
    return await (request.method === 'GET' ? showPage(request, oauth) : decide(request, oauth));
  } catch (error) {
    if (error instanceof AuthorizationError) {
      return error.redirectTo
        ? Response.redirect(error.redirectTo, 302)
        : new Response('This app could not be verified.', { status: 400 });
    }
    throw error;
  }
}

async function showPage(request: Request, oauth: OAuthHelpers): Promise<Response> {
  const asked = await oauth.parseAuthRequest(request);
  const { scope } = await oauth.describeConsent(asked);
  const consent = await oauth.beginConsent(asked);
  consent.headers.set('content-type', 'text/html; charset=utf-8');
  const boxes = scope.map((name) => `<input type="checkbox" name="scope" value="${name}" checked>`);
  const page =
    `<!doctype html><title>Authorize</title><form method="post"><input type="hidden" name="handle" value="${consent.handle}">` +
    `${boxes.join('')}<button name="decision" value="approve">Allow</button><button name="decision" value="deny">Deny</button></form>`;
  return new Response(page, { headers: consent.headers });
}

async function decide(request: Request, oauth: OAuthHelpers): Promise<Response> {
  const form = new URLSearchParams(await request.clone().text());
  const handle = form.get('handle') ?? '';
  if (form.get('decision') !== 'approve') {
    const { headers } = await oauth.denyConsent(request, handle);
    return new Response(null, { status: 302, headers });
  }
  const approved = await oauth.approveConsent(request, handle, { scope: form.getAll('scope') });
  const { redirectTo } = await oauth.completeAuthorization({
    request: approved.request,
    userId: 'someone',
    metadata: {},
    scope: approved.request.scope,
    props: {},
  });
  approved.headers.set('location', redirectTo);
  return new Response(null, { status: 302, headers: approved.headers });
}

import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { OAuthClientInformationFull } from '@modelcontextprotocol/sdk/shared/auth.js';
import type { AccountServer } from './accountServer.js';
import { betterAuthModules } from './betterAuthPackages.mjs';
import { Resource, type ResourceOptions } from './resource.js';
import { webHandler } from './webHandler.js';
import { Wire } from './wire.js';

type Options = Omit<Partial<ResourceOptions>, 'url' | 'verify'>;
type Row = Record<string, unknown>;
type Database = Record<string, Row[]>;

interface Auth {
  handler(request: Request): Promise<Response>;
  readonly api: { signUpEmail(options: { readonly body: object }): Promise<unknown> };
}

const user = { email: 'someone@example.com', password: 'of-no-importance', name: 'Someone' };
const base = '/api/auth';
const paths = {
  authorize: `${base}/oauth2/authorize`,
  token: `${base}/oauth2/token`,
  register: `${base}/oauth2/register`,
  revoke: `${base}/oauth2/revoke`,
};

/** better-auth with its provider of OAuth, whose pages for sign-in and consent are its user's own. */
export async function startBetterAuthServer(options: Options = {}): Promise<AccountServer> {
  const [wire, resourceWire] = [await Wire.listen(), await Wire.listen()];
  const url = `${resourceWire.origin}/mcp`;
  const issuer = wire.origin + base;
  const database: Database = {};
  const auth = await createAuth(wire.origin, url, database);
  await auth.api.signUpEmail({ body: user });
  wire.handle(webHandler(wire.origin, (request) => answer(auth, request)));
  const verify = async (token: string) => {
    const hash = createHash('sha256').update(token).digest('base64url');
    const row = database.oauthAccessToken?.find((item) => item.token === hash && !item.revoked);
    const [audience] = (row?.resources ?? []) as string[];
    return row && { scopes: row.scopes as string[], audience };
  };
  const resource = new Resource({ issuers: [issuer], ...options, url, verify });
  resourceWire.handle(resource.handler());
  const forget = (...tables: string[]) => {
    for (const table of tables) {
      database[table]?.splice(0);
    }
  };
  return {
    url,
    issuer,
    wire,
    resourceWire,
    resource,
    paths,
    findClient: async (id) =>
      database.oauthClient?.find(({ clientId }) => clientId === id) as
        | (Row & OAuthClientInformationFull)
        | undefined,
    expireAccessTokens: () => forget('oauthAccessToken'),
    forgetClients: () => forget('oauthClient', 'oauthClientResource', 'oauthConsent'),
    revokeGrants: () =>
      forget('oauthAccessToken', 'oauthRefreshToken', 'oauthConsent', 'verification'),
    close: async () => void (await Promise.all([wire.close(), resourceWire.close()])),
  };
}

async function createAuth(origin: string, url: string, database: Database): Promise<Auth> {
  const [{ betterAuth }, { getAuthTables }, { memoryAdapter }, { oauthProvider }] =
    await Promise.all([
      load('better-auth/dist/index.mjs'),
      load('better-auth/dist/db/index.mjs'),
      load('better-auth/dist/adapters/memory-adapter/index.mjs'),
      load('@better-auth/oauth-provider/dist/index.mjs'),
    ]);
  const options = {
    baseURL: origin,
    secret: randomBytes(32).toString('hex'),
    database: memoryAdapter(database),
    emailAndPassword: { enabled: true },
    telemetry: { enabled: false },
    logger: { disabled: true },
    rateLimit: { enabled: false },
    plugins: [
      oauthProvider({
        loginPage: '/login',
        consentPage: '/consent',
        allowDynamicClientRegistration: true,
        allowUnauthenticatedClientRegistration: true,
        // tokens that can be taken back
        disableJwtPlugin: true,
        scopes: ['openid', 'offline_access', 'read', 'write', 'admin'],
        resources: [url],
        clientRegistrationDefaultResources: [url],
        silenceWarnings: { oauthAuthServerConfig: true, openidConfig: true },
      }),
    ],
  };
  for (const { modelName } of Object.values(getAuthTables(options) as Record<string, Row>)) {
    database[String(modelName)] = [];
  }
  return betterAuth(options);
}

// biome-ignore lint/suspicious/noExplicitAny: it is not installed where types are checked
function load(module: string): Promise<any> {
  return import(/* @vite-ignore */ pathToFileURL(join(betterAuthModules, module)).href);
}

async function answer(auth: Auth, request: Request): Promise<Response> {
  const { pathname, search, origin } = new URL(request.url);
  if (pathname !== '/login' && pathname !== '/consent') {
    // the tests' browser cannot say so, and scripts get no redirects
    if (request.headers.has('upgrade-insecure-requests')) {
      request.headers.set('sec-fetch-mode', 'navigate');
    }
    return auth.handler(request);
  }
  if (request.method === 'GET') {
    return showPage(pathname);
  }
  const form = new URLSearchParams(await request.text());
  const { email, password } = user;
  const [path, body] =
    pathname === '/login'
      ? ['/sign-in/email', { email, password }]
      : ['/oauth2/consent', { accept: form.get('decision') === 'allow' }];
  const { headers } = request;
  const response = await auth.handler(
    new Request(origin + base + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin, cookie: headers.get('cookie') ?? '' },
      body: JSON.stringify({ ...body, oauth_query: search.slice(1) }),
    }),
  );
  const { url } = (await response.json()) as { readonly url?: string };
  const next = new Headers(url === undefined ? {} : { location: new URL(url, origin).href });
  for (const cookie of response.headers.getSetCookie()) {
    next.append('set-cookie', cookie);
  }
  return new Response(null, { status: url === undefined ? 400 : 302, headers: next });
}

function showPage(pathname: string): Response {
  const fields =
    pathname === '/login'
      ? '<button name="decision" value="allow">Sign in</button><button name="decision" value="deny">Later</button>'
      : '<button name="decision" value="allow">Allow</button><button name="decision" value="deny">Deny</button>';
  const page = `<!doctype html><title>Sign in</title><form method="post">${fields}</form>`;
  return new Response(page, { headers: { 'content-type': 'text/html' } });
}

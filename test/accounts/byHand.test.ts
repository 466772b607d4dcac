/** Servers without discovery, whose entry says where to sign in, for whom, and with what parameters. */
import { describe, expect, it } from 'vitest';
import { useAccounts, whoami } from '../helpers/accounts/accountHarness.js';
import { tokenRequests } from '../helpers/accounts/accountServer.js';
import {
  type OidcOptions,
  type OidcServer,
  startOidcServer,
} from '../helpers/accounts/oidcServer.js';

const test = useAccounts();

/** One that says nothing of itself. */
async function startSilent(options: OidcOptions = {}): Promise<OidcServer> {
  const server = await test.start(startOidcServer({ metadataAt: 'nowhere', ...options }));
  server.wire.metadata = () => undefined;
  return server;
}

function endpoints({ wire, paths }: OidcServer) {
  return {
    authorizationUrl: wire.origin + paths.authorize,
    tokenUrl: wire.origin + paths.token,
    registrationUrl: wire.origin + paths.register,
  };
}

function queries(server: OidcServer, path: string): readonly URLSearchParams[] {
  return server.wire.to(path).map(({ url, body }) => new URLSearchParams(body || url.search));
}

describe('a server without discovery', () => {
  it('cannot be signed in to as it is', async () => {
    const server = await startSilent();
    await expect(test.openSignedIn(server)).rejects.toThrow();
    expect(test.user.pages).toEqual([]);
  });

  it('is signed in to and refreshed by the endpoints of its entry, which nobody is asked for', async () => {
    const server = await startSilent();
    const oauth = { ...endpoints(server), scope: 'read' };
    const { core, server: account } = await test.openSignedIn(server, { oauth });
    expect(await whoami(account)).toBe('whoami');
    server.expireAccessTokens();
    expect(await whoami(account)).toBe('whoami');
    await test.cores.close(core);
    const { server: next } = await test.open(server, { oauth });
    server.expireAccessTokens();
    expect(await whoami(next)).toBe('whoami');
    expect(tokenRequests(server)).toEqual([
      'authorization_code 200',
      'refresh_token 200',
      'refresh_token 200',
    ]);
    const asked = [server.wire, server.resourceWire].flatMap(({ exchanges }) => exchanges);
    expect(asked.filter(({ url }) => url.pathname.includes('well-known'))).toEqual([]);
    expect(test.asked).toEqual(['sign_in']);
  });

  it('takes a client that was registered by hand, and says what is missing without one', async () => {
    const clients = [
      {
        client_id: 'by-hand',
        redirect_uris: ['http://127.0.0.1/callback'],
        application_type: 'native',
        token_endpoint_auth_method: 'none',
        scope: 'read',
        grant_types: ['authorization_code', 'refresh_token'],
      },
    ];
    const server = await startSilent({ clients });
    const { registrationUrl: _, ...rest } = endpoints(server);
    const oauth = { ...rest, scope: 'read' };
    await expect(test.openSignedIn(server, { oauth })).rejects.toMatchObject({
      code: 'oauth_settings',
      message: expect.stringContaining('oauth.clientId'),
    });
    expect(test.user.pages).toEqual([]);
    const { server: account } = await test.openSignedIn(server, {
      oauth: { ...oauth, clientId: 'by-hand' },
    });
    expect(await whoami(account)).toBe('whoami');
    expect(server.wire.to(server.paths.register)).toEqual([]);
  });

  it('gives a client tokens without a user', async () => {
    const grant = 'client_credentials';
    const clients = [
      {
        client_id: 'machine',
        client_secret: 'a-secret-of-the-machine',
        redirect_uris: [],
        response_types: [],
        grant_types: [grant],
        scope: 'read',
      },
    ];
    const server = await startSilent({ clients });
    const { tokenUrl } = endpoints(server);
    const { server: account } = await test.open(server, {
      oauth: {
        grant,
        tokenUrl,
        clientId: 'machine',
        clientSecret: 'a-secret-of-the-machine',
        scope: 'read',
      },
    });
    expect(await whoami(account)).toBe('whoami');
    expect(tokenRequests(server)).toEqual([`${grant} 200`]);
  });

  it('that calls itself otherwise than its address is refused, and the entry may say its name', async () => {
    const server = await startSilent({ path: '/tenant' });
    const oauth = { ...endpoints(server), scope: 'read' };
    await expect(test.openSignedIn(server, { oauth })).rejects.toMatchObject({
      code: 'foreign_return',
      remedy: expect.stringContaining('"oauth.issuer"'),
    });
    expect(tokenRequests(server)).toEqual([]);
    const named = { ...oauth, issuer: server.issuer };
    const { server: account } = await test.openSignedIn(server, { oauth: named });
    expect(await whoami(account)).toBe('whoami');
  });
});

describe('an account of other endpoints', () => {
  it.each([
    ['that the server names itself', (_: OidcServer) => ({})],
    [
      'of another server',
      (server: OidcServer) => ({ ...endpoints(server), issuer: server.issuer, scope: 'read' }),
    ],
  ])('%s is not sent to those of the entry', async (_what, entry) => {
    const [server, other] = [await test.start(startOidcServer()), await startSilent()];
    const { core } = await test.openSignedIn(server, { oauth: entry(server) });
    await test.cores.close(core);
    // the issuer that the account is of, and the endpoints of somebody else
    const oauth = { ...endpoints(other), issuer: server.issuer };
    server.expireAccessTokens();
    const { server: account } = await test.open(server, { oauth });
    await whoami(account).catch(() => undefined);
    expect(account.state.value.kind).toBe('needs_auth');
    expect(other.wire.exchanges).toEqual([]);
    expect(test.secrets.values.size).toBe(0);
  });
});

describe('what the entry wants to be said', () => {
  it.each([true, false])(
    'goes to the page and with each request for tokens: by hand %s',
    async (byHand) => {
      const server = byHand ? await startSilent() : await test.start(startOidcServer());
      const oauth = {
        ...(byHand ? endpoints(server) : {}),
        scope: 'read',
        resource: server.url,
        audience: 'an-audience',
        parameters: { tenant: 'of-the-entry', prompt: 'consent' },
      };
      const { server: account } = await test.openSignedIn(server, { oauth });
      expect(await whoami(account)).toBe('whoami');
      server.expireAccessTokens();
      expect(await whoami(account)).toBe('whoami');
      const said = [server.paths.authorize, server.paths.token]
        .flatMap((path) => queries(server, path))
        .filter((query) => query.has('client_id'))
        .map((query) =>
          ['tenant', 'audience', 'resource', 'prompt'].map((name) => query.get(name)),
        );
      expect(said).toHaveLength(3);
      expect(new Set(said.map(String))).toEqual(
        new Set([`of-the-entry,an-audience,${server.url},consent`]),
      );
    },
  );

  it('is whom the tokens are for', async () => {
    const server = await startSilent();
    const oauth = { ...endpoints(server), scope: 'read', resource: 'https://elsewhere.example/' };
    await test.openSignedIn(server, { oauth });
    // a token for somebody else, which the server does not take
    expect(server.resource.refusals.unauthorized).toBeGreaterThan(1);
  });
});

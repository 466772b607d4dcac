/** Ways to authorize that are extensions of the protocol: a server hears of them from clients that use them. */
import { describe, expect, it } from 'vitest';
import { useAccounts, whoami } from '../helpers/accounts/accountHarness.js';
import { tokenRequests } from '../helpers/accounts/accountServer.js';
import { type OidcServer, startOidcServer } from '../helpers/accounts/oidcServer.js';

const test = useAccounts();
const clientCredentials = 'io.modelcontextprotocol/oauth-client-credentials';
const enterprise = 'io.modelcontextprotocol/enterprise-managed-authorization';
const jwtBearer = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const exchange = 'urn:ietf:params:oauth:grant-type:token-exchange';
const secret = 'a-secret-of-the-machine';

function client(grant: string): object {
  return {
    client_id: 'machine',
    client_secret: secret,
    redirect_uris: [],
    response_types: [],
    grant_types: [grant],
    scope: 'read',
  };
}

/** Extensions that the server was told of when a session began. */
function announced({ resourceWire }: OidcServer): readonly string[] {
  const bodies = resourceWire.to('/mcp').map(({ body }) => (body === '' ? {} : JSON.parse(body)));
  const first = bodies.findLast(({ method }) => method === 'initialize');
  return Object.keys(first?.params.capabilities.extensions ?? {});
}

describe('a client tells a server of', () => {
  it('no way to authorize that it does not use', async () => {
    const server = await test.start(startOidcServer());
    const { server: account } = await test.openSignedIn(server);
    expect(await whoami(account)).toBe('whoami');
    expect(announced(server)).not.toContain(clientCredentials);
    expect(announced(server)).not.toContain(enterprise);
  });

  it('its own credentials', async () => {
    const grant = 'client_credentials';
    const server = await test.start(startOidcServer({ clients: [client(grant)] }));
    const oauth = { grant, clientId: 'machine', clientSecret: secret };
    const { server: account } = await test.open(server, { oauth });
    expect(await whoami(account)).toBe('whoami');
    expect(announced(server)).toContain(clientCredentials);
    expect(announced(server)).not.toContain(enterprise);
  });

  it('an identity provider of an enterprise, which gives it a grant for this server alone', async () => {
    const server = await test.start(startOidcServer({ clients: [client(jwtBearer)] }));
    const provider = await test.start(startOidcServer({ clients: [client(exchange)] }));
    const asked = lendIdentity(provider);
    takeGrants(server, asked);
    const oauth = {
      grant: 'cross_app_access',
      clientId: 'machine',
      clientSecret: secret,
      identityProvider: {
        tokenEndpoint: provider.wire.origin + provider.paths.token,
        clientId: 'machine',
        clientSecret: secret,
        idToken: 'an-id-token-of-the-user',
      },
    };
    const { server: account } = await test.open(server, { oauth });
    expect(await whoami(account)).toBe('whoami');
    expect(tokenRequests(provider)).toEqual([`${exchange} 200`]);
    expect(tokenRequests(server)).toEqual([`${jwtBearer} 200`]);
    expect([...asked.values()]).toEqual([
      expect.objectContaining({
        audience: server.issuer,
        resource: server.url,
        subject_token: 'an-id-token-of-the-user',
      }),
    ]);
    expect(announced(server)).toContain(enterprise);
    expect(announced(server)).not.toContain(clientCredentials);
    expect(test.asked).toEqual([]);
  });
});

/** oidc-provider knows the grant as one that is registered. @returns what each grant was asked for with. */
function lendIdentity({ provider }: OidcServer): ReadonlyMap<string, Record<string, string>> {
  const given = new Map<string, Record<string, string>>();
  const parameters = ['requested_token_type', 'audience', 'resource', 'subject_token'];
  provider.registerGrantType(
    exchange,
    async (context) => {
      const grant = `grant-${given.size}-for-one-server`;
      given.set(grant, { ...context.oidc.params });
      context.body = {
        access_token: grant,
        issued_token_type: 'urn:ietf:params:oauth:token-type:id-jag',
        token_type: 'N_A',
        expires_in: 60,
      };
    },
    [...parameters, 'subject_token_type', 'scope'],
  );
  return given;
}

function takeGrants(
  { provider, url }: OidcServer,
  given: ReadonlyMap<string, Record<string, string>>,
): void {
  provider.registerGrantType(
    jwtBearer,
    async (context) => {
      const { client: asking, params } = context.oidc;
      if (!given.has(params.assertion ?? '')) {
        throw new Error('Nobody gave this grant');
      }
      const token = new provider.ClientCredentials({ client: asking, scope: 'read' });
      token.resourceServer = new provider.ResourceServer(url, { scope: 'read', audience: url });
      context.body = {
        access_token: await token.save(),
        token_type: 'Bearer',
        expires_in: 60,
        scope: 'read',
      };
    },
    ['assertion', 'scope', 'resource'],
  );
}

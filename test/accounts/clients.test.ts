/** How the product is known to a real authorization server, and how it proves that it is the one. */
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { useAccounts, whoami } from '../helpers/accounts/accountHarness.js';
import { tokenRequests } from '../helpers/accounts/accountServer.js';
import { startOidcServer } from '../helpers/accounts/oidcServer.js';

const test = useAccounts();
const grant = 'client_credentials';

describe('a client that is the address of its metadata', () => {
  const clientMetadataUrl = 'https://client.example/pi-mcp.json';
  const document = {
    client_id: clientMetadataUrl,
    client_name: 'Pi MCP',
    redirect_uris: ['http://127.0.0.1/callback', 'http://localhost/callback'],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    application_type: 'native',
    token_endpoint_auth_method: 'none',
    id_token_signed_response_alg: 'ES256',
  };
  const fetchClientMetadata = async () => Response.json(document);

  it('registers nowhere', async () => {
    const server = await test.start(startOidcServer({ fetchClientMetadata }));
    const { server: account } = await test.openSignedIn(server, { oauth: { clientMetadataUrl } });
    expect(await whoami(account)).toBe('whoami');
    server.expireAccessTokens();
    expect(await whoami(account)).toBe('whoami');
    expect(server.wire.to(server.paths.register)).toEqual([]);
    expect(clientIds(server)).toEqual([clientMetadataUrl, clientMetadataUrl]);
    expect(tokenRequests(server)).toEqual(['authorization_code 200', 'refresh_token 200']);
  });

  it('registers where the server takes no such clients', async () => {
    const server = await test.start(startOidcServer());
    const { server: account } = await test.openSignedIn(server, { oauth: { clientMetadataUrl } });
    expect(await whoami(account)).toBe('whoami');
    expect(server.wire.to(server.paths.register)).toHaveLength(1);
  });
});

describe('a client that registers itself', () => {
  it('is a native one, for ten ports, and for the one that the entry names alone', async () => {
    const server = await test.start(startOidcServer());
    await test.openSignedIn(server);
    const registration = registrations(server).at(-1);
    expect(registration).toMatchObject({
      application_type: 'native',
      token_endpoint_auth_method: 'none',
    });
    expect(registration?.redirect_uris).toHaveLength(10);
    const { core } = await test.openSignedIn(server, { oauth: { callbackPort: await freePort() } });
    expect(registrations(server).at(-1)?.redirect_uris).toHaveLength(1);
    await core.shutdown();
  });

  it('is registered for one port where the server takes no more', async () => {
    const server = await test.start(startOidcServer());
    server.wire.failNext(server.paths.register, 400);
    server.wire.failNext(server.paths.register, 400);
    const { server: account } = await test.openSignedIn(server);
    expect(await whoami(account)).toBe('whoami');
    const sent = registrations(server).map(({ redirect_uris: uris }) => uris.length);
    expect(sent).toEqual([10, 10, 1]);
  });
});

describe('a client without a user', () => {
  const machine = {
    client_id: 'machine',
    redirect_uris: [],
    response_types: [],
    grant_types: [grant],
    scope: 'read',
  };
  const secret = 'a-secret-of-the-machine';

  it.each(['client_secret_basic', 'client_secret_post'])('%s', async (method) => {
    const clients = [{ ...machine, client_secret: secret, token_endpoint_auth_method: method }];
    const server = await test.start(startOidcServer({ clients, authMethods: [method] }));
    const oauth = { grant, clientId: 'machine', clientSecret: secret };
    const { server: account } = await test.open(server, { oauth });
    expect(await whoami(account)).toBe('whoami');
    server.expireAccessTokens();
    expect(await whoami(account)).toBe('whoami');
    expect(tokenRequests(server)).toEqual([`${grant} 200`, `${grant} 200`]);
    expect(test.asked).toEqual([]);
  });

  it('private_key_jwt', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const jwks = { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'k', alg: 'ES256' }] };
    const method = 'private_key_jwt';
    const clients = [{ ...machine, jwks, token_endpoint_auth_method: method }];
    const server = await test.start(startOidcServer({ clients, authMethods: [method] }));
    const pem = String(privateKey.export({ type: 'pkcs8', format: 'pem' }));
    const oauth = { grant, clientId: 'machine', privateKey: pem };
    const { server: account } = await test.open(server, { oauth });
    expect(await whoami(account)).toBe('whoami');
    expect(tokenRequests(server)).toEqual([`${grant} 200`]);
    await test.expectNothingLeaked();
    expect(test.log.join('\n')).not.toContain(pem.split('\n')[1]);
  });

  it('whose secret is wrong says so, and asks once', async () => {
    const clients = [{ ...machine, client_secret: secret }];
    const server = await test.start(startOidcServer({ clients }));
    const oauth = { grant, clientId: 'machine', clientSecret: 'wrong' };
    const { server: account } = await test.open(server, { oauth });
    const error: unknown = await whoami(account).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(Error);
    expect(tokenRequests(server).filter((text) => text.endsWith('200'))).toEqual([]);
    await test.expectNothingLeaked(error, account.state.value);
  });
});

describe('tokens that are bound to a key', () => {
  it('are refreshed, survive a new nonce, and a restart', async () => {
    const server = await test.start(startOidcServer({ requiresDpop: true }));
    const { core, server: account } = await test.openSignedIn(server);
    expect(await whoami(account)).toBe('whoami');
    server.expireAccessTokens();
    expect(await whoami(account)).toBe('whoami');
    server.proofs?.renewNonce();
    expect(await whoami(account)).toBe('whoami');
    await test.cores.close(core);
    const { server: next } = await test.open(server);
    server.expireAccessTokens();
    expect(await whoami(next)).toBe('whoami');
    expect(tokenRequests(server).filter((text) => text.endsWith('200'))).toHaveLength(3);
    expect(test.asked).toEqual(['sign_in']);
  });
});

function clientIds({ wire, paths }: Parameters<typeof tokenRequests>[0]): readonly string[] {
  return wire.to(paths.token).map(({ body }) => new URLSearchParams(body).get('client_id') ?? '');
}

function registrations({ wire, paths }: Parameters<typeof tokenRequests>[0]) {
  type Registration = Record<string, unknown> & { readonly redirect_uris: readonly string[] };
  return wire.to(paths.register).map(({ body }): Registration => JSON.parse(body));
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address ? address.port : 0;
}

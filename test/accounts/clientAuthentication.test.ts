/** How a client proves to a real authorization server that it is this one, when a person signs in. */
import { generateKeyPairSync } from 'node:crypto';
import { expect, it } from 'vitest';
import { accountId, useAccounts, type Window, whoami } from '../helpers/accounts/accountHarness.js';
import { tokenRequests } from '../helpers/accounts/accountServer.js';
import { type OidcServer, startOidcServer } from '../helpers/accounts/oidcServer.js';

const test = useAccounts();
const byHand = {
  client_id: 'by-hand',
  redirect_uris: ['http://127.0.0.1/callback'],
  application_type: 'native',
  grant_types: ['authorization_code', 'refresh_token'],
};
const signsInAndRefreshes = ['authorization_code 200', 'refresh_token 200'];

/** What every way to authenticate has to serve for. */
async function useAndLeave(server: OidcServer, entry: object = {}): Promise<Window> {
  const window = await test.openSignedIn(server, entry);
  expect(await whoami(window.server)).toBe('whoami');
  server.expireAccessTokens();
  expect(await whoami(window.server)).toBe('whoami');
  await window.core.accounts.signOut(accountId);
  const revocations = server.wire.to(server.paths.revoke);
  expect(revocations.map(({ status }) => status)).toEqual([200, 200]);
  expect(server.store.count('RefreshToken')).toBe(0);
  expect(server.store.count('AccessToken')).toBe(0);
  return window;
}

function registrations(server: OidcServer) {
  return server.wire
    .to(server.paths.register)
    .map(({ status, body }) => ({ status, ...JSON.parse(body) }));
}

function keyPair(type: 'ec' | 'rsa') {
  const { publicKey, privateKey } =
    type === 'ec'
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
      : generateKeyPairSync('rsa', { modulusLength: 2048 });
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  return { pem, jwk: publicKey.export({ format: 'jwk' }) };
}

it.each([
  ['ec', 'ES256'],
  ['rsa', 'RS256'],
] as const)('signs with a key of kind %s', async (kind, algorithm) => {
  const { pem, jwk } = keyPair(kind);
  const client = {
    ...byHand,
    token_endpoint_auth_method: 'private_key_jwt',
    token_endpoint_auth_signing_alg: algorithm,
    jwks: { keys: [{ ...jwk, use: 'sig' }] },
  };
  const server = await test.start(startOidcServer({ clients: [client] }));
  await useAndLeave(server, { oauth: { clientId: 'by-hand', privateKey: pem } });
  expect(tokenRequests(server)).toEqual(signsInAndRefreshes);
});

it('registers the public half of its key', async () => {
  const { pem } = keyPair('ec');
  const authMethods = ['private_key_jwt', 'client_secret_basic'];
  const server = await test.start(startOidcServer({ authMethods }));
  await useAndLeave(server, { oauth: { privateKey: pem } });
  expect(registrations(server)).toMatchObject([
    { status: 201, token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [{ kty: 'EC' }] } },
  ]);
  expect(registrations(server)[0].jwks.keys[0]).not.toHaveProperty('d');
});

it('says what is wrong with a key, and nothing of it', async () => {
  const server = await test.start(startOidcServer());
  const oauth = { clientId: 'by-hand', privateKey: 'not-a-key-at-all' };
  const { core } = await test.open(server, { oauth });
  const error: unknown = await core.accounts.signIn(accountId).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: 'oauth_settings' });
  expect([String(error), ...test.log].join('\n')).not.toContain('not-a-key-at-all');
});

it.each([
  ['client_secret_basic', 'https://client.example/app?a=1&b=%2F'],
  ['client_secret_post', 'plain'],
])('presents a secret full of punctuation with %s', async (method, clientId) => {
  const client = {
    ...byHand,
    client_id: clientId,
    client_secret: 'a+b/c%2Fd:e=f&g h~"é"'.replace(/é/g, '!'),
    token_endpoint_auth_method: method,
  };
  const server = await test.start(startOidcServer({ clients: [client], authMethods: [method] }));
  const oauth = { clientId, clientSecret: client.client_secret };
  await useAndLeave(server, { oauth });
  expect(tokenRequests(server)).toEqual(signsInAndRefreshes);
});

it.each([['client_secret_post'], ['client_secret_basic'], ['none']])(
  'registers itself for %s where the server takes nothing else',
  async (method) => {
    const server = await test.start(startOidcServer({ authMethods: [method] }));
    await useAndLeave(server);
    expect(tokenRequests(server)).toEqual(signsInAndRefreshes);
    expect(registrations(server)).toMatchObject([
      { status: 201, token_endpoint_auth_method: method },
    ]);
  },
);

it('registers without a scope when the server does not know one that the resource names', async () => {
  const scopesSupported = ['read', 'unheard-of'];
  const server = await test.start(startOidcServer({ scopesSupported }));
  const { server: account } = await test.openSignedIn(server);
  expect(await whoami(account)).toBe('whoami');
  const [refused, registered, ...more] = registrations(server);
  expect([refused.status, registered.status, more]).toEqual([400, 201, []]);
  expect(registered).not.toHaveProperty('scope');
});

it('says in the log that tokens were not given back', async () => {
  const server = await test.start(startOidcServer());
  const { core } = await test.openSignedIn(server);
  server.wire.failNext(server.paths.revoke, 503);
  await core.accounts.signOut(accountId);
  expect(test.log.join('\n')).toContain('The authorization server still takes the tokens');
  expect([...test.secrets.values.values()].join()).not.toContain('"access_token"');
});

it('pushes its requests where the server wants that', async () => {
  const server = await test.start(startOidcServer({ requiresPar: true }));
  const { core, server: account } = await test.openSignedIn(server);
  expect(await whoami(account)).toBe('whoami');
  expect(server.wire.to('/request').map(({ status }) => status)).toEqual([201]);
  const pages = server.wire.to(server.paths.authorize).map(({ url }) => url.search);
  expect(pages.filter((query) => query.includes('code_challenge'))).toEqual([]);
  await core.accounts.signOut(accountId);
  await core.accounts.signIn(accountId);
  expect(registrations(server)).toHaveLength(1);
});

it('registers anew when its pushed request is refused, since the server forgot it', async () => {
  const server = await test.start(startOidcServer({ requiresPar: true }));
  const { core, server: account } = await test.openSignedIn(server);
  await core.accounts.signOut(accountId);
  server.forgetClients();
  await core.accounts.signIn(accountId);
  expect(await whoami(account)).toBe('whoami');
  expect(registrations(server)).toHaveLength(2);
});

it('authenticates a pushed request with its secret', async () => {
  const authMethods = ['client_secret_basic'];
  const server = await test.start(startOidcServer({ requiresPar: true, authMethods }));
  await useAndLeave(server);
  expect(server.wire.to('/request')[0]?.headers.authorization).toMatch(/^Basic /);
});

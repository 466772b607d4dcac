/** What an authorization server can be told to demand, which the other files build on. */
import { expect, it } from 'vitest';
import { accountId, call, useAccounts, whoami } from '../helpers/accounts/accountHarness.js';
import { tokenRequests } from '../helpers/accounts/accountServer.js';
import { startOidcServer } from '../helpers/accounts/oidcServer.js';

const test = useAccounts();

it('rotates refresh tokens, and takes the grant away when one comes twice', async () => {
  const server = await test.start(startOidcServer());
  const { server: account } = await test.openSignedIn(server);
  expect(await whoami(account)).toBe('whoami');
  server.expireAccessTokens();
  expect(await whoami(account)).toBe('whoami');
  const [signIn] = server.wire.to(server.paths.token);
  const { refresh_token } = JSON.parse(signIn?.answer ?? '');
  const client_id = new URLSearchParams(signIn?.body).get('client_id') ?? '';
  const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token, client_id });
  const again = await fetch(server.issuer + server.paths.token, { method: 'POST', body });
  expect(again.status).toBe(400);
  expect(server.store.count('AccessToken')).toBe(0);
});

it('wants the scope of each tool', async () => {
  const server = await test.start(startOidcServer());
  const { server: account } = await test.openSignedIn(server);
  test.user.isWilling = false;
  await expect(call(account, 'change')).rejects.toMatchObject({ code: 'forbidden' });
  expect(server.resource.calls).toEqual([]);
});

it('refuses a client that asks for more than it registered', async () => {
  const clients = [
    {
      client_id: 'reader',
      redirect_uris: ['http://127.0.0.1/callback'],
      application_type: 'native',
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      scope: 'read',
    },
  ];
  const server = await test.start(startOidcServer({ clients, connectScopes: ['write'] }));
  const { core } = await test.open(server, { oauth: { clientId: 'reader' } });
  await expect(core.accounts.signIn(accountId)).rejects.toMatchObject({ code: 'sign_in_refused' });
  expect(tokenRequests(server)).toEqual([]);
});

it('wants proofs with nonces of both servers', async () => {
  const server = await test.start(startOidcServer({ requiresDpop: true }));
  const { server: account } = await test.openSignedIn(server);
  expect(await whoami(account)).toBe('whoami');
  expect(tokenRequests(server)).toEqual(['authorization_code 400', 'authorization_code 200']);
});

it('hides the page of a request that was not pushed', async () => {
  const server = await test.start(startOidcServer({ requiresPar: true }));
  const page = await fetch(`${server.issuer}${server.paths.authorize}?client_id=unknown`);
  expect(page.status).toBe(400);
});

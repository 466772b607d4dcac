/** Where real servers put what they say about their authorization. */
import { expect, it } from 'vitest';
import { useAccounts, whoami } from '../helpers/accounts/accountHarness.js';
import { tokenRequests } from '../helpers/accounts/accountServer.js';
import { startOidcServer } from '../helpers/accounts/oidcServer.js';
import { startSdkServer } from '../helpers/accounts/sdkServer.js';

const test = useAccounts();

it.each([
  ['path', true],
  ['path', false],
  ['root', true],
  ['root', false],
  ['header', true],
] as const)(
  'metadata of the resource at the place %s are found, named by a challenge: %s',
  async (metadataAt, namesMetadata) => {
    const server = await test.start(startOidcServer({ metadataAt, namesMetadata }));
    const { server: account } = await test.openSignedIn(server);
    expect(await whoami(account)).toBe('whoami');
    expect(tokenRequests(server)).toEqual(['authorization_code 200']);
  },
);

it('is looked for at the MCP server itself when there are no metadata of the resource', async () => {
  // as before the specification of 2025-06-18; the scope is then for the user to name
  const server = await test.start(startSdkServer({ metadataAt: 'nowhere' }));
  const { server: account } = await test.openSignedIn(server, { oauth: { scope: 'read' } });
  expect(await whoami(account)).toBe('whoami');
});

const placements: readonly (readonly [place: string, path: string])[] = [
  ['/.well-known/oauth-authorization-server', ''],
  ['/.well-known/openid-configuration', ''],
  ['/.well-known/oauth-authorization-server/tenant/one', '/tenant/one'],
  ['/.well-known/openid-configuration/tenant/one', '/tenant/one'],
  ['/tenant/one/.well-known/openid-configuration', '/tenant/one'],
];

it.each(placements)('metadata of the authorization server at %s are found', async (place, path) => {
  const server = await test.start(startOidcServer({ path }));
  server.wire.metadata = (document, { pathname }) => (pathname === place ? document : undefined);
  const { server: account } = await test.openSignedIn(server);
  expect(await whoami(account)).toBe('whoami');
  server.expireAccessTokens();
  expect(await whoami(account)).toBe('whoami');
  expect(tokenRequests(server)).toEqual(['authorization_code 200', 'refresh_token 200']);
});

it('asks for the scope of the challenge, before that of the metadata', async () => {
  const options = { challengeScope: 'read write', scopesSupported: ['read', 'admin'] };
  const server = await test.start(startOidcServer(options));
  await test.openSignedIn(server);
  const [signIn] = server.wire.to(server.paths.authorize).slice(-1);
  const asked = signIn?.url.searchParams.get('scope')?.split(' ');
  expect(asked).toEqual(expect.arrayContaining(['read', 'write']));
  expect(asked).not.toContain('admin');
});

it('asks for refresh tokens where they cost a scope of their own', async () => {
  const server = await test.start(startOidcServer({ refreshesOnlyOffline: true }));
  const { server: account } = await test.openSignedIn(server);
  server.expireAccessTokens();
  expect(await whoami(account)).toBe('whoami');
  expect(tokenRequests(server)).toEqual(['authorization_code 200', 'refresh_token 200']);
});

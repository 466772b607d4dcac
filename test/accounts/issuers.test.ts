/** Several authorization servers for one resource, and servers that are not who they say. */
import { describe, expect, it } from 'vitest';
import { accountId, useAccounts, whoami } from '../helpers/accounts/accountHarness.js';
import { tokenRequests } from '../helpers/accounts/accountServer.js';
import { type OidcServer, startOidcServer } from '../helpers/accounts/oidcServer.js';
import { startSdkProxy } from '../helpers/accounts/sdkServer.js';

const test = useAccounts();

/** A resource that names others before its own authorization server. */
function name(server: OidcServer, ...others: readonly string[]): void {
  server.resourceWire.metadata = (document) => ({
    ...document,
    authorization_servers: [...others, server.issuer],
  });
}

async function deadAddress(): Promise<string> {
  const { issuer, close } = await startOidcServer();
  await close();
  return issuer;
}

describe('of several authorization servers', () => {
  it('the next one is asked when the first is dead', async () => {
    const server = await test.start(startOidcServer());
    name(server, await deadAddress());
    const { server: account } = await test.openSignedIn(server);
    expect(await whoami(account)).toBe('whoami');
  });

  it('the one of the entry gets the account, and no other hears of it', async () => {
    const [server, other] = [
      await test.start(startOidcServer()),
      await test.start(startOidcServer()),
    ];
    name(server, other.issuer);
    const { server: account } = await test.openSignedIn(server, {
      oauth: { issuer: server.issuer },
    });
    expect(await whoami(account)).toBe('whoami');
    expect(other.wire.exchanges).toEqual([]);
  });

  it('the one that gave the tokens renews them, although another comes first by then', async () => {
    const [server, other] = [
      await test.start(startOidcServer()),
      await test.start(startOidcServer()),
    ];
    const { server: account } = await test.openSignedIn(server);
    name(server, other.issuer);
    server.expireAccessTokens();
    expect(await whoami(account)).toBe('whoami');
    expect(tokenRequests(server).at(-1)).toBe('refresh_token 200');
    expect(other.wire.exchanges).toEqual([]);
  });

  it('none is asked for tokens that it did not give while the one that did is away', async () => {
    const [server, other] = [
      await test.start(startOidcServer()),
      await test.start(startOidcServer()),
    ];
    const { server: account } = await test.openSignedIn(server);
    name(server, other.issuer);
    server.expireAccessTokens();
    for (const path of ['oauth-authorization-server', 'openid-configuration']) {
      server.wire.failNext(`/.well-known/${path}`, 503);
    }
    await expect(whoami(account)).rejects.toThrow();
    expect(other.wire.exchanges).toEqual([]);
    expect(test.asked).toEqual(['sign_in']);
  });
});

it('a proxy whose answers are of another issuer is refused, and no setting is promised to help', async () => {
  const upstream = await startOidcServer();
  const server = await test.start(startSdkProxy(upstream));
  const { core } = await test.open(server);
  await expect(core.accounts.signIn(accountId)).rejects.toMatchObject({
    code: 'foreign_return',
    message: expect.stringContaining(upstream.issuer),
    remedy: 'Ask the operator of the server.',
  });
});

/** What every authorization server is used for, with each of them. */
import { describe, expect, it } from 'vitest';
import { accountId, useAccounts, whoami } from '../helpers/accounts/accountHarness.js';
import { tokenRequests } from '../helpers/accounts/accountServer.js';
import { everyServer } from '../helpers/accounts/everyServer.js';

const test = useAccounts();

describe.each(everyServer)('%s', (_name, start) => {
  it('signs in, refreshes with a new token each time, and is known to the next window', async () => {
    const server = await test.start(start());
    const { core, server: account } = await test.openSignedIn(server);
    expect(await whoami(account)).toBe('whoami');
    for (let round = 0; round < 3; round++) {
      server.expireAccessTokens();
      expect(await whoami(account)).toBe('whoami');
    }
    expect(new Set(refreshTokens(server)).size).toBe(3);
    await test.cores.close(core);
    const { server: next } = await test.open(server);
    expect(await whoami(next)).toBe('whoami');
    expect(tokenRequests(server)).toEqual(['authorization_code 200', ...threeRefreshes]);
    expect(test.asked).toEqual(['sign_in']);
    expect(server.wire.to(server.paths.register)).toHaveLength(1);
  });

  it('is refused by the user, and allowed after that', async () => {
    const server = await test.start(start());
    const { core, server: account } = await test.open(server);
    test.user.decision = 'deny';
    await expect(core.accounts.signIn(accountId)).rejects.toMatchObject({
      code: 'sign_in_refused',
    });
    expect(account.state.value.kind).toBe('needs_auth');
    test.user.decision = 'allow';
    await core.accounts.signIn(accountId);
    expect(await whoami(account)).toBe('whoami');
  });

  it('keeps the account of two windows that refresh at once', async () => {
    const server = await test.start(start());
    const { server: first } = await test.openSignedIn(server);
    const { server: second } = await test.open(server);
    expect(await whoami(second)).toBe('whoami');
    for (let round = 0; round < 2; round++) {
      server.expireAccessTokens();
      const both = await Promise.all([whoami(first), whoami(second), whoami(first)]);
      expect(both).toEqual(['whoami', 'whoami', 'whoami']);
    }
    expect(tokenRequests(server).filter((text) => !text.endsWith('200'))).toEqual([]);
    expect(test.asked).toEqual(['sign_in']);
  });

  it('tells the server when the user signs out', async () => {
    const server = await test.start(start());
    const { core, server: account } = await test.openSignedIn(server);
    const [{ answer = '' } = {}] = server.wire.to(server.paths.token);
    await core.accounts.signOut(accountId);
    const { refresh_token, access_token } = JSON.parse(answer);
    const revoked = server.wire
      .to(server.paths.revoke)
      .filter(({ status }) => status === 200)
      .map(({ body }) => new URLSearchParams(body).get('token'));
    expect(revoked).toContain(refresh_token);
    const headers = { authorization: `Bearer ${access_token}`, accept: 'application/json' };
    expect((await fetch(server.url, { method: 'POST', headers })).status).toBe(401);
    expect(account.state.value.kind).toBe('idle');
    expect([...test.secrets.values.values()].join()).not.toContain('"access_token"');
  });
});

describe.each(everyServer)('%s, which does not know the client any more,', (_name, start) => {
  it('registers anew, once, with a server that has lost its memory', async () => {
    const server = await test.start(start());
    const { server: account } = await test.openSignedIn(server);
    server.revokeGrants();
    server.forgetClients();
    const answers = await Promise.all([whoami(account), whoami(account)]);
    expect(answers).toEqual(['whoami', 'whoami']);
    expect(test.asked).toEqual(['sign_in', 'expired']);
    expect(server.wire.to(server.paths.register)).toHaveLength(2);
  });

  it('registers anew before a user who signs in again is sent to a page that knows no client', async () => {
    const server = await test.start(start());
    const { core, server: account } = await test.openSignedIn(server);
    await core.accounts.signOut(accountId);
    server.forgetClients();
    await core.accounts.signIn(accountId);
    expect(await whoami(account)).toBe('whoami');
    expect(test.user.pages.filter(({ status }) => status >= 400)).toEqual([]);
    expect(test.user.pages.filter(({ url }) => url.includes('error='))).toEqual([]);
  });
});

describe.each(everyServer)('%s, when the grant was taken away,', (_name, start) => {
  it('asks once for many calls', async () => {
    const server = await test.start(start());
    const { server: account } = await test.openSignedIn(server);
    server.revokeGrants();
    const answers = await Promise.all(Array.from({ length: 8 }, () => whoami(account)));
    expect(new Set(answers)).toEqual(new Set(['whoami']));
    expect(test.asked).toEqual(['sign_in', 'expired']);
  });

  it('waits for a user who does not want to sign in again', async () => {
    const server = await test.start(start());
    const { server: account } = await test.openSignedIn(server);
    server.revokeGrants();
    test.user.isWilling = false;
    await expect(whoami(account)).rejects.toMatchObject({ code: 'unauthorized' });
    expect(account.state.value.kind).toBe('needs_auth');
  });
});

const threeRefreshes = Array.from({ length: 3 }, () => 'refresh_token 200');

function refreshTokens({ wire, paths }: Parameters<typeof tokenRequests>[0]): readonly string[] {
  return wire
    .to(paths.token)
    .map(({ body }) => new URLSearchParams(body).get('refresh_token') ?? '')
    .filter(Boolean);
}

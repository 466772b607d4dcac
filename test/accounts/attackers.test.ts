/** What somebody between the user and a real authorization server may try, and what a server may not be trusted with. */
import { describe, expect, it } from 'vitest';
import { accountId, useAccounts, whoami } from '../helpers/accounts/accountHarness.js';
import { tokenRequests } from '../helpers/accounts/accountServer.js';
import { everyServer } from '../helpers/accounts/everyServer.js';

const test = useAccounts();

describe.each(everyServer)('%s', (_name, start) => {
  it('gets no code that returns with a state of another sign-in', async () => {
    const server = await test.start(start());
    const { core, server: account } = await test.open(server);
    const statuses: number[] = [];
    test.user.tamper = async (url) => {
      const forged = new URL(url);
      forged.searchParams.set('state', 'of-another-sign-in');
      forged.searchParams.set('code', 'of-the-attacker');
      statuses.push((await fetch(forged)).status);
    };
    await core.accounts.signIn(accountId);
    expect(statuses).toEqual([400]);
    expect(tokenRequests(server)).toEqual(['authorization_code 200']);
    expect(await whoami(account)).toBe('whoami');
  });

  it('gets no code that another issuer returns', async () => {
    const server = await test.start(start());
    const { core } = await test.open(server);
    test.user.tamper = (url) => url.searchParams.set('iss', 'https://elsewhere.example');
    await expect(core.accounts.signIn(accountId)).rejects.toMatchObject({ code: 'foreign_return' });
    expect(tokenRequests(server)).toEqual([]);
  });

  it('gets no code of an answer that does not say whose it is, although it promised to', async () => {
    const server = await test.start(start());
    const { core } = await test.open(server);
    let isPromised = false;
    server.wire.metadata = (document) => {
      isPromised ||= document.authorization_response_iss_parameter_supported === true;
      return document;
    };
    test.user.tamper = (url) => url.searchParams.delete('iss');
    const outcome = await core.accounts
      .signIn(accountId)
      .catch(({ code }: { code: string }) => code);
    expect(outcome).toBe(isPromised ? 'foreign_return' : undefined);
    expect(tokenRequests(server)).toHaveLength(isPromised ? 0 : 1);
  });

  it.each([['plain'], [[]], [undefined]])(
    'is not signed in to when it offers %s instead of S256',
    async (methods) => {
      const server = await test.start(start());
      const offered = methods === undefined ? undefined : [methods].flat();
      server.wire.metadata = (document) =>
        'authorization_endpoint' in document
          ? { ...document, code_challenge_methods_supported: offered }
          : document;
      const { core } = await test.open(server);
      await expect(core.accounts.signIn(accountId)).rejects.toMatchObject({ code: 'no_pkce' });
      expect(test.user.pages).toEqual([]);
      expect(server.wire.to(server.paths.register)).toEqual([]);
    },
  );

  it('is not believed when its metadata name another issuer', async () => {
    const server = await test.start(start());
    server.wire.metadata = (document) =>
      'authorization_endpoint' in document
        ? { ...document, issuer: 'https://elsewhere.example' }
        : document;
    const { core } = await test.open(server);
    await expect(core.accounts.signIn(accountId)).rejects.toMatchObject({
      code: 'foreign_metadata',
    });
    expect(test.user.pages).toEqual([]);
    expect(tokenRequests(server)).toEqual([]);
  });
});

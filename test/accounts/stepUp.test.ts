/** More rights in the middle of calls, at servers that hold a client to the rights that it registered for. */
import { describe, expect, it } from 'vitest';
import { accountId, call, useAccounts, whoami } from '../helpers/accounts/accountHarness.js';
import type { AccountServer } from '../helpers/accounts/accountServer.js';
import { startCloudflareServer } from '../helpers/accounts/cloudflareServer.js';
import { startOidcServer } from '../helpers/accounts/oidcServer.js';
import { startSdkProxy, startSdkServer } from '../helpers/accounts/sdkServer.js';
import { Wire } from '../helpers/accounts/wire.js';

const test = useAccounts();
const entry = { oauth: { scope: 'read' } };

const starts: Record<string, () => Promise<AccountServer>> = {
  'oidc-provider': startOidcServer,
  "the SDK's router": startSdkServer,
  "the SDK's proxy": async () => startSdkProxy(await startSdkServer()),
  "Cloudflare's": startCloudflareServer,
};

describe.each(Object.entries(starts))('%s', (_name, start) => {
  it('gives more rights beside those that are held', async () => {
    const server = await test.start(start());
    const { server: account } = await test.openSignedIn(server, entry);
    expect(await call(account, 'change')).toBe('change');
    expect(await call(account, 'govern')).toBe('govern');
    expect(await whoami(account)).toBe('whoami');
    expect(test.asked).toEqual(['sign_in', 'step_up', 'step_up']);
    server.expireAccessTokens();
    expect(await call(account, 'change')).toBe('change');
    expect(test.asked).toHaveLength(3);
  });

  it('gives ten calls at once what they lack, with two visits at most', async () => {
    const server = await test.start(start());
    const { server: account } = await test.openSignedIn(server, entry);
    const tools = Array.from({ length: 10 }, (_, index) => (index % 2 ? 'change' : 'govern'));
    expect(await Promise.all(tools.map((tool) => call(account, tool)))).toEqual(tools);
    expect(test.asked.length).toBeLessThanOrEqual(3);
    expect(await whoami(account)).toBe('whoami');
  });
});

describe('a client that is held to what it registered for', () => {
  it('is registered for more where the server lets it be', async () => {
    const server = await test.start(startOidcServer());
    const { server: account } = await test.openSignedIn(server, entry);
    expect(await call(account, 'change')).toBe('change');
    const registrations = server.wire.to(server.paths.register);
    expect(registrations.map(({ method }) => method)).toEqual(['POST']);
    expect(server.wire.exchanges.filter(({ method }) => method === 'PUT')).toHaveLength(1);
  });

  it('sends the token of its registration to no other place', async () => {
    const server = await test.start(startOidcServer());
    const elsewhere = await Wire.listen();
    try {
      const registration_client_uri = `${elsewhere.origin}/reg/1`;
      server.wire.rewrites.set(server.paths.register, (answer) => ({
        ...answer,
        registration_client_uri,
      }));
      const { server: account } = await test.openSignedIn(server, entry);
      expect(await call(account, 'change')).toBe('change');
      expect(elsewhere.exchanges).toEqual([]);
      expect(server.wire.to(server.paths.register)).toHaveLength(2);
    } finally {
      await elsewhere.close();
    }
  });

  it('gives way to a new one where it cannot be changed', async () => {
    const features = { registrationManagement: { enabled: false } };
    const server = await test.start(startOidcServer({ features }));
    const { server: account } = await test.openSignedIn(server, entry);
    expect(await call(account, 'change')).toBe('change');
    expect(server.wire.to(server.paths.register)).toHaveLength(2);
    server.expireAccessTokens();
    expect(await whoami(account)).toBe('whoami');
    expect(test.asked).toEqual(['sign_in', 'step_up']);
  });

  it('stays, with its tokens, when the user denies the rights', async () => {
    const features = { registrationManagement: { enabled: false } };
    const server = await test.start(startOidcServer({ features }));
    const { server: account } = await test.openSignedIn(server, entry);
    test.user.decision = 'deny';
    await expect(call(account, 'change')).rejects.toThrow();
    expect(await whoami(account)).toBe('whoami');
    server.expireAccessTokens();
    expect(await whoami(account)).toBe('whoami');
    expect(test.asked).toEqual(['sign_in', 'step_up']);
  });
});

describe('a client that was forgotten', () => {
  it.each(Object.entries(starts))(
    'is registered anew by the next sign-in at %s',
    async (_name, start) => {
      const server = await test.start(start());
      const { core, server: account } = await test.openSignedIn(server, entry);
      await core.accounts.signOut(accountId);
      server.forgetClients();
      await core.accounts.signIn(accountId);
      expect(await whoami(account)).toBe('whoami');
      expect(test.asked).toEqual(['sign_in', 'sign_in']);
    },
  );
});

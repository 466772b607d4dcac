/** Sign-in on another device, RFC 8628, against a real authorization server. */
import { beforeEach, expect, it, vi } from 'vitest';
import { CancellationError, whenAborted } from '../../src/base/async/cancellation.js';
import { createDevicePrompt } from '../../src/cli/account/devicePrompt.js';
import type { AuthorizationPrompt, DeviceCode } from '../../src/mcp/oauth/authorizationPrompt.js';
import { accountId, call, useAccounts, whoami } from '../helpers/accounts/accountHarness.js';
import { tokenRequests } from '../helpers/accounts/accountServer.js';
import { startOidcServer } from '../helpers/accounts/oidcServer.js';

const test = useAccounts();
const { pauses, user } = vi.hoisted(() => ({
  pauses: [] as number[],
  /** What a pause waits for beside its time. */
  user: { decides: undefined as Promise<unknown> | undefined },
}));
vi.mock(import('../../src/base/async/cancellation.js'), async (load) => {
  const actual = await load();
  return {
    ...actual,
    // a hundredth of what a server asks for
    delay: async (ms, signal) => {
      pauses.push(ms);
      await user.decides;
      return await actual.delay(ms / 100, signal);
    },
  };
});
beforeEach(() => {
  pauses.splice(0);
  user.decides = undefined;
});

const start = async () => {
  const server = await test.start(startOidcServer({ hasDeviceFlow: true, authMethods: ['none'] }));
  server.wire.rewrites.set('/device/auth', (answer) => ({ ...answer, interval: 2 }));
  return server;
};

/** A user who wants to sign in elsewhere; `onCode` is what happens there. Returning ends the sign-in here. */
function elsewhere(
  onCode: (code: DeviceCode, signal: AbortSignal) => Promise<void>,
): () => AuthorizationPrompt {
  return () => ({
    begin: async () => ({
      redirectUrl: 'http://127.0.0.1/callback',
      wantsDevice: true,
      open: () => Promise.reject(new Error('A page was opened')),
      showCode: onCode,
      dispose: () => undefined,
    }),
  });
}

const decide = async ({ completeAddress, address }: DeviceCode, signal: AbortSignal) => {
  await test.user.visit(completeAddress ?? address);
  await whenAborted(signal);
};

it('ends when the user has entered the code elsewhere', async () => {
  const server = await start();
  const authorizationPrompt = elsewhere(decide);
  const { core, server: account } = await test.open(server, {}, { authorizationPrompt });
  await core.accounts.signIn(accountId);
  expect(await whoami(account)).toBe('whoami');
  expect(tokenRequests(server).at(-1)).toMatch(/device_code 200$/);
  expect(test.user.returns).toEqual([]);
});

it('shows address and code on the command line', async () => {
  const server = await start();
  let shown = '';
  const io = {
    writeError: (text: string) => {
      shown += text;
      const [address = ''] = /http\S+user_code\S+/.exec(text) ?? [];
      void test.user.visit(new URL(address));
    },
  };
  const authorizationPrompt = () => createDevicePrompt(io);
  const { core, server: account } = await test.open(server, {}, { authorizationPrompt });
  await core.accounts.signIn(accountId);
  expect(await whoami(account)).toBe('whoami');
  const [{ answer = '' } = {}] = server.wire.to('/device/auth');
  const { user_code: code, verification_uri: address } = JSON.parse(answer);
  expect(shown).toContain(code);
  expect(shown).toContain(`${address}\n`);
});

it('refreshes its tokens as any account does', async () => {
  const server = await start();
  const authorizationPrompt = elsewhere(decide);
  const { core, server: account } = await test.open(server, {}, { authorizationPrompt });
  await core.accounts.signIn(accountId);
  server.expireAccessTokens();
  expect(await whoami(account)).toBe('whoami');
  expect(tokenRequests(server).at(-1)).toBe('refresh_token 200');
});

it('leaves the client for browsers alone, and registers another one', async () => {
  const server = await start();
  const browser = await test.openSignedIn(server);
  await browser.core.shutdown();
  server.revokeGrants();
  const authorizationPrompt = elsewhere(decide);
  const { core, server: account } = await test.open(server, {}, { authorizationPrompt });
  await core.accounts.signIn(accountId);
  expect(await whoami(account)).toBe('whoami');
  await core.shutdown();
  server.revokeGrants();
  const again = await test.openSignedIn(server);
  expect(await whoami(again.server)).toBe('whoami');
});

it('gives nothing of the account up until there are tokens of the other device', async () => {
  const server = await start();
  const browser = await test.openSignedIn(server);
  await browser.core.shutdown();
  const authorizationPrompt = elsewhere(async () => undefined);
  const { core, server: account } = await test.open(server, {}, { authorizationPrompt });
  await expect(core.accounts.signIn(accountId)).rejects.toMatchObject({
    code: 'sign_in_cancelled',
  });
  expect(server.wire.to(server.paths.register)).toHaveLength(2);
  server.expireAccessTokens();
  expect(await whoami(account)).toBe('whoami');
  expect(tokenRequests(server)).toEqual(['authorization_code 200', 'refresh_token 200']);
});

it('registers anew where the server has forgotten the client', async () => {
  const server = await start();
  const authorizationPrompt = elsewhere(decide);
  const { core, server: account } = await test.open(server, {}, { authorizationPrompt });
  await core.accounts.signIn(accountId);
  await core.accounts.signOut(accountId);
  server.forgetClients();
  await core.accounts.signIn(accountId);
  expect(await whoami(account)).toBe('whoami');
  expect(server.wire.to(server.paths.register)).toHaveLength(2);
});

it('registers anew where the client is held to fewer rights', async () => {
  const server = await start();
  const authorizationPrompt = elsewhere(decide);
  const open = (scope: string) => test.open(server, { oauth: { scope } }, { authorizationPrompt });
  const first = await open('read');
  await first.core.accounts.signIn(accountId);
  await first.core.shutdown();
  const { core, server: account } = await open('read write');
  await core.accounts.signIn(accountId);
  expect(await call(account, 'change')).toBe('change');
  server.expireAccessTokens();
  expect(await call(account, 'change')).toBe('change');
  expect(server.wire.to(server.paths.register)).toHaveLength(2);
});

it('says that it was refused elsewhere', async () => {
  const server = await start();
  const authorizationPrompt = elsewhere(async (code, signal) => {
    server.wire.failNext(server.paths.token, 400, {}, { error: 'access_denied' });
    await whenAborted(signal);
    expect(code.userCode).toMatch(/\w/);
  });
  const { core } = await test.open(server, {}, { authorizationPrompt });
  await expect(core.accounts.signIn(accountId)).rejects.toMatchObject({ code: 'sign_in_refused' });
});

it('goes on while nothing is entered, and more slowly when the server wants that', async () => {
  const server = await start();
  const authorizationPrompt = elsewhere(async (code, signal) => {
    server.wire.failNext(server.paths.token, 400, {}, { error: 'slow_down' });
    user.decides = test.user.visit(code.completeAddress ?? code.address);
    await whenAborted(signal);
  });
  const { core } = await test.open(server, {}, { authorizationPrompt });
  await core.accounts.signIn(accountId);
  expect(tokenRequests(server).map((request) => request.split(' ').at(-1))).toEqual(['400', '200']);
  expect(pauses).toEqual([2000, 7000]);
});

it('says that the code has run out', async () => {
  const server = await start();
  const authorizationPrompt = elsewhere(async (_code, signal) => {
    server.wire.failNext(server.paths.token, 400, {}, { error: 'expired_token' });
    await whenAborted(signal);
  });
  const { core } = await test.open(server, {}, { authorizationPrompt });
  await expect(core.accounts.signIn(accountId)).rejects.toMatchObject({ code: 'device_expired' });
});

it('ends when the user gives up, and when it is cancelled', async () => {
  const server = await start();
  const cancellation = new AbortController();
  const acts = [
    async () => undefined,
    async (_code: DeviceCode, signal: AbortSignal) => {
      cancellation.abort(new CancellationError());
      await whenAborted(signal);
    },
  ];
  const authorizationPrompt = elsewhere(async (code, signal) => acts.shift()?.(code, signal));
  const { core } = await test.open(server, {}, { authorizationPrompt });
  await expect(core.accounts.signIn(accountId)).rejects.toMatchObject({
    code: 'sign_in_cancelled',
  });
  await expect(core.accounts.signIn(accountId, cancellation.signal)).rejects.toMatchObject({
    name: 'CancellationError',
  });
  expect(tokenRequests(server)).toEqual([]);
});

it.each([
  { verification_uri: 'javascript:alert(1)' },
  { verification_uri: 'vscode://pi-mcp.pi-mcp/steal' },
  { user_code: '[Open](command:workbench.action.quit)' },
  { user_code: 'A\u001b[2J' },
  { device_code: 7 },
])('shows nothing of an answer with %j', async (change) => {
  const server = await start();
  server.wire.rewrites.set('/device/auth', (answer) => ({ ...answer, ...change }));
  const authorizationPrompt = elsewhere(() => Promise.reject(new Error('It was shown')));
  const { core } = await test.open(server, {}, { authorizationPrompt });
  await expect(core.accounts.signIn(accountId)).rejects.toMatchObject({ code: 'device_answer' });
});

it('is not offered by a server without it', async () => {
  const server = await test.start(startOidcServer());
  const authorizationPrompt = elsewhere(decide);
  const { core } = await test.open(server, {}, { authorizationPrompt });
  await expect(core.accounts.signIn(accountId)).rejects.toMatchObject({ code: 'no_device_flow' });
});

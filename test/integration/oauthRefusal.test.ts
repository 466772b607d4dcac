/** A server that takes the token and refuses the account: what the user is told, and what helps. */
import { beforeEach, expect, it } from 'vitest';
import { type RunningAuthServer, startAuthServer } from '../fixtures/servers/authServer.mjs';
import { accountId, useAccounts, type Window } from '../helpers/accounts/accountHarness.js';

const test = useAccounts();
let running: RunningAuthServer;

beforeEach(async () => {
  running = await test.start(startAuthServer());
});

/** A new window that has tried to connect. */
async function open(): Promise<Window> {
  const window = await test.open(running, { oauth: { scope: 'read' } });
  await window.server.ensureConnected().catch(() => undefined);
  return window;
}

async function openSignedIn(entrance: string): Promise<Window> {
  const { core } = await open();
  await core.accounts.signIn(accountId);
  await core.shutdown();
  running.auth.entrance = entrance;
  return open();
}

it('a sign-in with more rights helps where an account lacks them, and asks for what it had as well', async () => {
  const { core, server } = await openSignedIn('write');
  expect(server.state.value).toMatchObject({
    kind: 'needs_auth',
    failure: {
      code: 'account_refused',
      httpStatus: 403,
      remedy: expect.stringContaining('write'),
    },
  });
  await core.accounts.signIn(accountId);
  expect(server.state.value.kind).toBe('connected');
  expect(test.user.requests.at(-1)?.scopes).toEqual(['read', 'write']);
});

it('a sign-in with another account is what is left where a server says no more', async () => {
  const { core, server } = await openSignedIn('another account');
  expect(server.state.value).toMatchObject({
    kind: 'needs_auth',
    failure: { code: 'account_refused', remedy: expect.stringContaining('Use an account') },
  });
  running.auth.entrance = '';
  await core.accounts.signIn(accountId);
  expect(server.state.value.kind).toBe('connected');
});

it('one call that is refused leaves the connection alone', async () => {
  const { core, server } = await open();
  await core.accounts.signIn(accountId);
  running.auth.entrance = 'another account';
  await expect(server.callTool('whoami', {})).rejects.toMatchObject({ code: 'forbidden' });
  running.auth.entrance = '';
  expect(server.state.value.kind).toBe('connected');
});

/** Clients that registered themselves and that their authorization server takes no more, as its pages say it. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { AuthorizationPrompt } from '../../src/mcp/oauth/authorizationPrompt.js';
import { LoopbackPrompt } from '../../src/mcp/oauth/loopbackPrompt.js';
import { type RunningAuthServer, startAuthServer } from '../fixtures/servers/authServer.mjs';
import { accountId, call, useAccounts, type Window } from '../helpers/accounts/accountHarness.js';
import { createDeferred } from '../helpers/fakes/deferred.js';
import { createFastClock } from '../helpers/fastClock.js';

const answer = 'You are signed in.';
const test = useAccounts();
let running: RunningAuthServer;

beforeEach(async () => {
  running = await test.start(startAuthServer());
  running.auth.guards = { change: 'write' };
});

/** @param prompt Default: the user's. */
function open(prompt?: () => AuthorizationPrompt): Promise<Window> {
  const changes = prompt ? { authorizationPrompt: prompt } : {};
  return test.open(running, { oauth: { scope: 'read' } }, changes);
}

describe.each([
  ['a status', ''],
  ['an address of its own', '/oauth/error'],
  ['the address of another page', '/login'],
])('an authorization server that refuses clients with %s', (_name, errorPage) => {
  it('gets another client in place of one that it forgot', async () => {
    const { core, server } = await open();
    await core.accounts.signIn(accountId);
    await core.accounts.signOut(accountId);
    running.auth.forgetClients();
    running.auth.errorPage = errorPage;
    await core.accounts.signIn(accountId);
    expect(await call(server, 'whoami')).toBe(answer);
    expect([running.auth.clients.size, running.auth.pageVisits]).toEqual([1, 2]);
  });

  it('gets another client for rights that the old one did not register for', async () => {
    running.auth.isHeldToScope = true;
    running.auth.errorPage = errorPage;
    const { core, server } = await open();
    await core.accounts.signIn(accountId);
    expect(await call(server, 'change')).toBe(answer);
    expect(running.auth.clients.size).toBe(2);
    expect(running.auth.askedScopes).toEqual(['read', 'read write']);
  });
});

it('a client that is refused as soon as it is registered is not used again', async () => {
  const { core, server } = await open();
  const refused = { status: 401, error: 'invalid_client', error_description: 'unknown' };
  running.auth.refusals.set('/token', (form) =>
    form.get('client_id') === [...running.auth.clients.keys()][0] ? refused : undefined,
  );
  await expect(core.accounts.signIn(accountId)).rejects.toThrow();
  await core.accounts.signIn(accountId);
  expect(await call(server, 'whoami')).toBe(answer);
  expect(running.auth.clients.size).toBe(2);
});

describe('a sign-in from which nobody comes back', () => {
  it('ends with what to do, and can be begun again', async () => {
    let isLost = true;
    const lost = new LoopbackPrompt({
      openUrl: async () => undefined,
      clock: createFastClock(1e5),
    });
    const { core, server } = await open(() => ({
      begin: (request, signal) => (isLost ? lost : test.user.prompt()).begin(request, signal),
    }));
    await expect(core.accounts.signIn(accountId)).rejects.toMatchObject({
      code: 'sign_in_timeout',
      remedy: expect.stringContaining('Forget Client'),
    });
    isLost = false;
    await core.accounts.signIn(accountId);
    expect(await call(server, 'whoami')).toBe(answer);
  });

  it('gives way to one that the user begins meanwhile', async () => {
    const isOpen = createDeferred();
    let isLost = true;
    const lost = new LoopbackPrompt({ openUrl: async () => isOpen.resolve() });
    const { core, server } = await open(() => ({
      begin: (request, signal) => (isLost ? lost : test.user.prompt()).begin(request, signal),
    }));
    const first = core.accounts.signIn(accountId);
    await isOpen.promise;
    isLost = false;
    await Promise.all([first, core.accounts.signIn(accountId)]);
    expect(await call(server, 'whoami')).toBe(answer);
    expect(running.auth.pageVisits).toBe(1);
  });
});

/** Rights that a server wants in the middle of a call: none that is held goes, and nobody is asked more than it takes. */
import { beforeEach, describe, expect, it } from 'vitest';
import { type RunningAuthServer, startAuthServer } from '../fixtures/servers/authServer.mjs';
import { accountId, call, useAccounts, type Window } from '../helpers/accounts/accountHarness.js';
import { createDeferred } from '../helpers/fakes/deferred.js';

const test = useAccounts();
let running: RunningAuthServer;

beforeEach(async () => {
  running = await test.start(startAuthServer());
  running.auth.guards = { look: 'read', change: 'write', erase: 'admin' };
});

const openSignedIn = (): Promise<Window> =>
  test.openSignedIn(running, { oauth: { scope: 'read' } });

const answer = 'You are signed in.';

describe('more rights', () => {
  it.each([false, true])('leave those that are held, also unsaid: %s', async (omitsScope) => {
    running.auth.omitsScope = omitsScope;
    const { server } = await openSignedIn();
    expect(await call(server, 'change')).toBe(answer);
    expect(await call(server, 'erase')).toBe(answer);
    expect(await call(server, 'look')).toBe(answer);
    expect(running.auth.askedScopes).toEqual(['read', 'read write', 'read write admin']);
    expect(test.user.requests.map(({ kind, scopes }) => `${kind}: ${scopes.join(' ')}`)).toEqual([
      'sign_in: read',
      'step_up: read write',
      'step_up: read write admin',
    ]);
  });

  it('are still known after a refresh', async () => {
    running.auth.omitsScope = true;
    const { server } = await openSignedIn();
    expect(await call(server, 'change')).toBe(answer);
    running.auth.expireAccessTokens();
    expect(await call(server, 'look')).toBe(answer);
    expect(await call(server, 'erase')).toBe(answer);
    expect(running.auth.askedScopes.at(-1)).toBe('read write admin');
  });

  it('come to ten calls at once that lack different ones, with two visits at most', async () => {
    const { server } = await openSignedIn();
    const tools = Array.from({ length: 10 }, (_, index) => (index % 2 ? 'change' : 'erase'));
    const answers = await Promise.all(tools.map((tool) => call(server, tool)));
    expect(new Set(answers)).toEqual(new Set([answer]));
    expect(running.auth.pageVisits).toBeLessThanOrEqual(3);
    expect(running.auth.askedScopes.at(-1)?.split(' ').sort()).toEqual(['admin', 'read', 'write']);
    expect(await call(server, 'look')).toBe(answer);
  });

  it('that the user declines are declined for all that wait, and asked for no more', async () => {
    const { core, server } = await openSignedIn();
    test.user.isWilling = false;
    const calls = Array.from({ length: 5 }, () => call(server, 'change'));
    const outcomes = await Promise.allSettled(calls);
    expect(outcomes.map(({ status }) => status)).toEqual(Array(5).fill('rejected'));
    await expect(call(server, 'change')).rejects.toMatchObject({ code: 'forbidden' });
    expect(test.user.requests).toHaveLength(2);
    expect(await call(server, 'look')).toBe(answer);
    test.user.isWilling = true;
    await core.accounts.signIn(accountId);
    expect(running.auth.askedScopes.at(-1)).toBe('read write');
    expect(await call(server, 'change')).toBe(answer);
  });

  it('are asked for no longer when nobody waits for the call any more', async () => {
    const { server } = await openSignedIn();
    const { promise: question, resolve: asked } = createDeferred<AbortSignal>();
    test.user.hesitate = (signal) => {
      asked(signal);
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve(false)));
    };
    const patience = new AbortController();
    const called = server.callTool('change', {}, { signal: patience.signal });
    const signal = await question;
    expect(signal.aborted).toBe(false);
    patience.abort();
    await expect(called).rejects.toThrow();
    await expect.poll(() => signal.aborted).toBe(true);
    expect(await call(server, 'look')).toBe(answer);
    test.user.hesitate = undefined;
    expect(await call(server, 'change')).toBe(answer);
  });

  it('that the server does not give are asked for once', async () => {
    const { server } = await openSignedIn();
    running.auth.guards = { change: 'unheard-of' };
    running.auth.withheld = 'unheard-of';
    await expect(call(server, 'change')).rejects.toMatchObject({ code: 'forbidden' });
    await expect(call(server, 'change')).rejects.toMatchObject({ code: 'forbidden' });
    expect(running.auth.pageVisits).toBe(2);
  });
});

import { expect, it } from 'vitest';
import type { CredentialStore } from '../../../../src/mcp/oauth/credentialStore.js';
import { ServerAuthorization } from '../../../../src/mcp/oauth/serverAuthorization.js';
import { createDeferred } from '../../../helpers/fakes/deferred.js';

function setUp() {
  let tokens: { access_token: string } | undefined;
  const credentials = { tokens: async () => tokens } as unknown as CredentialStore;
  const authorization = new ServerAuthorization({
    serverName: 's',
    launch: { url: 'https://s.example' },
    credentials,
  });
  const signedIn = createDeferred<boolean>();
  const signals: AbortSignal[] = [];
  const ask = (signal: AbortSignal) =>
    authorization.authorizeOnce(
      (present) => present !== undefined,
      async (shared) => {
        signals.push(shared);
        const isDone = await signedIn.promise;
        tokens = { access_token: 'a' };
        return isDone;
      },
      signal,
    );
  return { ask, signals, signedIn };
}

it('goes on for the others when one call is cancelled', async () => {
  const { ask, signals, signedIn } = setUp();
  const first = new AbortController();
  const cancelled = ask(first.signal);
  const other = ask(new AbortController().signal);
  await new Promise(setImmediate);
  first.abort();
  await expect(cancelled).rejects.toThrow();
  expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
  signedIn.resolve(true);
  expect(await other).toBe(true);
  expect(signals).toHaveLength(1);
});

it('ends when the last one leaves, and can be started again', async () => {
  const { ask, signals, signedIn } = setUp();
  const callers = [new AbortController(), new AbortController()];
  const all = callers.map(({ signal }) => ask(signal));
  await new Promise(setImmediate);
  for (const caller of callers) {
    caller.abort();
  }
  const outcomes = await Promise.allSettled(all);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  const again = ask(new AbortController().signal);
  signedIn.resolve(true);
  expect(await again).toBe(true);
});

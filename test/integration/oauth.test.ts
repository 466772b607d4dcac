/** Accounts of remote servers: the whole core against a real authorization server on loopback. */
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { serverId } from '../../src/config/definition.js';
import { loadEngine } from '../../src/mcp/connection/engineSelection.js';
import { LoopbackCallback } from '../../src/mcp/oauth/loopbackCallback.js';
import { credentialKey } from '../../src/mcp/oauth/storedCredentials.js';
import { type RunningAuthServer, startAuthServer } from '../fixtures/servers/authServer.mjs';
import { startPathProxy } from '../fixtures/servers/pathProxy.mjs';
import { accountId, useAccounts, whoami } from '../helpers/accounts/accountHarness.js';
import { createDeferred } from '../helpers/fakes/deferred.js';

const test = useAccounts();
let running: RunningAuthServer;

beforeEach(async () => {
  running = await test.start(startAuthServer());
});

describe('a server that wants an account', () => {
  it('waits for the user without opening a page or registering a client', async () => {
    const { server } = await test.open(running);
    expect(server.state.value.kind).toBe('needs_auth');
    await expect(whoami(server)).rejects.toMatchObject({ code: 'unauthorized' });
    expect(test.user.requests).toEqual([]);
    expect(running.auth.clients.size).toBe(0);
  });

  it('is connected once the user has signed in', async () => {
    const { server } = await test.openSignedIn(running);
    expect(server.state.value.kind).toBe('connected');
    expect(await whoami(server)).toBe('You are signed in.');
    expect(test.user.requests).toMatchObject([{ kind: 'sign_in', serverName: 'account' }]);
    expect(running.auth.tokenRequests).toEqual(['authorization_code']);
    expect(running.auth.resources).toEqual([running.url]);
  });

  it('stays signed in over a restart', async () => {
    const { core } = await test.openSignedIn(running);
    await core.shutdown();
    const { server } = await test.open(running);
    expect(await whoami(server)).toBe('You are signed in.');
    expect(running.auth.pageVisits).toBe(1);
  });

  it('says so when the user refuses, and can be asked again', async () => {
    const { core, server } = await test.open(running);
    test.user.decision = 'deny';
    await expect(core.accounts.signIn(accountId)).rejects.toMatchObject({
      code: 'sign_in_refused',
    });
    test.user.decision = 'allow';
    await core.accounts.signIn(accountId);
    expect(server.state.value.kind).toBe('connected');
    expect(running.auth.pageVisits).toBe(2);
  });

  it('opens the page although a connect of its own finds at that moment that nobody is signed in', async () => {
    const { core, server } = await test.open(running);
    const isRead = createDeferred();
    const reads = vi.spyOn(test.secrets, 'get').mockImplementation(async () => {
      await isRead.promise;
      return undefined;
    });
    const connected = server.ensureConnected().catch(() => undefined);
    await expect.poll(() => reads.mock.calls.length).toBeGreaterThan(0);
    const signedIn = core.accounts.signIn(accountId);
    await expect.poll(() => reads.mock.calls.length).toBeGreaterThan(1);
    reads.mockRestore();
    isRead.resolve();
    await Promise.all([connected, signedIn]);
    expect(running.auth.pageVisits).toBe(1);
    expect(await whoami(server)).toBe('You are signed in.');
  });

  it('is left alone when the entry has a header of its own', async () => {
    const { core, server } = await test.open(running, {
      headers: { Authorization: 'Bearer of-my-own' },
    });
    expect(server.state.value).toMatchObject({ kind: 'error', failure: { code: 'token_refused' } });
    await expect(core.accounts.signIn(accountId)).rejects.toMatchObject({ code: 'no_account' });
    expect(running.auth.clients.size).toBe(0);
  });
});

describe('tokens', () => {
  it('are in the secret storage and nowhere else', async () => {
    await test.openSignedIn(running);
    const [stored = ''] = test.secrets.values.values();
    const confidential = [
      ...running.auth.accessTokens,
      ...running.auth.refreshTokens,
      ...test.user.returns.map((url) => new URL(url).searchParams.get('code') ?? ''),
    ];
    const elsewhere = [...test.log, ...(await readAll(test.cores.root))].join('\n');
    expect(confidential).toHaveLength(3);
    expect(confidential.slice(0, 2).filter((token) => !stored.includes(token))).toEqual([]);
    expect(test.log.length).toBeGreaterThan(3);
    expect(confidential.filter((secret) => elsewhere.includes(secret))).toEqual([]);
  });

  it('that the server repeats are masked', async () => {
    const { server } = await test.openSignedIn(running);
    const [token = ''] = running.auth.accessTokens;
    const error: unknown = await server.callTool('repeat', {}).catch((reason: unknown) => reason);
    expect(String(error)).toContain('Your token is');
    expect(String(error)).not.toContain(token);
    expect(test.log.join()).toContain('Your token is');
    expect(test.log.join()).not.toContain(token);
  });

  it('that have run out are refreshed without the user', async () => {
    const { server } = await test.openSignedIn(running);
    const before = [...running.auth.refreshTokens];
    running.auth.expireAccessTokens();
    expect(await whoami(server)).toBe('You are signed in.');
    expect(running.auth.tokenRequests).toEqual(['authorization_code', 'refresh_token']);
    expect(test.user.requests).toHaveLength(1);
    const [stored = ''] = test.secrets.values.values();
    expect(before.filter((token) => stored.includes(token))).toEqual([]);
  });

  it('that two windows refresh at the same time are lost in neither', async () => {
    const first = await test.openSignedIn(running);
    const second = await test.open(running);
    expect(await whoami(second.server)).toBe('You are signed in.');
    running.auth.expireAccessTokens();
    await Promise.allSettled([whoami(first.server), whoami(second.server)]);
    running.auth.expireAccessTokens();
    expect(await whoami(first.server)).toBe('You are signed in.');
    expect(await whoami(second.server)).toBe('You are signed in.');
    expect(running.auth.pageVisits).toBe(1);
  });

  it('that were revoked are asked for once, however many calls need them', async () => {
    const { server } = await test.openSignedIn(running);
    running.auth.revokeAll();
    const answers = await Promise.all(Array.from({ length: 12 }, () => whoami(server)));
    expect(new Set(answers)).toEqual(new Set(['You are signed in.']));
    expect(test.user.requests.map(({ kind }) => kind)).toEqual(['sign_in', 'expired']);
    expect(running.auth.pageVisits).toBe(2);
  });

  it('that were revoked leave the server waiting when the user does not want to sign in', async () => {
    const { server } = await test.openSignedIn(running);
    running.auth.revokeAll();
    test.user.isWilling = false;
    await expect(whoami(server)).rejects.toMatchObject({ code: 'unauthorized' });
    expect(server.state.value.kind).toBe('needs_auth');
    expect(running.auth.pageVisits).toBe(1);
  });

  it('are dropped when the address of the server changes', async () => {
    const { core } = await test.openSignedIn(running);
    await core.shutdown();
    const moved = await startAuthServer();
    try {
      const { server } = await test.open(moved);
      expect(server.state.value.kind).toBe('needs_auth');
      expect([...test.secrets.values.values()].join()).not.toContain('access_token');
      expect(moved.auth.tokenRequests).toEqual([]);
    } finally {
      await moved.close();
    }
  });

  it('are forgotten on signing out, but not the registration', async () => {
    const { core, server } = await test.openSignedIn(running);
    await core.accounts.signOut(accountId);
    expect(server.state.value.kind).toBe('idle');
    const [stored = ''] = test.secrets.values.values();
    expect(stored).not.toContain('access_token');
    expect(running.auth.refreshTokens.size).toBe(0);
    await core.accounts.signIn(accountId);
    expect(running.auth.clients.size).toBe(1);
  });

  it('are forgotten although the authorization server cannot be told', async () => {
    const { core } = await test.openSignedIn(running);
    await running.close();
    await core.accounts.signOut(accountId);
    expect([...test.secrets.values.values()].join()).not.toContain('access_token');
  });

  it('are forgotten with the registration when the user says so', async () => {
    const { core } = await test.openSignedIn(running);
    await core.accounts.forgetClient(accountId);
    expect(test.secrets.values.size).toBe(0);
    await core.accounts.signIn(accountId);
    expect(running.auth.clients.size).toBe(2);
  });
});

describe('a client that the authorization server forgot', () => {
  it('registers anew when its tokens run out, once, and asks the user once', async () => {
    const { server } = await test.openSignedIn(running);
    running.auth.expireAccessTokens();
    running.auth.forgetClients();
    expect(await whoami(server)).toBe('You are signed in.');
    expect(test.user.requests.map(({ kind }) => kind)).toEqual(['sign_in', 'expired']);
    expect(running.auth.pageVisits).toBe(2);
    expect(running.auth.clients.size).toBe(1);
  });

  it('registers nothing behind the back of a user who does not want to sign in again', async () => {
    const { server } = await test.openSignedIn(running);
    running.auth.expireAccessTokens();
    running.auth.forgetClients();
    test.user.isWilling = false;
    await expect(whoami(server)).rejects.toMatchObject({ code: 'unauthorized' });
    expect(running.auth.clients.size).toBe(0);
  });
});

it('an authorization server that matches ports exactly takes the client although its port is in use', async () => {
  const { core } = await test.openSignedIn(running);
  await core.accounts.signOut(accountId);
  const [first = ''] = test.user.returns;
  const other = await LoopbackCallback.listen(new URL('/callback', first).href, true);
  try {
    await core.accounts.signIn(accountId);
    expect(test.user.returns).toHaveLength(2);
    expect(new URL(test.user.returns[1] ?? '').port).not.toBe(new URL(first).port);
    expect(running.auth.clients.size).toBe(1);
  } finally {
    other.dispose();
  }
});

describe('a browser that returns through a proxy with a path for each port', () => {
  it('costs one registration, and another one when that was forgotten', async () => {
    const proxy = await startPathProxy();
    test.user.externalUrl = proxy.externalUrl;
    try {
      const { core } = await test.openSignedIn(running);
      const paths = () => test.user.returns.map((url) => new URL(url).pathname);
      const signInAgain = async () => {
        await core.accounts.signOut(accountId);
        await core.accounts.signIn(accountId);
        const others = paths().filter((path, at, all) => path !== all[at - 1]);
        expect(running.auth.clients.size).toBe(others.length);
        return paths().at(-1) === paths().at(-2);
      };
      // somebody else may have had the port meanwhile
      expect((await signInAgain()) || (await signInAgain())).toBe(true);
      await core.accounts.signOut(accountId);
      running.auth.forgetClients();
      await core.accounts.signIn(accountId);
      expect(running.auth.clients.size).toBe(1);
    } finally {
      await proxy.close();
    }
  });
});

describe('signing out of a server that may not run', () => {
  it.each(['signOut', 'forgetClient'] as const)(
    '%s runs no command and reaches nobody',
    async (action) => {
      const marker = join(test.cores.root, 'ran');
      const oauth = { clientId: 'c', clientSecret: `!touch '${marker}'; echo s` };
      const folder = await test.cores.addFolder('cloned', { account: { url: running.url, oauth } });
      const folderServer = serverId(folder.uri, 'account');
      const stored = { url: running.url, tokens: { i: { access_token: 't' } }, clients: { i: {} } };
      test.secrets.values.set(credentialKey(folderServer), JSON.stringify(stored));
      const core = test.cores.open(loadEngine, { secrets: test.secrets });
      await core.whenStarted();
      expect(core.getServer(folderServer)?.state.value.kind).toBe('trust_required');

      await core.accounts[action](folderServer);

      expect(existsSync(marker)).toBe(false);
      expect([...test.secrets.values.values()].join()).not.toContain('access_token');
      expect(test.secrets.values.size).toBe(action === 'signOut' ? 1 : 0);
    },
  );
});

describe('a sign-in', () => {
  it('is refused to a server that does not offer S256, before a page opens', async () => {
    running.auth.lacksS256 = true;
    const { core } = await test.open(running);
    await expect(core.accounts.signIn(accountId)).rejects.toMatchObject({ code: 'no_pkce' });
    expect(running.auth.pageVisits).toBe(0);
    expect(running.auth.clients.size).toBe(0);
  });

  it('of a client that was registered by hand registers none', async () => {
    const { core } = await test.open(running, { oauth: { clientId: 'made-by-hand' } });
    const cancellation = new AbortController();
    const signIn = core.accounts.signIn(accountId, cancellation.signal);
    // the page leads nowhere
    await expect.poll(() => running.auth.pageVisits).toBe(1);
    cancellation.abort();
    await expect(signIn).rejects.toThrow();
    expect(running.auth.clients.size).toBe(0);
  });

  it('that is cancelled leaves nothing behind', async () => {
    const { core, server } = await test.open(running);
    const cancellation = new AbortController();
    cancellation.abort();
    await expect(core.accounts.signIn(accountId, cancellation.signal)).rejects.toThrow();
    expect(server.state.value.kind).toBe('needs_auth');
    expect(test.user.requests).toEqual([]);
  });
});

async function readAll(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return Promise.all(files.map((file) => readFile(join(file.parentPath, file.name), 'utf8')));
}

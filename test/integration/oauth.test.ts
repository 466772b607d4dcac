/** Accounts of remote servers: the whole core against a real authorization server on loopback. */
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { globalPoolId, serverId } from '../../src/config/definition.js';
import { loadEngine } from '../../src/mcp/connection/engineSelection.js';
import type { McpServer, McpService } from '../../src/mcp/mcpApi.js';
import { credentialKey } from '../../src/mcp/oauth/credentialStore.js';
import { type RunningAuthServer, startAuthServer } from '../fixtures/servers/authServer.mjs';
import { startPathProxy } from '../fixtures/servers/pathProxy.mjs';
import { OpenSecrets, TestUser } from '../fixtures/signIn.js';
import { CoreHarness } from '../helpers/coreHarness.js';

const id = serverId(globalPoolId, 'account');
let harness: CoreHarness;
let running: RunningAuthServer;
let secrets: OpenSecrets;
let user: TestUser;
let log: string[];

beforeEach(async () => {
  harness = await CoreHarness.create();
  running = await startAuthServer();
  secrets = new OpenSecrets();
  user = new TestUser();
  log = [];
});

afterEach(async () => {
  await harness.dispose();
  await running.close();
});

/** A window of the editor with one remote server, whose start-up connect is over. */
async function open(entry: object = {}): Promise<{ core: McpService; server: McpServer }> {
  await harness.writeGlobal({ account: { url: running.url, ...entry } });
  const logger = { log: (_level: string, message: string) => void log.push(message) };
  const core = harness.open(loadEngine, {
    secrets,
    authorizationPrompt: () => user.prompt(),
    loggers: { forServer: () => logger, main: logger },
    isTrafficTraced: () => true,
  });
  await core.whenStarted();
  const server = core.getServer(id);
  if (!server) {
    throw new Error('The entry was not read');
  }
  return { core, server };
}

async function openSignedIn(entry: object = {}): Promise<{ core: McpService; server: McpServer }> {
  const opened = await open(entry);
  await opened.core.accounts.signIn(id);
  return opened;
}

function whoami(server: McpServer): Promise<unknown> {
  return server.callTool('whoami', {}).then(({ content }) => content[0]?.text);
}

describe('a server that wants an account', () => {
  it('waits for the user without opening a page or registering a client', async () => {
    const { server } = await open();
    expect(server.state.value.kind).toBe('needs_auth');
    await expect(whoami(server)).rejects.toMatchObject({ code: 'unauthorized' });
    expect(user.requests).toEqual([]);
    expect(running.auth.clients.size).toBe(0);
  });

  it('is connected once the user has signed in', async () => {
    const { server } = await openSignedIn();
    expect(server.state.value.kind).toBe('connected');
    expect(await whoami(server)).toBe('You are signed in.');
    expect(user.requests).toMatchObject([{ kind: 'sign_in', serverName: 'account' }]);
    expect(running.auth.tokenRequests).toEqual(['authorization_code']);
    expect(running.auth.resources).toEqual([running.url]);
  });

  it('stays signed in over a restart', async () => {
    const { core } = await openSignedIn();
    await core.shutdown();
    const { server } = await open();
    expect(await whoami(server)).toBe('You are signed in.');
    expect(running.auth.pageVisits).toBe(1);
  });

  it('says so when the user refuses, and can be asked again', async () => {
    const { core, server } = await open();
    user.decision = 'deny';
    await expect(core.accounts.signIn(id)).rejects.toMatchObject({ code: 'sign_in_refused' });
    user.decision = 'allow';
    await core.accounts.signIn(id);
    expect(server.state.value.kind).toBe('connected');
    expect(running.auth.pageVisits).toBe(2);
  });

  it('is left alone when the entry has a header of its own', async () => {
    const { core, server } = await open({ headers: { Authorization: 'Bearer of-my-own' } });
    expect(server.state.value).toMatchObject({ kind: 'error', failure: { code: 'token_refused' } });
    await expect(core.accounts.signIn(id)).rejects.toMatchObject({ code: 'no_account' });
    expect(running.auth.clients.size).toBe(0);
  });
});

describe('tokens', () => {
  it('are in the secret storage and nowhere else', async () => {
    await openSignedIn();
    const [stored = ''] = secrets.values.values();
    const confidential = [
      ...running.auth.accessTokens,
      ...running.auth.refreshTokens,
      ...user.returns.map((url) => new URL(url).searchParams.get('code') ?? ''),
    ];
    const elsewhere = [...log, ...(await readAll(harness.root))].join('\n');
    expect(confidential).toHaveLength(3);
    expect(confidential.slice(0, 2).filter((token) => !stored.includes(token))).toEqual([]);
    expect(log.length).toBeGreaterThan(3);
    expect(confidential.filter((secret) => elsewhere.includes(secret))).toEqual([]);
  });

  it('that the server repeats are masked', async () => {
    const { server } = await openSignedIn();
    const [token = ''] = running.auth.accessTokens;
    const error: unknown = await server.callTool('repeat', {}).catch((reason: unknown) => reason);
    expect(String(error)).toContain('Your token is');
    expect(String(error)).not.toContain(token);
    expect(log.join()).toContain('Your token is');
    expect(log.join()).not.toContain(token);
  });

  it('that have run out are refreshed without the user', async () => {
    const { server } = await openSignedIn();
    const before = [...running.auth.refreshTokens];
    running.auth.expireAccessTokens();
    expect(await whoami(server)).toBe('You are signed in.');
    expect(running.auth.tokenRequests).toEqual(['authorization_code', 'refresh_token']);
    expect(user.requests).toHaveLength(1);
    const [stored = ''] = secrets.values.values();
    expect(before.filter((token) => stored.includes(token))).toEqual([]);
  });

  it('that two windows refresh at the same time are lost in neither', async () => {
    const first = await openSignedIn();
    const second = await open();
    expect(await whoami(second.server)).toBe('You are signed in.');
    running.auth.expireAccessTokens();
    await Promise.allSettled([whoami(first.server), whoami(second.server)]);
    running.auth.expireAccessTokens();
    expect(await whoami(first.server)).toBe('You are signed in.');
    expect(await whoami(second.server)).toBe('You are signed in.');
    expect(running.auth.pageVisits).toBe(1);
  });

  it('that were revoked are asked for once, however many calls need them', async () => {
    const { server } = await openSignedIn();
    running.auth.revokeAll();
    const answers = await Promise.all(Array.from({ length: 12 }, () => whoami(server)));
    expect(new Set(answers)).toEqual(new Set(['You are signed in.']));
    expect(user.requests.map(({ kind }) => kind)).toEqual(['sign_in', 'expired']);
    expect(running.auth.pageVisits).toBe(2);
  });

  it('that were revoked leave the server waiting when the user does not want to sign in', async () => {
    const { server } = await openSignedIn();
    running.auth.revokeAll();
    user.isWilling = false;
    await expect(whoami(server)).rejects.toMatchObject({ code: 'unauthorized' });
    expect(server.state.value.kind).toBe('needs_auth');
    expect(running.auth.pageVisits).toBe(1);
  });

  it('get more rights in the middle of a call, beside those they had', async () => {
    running.auth.guards = { change: 'write' };
    const { server } = await openSignedIn({ oauth: { scope: 'read' } });
    expect(await whoami(server)).toBe('You are signed in.');
    const result = await server.callTool('change', {});
    expect(result.isError).toBe(false);
    expect(user.requests.map(({ kind, scopes }) => [kind, ...scopes])).toEqual([
      ['sign_in', 'read'],
      ['step_up', 'read', 'write'],
    ]);
  });

  it('without the rights fail only the call that needs them when the user refuses', async () => {
    running.auth.guards = { change: 'write' };
    const { server } = await openSignedIn({ oauth: { scope: 'read' } });
    user.isWilling = false;
    await expect(server.callTool('change', {})).rejects.toMatchObject({ code: 'forbidden' });
    expect(await whoami(server)).toBe('You are signed in.');
    // nobody wants to be asked the same thing with every call
    await expect(server.callTool('change', {})).rejects.toMatchObject({ code: 'forbidden' });
    expect(user.requests).toHaveLength(2);
  });

  it('are dropped when the address of the server changes', async () => {
    const { core } = await openSignedIn();
    await core.shutdown();
    const moved = await startAuthServer();
    try {
      const { server } = await open({ url: moved.url });
      expect(server.state.value.kind).toBe('needs_auth');
      expect([...secrets.values.values()].join()).not.toContain('access_token');
      expect(moved.auth.tokenRequests).toEqual([]);
    } finally {
      await moved.close();
    }
  });

  it('are forgotten on signing out, but not the registration', async () => {
    const { core, server } = await openSignedIn();
    await core.accounts.signOut(id);
    expect(server.state.value.kind).toBe('idle');
    const [stored = ''] = secrets.values.values();
    expect(stored).not.toContain('access_token');
    expect(running.auth.refreshTokens.size).toBe(0);
    await core.accounts.signIn(id);
    expect(running.auth.clients.size).toBe(1);
  });

  it('are forgotten although the authorization server cannot be told', async () => {
    const { core } = await openSignedIn();
    await running.close();
    await core.accounts.signOut(id);
    expect([...secrets.values.values()].join()).not.toContain('access_token');
  });

  it('are forgotten with the registration when the user says so', async () => {
    const { core } = await openSignedIn();
    await core.accounts.forgetClient(id);
    expect(secrets.values.size).toBe(0);
    await core.accounts.signIn(id);
    expect(running.auth.clients.size).toBe(2);
  });
});

describe('a client that the authorization server forgot', () => {
  it('registers anew when its tokens run out, once, and asks the user once', async () => {
    const { server } = await openSignedIn();
    running.auth.expireAccessTokens();
    running.auth.forgetClients();
    expect(await whoami(server)).toBe('You are signed in.');
    expect(user.requests.map(({ kind }) => kind)).toEqual(['sign_in', 'expired']);
    expect(running.auth.pageVisits).toBe(2);
    expect(running.auth.clients.size).toBe(1);
  });

  it('registers nothing behind the back of a user who does not want to sign in again', async () => {
    const { server } = await openSignedIn();
    running.auth.expireAccessTokens();
    running.auth.forgetClients();
    user.isWilling = false;
    await expect(whoami(server)).rejects.toMatchObject({ code: 'unauthorized' });
    expect(running.auth.clients.size).toBe(0);
  });

  it('registers anew before the user is sent to a page that would refuse it', async () => {
    const { core, server } = await openSignedIn();
    await core.accounts.signOut(id);
    running.auth.forgetClients();
    await core.accounts.signIn(id);
    expect(server.state.value.kind).toBe('connected');
    expect(running.auth.clients.size).toBe(1);
    expect(running.auth.pageVisits).toBe(2);
  });
});

describe('a browser that returns through a proxy with a path for each port', () => {
  it('costs one registration, and another one when that was forgotten', async () => {
    const proxy = await startPathProxy();
    user.externalUrl = proxy.externalUrl;
    try {
      const { core } = await openSignedIn();
      await core.accounts.signOut(id);
      await core.accounts.signIn(id);
      expect(running.auth.clients.size).toBe(1);
      expect(new Set(user.returns.map((url) => new URL(url).pathname)).size).toBe(1);
      await core.accounts.signOut(id);
      running.auth.forgetClients();
      await core.accounts.signIn(id);
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
      const marker = join(harness.root, 'ran');
      const oauth = { clientId: 'c', clientSecret: `!touch '${marker}'; echo s` };
      const folder = await harness.addFolder('cloned', { account: { url: running.url, oauth } });
      const folderServer = serverId(folder.uri, 'account');
      const stored = { url: running.url, tokens: { i: { access_token: 't' } }, clients: { i: {} } };
      secrets.values.set(credentialKey(folderServer), JSON.stringify(stored));
      const core = harness.open(loadEngine, { secrets });
      await core.whenStarted();
      expect(core.getServer(folderServer)?.state.value.kind).toBe('trust_required');

      await core.accounts[action](folderServer);

      expect(existsSync(marker)).toBe(false);
      expect([...secrets.values.values()].join()).not.toContain('access_token');
      expect(secrets.values.size).toBe(action === 'signOut' ? 1 : 0);
    },
  );
});

describe('a sign-in', () => {
  it('is refused to a server that does not offer S256, before a page opens', async () => {
    running.auth.lacksS256 = true;
    const { core } = await open();
    await expect(core.accounts.signIn(id)).rejects.toMatchObject({ code: 'no_pkce' });
    expect(running.auth.pageVisits).toBe(0);
    expect(running.auth.clients.size).toBe(0);
  });

  it('sends no code to anybody when another server returns the browser', async () => {
    running.auth.issuerOnReturn = 'https://elsewhere.example';
    const { core } = await open();
    await expect(core.accounts.signIn(id)).rejects.toMatchObject({ code: 'foreign_return' });
    expect(running.auth.tokenRequests).toEqual([]);
  });

  it('of a client that was registered by hand registers none', async () => {
    const { core } = await open({ oauth: { clientId: 'made-by-hand' } });
    await expect(core.accounts.signIn(id)).rejects.toThrow();
    expect(running.auth.clients.size).toBe(0);
    expect(running.auth.pageVisits).toBe(1);
  });

  it('that is cancelled leaves nothing behind', async () => {
    const { core, server } = await open();
    const cancellation = new AbortController();
    cancellation.abort();
    await expect(core.accounts.signIn(id, cancellation.signal)).rejects.toThrow();
    expect(server.state.value.kind).toBe('needs_auth');
    expect(user.requests).toEqual([]);
  });
});

async function readAll(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return Promise.all(files.map((file) => readFile(join(file.parentPath, file.name), 'utf8')));
}

/** Rights that a server wants in the middle of a call: none that is held goes, and nobody is asked more than it takes. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { globalPoolId, serverId } from '../../src/config/definition.js';
import { loadEngine } from '../../src/mcp/connection/engineSelection.js';
import type { McpServer, McpService } from '../../src/mcp/mcpApi.js';
import { type RunningAuthServer, startAuthServer } from '../fixtures/servers/authServer.mjs';
import { OpenSecrets, TestUser } from '../fixtures/signIn.js';
import { CoreHarness } from '../helpers/coreHarness.js';
import { createDeferred } from '../helpers/fakes/deferred.js';

const id = serverId(globalPoolId, 'account');
let harness: CoreHarness;
let running: RunningAuthServer;
let user: TestUser;

beforeEach(async () => {
  harness = await CoreHarness.create();
  running = await startAuthServer();
  running.auth.guards = { look: 'read', change: 'write', erase: 'admin' };
  user = new TestUser();
});

afterEach(async () => {
  await harness.dispose();
  await running.close();
});

async function openSignedIn(): Promise<{ core: McpService; server: McpServer }> {
  await harness.writeGlobal({ account: { url: running.url, oauth: { scope: 'read' } } });
  const secrets = new OpenSecrets();
  const core = harness.open(loadEngine, { secrets, authorizationPrompt: () => user.prompt() });
  await core.whenStarted();
  await core.accounts.signIn(id);
  const server = core.getServer(id);
  if (!server) {
    throw new Error('The entry was not read');
  }
  return { core, server };
}

async function call(server: McpServer, tool: string): Promise<unknown> {
  return (await server.callTool(tool, {})).content[0]?.text;
}

const answer = 'You are signed in.';

describe('more rights', () => {
  it.each([false, true])('leave those that are held, also unsaid: %s', async (omitsScope) => {
    running.auth.omitsScope = omitsScope;
    const { server } = await openSignedIn();
    expect(await call(server, 'change')).toBe(answer);
    expect(await call(server, 'erase')).toBe(answer);
    expect(await call(server, 'look')).toBe(answer);
    expect(running.auth.askedScopes).toEqual(['read', 'read write', 'read write admin']);
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
    user.isWilling = false;
    const calls = Array.from({ length: 5 }, () => call(server, 'change'));
    const outcomes = await Promise.allSettled(calls);
    expect(outcomes.map(({ status }) => status)).toEqual(Array(5).fill('rejected'));
    await expect(call(server, 'change')).rejects.toMatchObject({ code: 'forbidden' });
    expect(user.requests).toHaveLength(2);
    expect(await call(server, 'look')).toBe(answer);
    user.isWilling = true;
    await core.accounts.signIn(id);
    expect(running.auth.askedScopes.at(-1)).toBe('read write');
    expect(await call(server, 'change')).toBe(answer);
  });

  it('are asked for no longer when nobody waits for the call any more', async () => {
    const { server } = await openSignedIn();
    const { promise: question, resolve: asked } = createDeferred<AbortSignal>();
    user.hesitate = (signal) => {
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
    user.hesitate = undefined;
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

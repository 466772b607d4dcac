/** Clients that registered themselves and that their authorization server takes no more, as its pages say it. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { globalPoolId, serverId } from '../../src/config/definition.js';
import { loadEngine } from '../../src/mcp/connection/engineSelection.js';
import type { McpServer, McpService } from '../../src/mcp/mcpApi.js';
import type { AuthorizationPrompt } from '../../src/mcp/oauth/authorizationPrompt.js';
import { LoopbackPrompt } from '../../src/mcp/oauth/loopbackPrompt.js';
import { type RunningAuthServer, startAuthServer } from '../fixtures/servers/authServer.mjs';
import { OpenSecrets, TestUser } from '../fixtures/signIn.js';
import { CoreHarness } from '../helpers/coreHarness.js';
import { createDeferred } from '../helpers/fakes/deferred.js';
import { createFastClock } from '../helpers/fastClock.js';

const id = serverId(globalPoolId, 'account');
const answer = 'You are signed in.';
let harness: CoreHarness;
let running: RunningAuthServer;
let user: TestUser;

beforeEach(async () => {
  harness = await CoreHarness.create();
  running = await startAuthServer();
  running.auth.guards = { change: 'write' };
  user = new TestUser();
});

afterEach(async () => {
  await harness.dispose();
  await running.close();
});

async function open(
  prompt: () => AuthorizationPrompt = () => user.prompt(),
): Promise<{ core: McpService; server: McpServer }> {
  await harness.writeGlobal({ account: { url: running.url, oauth: { scope: 'read' } } });
  const secrets = new OpenSecrets();
  const core = harness.open(loadEngine, { secrets, authorizationPrompt: prompt });
  await core.whenStarted();
  const server = core.getServer(id);
  if (!server) {
    throw new Error('The entry was not read');
  }
  return { core, server };
}

async function call(server: McpServer, tool: string): Promise<unknown> {
  return (await server.callTool(tool, {})).content[0]?.text;
}

describe.each([
  ['a status', ''],
  ['an address of its own', '/oauth/error'],
  ['the address of another page', '/login'],
])('an authorization server that refuses clients with %s', (_name, errorPage) => {
  it('gets another client in place of one that it forgot', async () => {
    const { core, server } = await open();
    await core.accounts.signIn(id);
    await core.accounts.signOut(id);
    running.auth.forgetClients();
    running.auth.errorPage = errorPage;
    await core.accounts.signIn(id);
    expect(await call(server, 'whoami')).toBe(answer);
    expect(running.auth.pageVisits).toBe(2);
  });

  it('gets another client for rights that the old one did not register for', async () => {
    running.auth.isHeldToScope = true;
    running.auth.errorPage = errorPage;
    const { core, server } = await open();
    await core.accounts.signIn(id);
    expect(await call(server, 'change')).toBe(answer);
    expect(running.auth.clients.size).toBe(2);
    expect(running.auth.askedScopes).toEqual(['read', 'read write']);
  });
});

describe('a sign-in from which nobody comes back', () => {
  it('ends with what to do, and can be begun again', async () => {
    let isLost = true;
    const lost = new LoopbackPrompt({
      openUrl: async () => undefined,
      clock: createFastClock(1e5),
    });
    const { core, server } = await open(() => ({
      begin: (request, signal) => (isLost ? lost : user.prompt()).begin(request, signal),
    }));
    await expect(core.accounts.signIn(id)).rejects.toMatchObject({
      code: 'sign_in_timeout',
      remedy: expect.stringContaining('Forget Client'),
    });
    isLost = false;
    await core.accounts.signIn(id);
    expect(await call(server, 'whoami')).toBe(answer);
  });

  it('gives way to one that the user begins meanwhile', async () => {
    const isOpen = createDeferred();
    let isLost = true;
    const lost = new LoopbackPrompt({ openUrl: async () => isOpen.resolve() });
    const { core, server } = await open(() => ({
      begin: (request, signal) => (isLost ? lost : user.prompt()).begin(request, signal),
    }));
    const first = core.accounts.signIn(id);
    await isOpen.promise;
    isLost = false;
    await Promise.all([first, core.accounts.signIn(id)]);
    expect(await call(server, 'whoami')).toBe(answer);
    expect(running.auth.pageVisits).toBe(1);
  });
});

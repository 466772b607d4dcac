/** A server that takes the token and refuses the account: what the user is told, and what helps. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { globalPoolId, serverId } from '../../src/config/definition.js';
import { loadEngine } from '../../src/mcp/connection/engineSelection.js';
import type { McpServer, McpService } from '../../src/mcp/mcpApi.js';
import { type RunningAuthServer, startAuthServer } from '../fixtures/servers/authServer.mjs';
import { OpenSecrets, TestUser } from '../fixtures/signIn.js';
import { CoreHarness } from '../helpers/coreHarness.js';

const id = serverId(globalPoolId, 'account');
let harness: CoreHarness;
let running: RunningAuthServer;
let secrets: OpenSecrets;
let user: TestUser;

beforeEach(async () => {
  harness = await CoreHarness.create();
  running = await startAuthServer();
  secrets = new OpenSecrets();
  user = new TestUser();
  await harness.writeGlobal({ account: { url: running.url, oauth: { scope: 'read' } } });
});

afterEach(async () => {
  await harness.dispose();
  await running.close();
});

/** A new window, whose start-up connect is over. */
async function open(): Promise<{ core: McpService; server: McpServer }> {
  const core = harness.open(loadEngine, { secrets, authorizationPrompt: () => user.prompt() });
  await core.whenStarted();
  const server = core.getServer(id);
  if (!server) {
    throw new Error('The entry was not read');
  }
  await server.ensureConnected().catch(() => undefined);
  return { core, server };
}

async function openSignedIn(entrance: string) {
  const { core } = await open();
  await core.accounts.signIn(id);
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
  await core.accounts.signIn(id);
  expect(server.state.value.kind).toBe('connected');
  expect(user.requests.at(-1)?.scopes).toEqual(['read', 'write']);
});

it('a sign-in with another account is what is left where a server says no more', async () => {
  const { core, server } = await openSignedIn('another account');
  expect(server.state.value).toMatchObject({
    kind: 'needs_auth',
    failure: { code: 'account_refused', remedy: expect.stringContaining('another account') },
  });
  running.auth.entrance = '';
  await core.accounts.signIn(id);
  expect(server.state.value.kind).toBe('connected');
});

it('one call that is refused leaves the connection alone', async () => {
  const { core, server } = await open();
  await core.accounts.signIn(id);
  running.auth.entrance = 'another account';
  await expect(server.callTool('whoami', {})).rejects.toMatchObject({ code: 'forbidden' });
  running.auth.entrance = '';
  expect(server.state.value.kind).toBe('connected');
});

/** Signing in to a remote server: a real browser page, tokens in the secret storage. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startAuthServer } from '../fixtures/servers/authServer.mjs';
import { trustEverything } from '../helpers/e2e/steps.js';
import { useWorkbench } from '../helpers/e2e/useWorkbench.js';

type Server = Awaited<ReturnType<typeof startAuthServer>>;
let server: Server;
const files: Record<string, string> = {};
beforeAll(async () => {
  server = await startAuthServer();
  files['.mcp.json'] = JSON.stringify({ mcpServers: { account: { url: server.url } } });
});
afterAll(() => server.close());

const workbench = useWorkbench({ files }, async (workbench) => {
  const { servers } = workbench;
  // servers of this machine ask for consent
  await trustEverything(workbench);
  await servers.show();
});

it('asks for a sign-in without opening a browser', async () => {
  const { servers, page } = workbench;
  await servers.waitForServer('account', 'sign-in required');
  await workbench.screenshot('signed-out');
  expect(server.auth.pageVisits).toBe(0);
  expect(page.context().pages()).toHaveLength(1);
});

it('takes the user to the sign-in page and connects', async () => {
  const { servers, shell, page } = workbench;
  const [signInPage] = await Promise.all([
    page.context().waitForEvent('page'),
    servers.clickAction(servers.row('account').first(), 'Sign In'),
  ]);
  await shell.notification('Sign in to MCP server "account"').waitFor();
  await workbench.screenshot('sign-in-waits');
  await signInPage.getByRole('button', { name: 'Allow' }).click();
  await signInPage.getByText('You are signed in').waitFor();
  await signInPage.close();
  await servers.waitForServer('account', 'connected');
  await shell.notification('Sign in to MCP server').waitFor({ state: 'detached' });
  expect(server.auth.pageVisits).toBe(1);
});

it('stays signed in over a reload', async () => {
  const { servers } = workbench;
  await workbench.open();
  await servers.show();
  await servers.clickAction(servers.row('account').first(), 'Start Server');
  await servers.waitForServer('account', 'connected');
  expect(server.auth.pageVisits).toBe(1);
  expect(server.auth.clients.size).toBe(1);
});

it('forgets the tokens when the user signs out', async () => {
  const { servers, shell } = workbench;
  await servers.pickFromMenu(servers.row('account').first(), 'Sign Out');
  await shell.notification('You are signed out').waitFor();
  await servers.waitForServer('account', 'idle');
  await workbench.open();
  await servers.show();
  await servers.clickAction(servers.row('account').first(), 'Start Server');
  await servers.waitForServer('account', 'sign-in required');
  expect(server.auth.pageVisits).toBe(1);
});

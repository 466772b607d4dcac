/** Authorization servers that are down, forget their clients, or lead the user nowhere. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RunningAuthServer, startAuthServer } from '../fixtures/servers/authServer.mjs';
import { openedPage } from '../helpers/e2e/signInPage.js';
import { trustEverything } from '../helpers/e2e/steps.js';
import { useWorkbench } from '../helpers/e2e/useWorkbench.js';

let server: RunningAuthServer;
const files: Record<string, string> = {};
beforeAll(async () => {
  server = await startAuthServer();
  const account = { url: server.url, exposure: 'direct' };
  files['.mcp.json'] = JSON.stringify({ mcpServers: { account } });
});
afterAll(() => server.close());

const workbench = useWorkbench({ files }, async (workbench) => {
  const { servers } = workbench;
  // servers of this machine ask for consent
  await trustEverything(workbench);
  await servers.show();
  await servers.waitForServer('account', 'sign-in required');
});

const row = () => workbench.servers.row('account').first();
const openSignIn = () =>
  openedPage(workbench, () => workbench.servers.pickFromMenu(row(), 'Sign In'));

async function signIn(): Promise<void> {
  const signInPage = await openSignIn();
  await signInPage.getByRole('button', { name: 'Allow' }).click();
  await signInPage.getByText('You are signed in').waitFor();
  await signInPage.close();
  await workbench.servers.waitForServer('account', 'connected');
}

it('begins a sign-in again that the user did not come back from', async () => {
  const { servers, shell } = workbench;
  const first = await openSignIn();
  await first.getByRole('button', { name: 'Allow' }).waitFor();
  await first.close();
  const waiting = shell.notification('in your browser');
  await waiting.waitFor();
  await workbench.screenshot('sign-in-hangs');
  await signIn();
  await waiting.waitFor({ state: 'detached' });
  expect(server.auth.pageVisits).toBe(2);
  await servers.waitForServer('account', 'connected');
});

it('says what happens and when it is tried next while the authorization server is down', async () => {
  const { servers, shell, page } = workbench;
  server.auth.isDown = true;
  server.auth.expireAccessTokens();
  await servers.pickFromMenu(row(), 'Test Server');
  await servers.waitForServer('account', 'error');
  await servers.expand(row());
  await servers.rows.filter({ hasText: 'is not available now: HTTP 503' }).first().waitFor();
  await servers.rows.filter({ hasText: 'Your account is kept' }).first().waitFor();
  await servers.rows.filter({ hasText: 'Next try at' }).first().waitFor();
  await workbench.screenshot('account-unavailable');
  await servers.openMenu(row(), page.getByRole('menuitem', { name: 'Sign Out' }));
  await page.keyboard.press('Escape');
  server.auth.isDown = false;
  await servers.waitForServer('account', 'connected');
  expect(await shell.notification('no longer accepts').count()).toBe(0);
  expect(server.auth.pageVisits).toBe(2);
});

it('registers anew where the forgotten client would be led to a page of its own', async () => {
  server.auth.errorPage = `${server.local}/error`;
  await workbench.servers.pickFromMenu(row(), 'Sign Out');
  await workbench.shell.notification('You are signed out').waitFor();
  server.auth.forgetClients();
  const clients = server.auth.visits.filter(([path]) => path === '/register').length;
  await signIn();
  expect(server.auth.visits.filter(([path]) => path === '/error')).toEqual([]);
  expect(server.auth.visits.filter(([path]) => path === '/register')).toHaveLength(clients + 1);
});

/** Authorization servers that are down, forget their clients, or lead the user nowhere. */
import { expect, it } from 'vitest';
import { startAuthServer } from '../fixtures/servers/authServer.mjs';
import { useAccountWorkbench } from '../helpers/e2e/accountWorkbench.js';
import { allowAtOurs, openedPage } from '../helpers/e2e/signInPage.js';

const account = useAccountWorkbench(startAuthServer, (url) => ({
  account: { url, exposure: 'direct' },
}));
const { workbench } = account;

const row = () => workbench.servers.row('account').first();
const chooseSignIn = () => workbench.servers.pickFromMenu(row(), 'Sign In');

async function signIn(): Promise<void> {
  await allowAtOurs(workbench, chooseSignIn);
  await workbench.servers.waitForServer('account', 'connected');
}

it('begins a sign-in again that the user did not come back from', async () => {
  const { servers, shell } = workbench;
  const first = await openedPage(workbench, chooseSignIn);
  await first.getByRole('button', { name: 'Allow' }).waitFor();
  await first.close();
  const waiting = shell.notification('in your browser');
  await waiting.waitFor();
  await workbench.screenshot('sign-in-hangs');
  await signIn();
  await waiting.waitFor({ state: 'detached' });
  expect(account.server.auth.pageVisits).toBe(2);
  await servers.waitForServer('account', 'connected');
});

it('says what happens and when it is tried next while the authorization server is down', async () => {
  const { servers, shell, page } = workbench;
  account.server.auth.isDown = true;
  account.server.auth.expireAccessTokens();
  await servers.pickFromMenu(row(), 'Test Server');
  await servers.waitForServer('account', 'error');
  await servers.expand(row());
  await servers.rows.filter({ hasText: 'is not available now: HTTP 503' }).first().waitFor();
  await servers.rows.filter({ hasText: 'Your account is kept' }).first().waitFor();
  await servers.rows.filter({ hasText: 'Next try at' }).first().waitFor();
  await workbench.screenshot('account-unavailable');
  await servers.openMenu(row(), page.getByRole('menuitem', { name: 'Sign Out' }));
  await page.keyboard.press('Escape');
  account.server.auth.isDown = false;
  await servers.waitForServer('account', 'connected');
  expect(await shell.notification('no longer accepts').count()).toBe(0);
  expect(account.server.auth.pageVisits).toBe(2);
});

it('registers anew where the forgotten client would be led to a page of its own', async () => {
  account.server.auth.errorPage = `${account.server.local}/error`;
  await workbench.servers.pickFromMenu(row(), 'Sign Out');
  await workbench.shell.notification('You are signed out').waitFor();
  account.server.auth.forgetClients();
  const clients = account.server.auth.visits.filter(([path]) => path === '/register').length;
  await signIn();
  expect(account.server.auth.visits.filter(([path]) => path === '/error')).toEqual([]);
  expect(account.server.auth.visits.filter(([path]) => path === '/register')).toHaveLength(
    clients + 1,
  );
});

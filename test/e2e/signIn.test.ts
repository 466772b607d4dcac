/** Signing in to a remote server: a real browser page, tokens in the secret storage. */
import { expect, it } from 'vitest';
import { startAuthServer } from '../fixtures/servers/authServer.mjs';
import { useAccountWorkbench } from '../helpers/e2e/accountWorkbench.js';
import { openedPage } from '../helpers/e2e/signInPage.js';

const account = useAccountWorkbench(startAuthServer);
const { workbench } = account;

it('asks for a sign-in without opening a browser', async () => {
  const { page } = workbench;
  await workbench.screenshot('signed-out');
  expect(account.server.auth.pageVisits).toBe(0);
  expect(page.context().pages()).toHaveLength(1);
});

it('takes the user to the sign-in page and connects', async () => {
  const { servers, shell } = workbench;
  const signInPage = await openedPage(workbench, () =>
    servers.clickAction(servers.row('account').first(), 'Sign In'),
  );
  await shell.notification('Sign in to an MCP server').waitFor();
  await workbench.screenshot('sign-in-waits');
  await signInPage.getByRole('button', { name: 'Allow' }).click();
  await signInPage.getByText('You are signed in').waitFor();
  await signInPage.close();
  await servers.waitForServer('account', 'connected');
  await shell.notification('Sign in to MCP server').waitFor({ state: 'detached' });
  expect(account.server.auth.pageVisits).toBe(1);
});

it('stays signed in over a reload', async () => {
  const { servers } = workbench;
  await workbench.open();
  await servers.show();
  await servers.clickAction(servers.row('account').first(), 'Start Server');
  await servers.waitForServer('account', 'connected');
  expect(account.server.auth.pageVisits).toBe(1);
  expect(account.server.auth.clients.size).toBe(1);
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
  expect(account.server.auth.pageVisits).toBe(1);
});

/** A day with an account: a real browser page, tokens in the secret storage, an authorization server that is down or forgets, more rights, running out. */
import { expect, it } from 'vitest';
import { startAuthServer } from '../fixtures/servers/authServer.mjs';
import { useAccountWorkbench } from '../helpers/e2e/accountWorkbench.js';
import { allowAtOurs, openedPage } from '../helpers/e2e/signInPage.js';
import { pageOf } from '../helpers/e2e/webview.js';

const account = useAccountWorkbench(
  async () => {
    const server = await startAuthServer();
    server.auth.guards = { change: 'write' };
    return server;
  },
  (url) => ({
    account: { url, oauth: { scope: 'read' }, exposure: 'direct' },
    fixed: { url, headers: { Authorization: 'Bearer of-my-own' } },
  }),
);
const { workbench } = account;

const row = () => workbench.servers.row('account').first();
const chooseSignIn = () => workbench.servers.pickFromMenu(row(), 'Sign In');
const allow = (start: () => Promise<unknown>) => allowAtOurs(workbench, start);

async function signIn(): Promise<void> {
  await allow(chooseSignIn);
  await workbench.servers.waitForServer('account', 'Connected');
}

async function signOut(): Promise<void> {
  await workbench.servers.pickFromMenu(row(), 'Sign Out');
  await workbench.shell.quickPick('Sign Out').first().click();
  await workbench.shell.notification('You are signed out').waitFor();
}

it('asks for a sign-in without opening a browser', async () => {
  const { page } = workbench;
  await workbench.screenshot('signed-out');
  expect(account.server.auth.pageVisits).toBe(0);
  expect(page.context().pages()).toHaveLength(1);
});

it('takes the user to the sign-in page and connects', async () => {
  const { servers, shell } = workbench;
  const signInPage = await openedPage(workbench, () => servers.clickAction(row(), 'Sign In'));
  await shell.notification('Sign in to an MCP server').waitFor();
  await workbench.screenshot('sign-in-waits');
  await signInPage.getByRole('button', { name: 'Allow' }).click();
  await signInPage.getByText('You are signed in').waitFor();
  await signInPage.close();
  await servers.waitForServer('account', 'Connected');
  await shell.notification('Sign in to MCP server').waitFor({ state: 'detached' });
  expect(account.server.auth.pageVisits).toBe(1);
});

it('stays signed in over a reload', async () => {
  const { servers } = workbench;
  await workbench.open();
  await servers.show();
  await servers.clickAction(row(), 'Start Server');
  await servers.waitForServer('account', 'Connected');
  expect(account.server.auth.pageVisits).toBe(1);
  expect(account.server.auth.clients.size).toBe(1);
});

it('has a second account by a name, which the page of the server changes', async () => {
  const { page, servers, shell } = workbench;
  const serverPage = () => pageOf(page, 'editor');
  await shell.runAndChoose('Pi MCP: Open Server…', 'account');
  await serverPage().getByRole('button', { name: 'Use Another Account…' }).click();
  await shell.pick('New Account…');
  // the list goes before the input comes
  await shell.quickInput.getByText('A name to tell this account from your others').waitFor();
  await shell.fillQuickInput('work');
  await allow(() => page.keyboard.press('Enter'));
  await servers.waitForServer('account', 'Connected');
  await serverPage().getByText('work', { exact: true }).waitFor();
  await workbench.screenshot('second-account');
  expect(account.server.auth.pageVisits).toBe(2);
  await serverPage().getByRole('button', { name: 'Use Another Account…' }).click();
  await shell.pick('Account Without a Name');
  await serverPage().getByText('Account Without a Name').waitFor();
  await servers.waitForServer('account', 'Connected');
  expect(account.server.auth.pageVisits).toBe(2);
  await shell.runCommand('View: Close All Editors');
});

it('forgets the tokens when the user signs out', async () => {
  const { servers } = workbench;
  await signOut();
  await servers.waitForServer('account', 'Not running');
  await servers.clickAction(row(), 'Start Server');
  await servers.waitForServer('account', 'Sign in');
  expect(account.server.auth.pageVisits).toBe(2);
});

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
  expect(account.server.auth.pageVisits).toBe(4);
  await servers.waitForServer('account', 'Connected');
});

it('says what happens and when it is tried next while the authorization server is down', async () => {
  const { servers, shell, page } = workbench;
  account.server.auth.isDown = true;
  account.server.auth.expireAccessTokens();
  await servers.pickFromMenu(row(), 'Probe Server…');
  await servers.waitForServer('account', 'Sign-in server unavailable');
  await workbench.screenshot('account-unavailable');
  await servers.openMenu(row(), servers.moreInMenu);
  await servers.moreInMenu.click({ delay: 500 });
  await page.getByRole('menuitem', { name: 'Sign Out' }).waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  account.server.auth.isDown = false;
  await servers.waitForServer('account', 'Connected');
  expect(await shell.notification('no longer accepts').count()).toBe(0);
  expect(account.server.auth.pageVisits).toBe(4);
});

it('signs in from the configuration editor', async () => {
  const { config, shell } = workbench;
  await signOut();
  await workbench.servers.clickAction(row(), 'Start Server');
  await workbench.servers.waitForServer('account', 'Sign in');
  await shell.runCommand('Pi MCP: Configure Servers');
  await config.waitForState('account', 'needs_auth');
  await workbench.screenshot('config-signed-out');
  await allow(() => config.action('account', 'Sign In').click());
  await config.waitForState('account', 'connected');
  expect(await config.action('account', 'Sign In').count()).toBe(0);
  await shell.runCommand('View: Close All Editors');
});

it('offers no account where the entry has a header of its own', async () => {
  const { page, servers } = workbench;
  const row = servers.row('fixed').first();
  await servers.waitForServer('fixed', 'Token rejected');
  await servers.openMenu(row, servers.moreInMenu);
  await servers.moreInMenu.click({ delay: 500 });
  const { menu } = servers;
  await menu.getByRole('menuitem', { name: 'Show Log' }).waitFor();
  for (const name of ['Sign In', 'Sign Out']) {
    expect(await menu.getByRole('menuitem', { name }).count()).toBe(0);
  }
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
});

it('refreshes what has run out without the user', async () => {
  const { servers, agent } = workbench;
  await agent.show();
  await agent.frame.locator('.model-picker').waitFor();
  const visits = account.server.auth.pageVisits;
  account.server.auth.expireAccessTokens();
  await agent.ask('use account__whoami');
  await agent.allow(agent.approval('whoami'), 'Always in This Conversation');
  await agent.answer('You are signed in.').waitFor();
  await servers.waitForServer('account', 'Connected');
  expect(account.server.auth.pageVisits).toBe(visits);
  expect(account.server.auth.tokenRequests.at(-1)).toBe('refresh_token');
});

it('asks before it opens a page for more rights in the middle of a call', async () => {
  const { agent, shell } = workbench;
  await agent.ask('use account__change');
  await agent.approval('change').getByRole('button', { name: 'Allow Once' }).click();
  const question = agent.question('asks for more rights: “read write”');
  await question.waitFor();
  expect(await shell.notification('asks for more rights').count()).toBe(0);
  await workbench.screenshot('step-up');
  const visits = account.server.auth.pageVisits;
  await agent.tool('change', 'running').waitFor();
  await allow(() => question.getByRole('button', { name: 'Sign In' }).click());
  await agent.tool('change', 'done').waitFor();
  await question.waitFor({ state: 'detached' });
  expect(account.server.auth.pageVisits).toBe(visits + 1);
});

it('opens one page for many calls whose sign-in was revoked', async () => {
  const { agent, shell } = workbench;
  account.server.auth.revokeAll();
  const visits = account.server.auth.pageVisits;
  await agent.ask('thrice account__whoami');
  const question = agent.question('no longer accepts your sign-in');
  await question.waitFor();
  expect(await question.count()).toBe(1);
  // whoever looks elsewhere is asked there, once the conversation is out of sight
  await agent.hide();
  const notice = shell.notification('no longer accepts your sign-in');
  await notice.getByText('Sign In', { exact: true }).waitFor();
  await agent.show();
  await notice.waitFor({ state: 'detached' });
  await question.waitFor();
  await agent.hide();
  await allow(() => notice.getByText('Sign In', { exact: true }).click());
  await agent.show();
  await agent.answer('3 tools').waitFor();
  expect(account.server.auth.pageVisits).toBe(visits + 1);
});

it('signs out, and forgets the client, as long as there is something to forget', async () => {
  const { page, servers, shell } = workbench;
  await signOut();
  await servers.pickFromMenu(row(), 'Sign Out');
  await shell.quickPick('Forget Client').first().click();
  await shell.notification('You are signed out of this MCP server: account').waitFor();
  const { menu } = servers;
  // the row is drawn anew a moment after what it tells of
  await shell.tryAgain(async () => {
    await servers.openMenu(row(), menu.getByRole('menuitem', { name: 'Sign In' }));
    await servers.moreInMenu.click({ delay: 500 });
    await menu.getByRole('menuitem', { name: 'Show Log' }).waitFor();
    await workbench.screenshot('signed-out-menu');
    const left = await menu.getByRole('menuitem', { name: 'Sign Out' }).count();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    expect(left).toBe(0);
  });
});

it('takes the address of a page that the browser could not open', async () => {
  const { page, servers, shell } = workbench;
  const clients = account.server.auth.clients.size;
  let returned = '';
  // a browser on another machine, where nobody listens
  await page.context().route('**/consent', async (route) => {
    const answer = await route.fetch({ maxRedirects: 0 });
    await route.abort();
    returned = answer.headers().location ?? '';
  });
  const signInPage = await openedPage(workbench, chooseSignIn);
  await signInPage.getByRole('button', { name: 'Allow' }).click();
  await expect.poll(() => returned).toContain('code=');
  await signInPage.close();
  const notice = shell.notification('Sign in to an MCP server');
  await notice.getByText('Paste Its Address…').click();
  const input = shell.quickInput.locator('input[type=text]');
  await input.fill('not an address');
  await shell.quickInput.getByText('Address of the page that the browser could not open').waitFor();
  await workbench.screenshot('paste-address');
  await input.fill(returned);
  await page.keyboard.press('Enter');
  await servers.waitForServer('account', 'Connected');
  await notice.waitFor({ state: 'detached' });
  expect(account.server.auth.clients.size).toBe(clients + 1);
  await page.context().unroute('**/consent');
});

it('offers another sign-in where the server refuses the account', async () => {
  const { servers } = workbench;
  account.server.auth.entrance = 'admin';
  await servers.pickFromMenu(row(), 'Stop Server');
  await servers.waitForServer('account', 'Not running');
  await servers.pickFromMenu(row(), 'Probe Server…');
  await servers.waitForServer('account', 'Access denied');
  await workbench.screenshot('account-refused');
  await signIn();
  expect(account.server.auth.askedScopes.at(-1)?.split(' ')).toContain('admin');
});

/** What the user does about accounts beside the first sign-in: pasting, forgetting, more rights, running out. */
import { expect, it } from 'vitest';
import { startAuthServer } from '../fixtures/servers/authServer.mjs';
import { useAccountWorkbench } from '../helpers/e2e/accountWorkbench.js';
import { allowAtOurs, openedPage } from '../helpers/e2e/signInPage.js';

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

const signIn = (start: () => Promise<unknown>) => allowAtOurs(workbench, start);

it('signs in from the configuration editor', async () => {
  const { config, shell } = workbench;
  await shell.runCommand('Pi MCP: Configure Servers');
  await config.waitForState('account', 'needs_auth');
  await workbench.screenshot('config-signed-out');
  await signIn(() => config.action('account', 'Sign In').click());
  await config.waitForState('account', 'connected');
  expect(await config.action('account', 'Sign In').count()).toBe(0);
  await shell.runCommand('View: Close All Editors');
});

it('offers no account where the entry has a header of its own', async () => {
  const { page, servers } = workbench;
  const row = servers.row('fixed').first();
  await servers.waitForServer('fixed', 'error');
  await row.click({ button: 'right' });
  const menu = page.locator('.context-view');
  await menu.getByRole('menuitem', { name: 'Test Server' }).waitFor();
  for (const name of ['Sign In', 'Sign Out', 'Forget Client']) {
    expect(await menu.getByRole('menuitem', { name }).count()).toBe(0);
  }
  await page.keyboard.press('Escape');
});

it('refreshes what has run out without the user', async () => {
  const { servers, agent } = workbench;
  await agent.show();
  await agent.frame.locator('.model-picker').waitFor();
  const visits = account.server.auth.pageVisits;
  account.server.auth.expireAccessTokens();
  await agent.ask('use account__whoami');
  await agent.approval('whoami').getByRole('button', { name: 'Allow for This Session' }).click();
  await agent.answer('You are signed in.').waitFor();
  await servers.waitForServer('account', 'connected');
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
  await signIn(() => question.getByRole('button', { name: 'Sign In' }).click());
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
  await signIn(() => notice.getByText('Sign In', { exact: true }).click());
  await agent.show();
  await agent.answer('3 tools').waitFor();
  expect(account.server.auth.pageVisits).toBe(visits + 1);
});

it('signs out, and forgets the client, as long as there is something to forget', async () => {
  const { page, servers, shell } = workbench;
  const row = servers.row('account').first();
  await servers.pickFromMenu(row, 'Sign Out');
  await shell.notification('You are signed out').waitFor();
  await shell.runAndChoose('Pi MCP: Forget Client', 'account');
  await shell.answerDialog('Forget');
  await shell.notification('The client of this MCP server is forgotten: account').waitFor();
  await shell.runCommand('Pi MCP: Forget Client');
  await shell.notification('No MCP server knows this client.').waitFor();
  const { menu } = servers;
  const entry = (name: string) => page.getByRole('menuitem', { name });
  await servers.openMenu(
    row,
    menu.filter({ has: entry('Sign In'), hasNot: entry('Forget Client') }),
  );
  await workbench.screenshot('signed-out-menu');
  expect(await menu.getByRole('menuitem', { name: 'Sign Out' }).count()).toBe(0);
  expect(await menu.getByRole('menuitem', { name: 'Forget Client' }).count()).toBe(0);
  await page.keyboard.press('Escape');
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
  const signInPage = await openedPage(workbench, () =>
    servers.pickFromMenu(servers.row('account').first(), 'Sign In'),
  );
  await signInPage.getByRole('button', { name: 'Allow' }).click();
  await expect.poll(() => returned).toContain('code=');
  await signInPage.close();
  const notice = shell.notification('Sign in to an MCP server');
  await notice.getByText('Paste Its Address…').click();
  const input = shell.quickInput.locator('input[type=text]');
  await input.fill('not an address');
  await shell.quickInput.getByText('Paste the whole address.').waitFor();
  await workbench.screenshot('paste-address');
  await input.fill(returned);
  await page.keyboard.press('Enter');
  await servers.waitForServer('account', 'connected');
  await notice.waitFor({ state: 'detached' });
  expect(account.server.auth.clients.size).toBe(clients + 1);
  await page.context().unroute('**/consent');
});

it('offers another sign-in where the server refuses the account', async () => {
  const { servers } = workbench;
  const row = servers.row('account').first();
  account.server.auth.entrance = 'admin';
  await servers.pickFromMenu(row, 'Stop Server');
  await servers.waitForServer('account', 'idle');
  await servers.pickFromMenu(row, 'Test Server');
  await servers.waitForServer('account', 'account refused');
  await workbench.screenshot('account-refused');
  await signIn(() => servers.pickFromMenu(row, 'Sign In'));
  await servers.waitForServer('account', 'connected');
  expect(account.server.auth.askedScopes.at(-1)?.split(' ')).toContain('admin');
});

/** More rights for calls of the agent, at a real authorization server that holds a client to those it registered for. */
import { expect, it } from 'vitest';
import { startOidcServer } from '../helpers/accounts/oidcServer.js';
import { useAccountWorkbench } from '../helpers/e2e/accountWorkbench.js';
import { allowAtOidc, openedPage } from '../helpers/e2e/signInPage.js';

const account = useAccountWorkbench(
  () => startOidcServer({ features: { registrationManagement: { enabled: false } } }),
  (url) => ({ account: { url, oauth: { scope: 'read' }, exposure: 'direct' } }),
  async () => {
    const { agent } = workbench;
    await signIn();
    await agent.show();
    await agent.frame.locator('.model-picker').waitFor();
  },
);
const { workbench } = account;

async function signIn(): Promise<void> {
  const { servers } = workbench;
  const row = servers.row('account').first();
  await allow(() => servers.pickFromMenu(row, 'Sign In'));
  await servers.waitForServer('account', 'Connected');
}

/** @param start opens the page. */
async function allow(start: () => Promise<void>): Promise<void> {
  const opened = await openedPage(workbench, start);
  await opened.getByText('cookie not found').waitFor();
  const { server } = account;
  const page = new URL(server.wire.to(server.paths.authorize).at(-1)?.url ?? server.issuer);
  // the proxy of the editor takes a slash away
  page.searchParams.set('resource', server.url);
  await allowAtOidc(opened, page);
}

function registrations(): number {
  return account.server.wire.to(account.server.paths.register).length;
}

function scopesOf(asked: readonly { readonly url: URL }[]): readonly string[] {
  return asked.map(({ url }) => url.searchParams.get('scope') ?? '');
}

it('takes the question away when nobody waits for its answer any more', async () => {
  const { agent, servers } = workbench;
  await agent.ask('use account__change');
  await agent.approval('change').getByRole('button', { name: 'Allow Once' }).click();
  const question = agent.question('asks for more rights');
  await question.waitFor();
  await agent.button('Stop').click();
  await question.waitFor({ state: 'detached' });
  await servers.waitForServer('account', 'Connected');
});

it('asks once for what several calls lack, and registers a client that may have it', async () => {
  const { agent } = workbench;
  const visits = account.server.wire.to(account.server.paths.authorize).length;
  const clients = registrations();
  await agent.ask('both account__change and account__govern');
  await agent.frame.getByRole('button', { name: 'Allow All' }).click();
  const question = agent.question('asks for more rights');
  await question.waitFor();
  expect(await question.count()).toBe(1);
  await workbench.screenshot('step-up-of-several');
  await allow(() => question.getByRole('button', { name: 'Sign In' }).click());
  await agent.answer('2 tools').waitFor();
  await question.waitFor({ state: 'detached' });
  expect(registrations()).toBe(clients + 1);
  const asked = scopesOf(account.server.wire.to(account.server.paths.authorize).slice(visits));
  expect(asked.at(-1)?.split(' ')).toEqual(expect.arrayContaining(['read', 'write', 'admin']));
  expect(account.server.resource.calls).toEqual(expect.arrayContaining(['change', 'govern']));
});

it('keeps the rights when the tokens run out', async () => {
  const { agent, servers } = workbench;
  const asked = account.server.wire.to(account.server.paths.authorize).length;
  account.server.expireAccessTokens();
  await agent.ask('use account__govern');
  await agent.approval('govern').getByRole('button', { name: 'Allow Once' }).click();
  await agent.answer('The tool answered').waitFor();
  await servers.waitForServer('account', 'Connected');
  expect(account.server.wire.to(account.server.paths.authorize)).toHaveLength(asked);
});

it('leaves the account as it is when the user does not want that', async () => {
  const { agent, shell, servers } = workbench;
  await servers.pickFromMenu(servers.row('account').first(), 'Sign Out');
  await shell.quickPick('Sign Out').first().click();
  await shell.notification('You are signed out').waitFor();
  await signIn();
  const clients = registrations();
  await agent.ask('use account__change');
  await agent.approval('change').getByRole('button', { name: 'Allow Once' }).click();
  const question = agent.question('asks for more rights');
  await question.getByRole('button', { name: 'Cancel' }).click();
  await question.waitFor({ state: 'detached' });
  await agent.tool('change', 'failed').last().waitFor();
  await workbench.screenshot('step-up-denied');
  await servers.waitForServer('account', 'Connected');
  expect(registrations()).toBe(clients);
});

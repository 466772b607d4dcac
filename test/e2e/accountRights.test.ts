/** More rights for calls of the agent, at a real authorization server that holds a client to those it registered for. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type OidcServer, startOidcServer } from '../helpers/accounts/oidcServer.js';
import { allowAtOidc, openedPage } from '../helpers/e2e/signInPage.js';
import { trustEverything } from '../helpers/e2e/steps.js';
import { useWorkbench } from '../helpers/e2e/useWorkbench.js';

let server: OidcServer;
const files: Record<string, string> = {};
beforeAll(async () => {
  const features = { registrationManagement: { enabled: false } };
  server = await startOidcServer({ features });
  const account = { url: server.url, oauth: { scope: 'read' }, exposure: 'direct' };
  files['.mcp.json'] = JSON.stringify({ mcpServers: { account } });
});
afterAll(() => server.close());

const workbench = useWorkbench({ files }, async (workbench) => {
  const { servers, agent } = workbench;
  // servers of this machine ask for consent
  await trustEverything(workbench);
  await servers.show();
  await servers.waitForServer('account', 'sign-in required');
  await signIn();
  await agent.show();
  await agent.frame.locator('.model-picker').waitFor();
});

async function signIn(): Promise<void> {
  const { servers } = workbench;
  const row = servers.row('account').first();
  await allow(() => servers.pickFromMenu(row, 'Sign In'));
  await servers.waitForServer('account', 'connected');
}

/** @param start opens the page. */
async function allow(start: () => Promise<void>): Promise<void> {
  const opened = await openedPage(workbench, start);
  await opened.getByText('cookie not found').waitFor();
  const page = new URL(server.wire.to(server.paths.authorize).at(-1)?.url ?? server.issuer);
  // the proxy of the editor takes a slash away
  page.searchParams.set('resource', server.url);
  await allowAtOidc(opened, page);
}

function registrations(): number {
  return server.wire.to(server.paths.register).length;
}

function scopesOf(asked: readonly { readonly url: URL }[]): readonly string[] {
  return asked.map(({ url }) => url.searchParams.get('scope') ?? '');
}

it('takes the question away when nobody waits for its answer any more', async () => {
  const { agent, shell, servers } = workbench;
  await agent.ask('use account__change');
  await agent.approval('change').getByRole('button', { name: 'Allow Once' }).click();
  const question = shell.notification('asks for more rights');
  await question.waitFor();
  await agent.button('Stop').click();
  await question.waitFor({ state: 'detached' });
  await servers.waitForServer('account', 'connected');
});

it('asks once for what several calls lack, and registers a client that may have it', async () => {
  const { agent, shell } = workbench;
  const visits = server.wire.to(server.paths.authorize).length;
  const clients = registrations();
  await agent.ask('both account__change and account__govern');
  await agent.frame.getByRole('button', { name: 'Allow All' }).click();
  const question = shell.notification('asks for more rights');
  await question.waitFor();
  expect(await question.count()).toBe(1);
  await workbench.screenshot('step-up-of-several');
  const link = question.getByText('Sign In', { exact: true });
  await allow(() => link.click());
  await agent.answer('2 tools').waitFor();
  await question.waitFor({ state: 'detached' });
  expect(registrations()).toBe(clients + 1);
  const asked = scopesOf(server.wire.to(server.paths.authorize).slice(visits));
  expect(asked.at(-1)?.split(' ')).toEqual(expect.arrayContaining(['read', 'write', 'admin']));
  expect(server.resource.calls).toEqual(expect.arrayContaining(['change', 'govern']));
});

it('keeps the rights when the tokens run out', async () => {
  const { agent, servers } = workbench;
  const asked = server.wire.to(server.paths.authorize).length;
  server.expireAccessTokens();
  await agent.ask('use account__govern');
  await agent.approval('govern').getByRole('button', { name: 'Allow Once' }).click();
  await agent.answer('The tool answered').waitFor();
  await servers.waitForServer('account', 'connected');
  expect(server.wire.to(server.paths.authorize)).toHaveLength(asked);
});

it('leaves the account as it is when the user does not want that', async () => {
  const { agent, shell, servers } = workbench;
  await servers.pickFromMenu(servers.row('account').first(), 'Sign Out');
  await shell.notification('You are signed out').waitFor();
  await signIn();
  const clients = registrations();
  await agent.ask('use account__change');
  await agent.approval('change').getByRole('button', { name: 'Allow Once' }).click();
  const question = shell.notification('asks for more rights');
  await question.getByRole('button', { name: 'Cancel' }).click();
  await question.waitFor({ state: 'detached' });
  await agent.tool('change', 'failed').last().waitFor();
  await workbench.screenshot('step-up-denied');
  await servers.waitForServer('account', 'connected');
  expect(registrations()).toBe(clients);
});

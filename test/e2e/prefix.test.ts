/** VS Code behind a reverse proxy that serves it below a path, as hosts for teams do, and knows nothing else. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startAuthServer } from '../fixtures/servers/authServer.mjs';
import { filesystem } from '../helpers/coreHarness.js';
import { openedPage } from '../helpers/e2e/signInPage.js';
import { trustEverything } from '../helpers/e2e/steps.js';
import { useWorkbench } from '../helpers/e2e/useWorkbench.js';

const prefix = '/editor';
const files: Record<string, string> = {};
let authorizing: Awaited<ReturnType<typeof startAuthServer>>;

beforeAll(async () => {
  authorizing = await startAuthServer();
  const mcpServers = { account: { url: authorizing.url }, files: filesystem };
  files['.mcp.json'] = JSON.stringify({ mcpServers });
});
afterAll(() => authorizing.close());

const workbench = useWorkbench({ files, prefix });

it('loads its pages: the review, the agent and the editor of the configuration', async () => {
  const { agent, config, page, servers } = workbench;
  expect(new URL(page.url()).pathname).toBe(`${prefix}/`);
  await trustEverything(workbench);
  await servers.show();
  await servers.waitForServer('files', 'Connected');
  await agent.show();
  await agent.frame.locator('.model-picker').waitFor();
  await agent.ask('read README.md');
  await agent.answer('A sample to try Pi MCP with').waitFor();
  await agent.hide();
  await config.list();
  await workbench.screenshot('prefix-pages');
});

it('comes back from the sign-in in the browser, by way of the path', async () => {
  const { servers } = workbench;
  await servers.waitForServer('account', 'Sign in');
  const signInPage = await openedPage(workbench, () =>
    servers.clickAction(servers.row('account').first(), 'Sign In'),
  );
  await signInPage.getByRole('button', { name: 'Allow' }).click();
  await signInPage.getByText('You are signed in').waitFor();
  const { origin, pathname } = new URL(signInPage.url());
  expect([origin, pathname.replace(/\d+/, 'PORT')]).toEqual([
    new URL(workbench.page.url()).origin,
    expect.stringMatching(`^${prefix}/proxy/PORT/`),
  ]);
  await signInPage.close();
  await servers.waitForServer('account', 'Connected');
});

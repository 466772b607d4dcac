/** VS Code behind a reverse proxy that serves it below a path, as hosts for teams do, and knows nothing else. */
import { hostname } from 'node:os';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startAuthServer } from '../../fixtures/servers/authServer.mjs';
import { filesystem } from '../../helpers/coreHarness.js';
import { openedPage } from '../../helpers/e2e/signInPage.js';
import { trustEverything } from '../../helpers/e2e/steps.js';
import { useWorkbench } from '../../helpers/e2e/useWorkbench.js';

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

it('copies an address of the gateway that works, and says on which machine', async () => {
  const { page, shell } = workbench;
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await shell.runCommand('Pi MCP: Start Gateway');
  await shell.statusItem('MCP Gateway').waitFor();
  await shell.runAndChoose('Pi MCP: Use Gateway From…', 'Cursor');
  await shell.notification(`The address works on "${hostname()}" alone`).waitFor();
  await workbench.screenshot('prefix-gateway');
  const copied = JSON.parse(await page.evaluate(() => navigator.clipboard.readText()));
  const { url, headers } = copied.mcpServers['pi-mcp'];
  const client = new Client({ name: 'Cursor', version: '1' });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }),
  );
  const { tools } = await client.listTools();
  await client.close();
  expect(tools.map(({ name }) => name)).toContain('files__read_text_file');
  // the browser's way to that port is no way in
  const forwarded = new URL(`${prefix}/proxy/${new URL(url).port}/mcp`, page.url());
  const answer = await page.request.post(forwarded.href, { headers, data: {} });
  expect(answer.status()).toBe(403);
});

/** MCP Apps of a real server in the real VS Code: consent, sandbox, calls through approval, revocation. */
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { startCountingServer } from '../fixtures/countingServer.js';
import { trustEverything } from '../helpers/e2e/steps.js';
import { useWorkbench } from '../helpers/e2e/useWorkbench.js';
import { pageOf } from '../helpers/e2e/webview.js';
import { repository } from '../workbench/paths.mjs';

const script = join(repository, 'test/fixtures/servers/shop.mjs');
const counting = await startCountingServer();
afterAll(() => counting.close());
const servers = {
  shop: { command: process.execPath, args: [script] },
  reaching: { command: process.execPath, args: [script, '--reach', counting.origin] },
};

const workbench = useWorkbench(
  { files: { '.mcp.json': JSON.stringify({ mcpServers: servers }) } },
  async (workbench) => {
    await trustEverything(workbench);
    await workbench.shell.connectedItem(2, 2).waitFor();
    await workbench.servers.show();
    await workbench.agent.show();
    await workbench.agent.frame.locator('.model-picker').waitFor();
  },
);

const page = () => pageOf(workbench.page, 'editor');
const app = () => page().frameLocator('iframe');
const tab = () => workbench.page.locator('.tab').filter({ hasText: 'App: ' });

async function callTool(server: string, tool: string, args: object = {}) {
  const { agent } = workbench;
  const before = await agent.tool(tool, 'done').count();
  await agent.ask(`call ${server}__${tool} ${JSON.stringify(args)}`);
  await agent.approval(tool).getByRole('button', { name: 'Allow Once' }).click();
  const card = agent.tool(tool, 'done').nth(before);
  await card.waitFor();
  return card;
}

it('shows structured content as a table, with the icon of the tool', async () => {
  const card = await callTool('shop', 'show_orders', { probe: counting.origin });
  await card.getByRole('columnheader', { name: 'customer' }).waitFor();
  await card.getByRole('cell', { name: 'Grace' }).waitFor();
  await card.locator('img.picture').first().waitFor();
  await workbench.screenshot('structured-card');
});

it('names a result that does not match its schema, and shows it all the same', async () => {
  const card = await callTool('shop', 'wrong_total');
  await card.getByText('does not match its output schema').waitFor();
  await card.getByRole('rowheader', { name: 'currency' }).waitFor();
});

it('asks before it shows an app, and shows nothing when the user says no', async () => {
  const { agent, shell } = workbench;
  await agent.tool('show_orders', 'done').getByRole('button', { name: 'Open App…' }).click();
  await shell.dialog.getByText('Show the app of this MCP server? shop').waitFor();
  await shell.dialog.getByText('Its requests to the network are blocked.').waitFor();
  await shell.dialog.getByText('Not granted: camera').waitFor();
  await shell.dialog.getByText('Folder: sample').waitFor();
  await workbench.screenshot('app-consent');
  await shell.answerDialog('Cancel');
  expect(await tab().count()).toBe(0);
});

it('shows the app in a tab of its own, with the call and its result', async () => {
  const { agent, shell } = workbench;
  await agent.tool('show_orders', 'done').getByRole('button', { name: 'Open App…' }).click();
  await shell.answerDialog('Show Apps of This Server');
  await app().getByText('Grace: 7').waitFor();
  await page().getByText('Requests to the network are blocked').waitFor();
  await workbench.screenshot('app');
});

it('lets the app reach nothing outside: no server, no page around it, no VS Code', async () => {
  const probe = app().locator('#probe');
  await probe.getByText('top:').waitFor();
  const lines = ((await probe.textContent()) ?? '').split('\n');
  expect(lines.filter((line) => line.endsWith('worked'))).toEqual([]);
  expect(lines.length).toBe(13);
  expect(counting.paths).toEqual([]);
  // what it forged did nothing either
  expect(await page().getByText('forged').count()).toBe(0);
  expect(await tab().count()).toBe(1);
});

it('calls a tool back only after the user has approved it', async () => {
  const { agent } = workbench;
  await app().getByRole('button', { name: 'Refresh' }).click();
  const approval = agent.approval(
    'Run this tool for the app of an MCP server? refresh_orders · shop',
  );
  await approval.waitFor();
  await workbench.screenshot('app-approval');
  await agent.deny(approval);
  await app().getByText('refused: The user did not allow this call').waitFor();
  await app().getByRole('button', { name: 'Refresh' }).click();
  await approval.getByRole('button', { name: 'Allow Once' }).click();
  await app().getByText('"refreshed 1"').waitFor();
});

it('keeps the app from tools that are for the model, and lets it read the resources of its server', async () => {
  await app().getByRole('button', { name: 'Call a tool for the model' }).click();
  await app().getByText('refused: No tool "model_only"').waitFor();
  await app().getByRole('button', { name: 'Read the rules' }).click();
  await app().getByText('"No refunds"').waitFor();
});

it('puts a message of the app before the user and sends nothing', async () => {
  const { agent } = workbench;
  const sent = await agent.frame.locator('.entry.user').count();
  await app().getByRole('button', { name: 'Suggest a message' }).click();
  await expect.poll(() => agent.composer.inputValue()).toBe('Cancel order 1');
  expect(await agent.frame.locator('.entry.user').count()).toBe(sent);
  await agent.composer.fill('');
});

it('asks before a link of the app opens', async () => {
  const { agent } = workbench;
  await app().getByRole('button', { name: 'Open a link' }).click();
  const question = agent.question('An app of an MCP server asks you to open a page');
  await question.getByText('https://example.com/orders').waitFor();
  await question.getByRole('button', { name: 'Decline' }).click();
  await app().getByText('refused: The user did not open the link').waitFor();
});

it('covers the app while its server is stopped', async () => {
  const { servers: view } = workbench;
  await view.clickAction(view.row('shop').first(), 'Stop');
  await page().getByText('when its MCP server is connected: shop').waitFor();
  await page().locator('body[data-status=frozen]').waitFor();
  await workbench.screenshot('app-frozen');
  await view.clickAction(view.row('shop').first(), 'Start Server');
  await page().locator('body[data-status=live]').waitFor();
});

it('does not follow an app that leaves for another page', async () => {
  await app().getByRole('button', { name: 'Leave' }).click();
  await expect.poll(() => app().getByRole('button', { name: 'Leave' }).count()).toBe(0);
  expect(counting.paths).toEqual([]);
});

it('closes the app when the user takes the consent back, and asks again', async () => {
  const { agent, servers: view, shell, page: window } = workbench;
  await view.row('shop', 'shows apps').first().waitFor();
  await view.pickFromMenu(view.row('shop').first(), 'Manage Trust…');
  await shell.quickPick('Apps of MCP Servers…').click();
  await shell.quickPick('shop').first().click();
  await window.keyboard.press('Enter');
  await tab().waitFor({ state: 'detached' });
  await agent
    .tool('show_orders', 'done')
    .first()
    .getByRole('button', { name: 'Open App…' })
    .click();
  await shell.dialog.getByText('Show the app of this MCP server? shop').waitFor();
  await shell.answerDialog('Cancel');
});

it('lets an app reach what its server declared and the user saw, and nothing else there', async () => {
  const { shell } = workbench;
  const card = await callTool('reaching', 'show_orders', { probe: counting.origin });
  await card.getByRole('button', { name: 'Open App…' }).click();
  await shell.dialog.getByText(counting.origin).waitFor();
  await shell.answerDialog('Show Apps of This Server');
  await app().locator('#probe').getByText('top:').waitFor();
  expect(new Set(counting.paths)).toEqual(new Set(['/fetch', '/xhr', '/beacon']));
});

it('closes an app that does not stop sending', async () => {
  const { shell } = workbench;
  await app().getByRole('button', { name: 'Flood' }).click();
  await shell.notification('it did not stop sending messages').waitFor();
  await tab().waitFor({ state: 'detached' });
});

it('remembers the consent in the next window, and follows the theme', async () => {
  const { page: window, servers: view, shell } = workbench;
  await workbench.showTheme('Dark Modern');
  await view.show();
  await workbench.agent.show();
  await workbench.agent.frame.locator('.model-picker').waitFor();
  const card = await callTool('reaching', 'show_orders');
  await card.getByRole('button', { name: 'Open App…' }).click();
  await app().getByText('Grace: 7').waitFor();
  await app().locator('html[data-theme=dark]').waitFor();
  await view.expand(view.row('reaching').first());
  await view.expand(view.group('reaching', 'Tools'));
  const icon = view.row('show_orders').first().locator('.custom-view-tree-node-item-icon');
  const picture = () => icon.evaluate((element) => getComputedStyle(element).backgroundImage);
  await expect.poll(picture).toMatch(/^url\("data:image\/png/);
  await workbench.screenshot('app-dark');
  await shell.chooseTheme('Light Modern');
  await app().locator('html[data-theme=light]').waitFor();
  await expect.poll(picture).toMatch(/^url\("data:image\/png/);
  await window.setViewportSize({ width: 720, height: 800 });
  await app().getByText('Grace: 7').waitFor();
  await workbench.screenshot('app-light-narrow');
});

/** The first hour with the Pi Agent view: tools of MCP servers, a plan, commands, extensions, reviews and models. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { answerReview, connectSample, consentPage } from '../helpers/e2e/steps.js';
import { useWorkbench } from '../helpers/e2e/useWorkbench.js';

/** Of the user. */
const roll = `export default function (pi) {
  pi.registerCommand('roll', {
    description: 'Rolls the dice',
    handler: async (_args, ctx) => {
      const isSure = await ctx.ui.confirm('Roll?', 'Nobody knows what comes.');
      ctx.ui.notify(isSure ? 'It is a six' : 'Not rolled', 'info');
    },
  });
}`;
/** Of the folder. */
const hello = `export default function (pi) {
  pi.registerCommand('hello', { description: 'Says hello', handler: async (_args, ctx) => ctx.ui.notify('Hello from the folder') });
}`;

const workbench = useWorkbench(
  { files: { '.pi/extensions/hello.ts': hello }, agentFiles: { 'extensions/roll.ts': roll } },
  async (workbench) => {
    await connectSample(workbench);
    await workbench.servers.show();
    await workbench.agent.show();
    await workbench.agent.frame.locator('.model-picker').waitFor();
  },
);

it('asks before it calls a tool of an MCP server, and shows the result', async () => {
  const { agent } = workbench;
  await agent.ask('echo good morning');
  const approval = agent.approval('Run this tool of an MCP server? echo');
  await approval.getByText('good morning').waitFor();
  // the tools of the sample cost more than the default budget, so the model looks for the one that it needs
  await agent.tool('ToolSearch', 'done').waitFor();
  await workbench.screenshot('approval');
  await agent.allow(approval, 'Always in This Conversation');
  await agent.tool('echo', 'done').waitFor();
  await agent.answer('Echo: good morning').waitFor();
  await workbench.screenshot('agent-turn');
  await agent.ask('show me an image');
  await agent.approval('get-tiny-image').getByRole('button', { name: 'Allow Once' }).click();
  await agent.tool('get-tiny-image', 'done').locator('img').waitFor();
});

it('opens a file that an answer names at its line, and none outside of the folder', async () => {
  const { agent, page } = workbench;
  await agent.ask('echo [the readme](README.md#L2) [beyond](../beyond.md)');
  const link = agent.frame.locator('.assistant').getByRole('link', { name: 'the readme' });
  await link.last().click();
  await page.getByRole('tab', { name: /^README\.md/ }).waitFor();
  const beyond = agent.frame.locator('.assistant').getByRole('link', { name: 'beyond' });
  await beyond.last().click();
  await agent.frame.getByText('Outside the workspace folder.').waitFor();
  await agent.button('Dismiss').click();
});

it('shows a plan in Plan, takes what the user makes of it in an editor, and carries that out', async () => {
  const { agent, editor, page } = workbench;
  await agent.ask('/mode plan');
  const args = { title: 'Greet', steps: ['Say hello'], markdown: 'In **one** word.' };
  await agent.ask(`steps ${JSON.stringify([{ name: 'present_plan', args }])}`);
  const card = agent.frame.getByRole('group', { name: 'Plan: Greet' });
  await card.getByText('Say hello').waitFor();
  await workbench.screenshot('plan-card');
  await card.locator('vscode-button', { hasText: 'Open in Editor' }).click();
  await editor.content.getByText('1. Say hello').waitFor();
  await editor.content.locator('.view-lines').click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('And in Latin.');
  await card.locator('vscode-button', { hasText: 'Start, Ask' }).click();
  await agent.answer('And in Latin.').waitFor();
  await agent.frame.getByText('Mode: Ask', { exact: true }).waitFor();
  await workbench.screenshot('plan-started');
});

const answer = (title: string) => workbench.agent.frame.getByRole('region', { name: title });

it('switches a server off and on, as its row says', async () => {
  const { agent, servers } = workbench;
  const { composer } = agent;
  const row = servers.rows.filter({ hasText: 'memory' }).filter({ hasText: 'Disabled' });
  await composer.fill('/mc');
  await composer.press('Tab');
  await composer.pressSequentially('off mem');
  await agent.frame.getByRole('option', { name: '/mcp off memory' }).waitFor();
  await composer.press('Tab');
  await composer.press('Escape');
  await composer.press('Enter');
  await answer('MCP Servers').getByText('The server is disabled.').waitFor();
  await row.waitFor();
  await agent.command('/mcp on memory');
  await row.waitFor({ state: 'detached' });
});

it('runs an extension of the folder once its files were shown and agreed to', async () => {
  const { agent, shell, page, editor } = workbench;
  await agent.command('/hello');
  await agent.frame.getByText('Pi does not know "/hello".').first().waitFor();
  await agent.command('/extensions');
  await shell.dialog.getByText('.pi/extensions/hello.ts').waitFor();
  await workbench.screenshot('extensions-of-folder');
  await shell.answerDialog('Read Them First');
  await editor.tab('Pi Extensions to Review').waitFor();
  await agent.command('/extensions');
  await shell.answerDialog('Run These Files');
  await answer('Pi extensions of this folder').getByText('Pi extension, loaded.').waitFor();
  await agent.command('/tools list');
  await answer('Tools of This Conversation').getByText('Commands: /hello.').waitFor();
  await agent.command('/hello');
  await page.getByText('Pi extension: Hello from the folder').first().waitFor();
});

it('runs the command of an extension, with its question in the editor', async () => {
  const { shell, page } = workbench;
  await workbench.agent.command('/roll');
  const question = shell.notification('Nobody knows what comes.');
  await question.waitFor();
  expect(await shell.quickInput.isVisible()).toBe(false);
  await workbench.screenshot('extension-question');
  await question.getByRole('button', { name: 'Yes' }).click();
  await page.getByText('Pi extension: It is a six').first().waitFor();
  // it lies over the input
  await shell.runCommand('Notifications: Clear All Notifications');
});

it('lets a call of the agent wait in its card, opens nothing by itself, and goes on after consent', async () => {
  const { shell, servers, agent } = workbench;
  await shell.runCommand('Pi MCP: Manage Trust…');
  await shell.answerDialog('Revoke Trust');
  await servers.waitForServer('everything', 'Needs trust');
  await agent.newConversation();
  await agent.ask('echo Hello from review');
  await agent.approval('echo').getByRole('button', { name: 'Allow Once' }).click();
  const card = agent.frame.locator('.entry.tool[data-status=awaiting_review]');
  const review = card.getByRole('button', { name: 'Review' });
  await review.waitFor();
  await workbench.screenshot('agent-review-card');
  expect(await shell.dialog.isVisible()).toBe(false);
  await review.click();
  await answerReview(workbench, 'Not Now');
  await review.click();
  await answerReview(workbench, 'Trust Selected');
  await agent.answer('Echo: Hello').waitFor();
  // the next window begins with none
  await agent.newConversation();
});

it('asks one question for all folders of a window', async () => {
  const { shell, servers, page, workspaceDir } = workbench;
  const entry = { command: 'node', args: ['--version'] };
  const own = join(workspaceDir, '.mcp.json');
  const { mcpServers } = JSON.parse(readFileSync(own, 'utf8').replace(/^\s*\/\/.*$/gm, ''));
  writeFileSync(own, JSON.stringify({ mcpServers: { ...mcpServers, late: entry } }));
  const second = join(workspaceDir, '../second');
  mkdirSync(second);
  writeFileSync(join(second, '.mcp.json'), JSON.stringify({ mcpServers: { elsewhere: entry } }));
  const file = join(workspaceDir, '../both.code-workspace');
  writeFileSync(file, JSON.stringify({ folders: [{ path: workspaceDir }, { path: second }] }));
  // at its first opening VS Code may take a new workspace for one without folders
  const folder = page.locator('.explorer-folders-view').getByRole('treeitem', { name: 'second' });
  await shell.askUntilShown(async () => {
    await page.goto(page.url().replace(/\?.*$/, `?workspace=${file}`));
    await shell.waitUntilReady();
    await shell.showContainer('Explorer');
  }, folder.first());
  await shell.trustWorkspace();
  await shell.closeModalEditor();
  await servers.show();
  await servers.message('2 MCP servers wait for your review.').waitFor();
  await shell.statusItem('to review').click();
  const consent = consentPage(workbench);
  for (const [server, folder] of [
    ['late', 'sample'],
    ['elsewhere', 'second'],
  ]) {
    const card = consent.locator('.card').filter({ hasText: `folder ${folder}` });
    await card.getByRole('heading', { name: server }).waitFor();
  }
  await workbench.screenshot('review-two-folders');
  await page.keyboard.press('Enter');
  await answerReview(workbench, 'Not Now');
  await servers.message('2 MCP servers wait for your review.').waitFor();
});

it('leads from "no model" to a provider, and becomes ready with its key', async () => {
  const { agent, shell, page, agentDir } = workbench;
  // Pi reads it when its view is shown, for the first time in this window
  writeFileSync(join(agentDir, 'models.json'), '{ "providers": {} }');
  await agent.show();
  await agent.frame.getByText('Pi has no model that it can use.').waitFor();
  await workbench.screenshot('agent-no-model');
  // a provider that is not named on the page is one step further
  const key = agent.frame.getByRole('group', { name: 'An API key' });
  await key.getByRole('button', { name: 'More…' }).click();
  await shell.quickInput.locator('input[type=text]').fill('Mistral');
  await shell.quickPick('Mistral API key').first().waitFor();
  await workbench.screenshot('agent-login');
  await page.keyboard.press('Escape');
  await key.getByRole('button', { name: 'Anthropic' }).click();
  const box = shell.quickInput.locator('input[type=password]');
  await box.fill('sk-ant-not-a-real-key-0123456789');
  await page.keyboard.press('Enter');
  await agent.frame.locator('.model-picker').waitFor();
  await agent.frame.getByText('Ask Pi about your code').waitFor();
  await workbench.screenshot('agent-logged-in');
  expect(readFileSync(join(agentDir, 'auth.json'), 'utf8')).toContain('anthropic');
});

it('pins models to the top of the list, by the button of a row and by keyboard', async () => {
  const { shell, page } = workbench;
  const rows = shell.quickInput.locator('.monaco-list-row');
  const nameOf = async (at: number) =>
    (await rows.nth(at).locator('.label-name').first().textContent()) ?? '';
  const untilFirst = async (name: string) =>
    await expect
      .poll(async () => [await nameOf(0), await rows.first().textContent()])
      .toEqual([name, expect.stringContaining('Pinned')]);
  await shell.runCommand('Pi MCP: Choose Model…');
  await rows.filter({ hasText: 'Recently used' }).waitFor();
  const pinned = await nameOf(2);
  await rows.nth(2).hover();
  await rows.nth(2).getByRole('button', { name: 'Pin', exact: true }).click();
  await untilFirst(pinned);
  await workbench.screenshot('models-pinned');
  await page.keyboard.type('Pin Models');
  await rows.filter({ hasText: 'Pin Models…' }).first().waitFor();
  await page.keyboard.press('Enter');
  await shell.quickInput.locator('.quick-input-title', { hasText: 'Pin Models…' }).waitFor();
  await page.keyboard.type(pinned);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Space');
  await page.keyboard.press('Enter');
  await rows.filter({ hasText: 'Recently used' }).waitFor();
  expect(await rows.filter({ hasText: 'Pinned' }).count()).toBe(0);
  await page.keyboard.press('Escape');
});

it('logs out again', async () => {
  const { agent, shell } = workbench;
  await shell.runAndChoose('Pi MCP: Log In to Model Provider…', 'used by Pi');
  await shell.answerDialog('Log Out');
  await agent.frame.getByText('Pi has no model that it can use.').waitFor();
});

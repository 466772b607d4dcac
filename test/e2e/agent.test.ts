/** The Pi Agent view with the offline demo model and real tools, in one conversation and in several at once. */
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { connectSample } from '../helpers/e2e/steps.js';
import { useWorkbench } from '../helpers/e2e/useWorkbench.js';

const workbench = useWorkbench({}, async (workbench) => {
  await connectSample(workbench);
  await workbench.agent.show();
  await workbench.agent.frame.locator('.model-picker').waitFor();
});

it('reads a file with a built-in tool without asking', async () => {
  const { agent } = workbench;
  await agent.ask('read README.md');
  await agent.tool('read', 'done').waitFor();
  await agent.answer('A sample to try Pi MCP with').waitFor();
});

it('asks with the real place before a link leads it out of the folder', async () => {
  const { agent, workspaceDir } = workbench;
  const outside = join(dirname(workspaceDir), 'outside-of-the-folder.txt');
  writeFileSync(outside, 'not for the model');
  symlinkSync(outside, join(workspaceDir, 'way-out.txt'));
  await agent.ask('read way-out.txt');
  const approval = agent.approval('Read way-out.txt?');
  await approval.getByText('Outside the folder:').waitFor();
  await approval.getByText(outside).waitFor();
  await workbench.screenshot('approval-outside');
  await agent.deny(approval);
  await agent.tool('read', 'denied').waitFor();
});

it('shows the line that a command starts', async () => {
  const { agent } = workbench;
  await agent.ask('run touch made-by-a-command.txt');
  const approval = agent.approval('Run this command?');
  await approval.getByText('touch made-by-a-command.txt').waitFor();
  await agent.deny(approval);
  await agent.tool('bash', 'denied').waitFor();
});

it('asks before it calls a tool of an MCP server, and shows the result', async () => {
  const { agent } = workbench;
  await agent.ask('echo good morning');
  const approval = agent.approval('Run this tool of an MCP server? echo');
  await approval.getByText('good morning').waitFor();
  // the tools of the sample cost more than the default budget, so the model looks for the one that it needs
  await agent.tool('ToolSearch', 'done').waitFor();
  await workbench.screenshot('approval');
  await approval.getByRole('button', { name: 'Allow Once' }).click();
  await agent.tool('echo', 'done').waitFor();
  await agent.answer('Echo: good morning').waitFor();
  await workbench.screenshot('agent-turn');
});

it('asks again for the next call of the same tool, unless it is allowed for the session', async () => {
  const { agent } = workbench;
  await agent.ask('echo second');
  await agent.allow(agent.approval('echo'), 'For This Conversation');
  await agent.answer('Echo: second').waitFor();
  await agent.ask('echo third');
  await agent.answer('Echo: third').waitFor();
});

it('shows an image that a tool returns', async () => {
  const { agent } = workbench;
  await agent.ask('show me an image');
  await agent.approval('get-tiny-image').getByRole('button', { name: 'Allow Once' }).click();
  await agent.tool('get-tiny-image', 'done').locator('img').waitFor();
  await workbench.screenshot('agent-image');
});

it('does not run what the user denies', async () => {
  const { agent } = workbench;
  await agent.ask('write denied.txt hello');
  await agent.deny(agent.approval('Write denied.txt (new)?'));
  await agent.tool('write', 'denied').waitFor();
  await agent.frame.locator('.composer').getByRole('button', { name: 'Send' }).waitFor();
  expect(existsSync(join(workbench.workspaceDir, 'denied.txt'))).toBe(false);
});

it('writes a file once the user allows it', async () => {
  const { agent } = workbench;
  await agent.ask('write allowed.txt hello');
  await agent
    .approval('Write allowed.txt (new)?')
    .getByRole('button', { name: 'Allow Once' })
    .click();
  await agent.tool('write', 'done').waitFor();
  expect(readFileSync(join(workbench.workspaceDir, 'allowed.txt'), 'utf8')).toContain('hello');
});

it('stops a run while it streams', async () => {
  const { agent } = workbench;
  await agent.ask('tell me a long story');
  await agent.frame
    .locator('.assistant[aria-busy=true]')
    .filter({ hasText: 'Once upon' })
    .waitFor();
  await agent.button('Stop').click();
  await agent.button('Stop').waitFor({ state: 'detached' });
  await agent.answer('Once upon').waitFor();
});

it('stops a run while an approval is open', async () => {
  const { agent } = workbench;
  await agent.ask('write never.txt hello');
  await agent.approval('Write never.txt (new)?').waitFor();
  await agent.button('Stop').click();
  await agent.approval('Write never.txt (new)?').waitFor({ state: 'detached' });
  await agent.button('Stop').waitFor({ state: 'detached' });
  expect(existsSync(join(workbench.workspaceDir, 'never.txt'))).toBe(false);
});

it('opens a file that an answer names at its line, and none outside of the folder', async () => {
  const { agent, page } = workbench;
  await agent.ask('echo [the readme](README.md#L2) [beyond](../beyond.md)');
  const link = agent.frame.locator('.assistant').getByRole('link', { name: 'the readme' });
  await link.last().click();
  await page.getByRole('tab', { name: /^README\.md/ }).waitFor();
  const beyond = agent.frame.locator('.assistant').getByRole('link', { name: 'beyond' });
  await beyond.last().click();
  await agent.frame.getByText('This file is not in the folder.').waitFor();
  await agent.button('Dismiss').click();
});

it('answers by keyboard alone: Ctrl+Enter allows, Escape stops', async () => {
  const { agent, page, workspaceDir } = workbench;
  const file = join(workspaceDir, 'keys.txt');
  await agent.ask('write keys.txt hello');
  await agent.approval('Write keys.txt (new)?').waitFor();
  // the key counts once the question was there for a moment
  await expect
    .poll(
      async () => {
        await page.keyboard.press('Control+Enter');
        return existsSync(file);
      },
      { interval: 1_000, timeout: 20_000 },
    )
    .toBe(true);
  await agent.button('Stop').waitFor({ state: 'detached' });
  await agent.ask('write never.txt hello');
  await agent.approval('Write never.txt (new)?').waitFor();
  await page.keyboard.press('Escape');
  await agent.approval('Write never.txt (new)?').waitFor({ state: 'detached' });
  await agent.button('Stop').waitFor({ state: 'detached' });
  expect(existsSync(join(workspaceDir, 'never.txt'))).toBe(false);
});

it('keeps the conversation while the view is hidden', async () => {
  const { agent } = workbench;
  await agent.hide();
  await agent.show();
  await agent.answer('Echo: good morning').waitFor();
});

it('shows a plan in Plan, takes what the user makes of it in an editor, and carries that out', async () => {
  const { agent, editor, page } = workbench;
  await agent.ask('/mode plan');
  const args = { title: 'Greet', steps: ['Say hello'], markdown: 'In **one** word.' };
  await agent.ask(`steps ${JSON.stringify([{ name: 'present_plan', args }])}`);
  const card = agent.frame.getByRole('group', { name: 'Plan: Greet' });
  await card.getByText('Say hello').waitFor();
  await workbench.screenshot('plan-card');
  await card.locator('vscode-button', { hasText: 'Open as File' }).click();
  await editor.content.getByText('1. Say hello').waitFor();
  await editor.content.locator('.view-lines').click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('And in Latin.');
  await card.locator('vscode-button', { hasText: 'Start, Ask' }).click();
  await agent.answer('And in Latin.').waitFor();
  await agent.frame.getByText('Mode: Ask', { exact: true }).waitFor();
  await workbench.screenshot('plan-started');
});

const strip = () => workbench.agent.frame.locator('.elsewhere');
const statusItem = () => workbench.page.locator('[id="pi-mcp.pi-mcp.piMcp.approvals"]');
const heading = (name: string) => workbench.agent.frame.getByRole('heading', { name, level: 1 });
/** A conversation of the open list. */
const row = (title: string, fact: string) =>
  workbench.shell.quickPick(title).filter({ hasText: fact });
const separator = (text: string) =>
  workbench.shell.quickInput.locator('.quick-input-list-separator', { hasText: text });

it('goes on behind a new conversation, and says there that it needs the user', async () => {
  const { agent } = workbench;
  await workbench.agent.newConversation();
  await agent.ask('write first.txt one');
  await agent.approval('first.txt').waitFor();
  await workbench.agent.newConversation();
  await strip().getByText('Needs you: write first.txt one').waitFor();
  await agent.ask('write second.txt two');
  await agent.approval('second.txt').waitFor();
  await workbench.agent.newConversation();
  await strip().getByText('2 need you: write first.txt one').waitFor();
  await statusItem().getByText('2 waiting').waitFor();
  await agent.ask('list files');
  await agent.answer('README.md').waitFor();
  await workbench.screenshot('live-strip');
});

it('lists what each does, and follows it while the list is open', async () => {
  const { shell, page, agent, modelScript } = workbench;
  let release: () => void = () => undefined;
  const released = new Promise<undefined>((resolve) => {
    release = () => resolve(undefined);
  });
  modelScript.refuse = () => released;
  await agent.ask('and what now?');
  await shell.runCommand('Pi MCP: Show Conversations');
  await separator('Needs You').waitFor();
  await separator('Working').waitFor();
  await row('write first.txt one', 'needs you').waitFor();
  await row('list files', 'working').waitFor();
  await workbench.screenshot('live-list');
  modelScript.refuse = undefined;
  release();
  await row('list files', 'done').waitFor();
  await separator('Working').waitFor({ state: 'detached' });
  await page.keyboard.press('Escape');
  await shell.quickInput.waitFor({ state: 'hidden' });
});

it('leads with one key from anywhere to what waits, and to the next', async () => {
  const { page, agent } = workbench;
  await agent.hide();
  await page.keyboard.press('Control+F8');
  await heading('write first.txt one').waitFor();
  await agent.approval('first.txt').waitFor();
  await strip().getByText('Needs you: write second.txt two').waitFor();
  await page.keyboard.press('Control+F8');
  await heading('write second.txt two').waitFor();
  await agent.deny(agent.approval('second.txt'));
  await page.keyboard.press('Control+F8');
  await agent.approval('first.txt').getByRole('button', { name: 'Allow Once' }).click();
  await agent.tool('write', 'done').waitFor();
  await strip().waitFor({ state: 'detached' });
  await statusItem().waitFor({ state: 'hidden' });
});

it('says how many files each changed', async () => {
  const { shell, page } = workbench;
  await shell.runCommand('Pi MCP: Show Conversations');
  await row('write first.txt one', '1 file changed').waitFor();
  await page.keyboard.press('Escape');
  await shell.quickInput.waitFor({ state: 'hidden' });
});

it('opens what waits from the line above the transcript', async () => {
  const { agent } = workbench;
  await agent.ask('write third.txt three');
  await agent.approval('third.txt').waitFor();
  await workbench.agent.newConversation();
  await strip().getByRole('button', { name: 'Open write first.txt one' }).click();
  await agent.approval('third.txt').waitFor();
  await workbench.agent.newConversation();
  await strip().waitFor();
});

it('stays on one line at 280 pixels', async () => {
  const { page } = workbench;
  const box = await page.locator('.part.auxiliarybar').boundingBox();
  if (box) {
    await page.mouse.move(box.x, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width - 280, box.y + box.height / 2, { steps: 5 });
    await page.mouse.up();
  }
  const line = await strip().boundingBox();
  expect(line?.height).toBeLessThan(40);
  await workbench.screenshot('live-strip-narrow');
});

it('shows the same after a reload, and which were interrupted', async () => {
  const { shell, agent, page } = workbench;
  await workbench.open();
  await workbench.servers.show();
  await agent.show();
  await agent.frame.locator('.model-picker').waitFor();
  await shell.runCommand('Pi MCP: Show Conversations');
  await row('write first.txt one', 'interrupted').waitFor();
  await workbench.screenshot('live-list-reloaded');
  await page.keyboard.press('Escape');
});

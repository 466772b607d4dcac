/** A day of conversations: they outlive the window, have versions and forks, and messages wait for one another. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { answerTimeoutMs } from '../helpers/e2e/shell.js';
import { connectSample } from '../helpers/e2e/steps.js';
import { useWorkbench } from '../helpers/e2e/useWorkbench.js';

const workbench = useWorkbench({}, async (workbench) => {
  await connectSample(workbench);
  await showAgent();
});

async function showAgent(): Promise<void> {
  await workbench.agent.show();
  await workbench.agent.frame.locator('.model-picker').waitFor();
}

/** Right after a reload, the palette does not have the commands yet. */
async function reload(): Promise<void> {
  await workbench.open();
  await workbench.servers.show();
  await showAgent();
}

it('begins a new one, has it again in the next window, and goes on with the first and the tools that it had found', async () => {
  const { agent, shell } = workbench;
  await agent.ask('echo good morning');
  await agent.allow(agent.approval('echo'), 'For This Conversation');
  await agent.answer('Echo: good morning').waitFor();
  await agent.newConversation();
  await reload();
  await agent.frame.getByText('Ask Pi about your code').waitFor();
  await agent.ask('list files');
  await agent.answer('README.md').waitFor();
  await shell.runCommand('Pi MCP: Show Conversations');
  await shell.quickPick('list files').waitFor();
  await workbench.screenshot('conversations');
  await shell.quickPick('echo good morning').click();
  await agent.answer('Echo: good morning').waitFor();
  await agent.tool('ToolSearch', 'done').waitFor();
  await agent.tool('echo', 'done').waitFor();
  await workbench.screenshot('conversation-resumed');
  await agent.ask('echo good evening');
  await agent.approval('echo').getByRole('button', { name: 'Allow Once' }).click();
  await agent.answer('Echo: good evening').waitFor();
  expect(await agent.tool('ToolSearch', 'done').count()).toBe(1);
});

it('finds a conversation by what was said in it, and renames it', async () => {
  const { agent, shell, page } = workbench;
  await shell.runCommand('Pi MCP: Show Conversations');
  await shell.quickPick('list files').waitFor();
  await page.keyboard.type('good evening');
  await shell.quickPick('list files').waitFor({ state: 'detached' });
  await shell.quickPick('echo good morning').getByText('good evening').first().waitFor();
  await workbench.screenshot('conversations-search');
  // the list is drawn anew as the search goes on
  await shell.tryAgain(async () => {
    const row = shell.quickPick('echo good morning');
    await row.hover({ timeout: answerTimeoutMs });
    const rename = row.getByRole('button', { name: 'Rename Conversation' });
    await rename.click({ timeout: answerTimeoutMs });
  });
  const input = shell.quickInput.locator('input[type=text]');
  await expect.poll(() => input.inputValue()).toBe('echo good morning');
  await input.fill('Greetings');
  await page.keyboard.press('Enter');
  await shell.quickPick('Greetings').waitFor();
  await page.keyboard.press('Escape');
  await shell.quickInput.waitFor({ state: 'hidden' });
  await agent.frame.getByRole('heading', { name: 'Greetings', level: 1 }).waitFor();
});

it('deletes a conversation and brings it back', async () => {
  const { shell, page } = workbench;
  await shell.runCommand('Pi MCP: Show Conversations');
  const row = shell.quickPick('list files');
  await row.hover();
  await row.getByRole('button', { name: 'Delete Conversation' }).click();
  const back = shell.quickPick('Bring Back "list files"');
  await back.waitFor();
  expect(await row.count()).toBe(1);
  await workbench.screenshot('conversations-deleted');
  await back.click();
  await back.waitFor({ state: 'detached' });
  await row.waitFor();
  await page.keyboard.press('Escape');
  await shell.quickInput.waitFor({ state: 'hidden' });
});

it('opens the conversation as text', async () => {
  const { shell, page } = workbench;
  await shell.runAndChoose('Pi MCP: Export Conversation…', 'Open as Text');
  await page.locator('.tab', { hasText: 'Greetings.md' }).waitFor();
  await page.locator('.view-lines', { hasText: 'echo a message back' }).first().waitFor();
  await workbench.screenshot('conversation-text');
});

it('says in the status bar that a call waits behind another view', async () => {
  const { agent } = workbench;
  await showAgent();
  await agent.ask('write waiting.txt hello');
  await agent.approval('waiting.txt').waitFor();
  await agent.hide();
  const item = workbench.page.locator('[id="pi-mcp.pi-mcp.piMcp.approvals"]');
  await item.waitFor();
  await workbench.screenshot('approval-out-of-sight');
  await item.click();
  await agent.deny(agent.approval('waiting.txt'));
  await item.waitFor({ state: 'hidden' });
});

const requests = () => workbench.agent.frame.locator('.entry.user');
const request = (text: string) => requests().filter({ hasText: text });
const answers = () => workbench.agent.frame.locator('.assistant[aria-busy=false]');
/** Words and version of each message of the user. */
const asked = async () =>
  (await requests().locator('.user-text, .branch-switch').allTextContents()).map((text) =>
    text.trim(),
  );
const version = (text: string, words: string) => request(text).getByText(words, { exact: true });
const act = (text: string, name: string) =>
  request(text).getByRole('button', { name, exact: true }).press('Enter');

it('sends a changed message in the place of the first one', async () => {
  const { agent } = workbench;
  await workbench.agent.newConversation();
  await agent.ask('hello');
  await agent.answer('scripted model').waitFor();
  await agent.ask('list files');
  await agent.answer('The tool answered').waitFor();
  await request('list files').hover();
  await workbench.screenshot('branches-actions');
  await act('list files', 'Edit');
  const editor = agent.frame.getByRole('textbox', { name: 'Message', exact: true });
  expect(await editor.inputValue()).toBe('list files');
  await editor.fill('read README.md');
  await workbench.screenshot('branches-edit');
  await editor.press('Enter');
  await agent.answer('A sample to try Pi MCP with').waitFor();
  await version('read README.md', '2 of 2').waitFor();
  expect(await asked()).toEqual(['hello', 'read README.md', '2 of 2']);
});

it('goes back to the first version', async () => {
  const { agent } = workbench;
  await act('read README.md', 'Previous Version');
  await version('list files', '1 of 2').waitFor();
  const next = request('list files').getByRole('button', { name: 'Next Version' });
  await expect.poll(() => next.evaluate((button) => button === document.activeElement)).toBe(true);
  await agent.answer('A sample to try').waitFor({ state: 'detached' });
  expect(await asked()).toEqual(['hello', 'list files', '1 of 2']);
  await agent.tool('ls', 'done').waitFor();
});

it('gives another answer, and tries a stopped one again', async () => {
  const { agent } = workbench;
  await answers().last().getByRole('button', { name: 'Retry' }).press('Enter');
  await version('list files', '3 of 3').waitFor();
  await agent.answer('The tool answered').waitFor();
  await agent.ask('tell me a long story');
  await agent.frame.locator('.assistant[aria-busy=true]').waitFor();
  await agent.button('Stop').click();
  const stopped = agent.frame.locator('.entry.notice').filter({ hasText: 'Stopped.' });
  await stopped.getByRole('button', { name: 'Try Again' }).press('Enter');
  await version('tell me a long story', '2 of 2').waitFor();
  await agent.frame.locator('.assistant[aria-busy=true]').waitFor();
  // while it works, nothing moves
  await act('tell me a long story', 'Previous Version');
  await agent.frame.getByRole('alert').filter({ hasText: 'Pi is still working.' }).waitFor();
  await workbench.screenshot('branches-refused');
  await act('hello', 'Edit');
  const editor = agent.frame.getByRole('textbox', { name: 'Message', exact: true });
  await editor.fill('list files');
  await agent.frame.locator('vscode-button', { hasText: 'Stop and Send' }).click();
  await version('list files', '2 of 2').waitFor();
  await agent.answer('The tool answered').waitFor();
  expect(await asked()).toEqual(['list files', '2 of 2']);
});

it('goes on with a copy from an answer', async () => {
  const { agent } = workbench;
  await act('list files', 'Previous Version');
  await version('hello', '1 of 2').waitFor();
  await answers().first().getByRole('button', { name: 'Fork from Here' }).press('Enter');
  await agent.frame.getByRole('heading', { name: 'Fork of hello', level: 1 }).waitFor();
  expect(await asked()).toEqual(['hello']);
  await agent.ask('read README.md');
  await agent.answer('A sample to try Pi MCP with').waitFor();
});

it('finds in the conversation, and not in the editor that is open', async () => {
  const { agent, editor, page } = workbench;
  await editor.open('README.md');
  await agent.composer.click();
  await page.keyboard.press('Control+F');
  const field = agent.frame.getByRole('textbox', { name: 'Find in Conversation' });
  await expect.poll(() => field.evaluate((input) => input === document.activeElement)).toBe(true);
  await page.keyboard.type('sample');
  await agent.frame
    .locator('#find-count')
    .filter({ hasText: /^\d of/ })
    .waitFor();
  expect(await page.locator('.find-widget.visible').count()).toBe(0);
  await page.keyboard.press('Escape');
  await field.waitFor({ state: 'detached' });
});

it('puts code of an answer where the cursor of the editor is, and opens it in one of its own', async () => {
  const { editor, page } = workbench;
  await editor.open('README.md');
  await page.keyboard.press('Control+End');
  const block = answers().last().locator('.code-block').first();
  const code = ((await block.locator('pre').textContent()) ?? '').trim();
  const [line = ''] = code.split('\n').filter((text) => text.trim() !== '');
  const shown = editor.content.locator('.view-line').filter({ hasText: line });
  const before = await shown.count();
  await block.getByRole('button', { name: 'Insert at Cursor' }).press('Enter');
  await expect.poll(() => shown.count()).toBeGreaterThan(before);
  await block.getByRole('button', { name: 'Open in Editor' }).press('Enter');
  await page.getByRole('tab', { name: 'Untitled-1' }).waitFor();
  await shown.first().waitFor();
});

const queue = () => workbench.agent.frame.getByRole('region', { name: 'Queue' });
const rows = () => queue().getByRole('listitem');
const row = (text: string) => rows().filter({ hasText: text });
/** Kind and text of each, in order. */
const waiting = async () =>
  (await rows().allTextContents()).map((text) => text.replace(/\s+/g, ' ').trim());
const spoken = () => workbench.agent.frame.locator('body > .visually-hidden[role=status]');

it('takes messages while a call waits for approval, by Enter and Ctrl+Enter', async () => {
  const { agent } = workbench;
  await workbench.agent.newConversation();
  await agent.ask('write queued.txt hello');
  await agent.approval('queued.txt').waitFor();
  await agent.composer.fill('echo afterwards');
  await agent.composer.press('Control+Enter');
  await row('echo afterwards').waitFor();
  await agent.composer.fill('list files');
  await agent.composer.press('Enter');
  await row('list files').waitFor();
  await agent.composer.fill('read README.md, which may be a little longer than there is room for');
  await agent.composer.press('Enter');
  await expect
    .poll(waiting)
    .toEqual([
      'next list files',
      'next read README.md, which may be a little longer than there is room for',
      'after echo afterwards',
    ]);
  await expect.poll(() => spoken().textContent()).toContain('waits in the queue');
  // nothing of it is part of the conversation, and the question is still open
  expect(await agent.frame.locator('.entry.user').count()).toBe(1);
  await agent.approval('queued.txt').waitFor();
  await workbench.screenshot('queue');
});

it('is changed, sorted and shortened by keyboard, and keeps the focus', async () => {
  const { agent } = workbench;
  await row('list files').getByRole('button', { name: 'Move Down' }).press('Enter');
  await expect.poll(async () => (await waiting())[1]).toBe('next list files');
  await expect
    .poll(() => row('list files').getByRole('button', { name: 'Move Up' }).evaluate(isFocused))
    .toBe(true);
  await row('read README.md').getByRole('button', { name: 'Edit' }).press('Enter');
  const editor = agent.frame.getByRole('textbox', { name: 'Queued message' });
  await expect.poll(() => editor.evaluate(isFocused)).toBe(true);
  await editor.fill('read README.md');
  await workbench.screenshot('queue-edit');
  await editor.press('Enter');
  await expect
    .poll(waiting)
    .toEqual(['next read README.md', 'next list files', 'after echo afterwards']);
  await row('list files').getByRole('button', { name: 'Remove' }).press('Enter');
  await expect.poll(() => rows().count()).toBe(2);
  await expect
    .poll(() => row('echo afterwards').getByRole('button', { name: 'Remove' }).evaluate(isFocused))
    .toBe(true);
});

it('runs nothing once the user has stopped', async () => {
  const { agent, workspaceDir } = workbench;
  // rows of the queue have a button that begins so
  await agent.frame.getByRole('button', { name: 'Stop', exact: true }).click();
  await queue().getByText('Paused since you stopped').waitFor();
  await agent.approval('queued.txt').waitFor({ state: 'detached' });
  expect(await waiting()).toEqual(['next read README.md', 'after echo afterwards']);
  expect(existsSync(join(workspaceDir, 'queued.txt'))).toBe(false);
  await expect.poll(() => spoken().textContent()).toContain('Paused since you stopped');
});

it('goes on where it was when the user resumes it', async () => {
  const { agent } = workbench;
  await queue().getByRole('button', { name: 'Resume' }).click();
  await agent.answer('A sample to try Pi MCP with').waitFor();
  await agent.approval('echo').getByRole('button', { name: 'Allow Once' }).click();
  await agent.answer('Echo: afterwards').waitFor();
  await queue().waitFor({ state: 'detached' });
});

it('sends one at once in the place of what runs', async () => {
  const { agent } = workbench;
  await agent.ask('write queued.txt hello');
  await agent.approval('queued.txt').waitFor();
  await agent.composer.fill('list files');
  await agent.composer.press('Control+Enter');
  await row('list files').getByRole('button', { name: 'Stop and Send' }).click();
  await agent.tool('ls', 'done').waitFor();
  await agent.tool('write', 'denied').first().waitFor();
  await queue().waitFor({ state: 'detached' });
});

function isFocused(element: Element): boolean {
  return element === document.activeElement;
}

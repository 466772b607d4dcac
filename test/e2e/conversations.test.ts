/** Conversations: over windows and a killed extension host, several at once, their versions and copies, and what uses them. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { answerTimeoutMs } from '../helpers/e2e/shell.js';
import { connectSample } from '../helpers/e2e/steps.js';
import { useWorkbench } from '../helpers/e2e/useWorkbench.js';
import { createDeferred } from '../helpers/fakes/deferred.js';
import { isFocused } from '../helpers/pages/host.js';

const lines = Array.from({ length: 2000 }, (_, index) => `line ${index} of a long text`);

/** Runs until its folder is gone, since whoever kills a host leaves what that ran. */
const endless = 'while test -e long.txt; do sleep 0.1; done';

const workbench = useWorkbench(
  // what runs, waits and was changed takes half of the view
  { files: { 'long.txt': lines.join('\n') }, size: { width: 1280, height: 1200 } },
  async (workbench) => {
    await connectSample(workbench);
    await workbench.agent.show();
    await workbench.agent.frame.locator('.model-picker').waitFor();
  },
);

const path = (name: string) => join(workbench.workspaceDir, name);

it('begins a new one, has it again in the next window, and goes on with the first and the tools that it had found', async () => {
  const { agent, servers, shell } = workbench;
  await agent.ask('echo good morning');
  await agent.allow(agent.approval('echo'), 'Always in This Conversation');
  await agent.answer('Echo: good morning').waitFor();
  await agent.newConversation();
  await workbench.open();
  // right after a reload, the palette does not have the commands yet
  await servers.show();
  await agent.show();
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

it('finds a conversation by what was said in it, renames one, deletes one and brings it back', async () => {
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
  const row = shell.quickPick('list files');
  await row.hover();
  await row.getByRole('button', { name: 'Delete Conversation' }).click();
  const back = shell.quickPick('Bring Back: list files');
  await back.waitFor();
  expect(await row.count()).toBe(1);
  await workbench.screenshot('conversations-deleted');
  await back.click();
  await back.waitFor({ state: 'detached' });
  await row.waitFor();
  await page.keyboard.press('Escape');
  await shell.quickInput.waitFor({ state: 'hidden' });
  await agent.frame.getByRole('heading', { name: 'Greetings', level: 1 }).waitFor();
});

it('opens the conversation as text', async () => {
  const { shell, page } = workbench;
  await shell.runAndChoose('Pi MCP: Export Conversation…', 'Open as Text');
  await page.locator('.tab', { hasText: 'Greetings.md' }).waitFor();
  await page.locator('.view-lines', { hasText: 'echo a message back' }).first().waitFor();
  await workbench.screenshot('conversation-text');
});

const strip = () => workbench.agent.frame.locator('.elsewhere');
const conversationTitle = (name: string) =>
  workbench.agent.frame.getByRole('heading', { name, level: 1 });
/** A conversation of the open list. */
const listed = (title: string, fact: string) =>
  workbench.shell.quickPick(title).filter({ hasText: fact });
const separator = (text: string) =>
  workbench.shell.quickInput.locator('.quick-input-list-separator', { hasText: text });

it('goes on behind a new conversation, and says there that it needs the user', async () => {
  const { agent } = workbench;
  await agent.newConversation();
  await agent.ask('write first.txt one');
  await agent.approval('first.txt').waitFor();
  await agent.newConversation();
  await strip().getByText('Needs you: write first.txt one').waitFor();
  await agent.ask('write second.txt two');
  await agent.approval('second.txt').waitFor();
  await agent.newConversation();
  await strip().getByText('Needs you: write first.txt one and 1 more').waitFor();
  await workbench.shell.waitingItem.getByText('2 waiting').waitFor();
  await workbench.screenshot('live-strip');
});

it('lists what each does, and follows it while the list is open', async () => {
  const { shell, page, agent, modelScript } = workbench;
  const released = createDeferred<undefined>();
  modelScript.refuse = () => released.promise;
  await agent.ask('what can you do?');
  await shell.runCommand('Pi MCP: Show Conversations');
  await separator('needs you').waitFor();
  await separator('working').waitFor();
  await listed('write first.txt one', 'needs you').waitFor();
  await listed('what can you do?', 'working').waitFor();
  await workbench.screenshot('live-list');
  modelScript.refuse = undefined;
  released.resolve(undefined);
  await listed('what can you do?', 'done').waitFor();
  await separator('working').waitFor({ state: 'detached' });
  await page.keyboard.press('Escape');
  await shell.quickInput.waitFor({ state: 'hidden' });
});

it('leads by one key, and from the status bar, to what waits, and says how many files each changed', async () => {
  const { page, agent, shell } = workbench;
  await agent.hide();
  await page.keyboard.press('Control+F8');
  await conversationTitle('write first.txt one').waitFor();
  await agent.approval('first.txt').getByRole('button', { name: 'Allow Once' }).click();
  await agent.tool('write', 'done').waitFor();
  await agent.hide();
  await workbench.shell.waitingItem.click();
  await conversationTitle('write second.txt two').waitFor();
  await agent.deny(agent.approval('second.txt'));
  await strip().waitFor({ state: 'detached' });
  await workbench.shell.waitingItem.waitFor({ state: 'hidden' });
  expect([existsSync(path('first.txt')), existsSync(path('second.txt'))]).toEqual([true, false]);
  await shell.runCommand('Pi MCP: Show Conversations');
  await listed('write first.txt one', 'changed files: 1').waitFor();
  await page.keyboard.press('Escape');
  await shell.quickInput.waitFor({ state: 'hidden' });
});

const requests = () => workbench.agent.frame.locator('.entry.user');
const request = (text: string) => requests().filter({ hasText: text });
const act = (text: string, name: string) =>
  request(text).getByRole('button', { name, exact: true }).press('Enter');
const answers = () => workbench.agent.frame.locator('.assistant[aria-busy=false]');
/** Words and version of each message of the user. */
const asked = async () =>
  (await requests().locator('.user-text, .branch-switch').allTextContents()).map((text) =>
    text.trim(),
  );

it('sends a changed message in the place of the first one, goes back to that, and on with a copy', async () => {
  const { agent } = workbench;
  await agent.newConversation();
  await agent.ask('hello');
  await agent.answer('scripted model').waitFor();
  await agent.ask('list files');
  await agent.answer('The tool answered').waitFor();
  await act('list files', 'Edit');
  const editor = agent.frame.getByRole('textbox', { name: 'Message', exact: true });
  expect(await editor.inputValue()).toBe('list files');
  await editor.fill('read README.md');
  await editor.press('Enter');
  await agent.answer('A sample to try Pi MCP with').waitFor();
  await expect.poll(asked).toEqual(['hello', 'read README.md', '2 of 2']);
  await act('read README.md', 'Previous');
  await expect.poll(asked).toEqual(['hello', 'list files', '1 of 2']);
  const next = request('list files').getByRole('button', { name: 'Next' });
  await expect.poll(() => next.evaluate(isFocused)).toBe(true);
  await answers().last().getByRole('button', { name: 'Try Again' }).press('Enter');
  await expect.poll(asked).toEqual(['hello', 'list files', '3 of 3']);
  await agent.answer('The tool answered').waitFor();
  await agent.button('Stop').waitFor({ state: 'detached' });
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
  await expect.poll(() => field.evaluate(isFocused)).toBe(true);
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
const queued = (text: string) => queue().getByRole('listitem').filter({ hasText: text });
/** Kind and text of each, in order. */
const waiting = async () =>
  (await queue().getByRole('listitem').allTextContents()).map((text) =>
    text.replace(/\s+/g, ' ').trim(),
  );
const bar = () => workbench.agent.frame.locator('.changes');

async function prepareRun(): Promise<void> {
  const { agent } = workbench;
  const args = JSON.stringify({ path: path('long.txt') });
  await agent.newConversation();
  await agent.ask(`call filesystem__read_text_file ${args}`);
  await agent.approval('read_text_file').getByRole('button', { name: 'Allow Once' }).click();
  await agent.frame.getByRole('button', { name: 'Open Whole Result' }).waitFor();
  await agent.ask('write made.txt by the agent');
  await agent.approval('made.txt').getByRole('button', { name: 'Allow Once' }).click();
  await bar().waitFor();
  await agent.ask(`run ${endless}`);
  await agent.approval('sleep 0.1').getByRole('button', { name: 'Allow Once' }).click();
  await agent.tool('bash', 'running').waitFor();
}

it('takes messages while a call runs, to be changed, sorted and taken away', async () => {
  const { agent } = workbench;
  await prepareRun();
  await agent.enter('list');
  await agent.enter('read README.md');
  await agent.composer.fill('echo afterwards');
  await agent.composer.press('Control+Enter');
  await expect.poll(waiting).toEqual(['next list', 'next read README.md', 'after echo afterwards']);
  await queued('list').getByRole('button', { name: 'Move Down' }).press('Enter');
  await expect.poll(async () => (await waiting())[1]).toBe('next list');
  await queued('list').getByRole('button', { name: 'Edit' }).press('Enter');
  const editor = agent.frame.getByRole('textbox', { name: 'Message' });
  await editor.fill('list files');
  await editor.press('Enter');
  await queued('read README.md').getByRole('button', { name: 'Remove' }).press('Enter');
  await expect.poll(waiting).toEqual(['next list files', 'after echo afterwards']);
  await workbench.screenshot('queue');
});

it('has draft, paused queue, interrupted call and change bar again when its host was killed', async () => {
  const { agent } = workbench;
  await agent.composer.fill('what I was about to write');
  await workbench.screenshot('crash-before');
  const killed = workbench.killExtensionHost();
  await agent.composer.fill('what I was about to write and wrote meanwhile');
  await killed;
  await queue().getByText('Paused').waitFor();
  expect(await waiting()).toEqual(['next list files', 'after echo afterwards']);
  await expect
    .poll(() => agent.composer.inputValue())
    .toBe('what I was about to write and wrote meanwhile');
  await agent.tool('bash', 'failed').scrollIntoViewIfNeeded();
  expect(await agent.tool('bash', 'failed').textContent()).toContain('Interrupted');
  expect(await agent.tool('bash', 'running').count()).toBe(0);
  await bar().getByText('1 file').waitFor();
  expect(await readFile(path('made.txt'), 'utf8')).toContain('by the agent');
  await workbench.screenshot('crash-after');
});

it('opens the whole result of before the crash', async () => {
  const { agent, page } = workbench;
  await agent.frame.getByRole('button', { name: 'Open Whole Result' }).click();
  const editor = page.locator('.editor-instance .monaco-editor').first();
  await editor.getByText('line 0 of a long text').waitFor();
  await editor.click();
  await page.keyboard.press('Control+End');
  await editor.getByText('line 1999 of a long text').waitFor();
  await workbench.screenshot('crash-whole-result');
});

it('goes on where it was: resumes the queue, and undoes what the agent made', async () => {
  const { agent } = workbench;
  await queue().getByRole('button', { name: 'Resume' }).click();
  await agent.approval('echo').getByRole('button', { name: 'Allow Once' }).click();
  await agent.answer('Echo: afterwards').waitFor();
  await queue().waitFor({ state: 'detached' });
  // by the keyboard: VS Code, who has just lost its host, may tell of the answer above the button
  await bar().getByRole('button', { name: 'Undo', exact: true }).press('Enter');
  await expect.poll(() => existsSync(path('made.txt'))).toBe(false);
});

/** Messages that are changed and sent again, in the real VS Code: versions over a reload, and forks. */
import { expect, it } from 'vitest';
import { connectSample } from '../helpers/e2e/steps.js';
import { useWorkbench } from '../helpers/e2e/useWorkbench.js';

const workbench = useWorkbench({}, async (workbench) => {
  await connectSample(workbench);
  await workbench.agent.show();
  await workbench.agent.frame.locator('.model-picker').waitFor();
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

it('goes back to the first version, which a reload of the window keeps', async () => {
  const { agent, servers } = workbench;
  await act('read README.md', 'Previous Version');
  await version('list files', '1 of 2').waitFor();
  const next = request('list files').getByRole('button', { name: 'Next Version' });
  await expect.poll(() => next.evaluate((button) => button === document.activeElement)).toBe(true);
  await agent.answer('A sample to try').waitFor({ state: 'detached' });
  await workbench.open();
  await servers.show();
  await agent.show();
  await version('list files', '1 of 2').waitFor();
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

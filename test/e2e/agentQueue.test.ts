/** Messages that wait while Pi works, in the real VS Code: by keyboard, over a stop and a reload, in every kind of theme. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { connectSample } from '../helpers/e2e/steps.js';
import { useWorkbench } from '../helpers/e2e/useWorkbench.js';

const workbench = useWorkbench({}, async (workbench) => {
  await connectSample(workbench);
  await workbench.agent.show();
  await workbench.agent.frame.locator('.model-picker').waitFor();
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
  await agent.button('Stop').click();
  await queue().getByText('Paused since you stopped').waitFor();
  await agent.approval('queued.txt').waitFor({ state: 'detached' });
  expect(await waiting()).toEqual(['next read README.md', 'after echo afterwards']);
  expect(existsSync(join(workspaceDir, 'queued.txt'))).toBe(false);
  await expect.poll(() => spoken().textContent()).toContain('Paused since you stopped');
});

it('waits over a reload of the window', async () => {
  const { agent, page, servers } = workbench;
  await page.setViewportSize({ width: 1280, height: 800 });
  await workbench.open();
  await servers.show();
  await agent.show();
  await queue().getByText('Paused since').waitFor();
  expect(await waiting()).toEqual(['next read README.md', 'after echo afterwards']);
  await workbench.screenshot('queue-reloaded');
});

it('goes on where it was when the user resumes it', async () => {
  const { agent, page } = workbench;
  await page.setViewportSize({ width: 1280, height: 800 });
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
  await row('list files').getByRole('button', { name: 'Send Now' }).click();
  await agent.tool('ls', 'done').waitFor();
  await agent.tool('write', 'denied').first().waitFor();
  await queue().waitFor({ state: 'detached' });
});

function isFocused(element: Element): boolean {
  return element === document.activeElement;
}

/** The extension host of the real VS Code is killed in the middle of a run, and once more while nothing runs. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { connectSample } from '../helpers/e2e/steps.js';
import { useWorkbench } from '../helpers/e2e/useWorkbench.js';

const lines = Array.from({ length: 2000 }, (_, index) => `line ${index} of a long text`);

// the view has half of it
const height = 1200;
const wide = { width: 1280, height };

/** Runs until its folder is gone, since whoever kills a host leaves what that ran. */
const endless = 'while test -e long.txt; do sleep 0.1; done';

const workbench = useWorkbench(
  { files: { 'long.txt': lines.join('\n') }, size: wide },
  async (workbench) => {
    await connectSample(workbench);
    await workbench.agent.show();
    await workbench.agent.frame.locator('.model-picker').waitFor();
  },
);

const queue = () => workbench.agent.frame.getByRole('region', { name: 'Queue' });
const bar = () => workbench.agent.frame.locator('.changes');
const waiting = async () =>
  (await queue().getByRole('listitem').allTextContents()).map((text) =>
    text.replace(/\s+/g, ' ').trim(),
  );

async function prepareRun(): Promise<void> {
  const { agent, workspaceDir } = workbench;
  const args = JSON.stringify({ path: join(workspaceDir, 'long.txt') });
  await agent.ask(`call filesystem__read_text_file ${args}`);
  await agent.approval('read_text_file').getByRole('button', { name: 'Allow Once' }).click();
  await agent.frame.getByRole('button', { name: 'Open Whole Result' }).waitFor();
  await agent.ask('write made.txt by the agent');
  await agent.approval('made.txt').getByRole('button', { name: 'Allow Once' }).click();
  await bar().waitFor();
  await agent.ask(`run ${endless}`);
  await agent.approval('sleep 0.1').getByRole('button', { name: 'Allow Once' }).click();
  await agent.tool('bash', 'running').waitFor();
  await agent.composer.fill('list files');
  await agent.composer.press('Enter');
  await agent.composer.fill('echo afterwards');
  await agent.composer.press('Control+Enter');
  await expect.poll(waiting).toEqual(['next list files', 'after echo afterwards']);
  await agent.composer.fill('what I was about to write');
}

/** What there is of it, wherever the window was opened. */
async function findEverything(): Promise<void> {
  const { agent, workspaceDir } = workbench;
  await queue().getByText('Paused since').waitFor();
  expect(await waiting()).toEqual(['next list files', 'after echo afterwards']);
  expect(await agent.composer.inputValue()).toBe('what I was about to write');
  await agent.tool('bash', 'failed').scrollIntoViewIfNeeded();
  expect(await agent.tool('bash', 'failed').textContent()).toContain('Interrupted');
  expect(await agent.tool('bash', 'running').count()).toBe(0);
  await bar().getByText('1 file').waitFor();
  expect(await readFile(join(workspaceDir, 'made.txt'), 'utf8')).toContain('by the agent');
}

it('has draft, paused queue, interrupted call and change bar again when its host was killed', async () => {
  await prepareRun();
  await workbench.screenshot('crash-before');
  await workbench.killExtensionHost();
  await findEverything();
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

it('has it all again in a new window', async () => {
  const { agent, page, servers } = workbench;
  await page.setViewportSize(wide);
  await workbench.open();
  await servers.show();
  await agent.show();
  await findEverything();
  await workbench.screenshot('crash-reloaded');
});

it('keeps the draft that is written while there is no host', async () => {
  const { agent, page } = workbench;
  await page.setViewportSize(wide);
  // VS Code lays the page out anew
  await agent.composer.waitFor();
  const killed = workbench.killExtensionHost();
  await agent.composer.fill('and what I wrote meanwhile');
  await killed;
  await queue().getByText('Paused since').waitFor();
  await expect.poll(() => agent.composer.inputValue()).toBe('and what I wrote meanwhile');
});

it('goes on where it was: resumes the queue, and undoes what the agent made', async () => {
  const { agent, workspaceDir } = workbench;
  await queue().getByRole('button', { name: 'Resume' }).click();
  await agent.approval('echo').getByRole('button', { name: 'Allow Once' }).click();
  await agent.answer('Echo: afterwards').waitFor();
  await queue().waitFor({ state: 'detached' });
  // by the keyboard: VS Code, who has just lost its host, may tell of the answer above the button
  await bar().getByRole('button', { name: 'Undo', exact: true }).press('Enter');
  await expect.poll(() => existsSync(join(workspaceDir, 'made.txt'))).toBe(false);
});

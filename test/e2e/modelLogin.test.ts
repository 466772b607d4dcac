/** The first look at the Pi Agent view of a user whose Pi has no model yet. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { useWorkbench } from '../helpers/e2e/useWorkbench.js';

const workbench = useWorkbench(
  { agentFiles: { 'models.json': '{ "providers": {} }' } },
  async ({ servers, agent }) => {
    await servers.show();
    await agent.show();
  },
);

it('leads from "no model" to a provider, and becomes ready with its key', async () => {
  const { agent, shell, page, agentDir } = workbench;
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
  await rows.nth(2).getByRole('button', { name: 'Pin to the Top' }).click();
  await untilFirst(pinned);
  await workbench.screenshot('models-pinned');
  await page.keyboard.type('Pin Models');
  await rows.filter({ hasText: 'Pin Models…' }).first().waitFor();
  await page.keyboard.press('Enter');
  await shell.quickInput.getByText('Pinned models come first in the list').waitFor();
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
  await shell.runAndChoose('Pi MCP: Log In to Model Provider…', 'logged in');
  await shell.answerDialog('Log Out');
  await agent.frame.getByText('Pi has no model that it can use.').waitFor();
});

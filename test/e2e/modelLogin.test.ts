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

it('logs out again', async () => {
  const { agent, shell } = workbench;
  await shell.runAndChoose('Pi MCP: Log In to Model Provider…', 'logged in');
  await shell.answerDialog('Log Out');
  await agent.frame.getByText('Pi has no model that it can use.').waitFor();
});

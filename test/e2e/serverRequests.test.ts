/** What servers ask of the user, and what they offer beside tools: forms, samples, resources, prompts. */
import { expect, it } from 'vitest';
import { connectSample } from '../helpers/e2e/steps.js';
import { useWorkbench } from '../helpers/e2e/useWorkbench.js';

const workbench = useWorkbench({}, async (workbench) => {
  await connectSample(workbench);
  await workbench.servers.show();
  await workbench.agent.show();
  await workbench.agent.frame.locator('.model-picker').waitFor();
});

async function useTool(name: string): Promise<void> {
  const { agent } = workbench;
  await agent.ask(`use everything__${name}`);
  await agent
    .approval(name.replaceAll('_', '-'))
    .getByRole('button', { name: 'Allow Once' })
    .click();
}

it('shows a form that a server asks for, checks it and sends the answer', async () => {
  const { agent, shell, page } = workbench;
  await useTool('trigger_elicitation_request');
  await shell.quickPick('Send Answer').waitFor();
  await workbench.screenshot('elicitation-form');
  await shell.quickPick('String (required)').click();
  await shell.quickInput.getByPlaceholder('Required').fill('Ada');
  await page.keyboard.press('Enter');
  await shell.quickPick('Ada').waitFor();
  await shell.quickPick('Send Answer').click();
  await agent.tool('trigger-elicitation-request', 'done').waitFor();
  await agent.answer('Ada').waitFor();
});

it('tells a server that the user declines', async () => {
  const { agent, shell } = workbench;
  await useTool('trigger_elicitation_request');
  await shell.quickPick('Decline').click();
  await agent.answer(/declined/i).waitFor();
});

it('tells a server that the user went away without an answer', async () => {
  const { agent, shell, page } = workbench;
  await useTool('trigger_elicitation_request');
  await shell.quickPick('Send Answer').waitFor();
  await page.keyboard.press('Escape');
  await agent.answer(/cancelled/i).waitFor();
});

it('shows what a server wants from the model, and the answer, before either is sent', async () => {
  const { agent, shell } = workbench;
  await agent.ask(
    'use everything__trigger_sampling_request {"prompt": "Say hello", "maxTokens": 50}',
  );
  await agent.approval('trigger-sampling').getByRole('button', { name: 'Allow Once' }).click();
  await shell.quickPick('Say hello').waitFor();
  await workbench.screenshot('sampling-request');
  await shell.quickPick('Allow Once').click();
  await shell.quickPick('Send Answer').waitFor();
  await workbench.screenshot('sampling-answer');
  await shell.quickPick('Send Answer').click();
  await agent.tool('trigger-sampling-request', 'done').waitFor();
});

it('refuses the model to a server when the user says so', async () => {
  const { agent, shell } = workbench;
  await agent.ask(
    'use everything__trigger_sampling_request {"prompt": "Say more", "maxTokens": 50}',
  );
  await agent.approval('trigger-sampling').getByRole('button', { name: 'Allow Once' }).click();
  await shell.quickPick('Deny').click();
  await agent.tool('trigger-sampling-request', 'failed').waitFor();
});

it('tells a server the folder that it works in', async () => {
  const { agent } = workbench;
  await useTool('get_roots_list');
  await agent.answer(/file:\/\/.*sample/).waitFor();
});

it('uses a prompt of a server as a slash command', async () => {
  const { agent, shell, page } = workbench;
  await agent.composer.fill('/everything:args');
  await agent.frame.getByRole('option', { name: '/everything:args-prompt' }).waitFor();
  await workbench.screenshot('slash-menu');
  await agent.composer.press('Enter');
  await agent.composer.press('Enter');
  await shell.quickInput.getByPlaceholder(/^city/).fill('Paris');
  await shell.quickPick('Paris').first().waitFor();
  await page.keyboard.press('Enter');
  await shell.quickPick('Leave Empty').waitFor();
  await workbench.screenshot('prompt-argument');
  await page.keyboard.press('Enter');
  await agent.frame.locator('.user').filter({ hasText: 'weather in Paris' }).waitFor();
});

it('opens a resource from the tree, read-only, and attaches one to a message', async () => {
  const { servers, shell, editor, agent, page } = workbench;
  await servers.expand(servers.row('everything').first());
  await servers.expand(servers.group('everything', 'Resources'));
  const resource = servers.rows.filter({ hasText: 'architecture.md' }).first();
  await resource.click();
  await editor.tab('architecture.md').waitFor();
  await editor.content.locator('.view-line').first().waitFor();
  await workbench.screenshot('resource-opened');
  await servers.clickAction(resource, 'Attach to Pi Agent');
  await agent.frame.locator('.composer .attachments').getByText('architecture.md').waitFor();
  await workbench.screenshot('resource-attached');
  await agent.ask('summarize');
  const message = agent.frame.locator('.user').filter({ hasText: 'summarize' });
  await message.locator('.attachments').getByText('architecture.md').waitFor();
  expect(await message.textContent()).not.toContain('mcp-resource');
  await workbench.screenshot('resource-sent');
  await agent.frame.locator('.composer .attachments').waitFor({ state: 'detached' });
  await shell.runCommand('View: Close All Editors');
  await page.locator('.tab').first().waitFor({ state: 'detached' });
});

it('asks for the arguments of a resource template', async () => {
  const { servers, shell, editor, page } = workbench;
  await servers.rows.filter({ hasText: 'Dynamic Text Resource' }).first().click();
  await shell.quickInput.getByPlaceholder(/^resourceId/).fill('1');
  await shell.quickPick('1').first().waitFor();
  await page.keyboard.press('Enter');
  await editor.tab('1').waitFor();
});

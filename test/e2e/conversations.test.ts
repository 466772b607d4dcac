/** Conversations of the Pi Agent view that outlive the window, and approvals that wait out of sight. */
import { expect, it } from 'vitest';
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

it('goes on after the window was reloaded, with the tools that it had found', async () => {
  const { agent } = workbench;
  await agent.ask('echo good morning');
  await agent.approval('echo').getByRole('button', { name: 'Allow for This Session' }).click();
  await agent.answer('Echo: good morning').waitFor();
  await reload();
  await agent.answer('Echo: good morning').waitFor();
  await agent.tool('ToolSearch', 'done').waitFor();
  await agent.tool('echo', 'done').waitFor();
  await workbench.screenshot('conversation-resumed');
  await agent.ask('echo good evening');
  await agent.approval('echo').getByRole('button', { name: 'Allow Once' }).click();
  await agent.answer('Echo: good evening').waitFor();
  expect(await agent.tool('ToolSearch', 'done').count()).toBe(1);
});

it('starts a new conversation, also over a reload, and goes back to the first', async () => {
  const { agent, shell } = workbench;
  await shell.runCommand('Pi MCP: New Conversation');
  await agent.frame.getByText('Ask Pi about your code').waitFor();
  await reload();
  await agent.frame.getByText('Ask Pi about your code').waitFor();
  await agent.ask('list files');
  await agent.answer('README.md').waitFor();
  await shell.runCommand('Pi MCP: Show Conversations');
  await shell.quickPick('list files').waitFor();
  await workbench.screenshot('conversations');
  await shell.quickPick('echo good morning').click();
  await agent.answer('Echo: good evening').waitFor();
});

it('finds a conversation by what was said in it, and renames it', async () => {
  const { agent, shell, page } = workbench;
  await shell.runCommand('Pi MCP: Show Conversations');
  await shell.quickPick('list files').waitFor();
  await page.keyboard.type('good evening');
  await shell.quickPick('list files').waitFor({ state: 'detached' });
  await shell.quickPick('echo good morning').getByText('good evening').first().waitFor();
  await workbench.screenshot('conversations-search');
  await shell.quickPick('echo good morning').hover();
  await shell
    .quickPick('echo good morning')
    .getByRole('button', { name: 'Rename Conversation' })
    .click();
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
  await shell.runCommand('Pi MCP: Open Conversation as Text');
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
  await agent.approval('waiting.txt').getByRole('button', { name: 'Deny' }).click();
  await item.waitFor({ state: 'hidden' });
});

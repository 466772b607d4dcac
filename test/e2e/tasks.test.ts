/** Tools that run as tasks, in the agent view: waited for, sent into the background, cancelled. */
import { resolve } from 'node:path';
import { it } from 'vitest';
import { trustEverything } from '../helpers/e2e/steps.js';
import { useWorkbench } from '../helpers/e2e/useWorkbench.js';

const server = resolve('test/fixtures/servers/tasks.mjs');
const everything = resolve('node_modules/@modelcontextprotocol/server-everything/dist/index.js');
const mcpServers = {
  jobs: { command: process.execPath, args: [server] },
  everything: { command: process.execPath, args: [everything, 'stdio'] },
};

const workbench = useWorkbench(
  { files: { '.mcp.json': JSON.stringify({ mcpServers }) } },
  async (workbench) => {
    await trustEverything(workbench);
    await workbench.shell.connectedItem(2, 2).waitFor();
    await workbench.servers.show();
    await workbench.agent.show();
    await workbench.agent.frame.locator('.model-picker').waitFor();
  },
);

async function ask(text: string, tool: string): Promise<void> {
  const { agent } = workbench;
  await agent.ask(text);
  await agent.approval(tool).getByRole('button', { name: 'Allow Once' }).click();
}

it('waits for a task and shows what it does', async () => {
  const { agent } = workbench;
  await ask('research tides', 'simulate-research-query');
  const card = agent.tool('simulate-research-query', 'running');
  await card.getByText('Analyzing content...').waitFor();
  await workbench.screenshot('task-running');
  await agent.tool('simulate-research-query', 'done').waitFor();
  await agent.answer('Research Report: tides').waitFor();
});

it('continues a task in the background and gives its result to the next message', async () => {
  const { agent, servers, shell, page } = workbench;
  await ask('call work {"what":"the report","steps":120}', 'work');
  await agent
    .tool('work', 'running')
    .getByRole('button', { name: 'Continue in Background' })
    .click();
  await agent.tool('work', 'background').waitFor();
  await agent.answer('continue in the background as task-1').waitFor();
  await servers.row('jobs', '1 task').first().waitFor();
  await workbench.screenshot('task-background');
  await shell.runCommand('Pi MCP: Show Tasks');
  await shell.quickPick('work').first().waitFor();
  await workbench.screenshot('tasks');
  await page.keyboard.press('Escape');
  const card = agent.tool('work', 'done');
  await card.getByText('worked on the report').waitFor();
  await agent.ask('news');
  await agent.answer('In the background: worked on the report').waitFor();
});

it('cancels a task in the background from its card', async () => {
  const { agent } = workbench;
  await ask('call endless', 'endless');
  await agent
    .tool('endless', 'running')
    .getByRole('button', { name: 'Continue in Background' })
    .click();
  await agent.tool('endless', 'background').getByRole('button', { name: 'Cancel Task' }).click();
  await agent.tool('endless', 'failed').getByText('The task was cancelled').waitFor();
});

it('lists tasks that have ended and opens their results', async () => {
  const { shell, page } = workbench;
  await shell.runCommand('Pi MCP: Show Tasks');
  const row = shell.quickPick('simulate-research-query').first();
  await row.waitFor();
  await row.hover();
  await row.getByRole('button', { name: 'Open Result' }).click();
  await page
    .locator('.editor-instance .monaco-editor')
    .getByText('Research Report: tides')
    .first()
    .waitFor();
});

/** What remains of a call: the whole result, the statistics, and the process that served it. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { connectSample } from '../helpers/e2e/steps.js';
import { useWorkbench } from '../helpers/e2e/useWorkbench.js';

const lines = Array.from({ length: 2000 }, (_, index) => `line ${index} of a long text`);

const workbench = useWorkbench({ files: { 'long.txt': lines.join('\n') } }, async (workbench) => {
  await connectSample(workbench);
  await workbench.servers.show();
  await workbench.agent.show();
  await workbench.agent.frame.locator('.model-picker').waitFor();
});

it('cuts a long result for the model and opens the whole of it, read-only', async () => {
  const { agent, page, workspaceDir } = workbench;
  const args = JSON.stringify({ path: join(workspaceDir, 'long.txt') });
  await agent.ask(`call filesystem__read_text_file ${args}`);
  await agent.approval('read_text_file').getByRole('button', { name: 'Allow Once' }).click();
  const card = agent.tool('read_text_file', 'done');
  await card.getByRole('button', { name: 'Result', exact: true }).click();
  await card.getByText('MCP_RESULT_TRUNCATED').first().waitFor({ state: 'attached' });
  await card.getByRole('button', { name: 'Open Whole Result' }).click();
  const editor = page.locator('.editor-instance .monaco-editor').first();
  await editor.getByText('line 0 of a long text').waitFor();
  await workbench.screenshot('whole-result');
  await editor.click();
  await page.keyboard.press('Control+End');
  await editor.getByText('line 1999 of a long text').waitFor();
  await page.keyboard.type('x');
  await page
    .getByText(/read-only/i)
    .first()
    .waitFor();
  expect(await page.locator('.tab.active.dirty').count()).toBe(0);
});

it('counts the call and its tokens', async () => {
  const { page, shell } = workbench;
  await shell.runCommand('Pi MCP: Show Tool Statistics');
  await shell.quickPick('read_text_file').first().waitFor();
  await workbench.screenshot('statistics');
  await page.keyboard.press('Escape');
});

it('shows what runs and stops it from there', async () => {
  const { servers, shell } = workbench;
  const before = workbench.serverProcesses().length;
  await shell.runCommand('Pi MCP: Show Running Servers');
  const row = shell.quickPick('memory');
  await row.first().waitFor();
  await workbench.screenshot('running-servers');
  await row.first().hover();
  await row.first().getByRole('button', { name: /Stop/ }).click();
  await servers.row('memory', 'idle').first().waitFor();
  await expect.poll(() => workbench.serverProcesses().length).toBe(before - 1);
});

it('draws the diagram of an answer when asked', async () => {
  const { agent } = workbench;
  const message = 'x\n```\n\n```mermaid\ngraph TD\nCart --> Total\n```\n\n```text';
  await agent.ask(`call everything__echo ${JSON.stringify({ message })}`);
  await agent.approval('echo').getByRole('button', { name: 'Allow Once' }).click();
  await agent.button('Show Diagram').click();
  const picture = agent.frame.getByRole('img', { name: 'Diagram: Cart, Total' });
  await picture.waitFor();
  await workbench.screenshot('diagram');
  const width = await picture.evaluate((one: HTMLImageElement) =>
    one.decode().then(() => one.naturalWidth),
  );
  expect(width).toBeGreaterThan(50);
});

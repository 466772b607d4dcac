/** The Inspector in a real window: what passed before it was opened, sending again, and recordings. */
import { expect, it } from 'vitest';
import { connectSample } from '../helpers/e2e/steps.js';
import { useWorkbench } from '../helpers/e2e/useWorkbench.js';
import { pageOf } from '../helpers/e2e/webview.js';

const workbench = useWorkbench({}, async (workbench) => {
  await connectSample(workbench);
  await workbench.servers.show();
});

const inspector = () => pageOf(workbench.page, 'editor');

it('shows the handshake that was before it was opened, and pings', async () => {
  const { shell } = workbench;
  await shell.runCommand('Pi MCP: Inspect Server');
  await shell.quickPick('everything').first().click();
  const page = inspector();
  await page.getByRole('heading', { name: 'everything' }).waitFor();
  await page.locator('.row').filter({ hasText: 'initialize' }).first().waitFor();
  await workbench.screenshot('inspector');
  await page.getByRole('button', { name: 'Ping' }).click();
  await page
    .getByText(/The server answered after/)
    .first()
    .waitFor();
  await page.locator('.row').filter({ hasText: 'ping' }).last().waitFor();
  await page.getByRole('button', { name: 'Handshake and Capabilities' }).click();
  await page.getByText('Protocol version').first().waitFor();
  await workbench.screenshot('inspector-handshake');
  await page.getByRole('button', { name: 'Timeline' }).click();
});

it('sends a list again and opens the recording as a document', async () => {
  const page = inspector();
  await page.getByRole('textbox', { name: 'Filter' }).fill('method:tools/list');
  const lists = page.locator('.row');
  await lists.first().waitFor();
  const before = await lists.count();
  await lists.first().click();
  await page.locator('vscode-button', { hasText: 'Send Again' }).click();
  await expect.poll(() => lists.count()).toBe(before + 1);
  await workbench.screenshot('inspector-details');
  await page.getByRole('button', { name: 'Open as Document' }).click();
  await workbench.editor.tab('everything.jsonl').waitFor();
});

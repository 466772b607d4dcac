/** The Inspector in a real window: what passed before it was opened, sending again, and recordings. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { connectSample } from '../helpers/e2e/steps.js';
import { storedLayout } from '../helpers/e2e/storedLayout.js';
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
  await expect.poll(() => lists.filter({ hasNotText: 'tools/list' }).count()).toBe(0);
  const before = await lists.count();
  await lists.first().click();
  // until the entry is there, nothing of it is sent
  await page.locator('.frame').first().waitFor();
  await page.locator('vscode-button', { hasText: 'Send Again' }).click();
  await expect.poll(() => lists.count()).toBe(before + 1);
  await workbench.screenshot('inspector-details');
  await page.getByRole('button', { name: 'Open as Document' }).click();
  await workbench.editor.tab('everything.jsonl').waitFor();
});

it('comes back after a reload with its server and filter, and says when that is gone', async () => {
  const { editor, page } = workbench;
  const tab = page.locator('.part.editor').getByRole('tab', { name: 'Inspector: everything' });
  await editor
    .tab('everything.jsonl')
    .getByRole('button', { name: /^Close/ })
    .click();
  await tab.click();
  await inspector().getByRole('textbox', { name: 'Filter' }).fill('method:ping');
  await expect.poll(() => page.evaluate(storedLayout), { timeout: 30_000 }).toMatch(/method:ping/);
  await workbench.open();
  await tab.click();
  const restored = inspector();
  await restored.getByRole('heading', { name: 'everything' }).waitFor();
  await expect
    .poll(() => restored.getByRole('textbox', { name: 'Filter' }).inputValue())
    .toBe('method:ping');
  await expect.poll(() => workbench.serverProcesses()).toEqual([]);
  await restored.locator('vscode-button', { hasText: 'Connect' }).click();
  await restored.locator('vscode-button', { hasText: 'Connect' }).waitFor({ state: 'detached' });
  expect(await restored.locator('.row').count()).toBe(0);
  await restored.getByRole('button', { name: 'Ping' }).click();
  await restored.locator('.row').filter({ hasText: 'ping' }).first().waitFor();
  await workbench.screenshot('inspector-restored');
  const file = join(workbench.workspaceDir, '.mcp.json');
  writeFileSync(file, readFileSync(file, 'utf8').replace('"everything"', '"renamed"'));
  await restored.getByText('The server is not configured any more.').waitFor();
  await restored.locator('vscode-button', { hasText: 'Inspect Another Server…' }).waitFor();
  await workbench.screenshot('inspector-gone');
});

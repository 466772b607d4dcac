/** From Restricted Mode through consent to running servers, and back. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { answerReview, consentPage, sampleServers, stdioServers } from '../helpers/e2e/steps.js';
import { useWorkbench } from '../helpers/e2e/useWorkbench.js';

const workbench = useWorkbench({
  settings: { 'files.autoSave': 'afterDelay', 'files.autoSaveDelay': 100 },
});

it('starts nothing in Restricted Mode and says why', async () => {
  const { shell, servers } = workbench;
  await shell.restrictedModeItem.waitFor();
  await servers.show();
  for (const name of sampleServers) {
    await servers.waitForServer(name, 'Restricted Mode');
  }
  await shell.connectedItem(0, 4).waitFor();
  expect(workbench.serverProcesses()).toEqual([]);
  await workbench.screenshot('restricted-mode');
});

it('opens no question by itself when the workspace is trusted, and says that servers wait', async () => {
  const { shell, servers, page } = workbench;
  await shell.trustWorkspace();
  await shell.closeModalEditor();
  for (const name of sampleServers) {
    await servers.waitForServer(name, 'Needs trust');
  }
  await servers.message('4 servers wait for review.').waitFor();
  await servers.waitForBadge('4');
  await page.keyboard.press('Enter');
  expect(await shell.dialog.isVisible()).toBe(false);
  await workbench.screenshot('waiting-servers');
});

it.each([
  ['status bar item', () => workbench.shell.connectedItem(0, 4).click()],
  [
    'first row of the tree',
    () => workbench.page.getByRole('treeitem', { name: 'Review:' }).click(),
  ],
])(
  'asks on a page when the user clicks the %s, and grants nothing by Enter or Escape',
  async (_name, click) => {
    const { shell, servers, page } = workbench;
    await click();
    const consent = consentPage(workbench);
    for (const name of sampleServers) {
      await consent.getByRole('heading', { name }).waitFor();
    }
    const text = (await consent.locator('main').textContent()) ?? '';
    expect(text).toContain('server-memory/dist/index.js');
    expect(text).toContain('MEMORY_FILE_PATH=${workspaceFolder}/memory.json');
    expect(text).toContain('(this machine)');
    await workbench.screenshot('consent-page');
    for (const key of ['Enter', 'Escape', 'Enter']) {
      await page.keyboard.press(key);
    }
    expect(await shell.dialog.isVisible()).toBe(false);
    await answerReview(workbench, 'Not Now');
    await servers.waitForServer('memory', 'Needs trust');
    expect(workbench.serverProcesses()).toEqual([]);
  },
);

it('opens no question while an entry is typed and saved by itself', async () => {
  const { shell, servers, editor, page } = workbench;
  const path = join(workbench.workspaceDir, '.mcp.json');
  const before = readFileSync(path, 'utf8');
  await editor.open('.mcp.json');
  await editor.placeCursorAfter('"mcpServers": {');
  await editor.type('"typed": { "command": "node", "args": ["--version"] },');
  await servers.waitForServer('typed', 'Needs trust');
  await servers.message('5 servers wait for review.').waitFor();
  await page.keyboard.press('Enter');
  await expect.poll(() => readFileSync(path, 'utf8')).toMatch(/"--version"\] \},\n *\n/);
  expect(await shell.dialog.isVisible()).toBe(false);
  writeFileSync(path, before);
  await servers.message('4 servers wait for review.').waitFor();
});

it('reviews from the lens above an entry, and connects every server after consent, without a reload', async () => {
  const { shell, servers, editor } = workbench;
  await editor.lens('Pi: Review').first().click();
  await answerReview(workbench, 'Trust Whole Folder');
  for (const name of sampleServers) {
    await servers.waitForServer(name, 'Connected');
  }
  await shell.connectedItem(4, 4).waitFor();
  await servers.message('wait for review').waitFor({ state: 'hidden' });
  expect(workbench.serverProcesses().length).toBe(stdioServers.length);
});

it('lists the tools of a server below it', async () => {
  const { servers } = workbench;
  await servers.expand(servers.row('memory'));
  await servers.expand(servers.group('memory', 'Tools'));
  await servers.rows.filter({ hasText: 'create_entities' }).waitFor();
  await workbench.screenshot('tree');
});

it('stops every process of the folder when trust is revoked', async () => {
  const { shell, servers } = workbench;
  await shell.runCommand('Pi MCP: Manage Trust…');
  await shell.answerDialog('Revoke Trust');
  // the row of the remote server is below the tools of another one, out of sight
  for (const name of stdioServers) {
    await servers.waitForServer(name, 'Needs trust');
  }
  await expect.poll(() => workbench.serverProcesses(), { timeout: 20_000 }).toEqual([]);
  await shell.connectedItem(0, 4).waitFor();
});

it('asks nothing in the next session either, but when the user probes', async () => {
  const { shell, servers } = workbench;
  await workbench.open();
  await servers.show();
  await servers.waitForServer('memory', 'Needs trust');
  await servers.message('4 servers wait for review.').waitFor();
  expect(await shell.dialog.isVisible()).toBe(false);
  await shell.runCommand('Pi MCP: Probe Server…');
  await shell.pick('memory');
  await answerReview(workbench, 'Trust Selected');
  await shell.notification(/MCP server works, .*: memory/).waitFor();
});

/** Where servers that wait are reviewed: from a call of the agent, in a document, and later in the list of trust. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { answerReview, connectSample } from '../helpers/e2e/steps.js';
import { useWorkbench } from '../helpers/e2e/useWorkbench.js';

const workbench = useWorkbench({}, async (workbench) => {
  await connectSample(workbench);
  await workbench.servers.show();
});

it('lets a call of the agent wait in its card, opens nothing by itself, and goes on after consent', async () => {
  const { shell, servers, agent } = workbench;
  await shell.runCommand('Pi MCP: Revoke Trust…');
  await shell.answerDialog('Revoke Trust');
  await servers.waitForServer('everything', 'trust required');
  await agent.show();
  await agent.ask('echo Hello from review');
  await agent.approval('echo').getByRole('button', { name: 'Allow Once' }).click();
  const card = agent.frame.locator('.entry.tool[data-status=awaiting_review]');
  const review = card.getByRole('button', { name: 'Review' });
  await review.waitFor();
  await workbench.screenshot('agent-review-card');
  expect(await shell.dialog.isVisible()).toBe(false);
  await review.click();
  await answerReview(workbench, 'Not Now');
  await review.click();
  await answerReview(workbench, 'Trust These Servers Only');
  await agent.answer('Echo: Hello').waitFor();
});

it('opens what does not fit a dialog as a document, whose answers grant what it shows', async () => {
  const { shell, servers, editor, page } = workbench;
  const path = join(workbench.workspaceDir, '.mcp.json');
  const original = JSON.parse(readFileSync(path, 'utf8').replace(/^\s*\/\/.*$/gm, ''));
  const { memory } = original.mcpServers;
  const many = Array.from({ length: 8 }, (_, index) => [`copy${index}`, memory]);
  const changed = { ...memory, args: [...memory.args, 'x'.repeat(500)] };
  const mcpServers = { ...original.mcpServers, ...Object.fromEntries(many), memory: changed };
  writeFileSync(path, JSON.stringify({ mcpServers }));
  await servers.message('9 servers wait for review.').waitFor();
  const review = editor.tab('MCP Servers to Review');
  const started = workbench.serverProcesses().length;
  await shell.statusItem('to review').click();
  await review.waitFor();
  expect(await shell.dialog.isVisible()).toBe(false);
  await editor.line('copy0').waitFor();
  await editor.lens('Trust These Servers Only').waitFor();
  await workbench.screenshot('review-document');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await editor.lens('Not Now').click();
  await review.waitFor({ state: 'detached' });
  await servers.waitForServer('copy0', 'trust required');
  expect(workbench.serverProcesses().length).toBeLessThanOrEqual(started);

  await shell.statusItem('to review').click();
  await review.waitFor();
  await shell.runCommand('Pi MCP: Trust These Servers Only');
  await review.waitFor({ state: 'detached' });
  await servers.waitForServer('copy7', 'connected');
  await servers.message('wait for review').waitFor({ state: 'hidden' });
  writeFileSync(path, JSON.stringify({ mcpServers: { ...mcpServers, late: memory } }));
  await servers.message('1 server waits for review.').waitFor();
});

it('asks one question for all folders of a window', async () => {
  const { shell, editor, servers, page, workspaceDir } = workbench;
  const second = join(workspaceDir, '../second');
  mkdirSync(second);
  const entry = { command: 'node', args: ['--version'] };
  writeFileSync(join(second, '.mcp.json'), JSON.stringify({ mcpServers: { elsewhere: entry } }));
  const file = join(workspaceDir, '../both.code-workspace');
  writeFileSync(file, JSON.stringify({ folders: [{ path: workspaceDir }, { path: second }] }));
  // at its first opening VS Code may take a new workspace for one without folders
  const folder = page.locator('.explorer-folders-view').getByRole('treeitem', { name: 'second' });
  await shell.askUntilShown(async () => {
    await openWindow(`workspace=${file}`);
    await shell.showContainer('Explorer');
  }, folder.first());
  await shell.trustWorkspace();
  await shell.closeModalEditor();
  await servers.show();
  await servers.message('2 servers wait for review.').waitFor();
  await shell.statusItem('to review').click();
  await shell.dialog.waitFor();
  const text = await shell.dialog.textContent();
  expect(text).toContain('late, folder sample:');
  expect(text).toContain('elsewhere, folder second:');
  await workbench.screenshot('review-two-folders');
  await page.keyboard.press('Enter');
  await shell.dialog.waitFor({ state: 'detached' });
  expect(await editor.tab('MCP Servers to Review').count()).toBe(0);
  await servers.message('2 servers wait for review.').waitFor();
});

it('lists what was trusted in folders that are not open, and revokes it', async () => {
  const { shell, servers, workspaceDir } = workbench;
  await openWindow(`folder=${join(workspaceDir, '../second')}`);
  await servers.show();
  await shell.runCommand('Pi MCP: Manage Trust…');
  const sample = shell.quickPick(workspaceDir);
  await sample.filter({ hasText: 'copy7' }).waitFor();
  await sample.filter({ hasText: 'holds for the directory' }).waitFor();
  await workbench.screenshot('manage-trust');
  await sample.click();
  await shell.dialog.waitFor();
  await workbench.screenshot('manage-trust-record');
  await shell.answerDialog('Revoke Trust');
  await shell.runCommand('Pi MCP: Manage Trust…');
  await shell.notification('You have not consented to any server of a folder.').waitFor();
});

async function openWindow(query: string): Promise<void> {
  const { page, shell } = workbench;
  await page.goto(page.url().replace(/\?.*$/, `?${query}`));
  await shell.waitUntilReady();
}

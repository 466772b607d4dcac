/** Where servers that wait are reviewed: from a call of the agent, on a page, and later in the list of trust. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { answerReview, connectSample, consentPage } from '../helpers/e2e/steps.js';
import { useWorkbench } from '../helpers/e2e/useWorkbench.js';

const workbench = useWorkbench({}, async (workbench) => {
  await connectSample(workbench);
  await workbench.servers.show();
});

it('lets a call of the agent wait in its card, opens nothing by itself, and goes on after consent', async () => {
  const { shell, servers, agent } = workbench;
  await shell.runCommand('Pi MCP: Manage Trust…');
  await shell.answerDialog('Revoke Trust');
  await servers.waitForServer('everything', 'Needs trust');
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
  await answerReview(workbench, 'Trust Selected');
  await agent.answer('Echo: Hello').waitFor();
});

it('grants what the page shows of many servers, once all of it was in view, and not what comes later', async () => {
  const { shell, servers, editor } = workbench;
  const path = join(workbench.workspaceDir, '.mcp.json');
  const original = JSON.parse(readFileSync(path, 'utf8').replace(/^\s*\/\/.*$/gm, ''));
  const { memory } = original.mcpServers;
  const many = Array.from({ length: 8 }, (_, index) => [`copy${index}`, memory]);
  const changed = { ...memory, args: [...memory.args, 'x'.repeat(500)] };
  const mcpServers = { ...original.mcpServers, ...Object.fromEntries(many), memory: changed };
  writeFileSync(path, JSON.stringify({ mcpServers }));
  await servers.message('9 servers wait for review.').waitFor();
  await shell.statusItem('to review').click();
  const consent = consentPage(workbench);
  await consent.getByRole('heading', { name: 'copy7' }).waitFor();
  await consent.getByText('The server changed since you trusted it.').waitFor();
  expect(await consent.locator('vscode-button:not([disabled])', { hasText: 'Trust' }).count()).toBe(
    0,
  );
  await workbench.screenshot('review-page');
  await answerReview(workbench, 'Trust Selected');
  await servers.waitForServer('copy7', 'Connected');
  await servers.message('wait for review').waitFor({ state: 'hidden' });
  expect(await editor.tab('Review MCP Servers').count()).toBe(0);
  writeFileSync(path, JSON.stringify({ mcpServers: { ...mcpServers, late: memory } }));
  await servers.message('1 server waits for review.').waitFor();
});

it('asks one question for all folders of a window', async () => {
  const { shell, servers, page, workspaceDir } = workbench;
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
  const consent = consentPage(workbench);
  for (const [server, folder] of [
    ['late', 'sample'],
    ['elsewhere', 'second'],
  ]) {
    const card = consent.locator('.card').filter({ hasText: `folder ${folder}` });
    await card.getByRole('heading', { name: server }).waitFor();
  }
  await workbench.screenshot('review-two-folders');
  await page.keyboard.press('Enter');
  await answerReview(workbench, 'Not Now');
  await servers.message('2 servers wait for review.').waitFor();
});

it('lists what was trusted in folders that are not open, and revokes it', async () => {
  const { shell, servers, workspaceDir } = workbench;
  await openWindow(`folder=${join(workspaceDir, '../second')}`);
  await servers.show();
  const sample = shell.quickPick(workspaceDir);
  // a window that is still opening may take the focus, which closes the list
  await shell.askUntilShown(
    () => shell.runCommand('Pi MCP: Manage Trust…'),
    sample.filter({ hasText: 'copy7' }),
  );
  await sample.filter({ hasText: 'holds for the folder made' }).waitFor();
  await workbench.screenshot('manage-trust');
  await sample.click();
  await shell.dialog.waitFor();
  await workbench.screenshot('manage-trust-record');
  await shell.answerDialog('Revoke Trust');
  await shell.runCommand('Pi MCP: Manage Trust…');
  await shell.notification('You trust no server of a folder.').waitFor();
});

async function openWindow(query: string): Promise<void> {
  const { page, shell } = workbench;
  await page.goto(page.url().replace(/\?.*$/, `?${query}`));
  await shell.waitUntilReady();
}

/** Where servers that wait are reviewed: from a call of the agent, in a document, and later in the list of trust. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { answerReview, connectSample } from './harness/steps.js';
import { useWorkbench } from './harness/useWorkbench.js';

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
  const review = card.getByRole('button', { name: 'Review…' });
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
  await shell.statusItem(/MCP \d\/12/).click();
  await review.waitFor();
  expect(await shell.dialog.isVisible()).toBe(false);
  await editor.line('copy7').waitFor({ state: 'attached' });
  await editor.lens('Trust These Servers Only').waitFor();
  await workbench.screenshot('review-document');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await editor.lens('Not Now').click();
  await review.waitFor({ state: 'detached' });
  await servers.waitForServer('copy0', 'trust required');
  expect(workbench.serverProcesses().length).toBe(started - 1);

  await shell.statusItem(/MCP \d\/12/).click();
  await review.waitFor();
  await shell.runCommand('Pi MCP: Trust These Servers Only');
  await review.waitFor({ state: 'detached' });
  await servers.waitForServer('copy7', 'connected');
  await servers.message('wait for review').waitFor({ state: 'hidden' });
  writeFileSync(path, JSON.stringify({ mcpServers: { ...mcpServers, late: memory } }));
  await servers.waitForServer('late', 'trust required');
  await servers.message('1 server waits for review.').waitFor();
});

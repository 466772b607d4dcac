/** Another extension, installed beside ours, that uses our API in a real VS Code, and lends it a language model. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { sampleServers, trustEverything } from '../helpers/e2e/steps.js';
import { useWorkbench } from '../helpers/e2e/useWorkbench.js';
import { repository } from '../workbench/paths.mjs';

const workbench = useWorkbench({
  settings: { 'piMcp.agent.toolBudget': 20_000 },
  otherExtensions: [join(repository, 'test/fixtures/consumer')],
});

async function report() {
  const { shell, workspaceDir } = workbench;
  const reported = shell.notification('Reported.');
  await shell.askUntilShown(() => shell.runCommand('Consumer: Report'), reported.first());
  await shell.runCommand('Notifications: Clear All Notifications');
  await reported.waitFor({ state: 'detached' });
  return JSON.parse(readFileSync(join(workspaceDir, 'report.json'), 'utf8'));
}

it('sees servers, trust and the tools of the agent, and hears of their changes', async () => {
  const { servers, shell } = workbench;
  // the palette does not learn of commands while it is open
  await shell.statusItem('MCP 0/4').waitFor();
  const before = await report();
  expect(before).toMatchObject({ version: 1, tools: [] });
  expect(before.servers).toEqual(
    sampleServers.map((name) => ({ name, state: 'trust_required', folderTrust: { kind: 'none' } })),
  );
  await servers.show();
  await trustEverything(workbench);
  await shell.connectedItem(sampleServers.length, sampleServers.length).waitFor();
  // events come a moment after what they tell of
  await vi.waitFor(async () => {
    const after = await report();
    expect(after.heard.servers).toEqual([...sampleServers]);
    expect(after.heard.tools).toBeGreaterThan(0);
  }, 60_000);
  const after = await report();
  expect(after.settings).toEqual({ enabled: true, connected: 4, total: 4 });
  expect(after.servers[0]).toMatchObject({
    name: 'everything',
    state: 'connected',
    folderTrust: { kind: 'folder' },
  });
  expect(after.tools).toContainEqual({ name: 'memory__read_graph', exposure: 'direct' });
});

it('answers with a language model of VS Code, which calls a tool and gets an image', async () => {
  const { agent, shell, page, workspaceDir } = workbench;
  const dot =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  writeFileSync(join(workspaceDir, 'dot.png'), Buffer.from(dot, 'base64'));
  await agent.show();
  await agent.frame.locator('.model-picker').waitFor();
  await agent.frame.locator('.model-picker').click();
  await shell.quickInput.locator('input[type=text]').fill('eye');
  await shell.quickPick('billed by its provider, asks first').waitFor();
  await workbench.screenshot('model-picker');
  await page.keyboard.press('Enter');
  await shell.dialog.getByText('Use the models of this provider? Consumer Models').waitFor();
  await workbench.screenshot('editor-model-consent');
  await page.keyboard.press('Escape');
  await shell.dialog.waitFor({ state: 'detached' });
  expect(await agent.frame.locator('.model-picker').textContent()).not.toContain('Eye');
  await agent.composer.fill('/model eye');
  await agent.composer.press('Escape');
  await agent.composer.press('Enter');
  await shell.answerDialog('Use These Models');
  await agent.frame.locator('.model-picker', { hasText: 'Eye' }).waitFor();
  await agent.ask('What is on dot.png?');
  await agent.tool('read', 'done').waitFor();
  await agent.answer(/I see image\/png, \d+ bytes\. I have tools\./).waitFor();
  await workbench.screenshot('editor-model-answer');
});

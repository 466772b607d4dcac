/** `npm run screenshots`: makes the pictures of the documents again. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, it } from 'vitest';
import { answerReview, review, sampleServers } from '../helpers/e2e/steps.js';
import { useWorkbench } from '../helpers/e2e/useWorkbench.js';
import { pageOf } from '../helpers/e2e/webview.js';
import { type RegistryServer, startRegistry } from '../helpers/registryServer.js';
import { repository } from '../workbench/paths.mjs';

const dir = join(repository, 'media/screenshots');

const registry: RegistryServer = await startRegistry();
afterAll(() => registry.close());

const workbench = useWorkbench({
  size: { width: 1280, height: 800 },
  settings: {
    'window.commandCenter': false,
    'files.autoSave': 'off',
    'piMcp.registry.url': registry.url,
  },
});

const page = () => pageOf(workbench.page, 'editor');

it('shows the page of consent', async () => {
  const { shell, servers } = workbench;
  await servers.show();
  await shell.trustWorkspace();
  await shell.closeModalEditor();
  await review(workbench);
  await page().locator('.card').first().waitFor();
  await save('consent');
  await answerReview(workbench, 'Trust Whole Folder');
  await shell.connectedItem(sampleServers.length, sampleServers.length).waitFor();
});

it('shows .mcp.json with completion', async () => {
  const { editor, page: window } = workbench;
  await editor.closeAll();
  await editor.open('.mcp.json');
  const name = /"memory": \{/.exec(readFileSync(join(workbench.workspaceDir, '.mcp.json'), 'utf8'));
  await editor.placeCursorAfter(name?.[0] ?? '"mcpServers": {');
  await window.keyboard.press('Enter');
  await editor.suggest('exposure');
  await save('editing');
  await window.keyboard.press('Escape');
  await workbench.shell.runCommand('File: Revert File');
});

it('shows the form of a server', async () => {
  const { editor, servers, config } = workbench;
  await editor.closeAll();
  await servers.show();
  await config.edit('memory');
  await config.button('Save').waitFor();
  await save('form');
  await editor.closeAll();
});

it('shows a tool that is run by hand', async () => {
  const { shell, editor } = workbench;
  await shell.runAndChoose('Pi MCP: Run Tool…', 'get-sum');
  await page().getByRole('textbox', { name: 'a required', exact: true }).fill('2');
  await page().getByRole('textbox', { name: 'b required', exact: true }).fill('40');
  await page().getByRole('button', { name: 'Run', exact: true }).click();
  await page().locator('#result').getByText('42').waitFor();
  await save('run-tool');
  await editor.closeAll();
});

it('shows the traffic of a server with an open message', async () => {
  const { shell, editor } = workbench;
  await shell.runCommand('Pi MCP: Open Server…');
  await shell.quickPick('everything').first().click();
  await page().getByRole('tab', { name: 'Traffic' }).click();
  await page().locator('.row').filter({ hasText: 'tools/call' }).first().click();
  await page().locator('.frame').first().waitFor();
  await save('inspector');
  await editor.closeAll();
});

it('shows a server of the registry', async () => {
  const { shell, editor } = workbench;
  await shell.runCommand('Pi MCP: Add Server…');
  await page().locator('#box').fill('weather');
  await page()
    .getByRole('button', { name: /^Weather/ })
    .click();
  await page().getByText('Published by the GitHub account example.').waitFor();
  await save('registry');
  await editor.closeAll();
});

it('shows Doctor with a server that fails', async () => {
  const { shell, editor, servers } = workbench;
  const path = join(workbench.workspaceDir, '.mcp.json');
  const before = readFileSync(path, 'utf8');
  const entry = '"weather": { "url": "http://127.0.0.1:9/mcp", "lifecycle": "eager" },';
  writeFileSync(path, before.replace('"mcpServers": {', `"mcpServers": {\n    ${entry}`));
  await servers.waitForServer('weather', 'Cannot connect');
  await shell.runCommand('Pi MCP: Doctor');
  await page().getByText('weather').first().waitFor();
  await shell.runCommand('Notifications: Clear All Notifications');
  // what is further down is about the machine that takes the picture
  await workbench.page.setViewportSize({ width: 1280, height: 420 });
  await save('doctor');
  await workbench.page.setViewportSize({ width: 1280, height: 800 });
  await editor.closeAll();
  writeFileSync(path, before);
  await servers.row('weather').waitFor({ state: 'detached' });
});

it('shows a finished turn of the agent', async () => {
  const { agent, editor } = workbench;
  await editor.open('README.md');
  await agent.show();
  await agent.frame.locator('.model-picker').waitFor();
  await agent.ask('echo Hello from the Model Context Protocol');
  await agent.approval('echo').getByRole('button', { name: 'Allow Once' }).click();
  await agent.answer('Echo: Hello').waitFor();
  await save('agent-turn');
});

it('shows tree, configuration and agent beside each other', async () => {
  const { servers, editor } = workbench;
  await editor.closeAll();
  await editor.open('.mcp.json');
  await servers.show();
  await servers.expand(servers.row('memory'));
  await servers.expand(servers.group('memory', 'Tools'));
  await servers.rows.filter({ hasText: 'create_entities' }).waitFor();
  await save('overview');
});

it('shows changes of the agent under review', async () => {
  const { agent, editor, page: window } = workbench;
  await editor.closeAll();
  await agent.ask('write notes.md The cart takes coupons from the next release on.');
  await agent.approval('Write notes.md (new)?').getByRole('button', { name: 'Allow Once' }).click();
  const [before = ''] = readFileSync(join(workbench.workspaceDir, 'README.md'), 'utf8').split('\n');
  const edits = [{ oldText: before, newText: `${before}, with coupons` }];
  await agent.ask(`call edit ${JSON.stringify({ path: 'README.md', edits })}`);
  await agent.approval('Edit README.md?').getByRole('button', { name: 'Allow Once' }).click();
  const bar = agent.frame.locator('.changes');
  await bar.getByRole('button', { name: /2 files/ }).click();
  await bar.getByRole('button', { name: 'Review' }).click();
  await window.getByRole('tab', { name: /Changes by Pi/ }).waitFor();
  await window.locator('.multiDiffEntry').getByText('README.md').first().waitFor();
  await save('changes');
});

async function save(name: string): Promise<void> {
  // what the mouse stands on may show more than is meant
  await workbench.page.mouse.move(0, 0);
  mkdirSync(dir, { recursive: true });
  await workbench.page.screenshot({ path: join(dir, `${name}.png`), animations: 'disabled' });
}

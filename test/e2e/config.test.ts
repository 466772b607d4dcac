/**
 * The list of servers and the forms of their entries: what becomes of secrets, of comments and of unsaved changes; and in
 * every kind of theme, that VS Code gives pages what the ring `pages` gives them.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'jsonc-parser';
import { expect, it } from 'vitest';
import { themes } from '../helpers/e2e/appearance.js';
import { describeLooks, readLook, writeLooks } from '../helpers/e2e/capturedThemes.js';
import { connectSample } from '../helpers/e2e/steps.js';
import { useWorkbench } from '../helpers/e2e/useWorkbench.js';
import { themesFile } from '../helpers/pages/themes.mjs';
import { serverEntry } from '../workbench/sample.mjs';

const secret = 'plain-text-credential-1';

const workbench = useWorkbench({}, async (workbench) => {
  await connectSample(workbench);
  await workbench.shell.runCommand('Pi MCP: Configure Servers');
});

it('lists the servers of every file with their state', async () => {
  const { config } = workbench;
  for (const name of ['everything', 'filesystem', 'memory', 'remote']) {
    await config.waitForState(name, 'connected');
  }
  await workbench.screenshot('configuration-editor');
});

it('adds a server to the folder, which asks for nothing since the folder is trusted', async () => {
  const { config, shell } = workbench;
  await config.button('Add Server: sample').click();
  await config.fill('Name', 'memory');
  await config.fieldProblem(/\.mcp\.json already has a server memory/).waitFor();
  await config.fill('Name', 'guarded');
  await config.fieldProblem('').waitFor({ state: 'detached' });
  await config.fill('Command', `node "${serverEntry('memory')}"`);
  await config.button('Split').click();
  expect(await config.box('Arguments, row 1').inputValue()).toBe(serverEntry('memory'));
  await config.frame.locator('[data-group=environment] summary').press('Enter');
  await config.button('Add: Environment variables').click();
  await config.fill('Environment variables, row 1: Name', 'API_TOKEN');
  await config.fill('Environment variables, row 1: Value', secret);
  const note = config.frame.locator('.secret-note');
  await note.getByText('the file gets ${input:guarded-api-token}').waitFor();
  await workbench.screenshot('configuration-secret');
  await config.button('Save and Restart').click();
  // nothing is asked: the server finds what was stored
  await config.frame.getByRole('heading', { name: 'guarded', level: 1 }).waitFor();
  await config.waitForWord('Connected');
  await workbench.screenshot('configuration-outcome');
  expect(readServer('guarded')).toEqual({
    command: 'node',
    args: [serverEntry('memory')],
    env: { API_TOKEN: '${input:guarded-api-token}' },
  });
  expect(readConfig()).not.toContain(secret);
  expect(readConfig()).toContain('// Every server of this folder.');
  expect(await shell.quickInput.isVisible()).toBe(false);
});

it('edits a server and keeps comments and stored secrets', async () => {
  const { config, page } = workbench;
  const stored = '${workspaceFolder}/memory.json';
  await config.edit('memory');
  expect(await config.frame.locator('#settings').textContent()).not.toContain('memory.json');
  await config.fill('Name', 'facts');
  // by the keyboard alone, a field of each group
  await config.frame
    .getByLabel('Connects')
    .selectOption('At start, and again when the connection is lost');
  await unfold('environment');
  await config.box('Working directory').press('End');
  await page.keyboard.type('${workspaceFolder}');
  await unfold('tools');
  await config.button('Add: Without these tools').press('Enter');
  await config.box('Without these tools, row 1').press('End');
  await page.keyboard.type('delete_entities');
  await unfold('limits');
  await config.box('Request timeout (milliseconds)').press('End');
  await page.keyboard.type('70000');
  await workbench.screenshot('configuration-form');
  await config.button('Save').press('Enter');
  // it has another page by its new name
  await config.frame.getByRole('heading', { name: 'facts', level: 1 }).waitFor();
  await config.waitForWord('Connected');
  expect(readServer('memory')).toBeUndefined();
  expect(readServer('facts')).toMatchObject({
    lifecycle: 'eager',
    cwd: '${workspaceFolder}',
    excludeTools: ['delete_entities'],
    requestTimeoutMs: 70_000,
    env: { MEMORY_FILE_PATH: stored },
  });
  expect(readConfig()).toContain('// Every server of this folder.');
});

it('asks before unsaved changes are lost with the tab, and brings them back', async () => {
  const { config, editor, shell } = workbench;
  await config.edit('guarded');
  await config.fill('Command', 'nodejs');
  await config.tab('● guarded').waitFor();
  // the page is another one once it was out of sight
  await editor.open('README.md');
  await config.tab('● guarded').click();
  await expect.poll(() => config.box('Command').inputValue()).toBe('nodejs');
  await shell.runCommand('View: Close Editor');
  await shell.dialog.getByText('Settings: guarded: your changes are not saved.').waitFor();
  await workbench.screenshot('configuration-unsaved');
  await shell.answerDialog('Keep Editing');
  await expect.poll(() => config.box('Command').inputValue()).toBe('nodejs');
  // another form leaves it as it is
  await config.list();
  await config.button('Add Server: sample').click();
  await config.fill('Command', 'npx');
  await config.tab('● guarded').click();
  await expect.poll(() => config.box('Command').inputValue()).toBe('nodejs');
  await config.tab('● Add Server').click();
  await expect.poll(() => config.box('Command').inputValue()).toBe('npx');
  await config.discard();
  await expect.poll(() => config.tab('Add Server').count()).toBe(0);
  await config.tab('● guarded').click();
  await shell.runCommand('View: Close Editor');
  await shell.answerDialog('Discard');
  await config.edit('guarded');
  expect(await config.box('Command').inputValue()).toBe('node');
  expect(readServer('guarded')).toMatchObject({ command: 'node' });
});

it('asks again for an input that was dismissed, when the user saves and tests', async () => {
  const { config, shell, page } = workbench;
  await config.edit('guarded');
  await config.frame.locator('[data-group=environment] summary').press('Enter');
  await config.button('Add: Environment variables').click();
  await config.fill('Environment variables, row 2: Name', 'MODE');
  await config.fill('Environment variables, row 2: Value', '${input:mode}');
  await config.button('Save and Restart').click();
  const question = shell.quickInput.getByText('It asks: "mode"');
  await question.waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => config.frame.locator('main').getAttribute('data-state')).toBe('error');
  await config.button('Save and Restart').click();
  await question.waitFor();
  await page.keyboard.type('quiet');
  await page.keyboard.press('Enter');
  await config.waitForWord('Connected');
});

it('sets the settings of a file', async () => {
  const { config } = workbench;
  await config.list();
  await config.button('Settings: sample').press('Enter');
  await config.frame.getByRole('heading', { name: 'Settings: sample' }).waitFor();
  await workbench.screenshot('configuration-settings');
  await config.fill('Stop when unused for (minutes)', '20000');
  await config.button('Save').press('Enter');
  await config.fieldProblem('is not a number from').waitFor();
  await config.fill('Stop when unused for (minutes)', '7');
  await config.button('Save').press('Enter');
  await config.outcome('Saved.').waitFor();
  expect(parse(readConfig())).toMatchObject({ settings: { idleTimeout: 7 } });
});

it('restarts a server', async () => {
  const { config } = workbench;
  const pids = () =>
    workbench
      .serverProcesses()
      .filter(({ command }) => /server-memory/.test(command))
      .map(({ pid }) => pid);
  const before = pids();
  await config.edit('facts');
  await config.button('Restart').click();
  await expect.poll(() => pids().filter((pid) => !before.includes(pid))).toHaveLength(1);
  await config.waitForWord('Connected');
});

it('switches all servers of the file off and on', async () => {
  const { config } = workbench;
  await config.list();
  const box = config.checkbox('Use the servers of this file');
  await box.last().click();
  await config.waitForState('facts', 'disabled');
  await expect.poll(() => workbench.serverProcesses()).toEqual([]);
  await box.last().click();
  await config.waitForState('facts', 'connected');
});

it('removes a server after asking', async () => {
  const { config, servers, shell } = workbench;
  await config.edit('guarded');
  await config.button('More…').click();
  const remove = servers.menu.getByRole('menuitem', { name: 'Remove Server…' });
  await remove.click({ delay: 150 });
  await shell.answerDialog('Remove');
  await config.frame.getByText('The MCP server does not exist any more.').waitFor();
  expect(readServer('guarded')).toBeUndefined();
});

it('gives pages the colours of the fixture (UPDATE_GOLDEN=1 rewrites it)', async () => {
  const { config, shell } = workbench;
  await shell.runCommand('View: Close All Editors');
  await config.list();
  const looks: Record<string, Awaited<ReturnType<typeof readLook>>> = {};
  for (const [name, theme, bodyClass] of themes) {
    await shell.chooseTheme(theme);
    await config.frame.locator(`body.${bodyClass}`).waitFor();
    looks[name] = await readLook(config.frame);
    await workbench.screenshot(`theme-${name}`);
  }
  const text = describeLooks(looks);
  if (process.env.UPDATE_GOLDEN === '1') {
    writeLooks(themesFile, text);
  }
  expect(existsSync(themesFile) ? readFileSync(themesFile, 'utf8') : '').toBe(text);
});

/** By the keyboard; the group says that it is open. */
async function unfold(group: string): Promise<void> {
  const { config } = workbench;
  await config.frame.locator(`[data-group="${group}"] summary`).press('Enter');
  await config.frame.locator(`[data-group="${group}"][open]`).waitFor();
}

function readServer(name: string): unknown {
  return parse(readConfig()).mcpServers[name];
}

function readConfig(): string {
  return readFileSync(configPath(), 'utf8');
}

function configPath(): string {
  return join(workbench.workspaceDir, '.mcp.json');
}

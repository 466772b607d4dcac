/** Forms of entries in VS Code: what becomes of secrets, of unsaved changes, and of choices for one folder. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'jsonc-parser';
import { expect, it } from 'vitest';
import { trustEverything } from '../helpers/e2e/steps.js';
import { useWorkbench } from '../helpers/e2e/useWorkbench.js';
import { pageOf } from '../helpers/e2e/webview.js';
import { serverEntry } from '../workbench/sample.mjs';

const secret = 'plain-text-credential-1';
const line = `node "${serverEntry('memory')}"`;

const own = { mcpServers: { mine: { command: 'node', args: [serverEntry('memory')] } } };

const workbench = useWorkbench(
  { agentFiles: { 'mcp.json': JSON.stringify(own) } },
  async (workbench) => {
    await trustEverything(workbench);
    await workbench.shell.connectedItem(5, 5).waitFor();
    await workbench.shell.runCommand('Pi MCP: Configure Servers');
  },
);

it('splits a line, judges the name as it is typed, and keeps a secret out of the file', async () => {
  const { config, shell } = workbench;
  await config.button('Add Server to sample').click();
  await config.fill('Name', 'memory');
  await config.fieldProblem(/\.mcp\.json already has a server memory/).waitFor();
  await config.fill('Name', 'guarded');
  await config.fieldProblem('').waitFor({ state: 'detached' });
  await config.fill('Command', line);
  await config.button('Split').click();
  expect(await config.box('Arguments, row 1').inputValue()).toBe(serverEntry('memory'));
  await config.frame.locator('[data-group=environment] summary').press('Enter');
  await config.button('Add: Environment variables').click();
  await config.fill('Environment variables, row 1: name', 'API_TOKEN');
  await config.fill('Environment variables, row 1: value', secret);
  const note = config.frame.locator('.secret-note');
  await note.getByText('the file gets ${input:guarded-api-token}').waitFor();
  await workbench.screenshot('configuration-secret');
  await config.button('Save and Restart').click();
  // nothing is asked: the server finds what was stored
  await config.frame.getByRole('heading', { name: 'guarded', level: 1 }).waitFor();
  await config.waitForWord('Connected');
  await workbench.screenshot('configuration-outcome');
  expect(servers().guarded).toEqual({
    command: 'node',
    args: [serverEntry('memory')],
    env: { API_TOKEN: '${input:guarded-api-token}' },
  });
  expect(folderFile()).not.toContain(secret);
  expect(await shell.quickInput.isVisible()).toBe(false);
});

it('asks before unsaved changes are lost with the tab, and brings them back', async () => {
  const { config, shell } = workbench;
  await config.edit('guarded');
  await config.fill('Command', 'nodejs');
  await config.tab('● guarded').waitFor();
  await shell.runCommand('View: Close Editor');
  await shell.dialog.getByText('Settings: guarded: your changes are not saved.').waitFor();
  await workbench.screenshot('configuration-unsaved');
  await shell.answerDialog('Keep Editing');
  await expect.poll(() => config.box('Command').inputValue()).toBe('nodejs');
  await shell.runCommand('View: Close Editor');
  await shell.answerDialog('Discard Changes');
  await config.edit('guarded');
  expect(await config.box('Command').inputValue()).toBe('node');
  expect(servers().guarded).toMatchObject({ command: 'node' });
});

it('keeps what is typed in one form while another one is open', async () => {
  const { config } = workbench;
  await config.list();
  await config.button('Add Server to sample').click();
  await config.fill('Command', 'npx');
  await config.edit('memory');
  await config.tab('● Add Server').click();
  await expect.poll(() => config.box('Command').inputValue()).toBe('npx');
  await config.discard();
  await expect.poll(() => config.tab('Add Server').count()).toBe(0);
});

it('asks again for an input that was dismissed, when the user saves and tests', async () => {
  const { config, shell, page } = workbench;
  await config.edit('guarded');
  await config.frame.locator('[data-group=environment] summary').press('Enter');
  await config.button('Add: Environment variables').click();
  await config.fill('Environment variables, row 2: name', 'MODE');
  await config.fill('Environment variables, row 2: value', '${input:mode}');
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

it('adds a server for its user alone, in no file of the folder', async () => {
  const { config } = workbench;
  const before = folderFile();
  await config.list();
  await config.button('Add Server to sample').click();
  const where = config.frame.getByRole('combobox', { name: 'Where' });
  await where.selectOption('Folder sample: Only You');
  await config.fill('Name', 'private');
  await config.fill('Command', line);
  await config.button('Split').click();
  await config.button('Save').click();
  await config.frame.getByRole('heading', { name: 'private', level: 1 }).waitFor();
  await config.waitForWord('Connected');
  expect(folderFile()).toBe(before);
  expect(localFile()).toMatchObject({ mcpServers: { private: { command: 'node' } } });
});

it('keeps a pasted secret out of the file', async () => {
  const { shell, page } = workbench;
  const env = { API_TOKEN: secret };
  const entry = { command: 'node', args: [serverEntry('memory')], env, enabled: false };
  await shell.runCommand('Pi MCP: Add Server…');
  const frame = pageOf(page, 'editor');
  await frame.locator('#box').fill(JSON.stringify({ mcpServers: { pasted: entry } }));
  await frame.getByText('Change in', { exact: false }).click();
  await frame.getByText('${input:pasted-api-token}').last().waitFor();
  await workbench.screenshot('add-secret');
  await frame.getByRole('button', { name: 'Add: pasted', exact: true }).click();
  await expect.poll(servers).toMatchObject({
    pasted: { env: { API_TOKEN: '${input:pasted-api-token}' } },
  });
  expect(folderFile()).not.toContain(secret);
});

function folderFile(): string {
  return readFileSync(join(workbench.workspaceDir, '.mcp.json'), 'utf8');
}

function servers(): Record<string, unknown> {
  return parse(folderFile()).mcpServers;
}

function localFile(): unknown {
  const folders = join(workbench.agentDir, 'pi-mcp', 'folders');
  const [name = ''] = existsSync(folders) ? readdirSync(folders) : [];
  const path = join(folders, name, 'mcp.json');
  return existsSync(path) ? parse(readFileSync(path, 'utf8')) : undefined;
}

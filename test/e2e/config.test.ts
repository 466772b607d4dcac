/** The configuration editor. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { connectSample } from '../helpers/e2e/steps.js';
import { useWorkbench } from '../helpers/e2e/useWorkbench.js';

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
  const { config } = workbench;
  await config.button('Add Server to sample').click();
  await config.fill('Name', 'second');
  await config.frame.getByText('Remote (HTTP)').click();
  await config.fill('URL', workbench.httpUrl);
  await config.button('Save').click();
  await config.waitForState('second', 'connected');
  expect(readConfig()).toContain(`"url": "${workbench.httpUrl}"`);
  expect(readConfig()).toContain('// Every server of this folder.');
});

it('says what is wrong with an entry and writes nothing', async () => {
  const { config } = workbench;
  const before = readConfig();
  await config.button('Add Server to sample').click();
  await config.fill('Name', 'memory');
  await config.button('Save').click();
  await config.frame.locator('#form-problems').waitFor();
  await config.button('Cancel').click();
  await config.button('Discard').click();
  expect(readConfig()).toBe(before);
});

it('edits a server and keeps comments and stored secrets', async () => {
  const { config } = workbench;
  const secret = '${workspaceFolder}/memory.json';
  await config.action('memory', 'Edit').click();
  await config.frame.getByRole('heading', { name: 'Edit Server "memory"' }).waitFor();
  expect(await config.frame.locator('body').textContent()).not.toContain('memory.json');
  await config.fill('Name', 'facts');
  await config.button('Save').click();
  await config.waitForState('facts', 'connected');
  const text = readConfig();
  expect(text).toContain(`"MEMORY_FILE_PATH": "${secret}"`);
  expect(text).toContain('"facts"');
  expect(text).not.toContain('"memory"');
  expect(text).toContain('// Every server of this folder.');
});

it('switches a server off and on', async () => {
  const { config } = workbench;
  const before = readConfig();
  await config.checkbox(/Enabled.*: facts/).click();
  await config.waitForState('facts', 'disabled');
  await config.checkbox(/Enabled.*: facts/).click();
  await config.waitForState('facts', 'connected');
  expect(readConfig()).toBe(before);
});

it('tests a server', async () => {
  const { config } = workbench;
  const pid = workbench.serverProcesses().find(({ command }) => /server-memory/.test(command))?.pid;
  await config.action('facts', 'Test').click();
  await expect
    .poll(
      () => workbench.serverProcesses().find(({ command }) => /server-memory/.test(command))?.pid,
    )
    .not.toBe(pid);
  await config.waitForState('facts', 'connected');
});

it('switches all servers of the file off and on', async () => {
  const { config } = workbench;
  const box = config.checkbox('Use the servers of this file');
  await box.last().click();
  await config.waitForState('facts', 'disabled');
  await expect.poll(() => workbench.serverProcesses()).toEqual([]);
  await box.last().click();
  await config.waitForState('facts', 'connected');
});

it('removes a server after asking', async () => {
  const { config, shell } = workbench;
  await config.action('second', 'Remove…').click();
  await shell.answerDialog('Remove');
  await config.server('second').waitFor({ state: 'detached' });
  expect(readConfig()).not.toContain('second');
});

it('keeps its state while it is hidden', async () => {
  const { config, editor, shell } = workbench;
  await config.action('everything', 'Edit').click();
  await config.fill('Name', 'renamed');
  await editor.open('README.md');
  await shell.runCommand('Pi MCP: Configure Servers');
  await config.frame.getByRole('heading', { name: 'Edit Server "everything"' }).waitFor();
  await config.button('Cancel').click();
  await config.button('Discard').click();
});

function readConfig(): string {
  return readFileSync(configPath(), 'utf8');
}

function configPath(): string {
  return join(workbench.workspaceDir, '.mcp.json');
}

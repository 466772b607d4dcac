/** The list of servers and the forms of their entries; and in every kind of theme, that VS Code gives pages what the ring `pages` gives them. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'jsonc-parser';
import { expect, it } from 'vitest';
import { themes } from '../helpers/e2e/appearance.js';
import { describeLooks, readLook, writeLooks } from '../helpers/e2e/capturedThemes.js';
import { connectSample } from '../helpers/e2e/steps.js';
import { useWorkbench } from '../helpers/e2e/useWorkbench.js';
import { themesFile } from '../helpers/pages/themes.mjs';

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
  await config.frame.getByRole('heading', { name: 'second', level: 1 }).waitFor();
  await config.list();
  await config.waitForState('second', 'connected');
  expect(readConfig()).toContain(`"url": "${workbench.httpUrl}"`);
  expect(readConfig()).toContain('// Every server of this folder.');
});

it('says at the fields what is wrong with an entry and writes nothing', async () => {
  const { config } = workbench;
  const before = readConfig();
  await config.list();
  await config.button('Add Server to sample').click();
  await config.fill('Name', 'memory');
  await config.button('Save').click();
  await config.fieldProblem('already has a server memory').waitFor();
  await config.fieldProblem('A local server needs a command.').waitFor();
  await config.discard();
  await expect.poll(() => config.tab('Add Server').count()).toBe(0);
  expect(readConfig()).toBe(before);
});

it('edits a server and keeps comments and stored secrets', async () => {
  const { config } = workbench;
  const secret = '${workspaceFolder}/memory.json';
  await config.edit('memory');
  expect(await config.frame.locator('#settings').textContent()).not.toContain('memory.json');
  await config.fill('Name', 'facts');
  await config.button('Save').click();
  // it has another page by its new name
  await config.frame.getByRole('heading', { name: 'facts', level: 1 }).waitFor();
  await config.waitForWord('Connected');
  const text = readConfig();
  expect(text).toContain(`"MEMORY_FILE_PATH": "${secret}"`);
  expect(text).toContain('"facts"');
  expect(text).not.toContain('"memory"');
  expect(text).toContain('// Every server of this folder.');
});

it('sets a field of each group by the keyboard alone, and keeps the rest of the file', async () => {
  const { config, page } = workbench;
  await config.edit('facts');
  await config.frame.getByLabel('Connects').selectOption('At start');
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
  await config.outcome('Saved.').waitFor();
  await config.waitForWord('Connected');
  expect(readServer('facts')).toMatchObject({
    lifecycle: 'eager',
    cwd: '${workspaceFolder}',
    excludeTools: ['delete_entities'],
    requestTimeoutMs: 70_000,
    env: { MEMORY_FILE_PATH: '${workspaceFolder}/memory.json' },
  });
  expect(readConfig()).toContain('// Every server of this folder.');
});

it('sets the account of a remote server, and never shows the secret again', async () => {
  const { config, page } = workbench;
  const edit = async () => {
    await config.edit('second');
    await unfold('account');
  };
  await edit();
  await config.box('Client id').press('End');
  await page.keyboard.type('shop');
  await config.box('Client secret').press('End');
  await page.keyboard.type('${SHOP_SECRET:-top-secret}');
  await config.button('Save').press('Enter');
  await config.outcome('Saved.').waitFor();
  expect(readServer('second')).toMatchObject({
    oauth: { clientId: 'shop', clientSecret: '${SHOP_SECRET:-top-secret}' },
  });
  await edit();
  expect(await config.frame.locator('body').innerHTML()).not.toContain('top-secret');
});

it('sets the settings of a file', async () => {
  const { config, page } = workbench;
  await config.list();
  await config.button('Settings: sample').press('Enter');
  await config.frame.getByRole('heading', { name: 'Settings: sample' }).waitFor();
  await workbench.screenshot('configuration-settings');
  await config.box('Stop when unused for (minutes)').press('End');
  await page.keyboard.type('20000');
  await config.button('Save').press('Enter');
  await config.fieldProblem('is not a number from').waitFor();
  await config.box('Stop when unused for (minutes)').press('End');
  for (const _digit of '20000') {
    await page.keyboard.press('Backspace');
  }
  await page.keyboard.type('7');
  await config.button('Save').press('Enter');
  await config.outcome('The settings are saved.').waitFor();
  expect(parse(readConfig())).toMatchObject({ settings: { idleTimeout: 7 } });
});

it('switches a server off and on', async () => {
  const { config } = workbench;
  const before = readConfig();
  await config.list();
  await config.checkbox(/Enabled.*: facts/).click();
  await config.waitForState('facts', 'disabled');
  await config.checkbox(/Enabled.*: facts/).click();
  await config.waitForState('facts', 'connected');
  expect(readConfig()).toBe(before);
});

it('restarts a server', async () => {
  const { config } = workbench;
  const pid = workbench.serverProcesses().find(({ command }) => /server-memory/.test(command))?.pid;
  await config.edit('facts');
  await config.button('Restart').click();
  await expect
    .poll(
      () => workbench.serverProcesses().find(({ command }) => /server-memory/.test(command))?.pid,
    )
    .not.toBe(pid);
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
  await config.edit('second');
  await config.button('More…').click();
  const remove = servers.menu.getByRole('menuitem', { name: 'Remove Server…' });
  await remove.click({ delay: 150 });
  await shell.answerDialog('Remove');
  await config.frame.getByText('not configured any more').waitFor();
  expect(readConfig()).not.toContain('second');
});

it('keeps its state while it is hidden', async () => {
  const { config, editor } = workbench;
  await config.edit('everything');
  await config.fill('Name', 'renamed');
  await editor.open('README.md');
  await config.tab('● everything').click();
  await expect.poll(() => config.box('Name').inputValue()).toBe('renamed');
  await config.discard();
  await config.tab('everything').waitFor();
});

it('gives pages the colours of the fixture (UPDATE_GOLDEN=1 rewrites it)', async () => {
  const { agent, config, servers } = workbench;
  const looks: Record<string, Awaited<ReturnType<typeof readLook>>> = {};
  for (const [name, theme, bodyClass] of themes) {
    await workbench.showTheme(theme);
    await servers.show();
    await agent.show();
    await config.list();
    for (const frame of [agent.frame, config.frame]) {
      await frame.locator(`body.${bodyClass}`).waitFor();
    }
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

/** VS Code's own client beside ours: what a row says of it, the three choices, and one process for both. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { filesystem } from '../helpers/coreHarness.js';
import { themes } from '../helpers/e2e/appearance.js';
import { trustEverything } from '../helpers/e2e/steps.js';
import { useWorkbench } from '../helpers/e2e/useWorkbench.js';
import { pageOf } from '../helpers/e2e/webview.js';
import { repository } from '../workbench/paths.mjs';

// with AI features off, as tests have them, VS Code's own client starts nothing
const settings = { 'chat.disableAIFeatures': false };
const workbench = useWorkbench(
  {
    files: { '.mcp.json': JSON.stringify({ mcpServers: { files: filesystem } }) },
    settings,
    otherExtensions: [join(repository, 'test/fixtures/editorClient')],
  },
  async (opened) => {
    await trustEverything(opened);
    await opened.shell.connectedItem(1, 1).waitFor();
    await opened.servers.show();
  },
);

/** Ids that VS Code gives its servers. */
const ids = { copy: 'workspace-dot-mcp.0.files', handedOver: 'pi-mcp.pi-mcp/files (Pi MCP)' };
/** Names that it gives a tool: of what the server calls itself, or the gateway. */
const handedTool = 'mcp_pi_mcp_files_list_allowed_directories';

interface Outcome {
  readonly error?: string;
  readonly result?: readonly unknown[];
  /** Names of all tools that its client has. */
  readonly tools: readonly string[];
}

/** Has VS Code's own client do what its chat would. */
async function act(request: object = {}): Promise<Outcome> {
  const { shell, workspaceDir } = workbench;
  const path = join(workspaceDir, 'editor-client-did.json');
  rmSync(path, { force: true });
  writeFileSync(join(workspaceDir, 'editor-client.json'), JSON.stringify(request));
  const acted = shell.notification('Acted.');
  await shell.runCommand('Editor Client: Act');
  await acted.first().waitFor();
  await shell.runCommand('Notifications: Clear All Notifications');
  await acted.waitFor({ state: 'detached' });
  return JSON.parse(readFileSync(path, 'utf8'));
}

function processCount(): number {
  return workbench.serverProcesses().length;
}

/** VS Code hears of what is handed over a moment after the row says so; starting what runs changes nothing. */
async function startHandedOver(): Promise<void> {
  await expect
    .poll(async () => (await act({ start: ids.handedOver })).tools.includes(handedTool), {
      timeout: 60_000,
    })
    .toBe(true);
}

async function waitUntilTakenBack(): Promise<void> {
  await expect
    .poll(async () => (await act()).tools.includes(handedTool), { timeout: 60_000 })
    .toBe(false);
}

it('says that VS Code may start a server too, and what can be done', async () => {
  const { servers, page } = workbench;
  await servers.row('files', 'VS Code may start it').waitFor();
  expect(processCount()).toBe(1);
  const entry = (name: string) => servers.menu.getByRole('menuitem', { name });
  await servers.openMenu(servers.row('files'), entry('Run Both'));
  await entry('Leave It to VS Code').waitFor();
  await entry("Use Pi MCP's Connection There").waitFor();
  await workbench.screenshot('clients-predicted');
  await page.keyboard.press('Escape');
  await servers.menu.waitFor({ state: 'hidden' });
});

it('says so only while the settings of VS Code let it', async () => {
  const { servers } = workbench;
  await act({ settings: { 'chat.mcp.access': 'none' } });
  await servers.row('files', 'VS Code').waitFor({ state: 'detached' });
  expect(await servers.row('files').count()).toBe(1);
  await act({ settings: { 'chat.mcp.access': 'all' } });
  await servers.row('files', 'VS Code may start it').waitFor();
});

it('says that VS Code has started it', async () => {
  const { servers } = workbench;
  await act({ start: ids.copy });
  await servers.row('files', 'runs in VS Code too').waitFor();
  expect(processCount()).toBe(2);
  await workbench.screenshot('clients-running');
});

it('hands the server over, so that one process serves both', async () => {
  const { shell, servers, page } = workbench;
  await servers.pickFromMenu(servers.row('files'), "Use Pi MCP's Connection There");
  await shell.dialog.getByText('This starts the gateway of folder "sample"').waitFor();
  await workbench.screenshot('clients-question');
  await shell.answerDialog('Start Gateway and Hand Over');
  await servers.row('files', 'handed to VS Code').waitFor();
  await expect.poll(processCount, { timeout: 30_000 }).toBe(1);
  await startHandedOver();
  const acting = act({ call: handedTool, input: {} });
  await shell
    .notification('waits for your answer')
    .getByRole('button', { name: 'Answer', exact: true })
    .click();
  await pageOf(page, 'editor')
    .locator('.card-question')
    .getByRole('button', { name: 'Allow Once' })
    .click();
  const outcome = await acting;
  expect(JSON.stringify(outcome.result)).toContain('Allowed directories');
  expect(processCount()).toBe(1);
  await workbench.screenshot('clients-handed-over');
});

it('takes it back', async () => {
  const { servers } = workbench;
  await servers.pickFromMenu(servers.row('files'), 'Take Back From VS Code');
  await servers.row('files', 'VS Code may start it').waitFor();
  await waitUntilTakenBack();
  const { tools } = await act({ start: ids.handedOver });
  expect(tools).not.toContain(handedTool);
  expect(processCount()).toBe(1);
});

it('hands over what is chosen of a folder, until the gateway stops', async () => {
  const { shell, servers, page } = workbench;
  await shell.runCommand('Pi MCP: Hand Over Servers to VS Code');
  await shell.quickPick('files').locator('.monaco-checkbox').click();
  await workbench.screenshot('clients-pick');
  await page.locator('.quick-input-widget').getByRole('button', { name: 'OK' }).click();
  await servers.row('files', 'handed to VS Code').waitFor();
  await startHandedOver();
  await shell.runCommand('Pi MCP: Stop Gateway');
  await servers.row('files', 'VS Code waits for the gateway').waitFor();
  await waitUntilTakenBack();
  await workbench.screenshot('clients-waiting');
});

it('lets both run, from the report of Doctor, and says so no more', async () => {
  const { servers, shell } = workbench;
  await shell.runCommand('Pi MCP: Doctor');
  const twice = pageOf(workbench.page, 'editor').getByRole('region', { name: 'Started Twice' });
  await twice.getByRole('button', { name: 'Run Both' }).click();
  await twice.getByText('You chose to run both.').waitFor();
  await twice.getByRole('button', { name: 'Leave It to VS Code' }).waitFor();
  expect(await twice.getByRole('button', { name: 'Run Both' }).count()).toBe(0);
  await workbench.screenshot('clients-doctor');
  await shell.runCommand('View: Close All Editors');
  await servers.row('files', 'VS Code').waitFor({ state: 'detached' });
  await act({ start: ids.copy });
  await expect.poll(processCount, { timeout: 30_000 }).toBe(2);
  expect(await servers.row('files', 'VS Code').count()).toBe(0);
});

it('leaves it to VS Code, in a file of the user’s own', async () => {
  const { servers, workspaceDir } = workbench;
  const before = readFileSync(join(workspaceDir, '.mcp.json'), 'utf8');
  await servers.pickFromMenu(servers.row('files'), 'Leave It to VS Code');
  await servers.row('files', 'left to VS Code').waitFor();
  await expect.poll(processCount, { timeout: 30_000 }).toBe(1);
  expect(readFileSync(join(workspaceDir, '.mcp.json'), 'utf8')).toBe(before);
  await workbench.screenshot('clients-left');
  await servers.pickFromMenu(servers.row('files'), 'Enable Server');
  await servers.row('files', 'runs in VS Code too').waitFor();
  await act({ stop: ids.copy });
});

it.each(themes)('says it in every theme: %s', async (name, label) => {
  const { servers } = workbench;
  await workbench.showTheme(label);
  await servers.show();
  await servers.row('files', 'VS Code may start it').waitFor();
  await act({ start: ids.copy });
  await servers.row('files', 'runs in VS Code too').waitFor();
  await workbench.screenshot(`clients-${name}`);
  await act({ stop: ids.copy });
});

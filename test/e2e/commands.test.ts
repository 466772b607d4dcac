/** The commands of the palette and of the tree. */
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { answerReview, connectSample } from '../helpers/e2e/steps.js';
import { useWorkbench } from '../helpers/e2e/useWorkbench.js';

const workbench = useWorkbench({}, connectSample);

it('probes a server from the palette and says how it went', async () => {
  const { shell } = workbench;
  await shell.runCommand('Pi MCP: Probe Server…');
  await shell.pick('memory');
  await shell.notification(/MCP server works, with \d+ tools, .*: memory/).waitFor();
});

it('stops and starts a server from the tree', async () => {
  const { servers } = workbench;
  const before = workbench.serverProcesses().length;
  await servers.show();
  await servers.pickFromMenu(servers.row('memory'), 'Stop Server');
  await servers.waitForServer('memory', 'Not running');
  await expect.poll(() => workbench.serverProcesses().length).toBe(before - 1);
  await servers.clickAction(servers.row('memory'), 'Start Server');
  await servers.waitForServer('memory', 'Connected');
  expect(workbench.serverProcesses().length).toBe(before);
});

it('stops and starts all servers, and says without alarm when there is nothing to do', async () => {
  const { servers, shell } = workbench;
  await shell.runCommand('Pi MCP: Stop All Servers');
  await expect.poll(() => workbench.serverProcesses().length).toBe(0);
  // the palette has it only while something runs
  await servers.pickFromTitle('Stop All Servers');
  const notice = shell.notification('No MCP server is running.');
  await notice.waitFor();
  expect(await notice.getByRole('button', { name: 'Show Log' }).count()).toBe(0);
  await shell.runCommand('Pi MCP: Start All Servers');
  await servers.waitForServer('memory', 'Connected');
});

it('shows the servers when the status bar item is clicked', async () => {
  const { servers, shell } = workbench;
  await shell.showContainer('Explorer');
  await servers.row('memory').waitFor({ state: 'hidden' });
  await shell.connectedItem(4, 4).click();
  await servers.waitForServer('memory', 'Connected');
});

it('opens the configuration file', async () => {
  const { shell, editor } = workbench;
  await shell.runAndChoose('Pi MCP: Open Configuration', 'sample/.mcp.json');
  await editor.tab('.mcp.json').waitFor();
});

it('shows the log of a server', async () => {
  const { shell, page } = workbench;
  await shell.runCommand('Pi MCP: Show Log');
  await shell.pick('everything');
  await page.locator('.panel').getByText('Output').first().waitFor();
  await page
    .getByRole('combobox', { name: /output channel/i })
    .or(page.locator('.panel .monaco-select-box'))
    .first()
    .waitFor();
});

it('trusts a folder again after its trust was revoked', async () => {
  const { shell, servers } = workbench;
  await shell.runCommand('Pi MCP: Manage Trust…');
  await shell.answerDialog('Revoke Trust');
  await servers.show();
  await servers.waitForServer('memory', 'Needs trust');
  await shell.runCommand('Pi MCP: Trust Folder…');
  await answerReview(workbench, 'Trust Selected');
  await servers.waitForServer('memory', 'Connected');
});

it('moves a server of the folder to its user alone, and copies it back for everybody', async () => {
  const { shell, servers, editor, page } = workbench;
  await shell.runAndChoose('Pi MCP: Open Configuration', 'sample/.mcp.json');
  await editor.tab('.mcp.json').waitFor();
  await editor.placeCursorAfter('"memory"');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await shell.askUntilShown(
    () => page.keyboard.press('Control+.'),
    page.locator('.action-widget').getByText('Change Server Scope…'),
  );
  await page.locator('.action-widget').getByText('Change Server Scope…').click();
  await shell.pick('Folder sample: Only You');
  await shell.pick('Move');
  await shell.notification(/Moved to .*pi-mcp.folders.sample-/).waitFor();
  await servers.show();
  await servers.row('memory', 'only you').first().waitFor();
  await servers.waitForServer('memory', 'Connected');
  // a row that is drawn anew under the pointer may take the click and do nothing
  await shell.askUntilShown(
    () => servers.pickFromMenu(servers.row('memory'), 'Change Server Scope…'),
    shell.pickRow('Folder sample: for Everybody'),
  );
  await shell.pick('Folder sample: for Everybody');
  await shell.pick('Copy');
  await shell.notification(/Copied to .*\.mcp\.json/).waitFor();
  await servers.row('memory', 'hides another entry').first().waitFor();
});

it('writes servers in the words of another client, once it has said what is different there', async () => {
  const { shell, editor } = workbench;
  await shell.runCommand('Pi MCP: Export Servers…');
  await shell.quickInput.getByRole('button', { name: 'OK' }).click();
  await shell.pick('Claude Desktop');
  await shell.dialog.getByText('In Claude Desktop this is different:').waitFor();
  await shell.dialog.getByText('write it out there').waitFor();
  await shell.answerDialog('Copy');
  await editor.content.getByText('"mcpServers"').waitFor();
});

it('moves a server that is dropped on what is global, and back with Undo', async () => {
  const { shell, servers, workspaceDir } = workbench;
  const text = () => readFile(join(workspaceDir, '.mcp.json'), 'utf8');
  await servers.show();
  expect(await text()).toContain('"filesystem"');
  await servers.row('filesystem').dragTo(servers.row('User'));
  const moved = shell.notification(/Moved to .*agent.mcp\.json/);
  await moved.waitFor();
  expect(await text()).not.toContain('"filesystem"');
  await moved.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(text).toContain('"filesystem"');
});

/** Ends the process behind the back of the extension. */
function kill(server: string): void {
  for (const { pid, command } of workbench.serverProcesses()) {
    if (command.includes(`server-${server}`)) {
      process.kill(pid, 'SIGKILL');
    }
  }
}

it('tells once, with the next step, of a server that stops working out of sight, and leads to its row', async () => {
  const { servers, shell } = workbench;
  await shell.runCommand('Notifications: Clear All Notifications');
  await shell.runCommand('Pi MCP: Start All Servers');
  await shell.connectedItem(4, 4).waitFor();
  await shell.showContainer('Explorer');
  kill('memory');
  const notice = shell.notification('MCP server: memory');
  await notice.waitFor();
  await workbench.screenshot('notice');
  await notice.getByRole('button', { name: 'Show', exact: true }).click();
  await servers.waitForServer('memory', 'Ended by signal');
  await workbench.screenshot('notice-shown');
  // in sight, nobody is told
  kill('filesystem');
  await servers.waitForServer('filesystem', 'Ended by signal');
  await shell.runCommand('Pi MCP: Start All Servers');
  await shell.connectedItem(4, 4).waitFor();
  await shell.showContainer('Explorer');
  kill('everything');
  // what is tried again by itself has half a minute to heal
  await shell.notification('MCP server: everything').waitFor({ timeout: 60_000 });
  expect(await shell.notification(/memory|filesystem/).count()).toBe(0);
});

it('tells no more of servers once the user wants that', async () => {
  const { shell } = workbench;
  const notice = shell.notification('MCP server: everything');
  await notice.getByRole('button', { name: "Don't Show Again" }).click();
  await notice.waitFor({ state: 'detached' });
  const settings = join(dirname(workbench.agentDir), 'user-data/User/settings.json');
  await expect.poll(() => readFile(settings, 'utf8')).toContain('"piMcp.notices": false');
});

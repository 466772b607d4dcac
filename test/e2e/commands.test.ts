/**
 * What the user does about servers and tools outside of their pages: many at once after a look at what it would change, in the
 * tree, and in the agent's panel.
 */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { answerReview, connectSample } from '../helpers/e2e/steps.js';
import { useWorkbench } from '../helpers/e2e/useWorkbench.js';

// the model names the tools that it is offered; by default it would have to look for them
const settings = { 'piMcp.agent.toolBudget': 20_000 };

const workbench = useWorkbench({ settings }, async (workbench) => {
  await connectSample(workbench);
  await workbench.servers.show();
});

function file(): string {
  return readFileSync(join(workbench.workspaceDir, '.mcp.json'), 'utf8');
}

it('stages boxes of the list, which say what they would do, and applies them together by the keyboard', async () => {
  const { config, shell } = workbench;
  const before = file();
  const box = (name: string) => config.checkbox(`Enabled: ${name}`);
  await config.list();
  await box('memory').click();
  await box('everything').click();
  await config.frame
    .getByRole('region', { name: 'Changes: 2' })
    .getByText(/^2 stop, tokens in every request: \d+ → \d+$/)
    .waitFor();
  await config.server('memory').getByText('It stops.').waitFor();
  await workbench.screenshot('staged-boxes');
  await shell.connectedItem(4, 4).waitFor();
  await config.button('Discard').click();
  expect(await box('memory').isChecked()).toBe(true);
  expect(file()).toBe(before);
  await box('everything').press('Space');
  await config.button('Apply').press('Enter');
  await config.waitForState('everything', 'disabled');
  await shell.connectedItem(3, 3).waitFor();
  expect(file()).toContain('"enabled": false');
  await box('everything').click();
  await config.button('Apply').click();
  await config.waitForState('everything', 'connected');
  expect(file()).toBe(before);
  await workbench.editor.closeAll();
});

it('takes a tool away from the model when its box in the tree is cleared', async () => {
  const { agent, servers } = workbench;
  await agent.show();
  await agent.frame.locator('.model-picker').waitFor();
  await servers.expand(servers.row('memory').first());
  await servers.expand(servers.group('memory', 'Tools'));
  const row = servers.row('read_graph', 'tool').first();
  const box = row.getByRole('checkbox');
  await box.waitFor();
  expect(await box.isChecked()).toBe(true);
  await agent.ask('what do you know');
  await agent.answer('memory__read_graph').waitFor();
  await box.click();
  await servers.row('read_graph', 'off').first().waitFor();
  await workbench.screenshot('tool-switched-off');
  await agent.ask('what do you know now');
  await agent.answer('memory__search_nodes').nth(1).waitFor();
  expect(await agent.answer('memory__read_graph').count()).toBe(1);
});

it('runs a call with the arguments that the user made of it', async () => {
  const { agent } = workbench;
  await agent.ask('echo wrong words');
  const approval = agent.approval('Run this tool of an MCP server? echo');
  await agent.allow(approval, 'Edit');
  await approval.getByRole('textbox', { name: 'Arguments' }).fill('{ "message": "right words" }');
  await approval.getByRole('button', { name: 'Allow Once' }).click();
  await agent.answer('Echo: right words').waitFor();
});

it('asks for parallel calls as one list', async () => {
  const { agent } = workbench;
  await agent.ask('echo one and echo two');
  await agent.frame.getByText('Needs your OK: 2 calls').waitFor();
  await workbench.screenshot('parallel-approvals');
  await agent.button('Allow All').click();
  await agent.answer('Echo: two').waitFor();
});

it('remembers an approval for the folder, shows it in the tree and asks again once it is revoked', async () => {
  const { agent, servers, shell } = workbench;
  await agent.ask('echo always');
  await agent.allow(agent.approval('echo'), 'Always in This Folder');
  await agent.answer('Echo: always').waitFor();
  await agent.newConversation();
  await agent.ask('echo unasked');
  await agent.answer('Echo: unasked').waitFor();
  await servers.expand(servers.row('everything').first());
  await servers.expand(servers.group('everything', 'Tools'));
  const row = servers.row('echo', 'runs without asking').first();
  await row.waitFor();
  await servers.clickAction(row, 'Manage Approval Rules…');
  await shell.quickPick('everything/echo').waitFor();
  await shell.quickInput.getByRole('button', { name: 'OK' }).click();
  await servers.row('echo', 'tool').first().waitFor();
  await row.waitFor({ state: 'detached' });
  await agent.ask('echo asked again');
  await agent.deny(agent.approval('echo'));
  await agent.hide();
});

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
  const notice = shell.notification('Stop: nothing to choose.');
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
    page.locator('.action-widget').getByText('Change Scope…'),
  );
  await page.locator('.action-widget').getByText('Change Scope…').click();
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
  const { shell, servers } = workbench;
  await servers.show();
  expect(file()).toContain('"filesystem"');
  await servers.row('filesystem').dragTo(servers.row('User'));
  const moved = shell.notification(/Moved to .*agent.mcp\.json/);
  await moved.waitFor();
  expect(file()).not.toContain('"filesystem"');
  await moved.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(file).toContain('"filesystem"');
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
  await servers.waitForServer('memory', 'Signal');
  await workbench.screenshot('notice-shown');
});

it('tells no more of servers once the user wants that', async () => {
  const { shell } = workbench;
  await shell.showContainer('Explorer');
  kill('filesystem');
  const notice = shell.notification('MCP server: filesystem');
  await notice.getByRole('button', { name: "Don't Show Again" }).click();
  await notice.waitFor({ state: 'detached' });
  const settings = join(dirname(workbench.agentDir), 'user-data/User/settings.json');
  await expect.poll(() => readFileSync(settings, 'utf8')).toContain('"piMcp.notices": false');
});

/** What the user decides about servers and tools: many at once after a look at what it would change, in the tree, and in the agent's panel. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { connectSample } from '../helpers/e2e/steps.js';
import { useWorkbench } from '../helpers/e2e/useWorkbench.js';

// the model names the tools that it is offered; by default it would have to look for them
const settings = { 'piMcp.agent.toolBudget': 20_000 };

const workbench = useWorkbench({ settings }, async (workbench) => {
  await connectSample(workbench);
  await workbench.servers.show();
  await workbench.agent.show();
  await workbench.agent.frame.locator('.model-picker').waitFor();
});

function file(): string {
  return readFileSync(join(workbench.workspaceDir, '.mcp.json'), 'utf8');
}

function box(name: string | RegExp) {
  return workbench.shell.quickPick(name).first().getByRole('checkbox');
}

/** Enter would turn the box that was clicked. */
async function acceptBoxes(): Promise<void> {
  await workbench.shell.quickInput.getByRole('button', { name: 'OK' }).click();
}

async function openPicker(): Promise<void> {
  const { servers, shell } = workbench;
  await shell.askUntilShown(
    () => servers.pickFromTitle('Switch Servers…'),
    shell.quickPick(/^\s*memory/).first(),
  );
}

it('shows what staged switches would do, and leaves everything as it was', async () => {
  const { shell } = workbench;
  const before = file();
  await openPicker();
  expect(await box(/^\s*memory/).isChecked()).toBe(true);
  await box(/^\s*memory/).click();
  await box(/^\s*everything/).click();
  await shell.quickInput.getByText('(changes: 2)').waitFor();
  await workbench.screenshot('switch-servers');
  await acceptBoxes();
  await shell.quickPick('Apply Changes: 2').waitFor();
  await shell.quickPick('Its process stops.').first().waitFor();
  await shell.quickPick('Tools in every request').waitFor();
  await workbench.screenshot('switch-servers-review');
  // back to the boxes, which are as they were left
  await shell.pick('Back to the Selection');
  await shell.quickInput.getByText('(changes: 2)').waitFor();
  expect(await box(/^\s*memory/).isChecked()).toBe(false);
  await acceptBoxes();
  await shell.pick('Leave Everything as It Is');
  await shell.quickInput.waitFor({ state: 'hidden' });
  expect(file()).toBe(before);
  await shell.connectedItem(4, 4).waitFor();
});

it('applies servers and tools together by the keyboard, and takes it back', async () => {
  const { page, servers, shell } = workbench;
  const before = file();
  await openPicker();
  // typing finds, Space ticks, Enter goes on
  await shell.quickInput.locator('input[type=text]').fill('read_graph');
  await shell.quickPick('read_graph').first().waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Space');
  await shell.quickInput.getByText('(changes: 1)').waitFor();
  await shell.quickInput.locator('input[type=text]').fill('everything');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Space');
  await shell.quickInput.getByText('(changes: 2)').waitFor();
  await page.keyboard.press('Enter');
  await shell.quickPick('Apply Changes: 2').waitFor();
  await page.keyboard.press('Enter');
  await shell.connectedItem(3, 3).waitFor();
  await servers.waitForServer('everything', 'Disabled');
  expect(file()).toContain('"enabled": false');
  await servers.expand(servers.row('memory').first());
  await servers.expand(servers.group('memory', 'Tools'));
  await servers.row('read_graph', 'off').first().waitFor();
  const notice = shell.notification('MCP servers were switched');
  await notice.waitFor();
  await workbench.screenshot('switch-servers-applied');
  await notice.getByRole('button', { name: 'Undo' }).click();
  await shell.connectedItem(4, 4).waitFor();
  await servers.row('read_graph', 'tool').first().waitFor();
  await expect.poll(file).toBe(before);
});

it('opens from the page of the configuration, which shows the result', async () => {
  const { config, shell } = workbench;
  await shell.runCommand('Pi MCP: Configure Servers');
  await config.button('Switch Servers…').click();
  await box(/^\s*memory/).click();
  await acceptBoxes();
  await shell.pick('Apply Changes: 1');
  await config.waitForState('memory', 'disabled');
  await workbench.screenshot('switch-servers-page');
  await config.checkbox(/Enabled.*: memory/).click();
  await config.waitForState('memory', 'connected');
  await workbench.editor.closeAll();
});

it('takes a tool away from the model when its box in the tree is cleared', async () => {
  const { agent, servers } = workbench;
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

it('goes on without a tool that the provider refuses, until its box is checked again', async () => {
  const { agent, servers } = workbench;
  await agent.ask('refuse search_nodes');
  await agent.frame.getByText('goes on without a tool that the provider refused').first().waitFor();
  await agent.answer('I go on without search_nodes.').waitFor();
  const row = servers.row('search_nodes', 'set aside, refused by the provider').first();
  const box = row.getByRole('checkbox');
  await box.waitFor();
  expect(await box.isChecked()).toBe(false);
  await workbench.screenshot('tool-set-aside');
  await box.click();
  await row.waitFor({ state: 'detached' });
  await agent.ask('what do you know again');
  await agent.answer('memory__search_nodes').nth(2).waitFor();
});

it('runs a call with the arguments that the user made of it', async () => {
  const { agent } = workbench;
  await agent.ask('echo wrong words');
  const approval = agent.approval('Run this tool of an MCP server? echo');
  await agent.allow(approval, 'Edit Input…');
  await approval.getByRole('textbox', { name: 'Arguments' }).fill('{ "message": "right words" }');
  await approval.getByRole('button', { name: 'Allow Once' }).click();
  await agent.answer('Echo: right words').waitFor();
});

it('asks for parallel calls as one list', async () => {
  const { agent } = workbench;
  await agent.ask('echo one and echo two');
  await agent.frame.getByText('2 calls need your OK').waitFor();
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
});

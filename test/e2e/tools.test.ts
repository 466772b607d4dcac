/** What the user decides about tools, in the tree and in the agent's panel. */
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
  await approval.getByRole('button', { name: 'Edit Arguments' }).click();
  await approval.getByRole('textbox', { name: 'Arguments' }).fill('{ "message": "right words" }');
  await approval.getByRole('button', { name: 'Allow Once' }).click();
  await agent.answer('Echo: right words').waitFor();
});

it('asks for parallel calls as one list', async () => {
  const { agent } = workbench;
  await agent.ask('echo one and echo two');
  await agent.frame.getByText('2 tool calls wait for you').waitFor();
  await workbench.screenshot('parallel-approvals');
  await agent.button('Allow All').click();
  await agent.answer('Echo: two').waitFor();
});

it('remembers an approval for the folder, shows it in the tree and asks again once it is revoked', async () => {
  const { agent, servers, shell } = workbench;
  await agent.ask('echo always');
  await agent.approval('echo').getByRole('button', { name: 'Always Allow in This Folder' }).click();
  await agent.answer('Echo: always').waitFor();
  await shell.runCommand('Pi MCP: New Conversation');
  await agent.frame.getByText('Ask Pi about your code').waitFor();
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
  await agent.approval('echo').getByRole('button', { name: 'Deny' }).click();
});

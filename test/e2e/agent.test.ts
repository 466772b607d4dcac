/** The Pi Agent view with the offline demo model and real tools. */
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { connectSample } from '../helpers/e2e/steps.js';
import { useWorkbench } from '../helpers/e2e/useWorkbench.js';

const workbench = useWorkbench({}, async (workbench) => {
  await connectSample(workbench);
  await workbench.agent.show();
  await workbench.agent.frame.locator('.model-picker').waitFor();
});

it('reads a file with a built-in tool without asking', async () => {
  const { agent } = workbench;
  await agent.ask('read README.md');
  await agent.tool('read', 'done').waitFor();
  await agent.answer('A sample to try Pi MCP with').waitFor();
});

it('asks with the real place before a link leads it out of the folder', async () => {
  const { agent, workspaceDir } = workbench;
  const outside = join(dirname(workspaceDir), 'outside-of-the-folder.txt');
  writeFileSync(outside, 'not for the model');
  symlinkSync(outside, join(workspaceDir, 'way-out.txt'));
  await agent.ask('read way-out.txt');
  const approval = agent.approval('Read way-out.txt?');
  await approval.getByText('Outside the folder:').waitFor();
  await approval.getByText(outside).waitFor();
  await workbench.screenshot('approval-outside');
  await approval.getByRole('button', { name: 'Deny' }).click();
  await agent.tool('read', 'denied').waitFor();
});

it('shows the line that a command starts', async () => {
  const { agent } = workbench;
  await agent.ask('run true');
  const approval = agent.approval('Run this command?');
  await approval.getByText('bash -c').waitFor();
  await approval.getByRole('button', { name: 'Deny' }).click();
  await agent.tool('bash', 'denied').waitFor();
});

it('asks before it calls a tool of an MCP server, and shows the result', async () => {
  const { agent } = workbench;
  await agent.ask('echo good morning');
  const approval = agent.approval('Run this tool of an MCP server? echo');
  await approval.getByText('good morning').waitFor();
  // the tools of the sample cost more than the default budget, so the model looks for the one that it needs
  await agent.tool('ToolSearch', 'done').waitFor();
  await workbench.screenshot('approval');
  await approval.getByRole('button', { name: 'Allow Once' }).click();
  await agent.tool('echo', 'done').waitFor();
  await agent.answer('Echo: good morning').waitFor();
  await workbench.screenshot('agent-turn');
});

it('asks again for the next call of the same tool, unless it is allowed for the session', async () => {
  const { agent } = workbench;
  await agent.ask('echo second');
  await agent.approval('echo').getByRole('button', { name: 'Allow for This Session' }).click();
  await agent.answer('Echo: second').waitFor();
  await agent.ask('echo third');
  await agent.answer('Echo: third').waitFor();
});

it('shows an image that a tool returns', async () => {
  const { agent } = workbench;
  await agent.ask('show me an image');
  await agent.approval('get-tiny-image').getByRole('button', { name: 'Allow Once' }).click();
  await agent.tool('get-tiny-image', 'done').locator('img').waitFor();
  await workbench.screenshot('agent-image');
});

it('does not run what the user denies', async () => {
  const { agent } = workbench;
  await agent.ask('write denied.txt hello');
  await agent.approval('Create denied.txt?').getByRole('button', { name: 'Deny' }).click();
  await agent.tool('write', 'denied').waitFor();
  await agent.frame.locator('.composer').getByRole('button', { name: 'Send' }).waitFor();
  expect(existsSync(join(workbench.workspaceDir, 'denied.txt'))).toBe(false);
});

it('writes a file once the user allows it', async () => {
  const { agent } = workbench;
  await agent.ask('write allowed.txt hello');
  await agent.approval('Create allowed.txt?').getByRole('button', { name: 'Allow Once' }).click();
  await agent.tool('write', 'done').waitFor();
  expect(readFileSync(join(workbench.workspaceDir, 'allowed.txt'), 'utf8')).toContain('hello');
});

it('stops a run while it streams', async () => {
  const { agent } = workbench;
  await agent.ask('tell me a long story');
  await agent.frame
    .locator('.assistant[aria-busy=true]')
    .filter({ hasText: 'Once upon' })
    .waitFor();
  await agent.button('Stop').click();
  await agent.button('Stop').waitFor({ state: 'detached' });
  await agent.answer('Once upon').waitFor();
});

it('stops a run while an approval is open', async () => {
  const { agent } = workbench;
  await agent.ask('write never.txt hello');
  await agent.approval('Create never.txt?').waitFor();
  await agent.button('Stop').click();
  await agent.approval('Create never.txt?').waitFor({ state: 'detached' });
  await agent.button('Stop').waitFor({ state: 'detached' });
  expect(existsSync(join(workbench.workspaceDir, 'never.txt'))).toBe(false);
});

it('opens a file that an answer names at its line, and none outside of the folder', async () => {
  const { agent, page } = workbench;
  await agent.ask('echo [the readme](README.md#L2) [beyond](../beyond.md)');
  const link = agent.frame.locator('.assistant').getByRole('link', { name: 'the readme' });
  await link.last().click();
  await page.getByRole('tab', { name: /^README\.md/ }).waitFor();
  const beyond = agent.frame.locator('.assistant').getByRole('link', { name: 'beyond' });
  await beyond.last().click();
  await agent.frame.getByText('This file is not in the folder.').waitFor();
  await agent.button('Dismiss').click();
});

it('answers by keyboard alone: Ctrl+Enter allows, Escape stops', async () => {
  const { agent, page, workspaceDir } = workbench;
  const file = join(workspaceDir, 'keys.txt');
  await agent.ask('write keys.txt hello');
  await agent.approval('Create keys.txt?').waitFor();
  // the key counts once the question was there for a moment
  await expect
    .poll(
      async () => {
        await page.keyboard.press('Control+Enter');
        return existsSync(file);
      },
      { interval: 1_000, timeout: 20_000 },
    )
    .toBe(true);
  await agent.button('Stop').waitFor({ state: 'detached' });
  await agent.ask('write never.txt hello');
  await agent.approval('Create never.txt?').waitFor();
  await page.keyboard.press('Escape');
  await agent.approval('Create never.txt?').waitFor({ state: 'detached' });
  await agent.button('Stop').waitFor({ state: 'detached' });
  expect(existsSync(join(workspaceDir, 'never.txt'))).toBe(false);
});

it('keeps the conversation while the view is hidden', async () => {
  const { agent } = workbench;
  await agent.hide();
  await agent.show();
  await agent.answer('Echo: good morning').waitFor();
});

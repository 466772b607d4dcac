/** Where the conversation is: beside the tree, in a tab, or wherever the user moved it; with one input at any time. */
import type { Locator } from 'playwright-core';
import { expect, it } from 'vitest';
import { answerTimeoutMs } from '../helpers/e2e/shell.js';
import { connectSample } from '../helpers/e2e/steps.js';
import { storedLayout } from '../helpers/e2e/storedLayout.js';
import { useWorkbench } from '../helpers/e2e/useWorkbench.js';

const workbench = useWorkbench({ size: { width: 1440, height: 900 } }, async (workbench) => {
  await connectSample(workbench);
  await workbench.servers.show();
  await workbench.agent.show();
  await workbench.agent.frame.locator('.model-picker').waitFor();
});

const tab = (title: string | RegExp) =>
  workbench.page.locator('.part.editor').getByRole('tab', { name: title });
const isElsewhere = () => workbench.agent.frame.getByText('is open in an editor.');

async function widthOf(locator: Locator): Promise<number> {
  return (await locator.boundingBox())?.width ?? 0;
}

it('stands beside the tree, in the secondary side bar', async () => {
  const { agent, page, servers } = workbench;
  const tree = await servers.row('memory').first().boundingBox();
  const input = await agent.composer.boundingBox();
  expect(tree && input && tree.x + tree.width < input.x).toBe(true);
  await page.locator('.auxiliarybar').getByText('Pi Agent').first().waitFor();
  await workbench.screenshot('place-side-by-side');
});

it('opens in an editor with its title and what was being written, and the view says so', async () => {
  const { agent, agentTab, page, shell } = workbench;
  await agent.ask('list files');
  await agent.answer('README.md').waitFor();
  await agent.composer.fill('half a sentence');
  await page
    .locator('.auxiliarybar')
    .getByRole('button', { name: 'Open Conversation in Editor' })
    .click();
  await tab('list files').waitFor();
  await agentTab.answer('README.md').waitFor();
  await expect.poll(() => agentTab.composer.inputValue()).toBe('half a sentence');
  await isElsewhere().waitFor();
  expect(await agent.composer.count()).toBe(0);
  expect(await agent.frame.getByRole('log').count()).toBe(0);
  await workbench.screenshot('place-tab');
  // opening it again shows the tab that there is
  await shell.runCommand('Pi MCP: Open Conversation in Editor');
  expect(await tab('list files').count()).toBe(1);
});

it('keeps the lines of a wide tab short', async () => {
  const { agentTab, shell } = workbench;
  await shell.runCommand('View: Hide Secondary Side Bar');
  const answer = agentTab.answer('README.md');
  await expect.poll(() => widthOf(agentTab.frame.locator('main'))).toBeGreaterThan(900);
  expect(await widthOf(answer)).toBeLessThanOrEqual(760);
  expect(await widthOf(agentTab.composer)).toBeLessThanOrEqual(760);
  await agentTab.frame
    .locator('.tool-words')
    .getByText(/\d+ tools/)
    .waitFor();
  await workbench.screenshot('place-tab-wide');
});

it('says at the tab that it needs the user, while another one is in sight', async () => {
  const { agentTab, editor, shell } = workbench;
  await agentTab.ask('echo good morning');
  await agentTab.approval('echo').waitFor();
  await editor.open('README.md');
  await tab('(needs you)').waitFor();
  await tab('(needs you)').locator('[style*="piMcpWaiting"]').waitFor({ state: 'attached' });
  await shell.waitingItem.click();
  await agentTab.approval('echo').getByRole('button', { name: 'Allow Once' }).click();
  await agentTab.answer('Echo: good morning').waitFor();
  await tab(/^list files(?! \(needs you\))/).waitFor();
});

it('comes back in its tab after a reload, with what was being written and no second input', async () => {
  const { agent, agentTab, editor, page, shell } = workbench;
  await agentTab.composer.fill('the other half');
  // a page that has it from the extension is younger than the message that brought it there
  await editor.open('README.md');
  await tab('list files').click();
  await expect.poll(() => agentTab.composer.inputValue()).toBe('the other half');
  await editor.open('README.md');
  await expect
    .poll(() => page.evaluate(storedLayout), { timeout: 90_000 })
    .toMatch(/"conversationTabs\W/);
  await workbench.open();
  await tab('list files').waitFor();
  // VS Code leaves a part empty that is shown before it knows the views of extensions
  await shell.statusItem('MCP').first().waitFor();
  // "Open Pi Agent" leads to the tab where the browser's VS Code put that in front
  await shell.runCommand('View: Focus into Secondary Side Bar');
  await isElsewhere().waitFor();
  expect(await agent.composer.count()).toBe(0);
  await agent.frame.locator('.moved').getByRole('button', { name: 'Open in Editor' }).click();
  await agentTab.answer('Echo: good morning').waitFor();
  await expect.poll(() => agentTab.composer.inputValue()).toBe('the other half');
  await isElsewhere().waitFor();
});

it('is shown from the view, and brought back to it with what was being written', async () => {
  const { agent, agentTab, editor } = workbench;
  await editor.open('README.md');
  await agent.frame.locator('.moved').getByRole('button', { name: 'Open in Editor' }).click();
  await agentTab.composer.waitFor();
  await agent.button('Show Here').click();
  await agent.answer('Echo: good morning').waitFor();
  await tab('list files').waitFor({ state: 'detached' });
  await expect.poll(() => agent.composer.inputValue()).toBe('the other half');
  await agent.ask('list files');
  await agent.frame.locator('.entry.user').filter({ hasText: 'list files' }).nth(1).waitFor();
});

it('comes back to the view when the tab is closed', async () => {
  const { agent, agentTab, shell } = workbench;
  await shell.runCommand('Pi MCP: Open Conversation in Editor');
  await agentTab.composer.fill('not yet');
  await tab('list files')
    .getByRole('button', { name: /^Close/ })
    .click();
  await expect.poll(() => agent.composer.inputValue()).toBe('not yet');
  await agent.composer.fill('');
  await agent.frame.getByRole('heading', { name: 'list files', level: 1 }).waitFor();
});

it('has a conversation in each tab beside the one of the view, with an input for each', async () => {
  const { agent, agentTab, page, shell } = workbench;
  await shell.runCommand('Pi MCP: Open Conversation in Editor');
  await agentTab.composer.waitFor();
  // the menu of the view is about the view, whatever has the focus
  await page.locator('.auxiliarybar').getByRole('button', { name: 'New Conversation' }).click();
  await agent.frame.getByText('Ask Pi about your code').waitFor();
  await agent.ask('read README.md');
  await agent.answer('A sample to try Pi MCP with').waitFor();
  await workbench.screenshot('place-two');
  expect(await agentTab.frame.getByRole('heading', { level: 1 }).textContent()).toBe('list files');
  // that of a tab is about the tab: another conversation there is another tab
  await agentTab.composer.click();
  await page.locator('.part.editor').getByRole('button', { name: 'New Conversation' }).click();
  await tab('Pi Agent').waitFor();
  await agentTab.ask('hello');
  await tab('hello').waitFor();
  expect(await page.getByRole('tab', { name: /^(list files|hello)/ }).count()).toBe(2);
  // one that has a tab is shown there
  await shell.runAndChoose('Pi MCP: Show Conversations', 'list files');
  await page.getByRole('tab', { name: 'list files', selected: true }).waitFor();
  expect(await page.getByRole('tab', { name: /^(list files|hello)/ }).count()).toBe(2);
});

it('brings each tab back after a reload, and says of a deleted conversation that it is gone', async () => {
  const { agent, agentTab, page, shell } = workbench;
  await expect
    .poll(() => page.evaluate(storedLayout), { timeout: 90_000 })
    .toMatch(/"title\W+hello\W/);
  await workbench.open();
  await tab('list files').click();
  await agentTab.answer('Echo: good morning').waitFor();
  await agent.show();
  await agent.frame.getByRole('heading', { name: 'read README.md', level: 1 }).waitFor();
  const row = shell.quickPick('hello').filter({ hasNotText: 'Bring Back' }).first();
  // VS Code in a browser writes down now and then what a tab is called
  const deleted = tab(/^(hello|Pi Agent)/);
  // a list closes when a page that is still loading takes the focus, before or after the button did its work
  await shell.tryAgain(async () => {
    await shell.runCommand('Pi MCP: Show Conversations');
    await shell.quickPick('list files').first().waitFor({ timeout: answerTimeoutMs });
    if (await row.isVisible()) {
      await row.hover({ timeout: answerTimeoutMs });
      await row
        .getByRole('button', { name: 'Delete Conversation' })
        .click({ timeout: answerTimeoutMs });
    }
    await page.keyboard.press('Escape');
    await deleted.click({ timeout: answerTimeoutMs });
    await agentTab.frame
      .getByText('This conversation is not there any more.')
      .waitFor({ timeout: answerTimeoutMs });
  });
  await workbench.screenshot('place-deleted');
  await deleted.getByRole('button', { name: /^Close/ }).click();
  await tab('list files').click();
  await agentTab.composer.waitFor();
  await tab('list files')
    .getByRole('button', { name: /^Close/ })
    .click();
});

it('moves to the side bar of the tree and back by commands', async () => {
  const { agent, page, shell } = workbench;
  const isIn = (part: string) =>
    page.locator(part).locator('.pane-header, .composite.title').getByText('Pi Agent').first();
  await shell.runAndChoose('Pi MCP: Move Agent…', 'Below the Servers');
  await isIn('.sidebar').waitFor();
  await agent.composer.waitFor();
  await workbench.screenshot('place-side-bar');
  await shell.runCommand('Pi MCP: Open Conversation in Editor');
  await isElsewhere().waitFor();
  await shell.runAndChoose('Pi MCP: Move Agent…', 'Secondary Side Bar');
  await isIn('.auxiliarybar').waitFor();
  await agent.composer.waitFor();
  expect(await tab('read README.md').count()).toBe(0);
});

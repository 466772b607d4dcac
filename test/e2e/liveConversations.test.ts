/** Several conversations of one folder at work at once, in the real VS Code. */
import { expect, it } from 'vitest';
import { themes, violations } from '../helpers/e2e/appearance.js';
import { connectSample } from '../helpers/e2e/steps.js';
import { useWorkbench } from '../helpers/e2e/useWorkbench.js';

const workbench = useWorkbench({}, async (workbench) => {
  await connectSample(workbench);
  await workbench.agent.show();
  await workbench.agent.frame.locator('.model-picker').waitFor();
});

const strip = () => workbench.agent.frame.locator('.elsewhere');
const statusItem = () => workbench.page.locator('[id="pi-mcp.pi-mcp.piMcp.approvals"]');
const heading = (name: string) => workbench.agent.frame.getByRole('heading', { name, level: 1 });
/** A conversation of the open list. */
const row = (title: string, fact: string) =>
  workbench.shell.quickPick(title).filter({ hasText: fact });
const separator = (text: string) =>
  workbench.shell.quickInput.locator('.quick-input-list-separator', { hasText: text });

async function newConversation(): Promise<void> {
  await workbench.shell.runCommand('Pi MCP: New Conversation');
  await workbench.agent.frame.getByText('Ask Pi about your code').waitFor();
}

it('goes on behind a new conversation, and says there that it needs the user', async () => {
  const { agent } = workbench;
  await agent.ask('write first.txt one');
  await agent.approval('first.txt').waitFor();
  await newConversation();
  await strip().getByText('Needs you: write first.txt one').waitFor();
  await agent.ask('write second.txt two');
  await agent.approval('second.txt').waitFor();
  await newConversation();
  await strip().getByText('2 need you: write first.txt one').waitFor();
  await statusItem().getByText('2 waiting').waitFor();
  await agent.ask('list files');
  await agent.answer('README.md').waitFor();
  await workbench.screenshot('live-strip');
});

it('lists what each does, and follows it while the list is open', async () => {
  const { shell, page, agent } = workbench;
  await agent.ask('Tell me a slow story');
  await shell.runCommand('Pi MCP: Show Conversations');
  await separator('Needs You').waitFor();
  await separator('Working').waitFor();
  await row('write first.txt one', 'needs you').waitFor();
  await row('list files', 'working').waitFor();
  await workbench.screenshot('live-list');
  // the story ends while the list is open
  await row('list files', 'done').waitFor({ timeout: 60_000 });
  await separator('Working').waitFor({ state: 'detached' });
  await page.keyboard.press('Escape');
  await shell.quickInput.waitFor({ state: 'hidden' });
});

it('leads with one key from anywhere to what waits, and to the next', async () => {
  const { page, agent } = workbench;
  await agent.hide();
  await page.keyboard.press('Control+F8');
  await heading('write first.txt one').waitFor();
  await agent.approval('first.txt').waitFor();
  await strip().getByText('Needs you: write second.txt two').waitFor();
  await page.keyboard.press('Control+F8');
  await heading('write second.txt two').waitFor();
  await agent.approval('second.txt').getByRole('button', { name: 'Deny' }).click();
  await page.keyboard.press('Control+F8');
  await agent.approval('first.txt').getByRole('button', { name: 'Allow Once' }).click();
  await agent.tool('write', 'done').waitFor();
  await strip().waitFor({ state: 'detached' });
  await statusItem().waitFor({ state: 'hidden' });
});

it('says how many files each changed', async () => {
  const { shell, page } = workbench;
  await shell.runCommand('Pi MCP: Show Conversations');
  await row('write first.txt one', '1 file changed').waitFor();
  await page.keyboard.press('Escape');
  await shell.quickInput.waitFor({ state: 'hidden' });
});

it('opens what waits from the line above the transcript', async () => {
  const { agent } = workbench;
  await agent.ask('write third.txt three');
  await agent.approval('third.txt').waitFor();
  await newConversation();
  await strip().getByRole('button', { name: 'Open write first.txt one' }).click();
  await agent.approval('third.txt').waitFor();
  await newConversation();
  await strip().waitFor();
});

it.each(themes)('is readable in the %s theme', async (name, theme, bodyClass) => {
  const { servers, shell, page, agent } = workbench;
  workbench.changeSettings({ 'workbench.colorTheme': theme });
  await workbench.open();
  await servers.show();
  await agent.show();
  await agent.frame.locator(`body.${bodyClass}`).waitFor();
  await agent.ask(`write ${name}.txt now`);
  await agent.approval(`${name}.txt`).waitFor();
  await newConversation();
  await strip().waitFor();
  expect(await violations(agent.frame, '--vscode-sideBar-background')).toEqual([]);
  await shell.runCommand('Pi MCP: Show Conversations');
  await separator('Needs You').waitFor();
  await workbench.screenshot(`live-theme-${name}`);
  await page.keyboard.press('Escape');
  await shell.quickInput.waitFor({ state: 'hidden' });
});

it('stays on one line at 280 pixels', async () => {
  const { page } = workbench;
  const box = await page.locator('.part.auxiliarybar').boundingBox();
  if (box) {
    await page.mouse.move(box.x, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width - 280, box.y + box.height / 2, { steps: 5 });
    await page.mouse.up();
  }
  const line = await strip().boundingBox();
  expect(line?.height).toBeLessThan(40);
  await workbench.screenshot('live-strip-narrow');
});

it('shows the same after a reload, and which were interrupted', async () => {
  const { shell, agent, page } = workbench;
  await workbench.open();
  await workbench.servers.show();
  await agent.show();
  await agent.frame.locator('.model-picker').waitFor();
  await shell.runCommand('Pi MCP: Show Conversations');
  await row('write hc-light.txt now', 'interrupted').waitFor();
  await workbench.screenshot('live-list-reloaded');
  await page.keyboard.press('Escape');
});

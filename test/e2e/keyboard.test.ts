/** A whole task in the Pi Agent view without a mouse, from the command that opens it to the undo of what was changed. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { Keys } from '../helpers/e2e/keys.js';
import { answerTimeoutMs } from '../helpers/e2e/shell.js';
import { addSecondModel, connectSample } from '../helpers/e2e/steps.js';
import { useWorkbench } from '../helpers/e2e/useWorkbench.js';

let keys: Keys;

const workbench = useWorkbench(
  { files: { 'greeting.md': 'Good day to you.\n' } },
  async (workbench) => {
    await connectSample(workbench);
    addSecondModel(workbench);
    keys = await Keys.of(workbench.page, workbench.shell);
    await workbench.open();
  },
);

afterAll(() => expect(keys.clicks).toEqual([]));

const input = () => workbench.agent.frame.locator('#composer-text:focus');
/** What the focused element of the page is called. */
const focused = () =>
  workbench.agent.frame
    .locator('body')
    .evaluate(({ ownerDocument: { activeElement: it } }) =>
      (it?.getAttribute('aria-label') ?? it?.textContent ?? '').trim(),
    );

async function allow(title: string): Promise<void> {
  const { agent } = workbench;
  await agent.frame.locator('.approval:focus').filter({ hasText: title }).waitFor();
  await keys.allow(agent.approval(title));
}

it('opens the agent and begins to write at once', async () => {
  await keys.command('Pi MCP: Open Pi Agent');
  await input().waitFor();
  await workbench.agent.frame.locator('.model-picker').waitFor();
  await keys.type('write keys.txt hello @greet');
  await workbench.agent.frame.getByRole('option', { name: /^greeting\.md/ }).waitFor();
  await keys.press('Enter');
  await workbench.agent.frame.locator('.composer .attachments').getByText('greeting.md').waitFor();
  await workbench.screenshot('keyboard-mention');
  await keys.press('Enter');
});

it('approves with Ctrl+Enter, reads the answer, and is back in the input', async () => {
  const { agent, workspaceDir } = workbench;
  await allow('Write keys.txt (new)?');
  await agent.tool('write', 'done').waitFor();
  expect(readFileSync(join(workspaceDir, 'keys.txt'), 'utf8')).toContain('hello');
  await agent.answer('The tool answered').waitFor();
  await input().waitFor();
  await keys.press('Shift+Tab');
  await agent.frame
    .locator('.entry.assistant:focus')
    .filter({ hasText: 'The tool answered' })
    .waitFor();
  await workbench.screenshot('keyboard-answer');
  await keys.press('ArrowUp');
  await agent.frame.locator('.entry.tool[data-tool=write]:focus').waitFor();
  await keys.press('Enter');
  await agent.frame.locator('.entry.tool[data-tool=write] :focus').waitFor();
  await keys.press('Escape');
  await input().waitFor();
});

it('answers the form of a server, and goes on where it was', async () => {
  const { agent } = workbench;
  await keys.type('use everything__trigger_elicitation_request');
  await keys.press('Enter');
  await allow('trigger-elicitation-request');
  const form = agent.frame.getByRole('region', { name: 'Question of an MCP server: everything' });
  await form.locator('vscode-button:not([disabled])', { hasText: 'Send Answer' }).waitFor();
  // a form takes no focus by itself
  await keys.press('Control+Shift+A');
  await form.and(agent.frame.locator(':focus')).waitFor();
  await keys.press('Tab', 'Tab');
  const name = form.getByRole('textbox', { name: /^String required/ });
  await name.and(agent.frame.locator(':focus')).waitFor();
  await keys.type('Ada');
  await keys.press('Control+Enter');
  await agent.answer('Ada').waitFor();
  await input().waitFor();
});

it('stops with Escape, and recalls what it sent with Up', async () => {
  const { agent } = workbench;
  await keys.type('tell me a long story');
  await keys.press('Enter');
  await agent.frame.locator('.assistant[aria-busy=true]').getByText('Once upon').waitFor();
  await keys.press('Escape');
  await agent.button('Stop').waitFor({ state: 'detached' });
  await input().waitFor();
  await keys.press('ArrowUp');
  await expect.poll(() => agent.composer.inputValue()).toBe('tell me a long story');
  await keys.press('ArrowUp');
  await expect
    .poll(() => agent.composer.inputValue())
    .toBe('use everything__trigger_elicitation_request');
  await keys.press('Control+A', 'Delete');
});

it('writes over what Ctrl+A selected, and keeps every key that follows', async () => {
  const { shell } = workbench;
  const { composer } = workbench.agent;
  for (const text of ['/first', '/second', '/third', '/fourth', '/fifth']) {
    await keys.press('Control+A');
    await keys.type(text);
    await expect.poll(() => composer.inputValue()).toBe(text);
    // VS Code answers the keys of a page later than the page: the next command comes behind them
    await shell.tryAgain(async () => {
      await keys.command('Pi MCP: Open Pi Agent');
      await input().waitFor({ timeout: answerTimeoutMs });
    });
    expect(await composer.inputValue()).toBe(text);
  }
  await keys.press('Control+A', 'Delete');
});

it('changes the model', async () => {
  const { agent } = workbench;
  await keys.type('/model');
  await keys.press('Enter');
  await keys.choose('Second');
  await agent.frame.locator('.model-name').getByText('Second').waitFor();
  await input().waitFor();
});

it('reviews what was changed, and undoes it', async () => {
  const { agent, page, workspaceDir } = workbench;
  const bar = agent.frame.getByRole('region', { name: 'Changed files' });
  await keys.press('Shift+Tab');
  await keys.tabTo('Review', focused);
  await keys.press('Enter');
  await page.getByRole('tab', { name: /Changes by Pi/ }).waitFor();
  await page.locator('.multiDiffEntry').getByText('keys.txt').first().waitFor();
  await workbench.screenshot('keyboard-review');
  await keys.command('Pi MCP: Open Pi Agent');
  await input().waitFor();
  await keys.press('Shift+Tab');
  await keys.tabTo('Undo', focused);
  await keys.press('Enter');
  await bar.getByText('Changes of 1 file undone').waitFor();
  expect(existsSync(join(workspaceDir, 'keys.txt'))).toBe(false);
  await workbench.screenshot('keyboard-undone');
});

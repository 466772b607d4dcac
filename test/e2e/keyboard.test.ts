/**
 * A whole task in the Pi Agent view without a mouse, and as a screen reader has it: from the command that opens it to the
 * undo of what was changed.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { afterAll, expect, it } from 'vitest';
import { Keys } from '../helpers/e2e/keys.js';
import { answerTimeoutMs } from '../helpers/e2e/shell.js';
import { addSecondModel, connectSample } from '../helpers/e2e/steps.js';
import { useWorkbench } from '../helpers/e2e/useWorkbench.js';

let keys: Keys;

const workbench = useWorkbench(
  {
    files: { 'greeting.md': 'Good day to you.\n' },
    settings: { 'editor.accessibilitySupport': 'on' },
  },
  async (workbench) => {
    await connectSample(workbench);
    addSecondModel(workbench);
    keys = await Keys.of(workbench.page, workbench.shell);
  },
);

afterAll(() => expect(keys.clicks).toEqual([]));

interface Listening {
  said: string[];
}

/** Keeps what live regions of the page get, as a screen reader reads it out. */
async function listen(): Promise<void> {
  await workbench.agent.frame.locator('body').evaluate((body) => {
    const listening = window as unknown as Listening;
    listening.said = [];
    const regions = '[role=status], [role=alert], [aria-live=polite], [aria-live=assertive]';
    const changes = new MutationObserver((records) => {
      for (const { target, addedNodes } of records) {
        const element = target instanceof Element ? target : target.parentElement;
        const text = [...addedNodes].map((node) => node.textContent ?? '').join(' ');
        if (element?.closest(regions) && text.trim() !== '') {
          listening.said.push(text.replace(/\s+/g, ' ').trim());
        }
      }
    });
    changes.observe(body, { childList: true, subtree: true, characterData: true });
  });
}

const said = (): Promise<readonly string[]> =>
  workbench.agent.frame.locator('body').evaluate(() => [...(window as unknown as Listening).said]);

/** How often it was read out; waits for the first time. */
async function heard(words: string | RegExp): Promise<number> {
  const count = async () => (await said()).filter((one) => one.match(words) !== null).length;
  await expect.poll(count).toBeGreaterThan(0);
  return await count();
}

const byRole = (...wanted: Parameters<Locator['getByRole']>) =>
  workbench.agent.frame.getByRole(...wanted);
/** Resolves when it has the focus. */
const hasFocus = (it: Locator) => it.and(workbench.agent.frame.locator(':focus')).waitFor();
const input = () => workbench.agent.frame.locator('#composer-text:focus');
/** What the focused element of the page is called. */
const focused = () =>
  workbench.agent.frame
    .locator('body')
    .evaluate(({ ownerDocument: { activeElement: it } }) =>
      (it?.getAttribute('aria-label') ?? it?.textContent ?? '').trim(),
    );

/** Allows the call, which was said once. */
async function allow(title: RegExp): Promise<void> {
  const approval = byRole('group', { name: title });
  await hasFocus(approval);
  expect(await heard(new RegExp(`^Needs your OK: .*${title.source}`))).toBe(1);
  await approval.getByRole('button', { name: 'Allow Once' }).waitFor();
  await approval.getByRole('button', { name: 'Deny' }).waitFor();
  await keys.allow(approval);
}

it('opens the agent, whose parts say what they are, and begins to write at once', async () => {
  await keys.command('Pi MCP: Open Pi Agent');
  await input().waitFor();
  await listen();
  await byRole('heading', { level: 1, name: 'Pi Agent' }).waitFor();
  await byRole('log', { name: 'Conversation' }).waitFor();
  await byRole('button', { name: /^Model:\s+Demo/ }).waitFor();
  await byRole('button', { name: /^Context/ }).waitFor();
  await byRole('textbox', { name: 'Ask Pi' }).waitFor();
  await workbench.agent.frame.locator('body.vscode-using-screen-reader').waitFor();
  await keys.type('write keys.txt hello @greet');
  await byRole('listbox')
    .getByRole('option', { name: /^greeting\.md/, selected: true })
    .waitFor();
  await keys.press('Enter');
  const chips = byRole('list', { name: 'Attached' });
  await chips.getByRole('button', { name: 'Remove greeting.md' }).waitFor();
  // what is typed is said by the screen reader itself
  expect((await said()).filter((one) => /greet/.test(one))).toEqual([]);
  await workbench.screenshot('keyboard-mention');
  await keys.press('Enter');
});

it('approves with Ctrl+Enter, has the answer read out once, and is back in the input', async () => {
  const { agent, workspaceDir } = workbench;
  await allow(/Write keys\.txt \(new\)\?/);
  await byRole('article', { name: /keys\.txt.*done/i }).waitFor();
  expect(readFileSync(join(workspaceDir, 'keys.txt'), 'utf8')).toContain('hello');
  expect(await heard(/^Pi: The tool answered/)).toBe(1);
  await input().waitFor();
  await keys.press('Shift+Tab');
  const answer = byRole('article', { name: 'Pi' }).last();
  await hasFocus(answer);
  await answer.getByRole('button', { name: 'Copy' }).last().waitFor();
  await workbench.screenshot('keyboard-answer');
  await keys.press('ArrowUp');
  const call = agent.frame.locator('.entry.tool[data-tool=write]');
  await hasFocus(call);
  await keys.press('Enter');
  await call.locator(':focus').waitFor();
  await keys.press('Escape');
  await input().waitFor();
});

it('answers the form of a server, which takes no focus by itself, and goes on where it was', async () => {
  await keys.type('use everything__trigger_elicitation_request');
  await keys.press('Enter');
  await allow(/trigger-elicitation-request/);
  const form = byRole('region', { name: 'Question of an MCP server: everything' });
  await form.locator('vscode-button:not([disabled])', { hasText: 'Send Answer' }).waitFor();
  expect(await heard(/^Question of an MCP server: everything: /)).toBe(1);
  await keys.press('Control+Shift+A');
  await hasFocus(form);
  await keys.press('Tab', 'Tab');
  await hasFocus(form.getByRole('textbox', { name: /^String required/ }));
  await keys.type('Ada');
  await keys.press('Control+Enter');
  expect(await heard(/^Pi: .*Ada/)).toBe(1);
  await input().waitFor();
});

it('stops with Escape, which is said, and recalls what it sent with Up', async () => {
  const { agent } = workbench;
  await keys.type('tell me a long story');
  await keys.press('Enter');
  await agent.frame.locator('.assistant[aria-busy=true]').getByText('Once upon').waitFor();
  await keys.press('Escape');
  expect(await heard('Stopping…')).toBe(1);
  await agent.button('Stop').waitFor({ state: 'detached' });
  expect(await heard(/^Pi: Once upon/)).toBe(1);
  await input().waitFor();
  await keys.press('ArrowUp');
  await expect.poll(() => agent.composer.inputValue()).toBe('tell me a long story');
  await keys.press('Control+A', 'Delete');
});

it('writes over what Ctrl+A selected, and keeps every key that follows', async () => {
  const { shell } = workbench;
  const { composer } = workbench.agent;
  for (const text of ['/first', '/second', '/third']) {
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
  await keys.type('/model');
  await keys.press('Enter');
  await keys.choose('Second');
  await byRole('button', { name: /^Model:\s+Second/ }).waitFor();
  await input().waitFor();
});

it('reviews what was changed, and undoes it, which is said', async () => {
  const { page, workspaceDir } = workbench;
  const bar = byRole('region', { name: 'Changes' });
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
  await bar.getByText('Undone: 1 file').waitFor();
  expect(await heard('Undone: 1 file')).toBe(1);
  expect(existsSync(join(workspaceDir, 'keys.txt'))).toBe(false);
  await workbench.screenshot('keyboard-undone');
});

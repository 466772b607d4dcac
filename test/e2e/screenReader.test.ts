/** A whole task in the Pi Agent view as a screen reader has it: what things are, what they are called, and what is said. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { expect, it } from 'vitest';
import { Keys } from '../helpers/e2e/keys.js';
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
    await workbench.agent.show();
    await workbench.agent.frame.locator('.model-picker').waitFor();
    await listen();
  },
);

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
  await expect.poll(count, { timeout: 20_000 }).toBeGreaterThan(0);
  return await count();
}

const byRole = (...wanted: Parameters<Locator['getByRole']>) =>
  workbench.agent.frame.getByRole(...wanted);
const input = () => byRole('textbox', { name: 'Ask Pi' });

it('has a page whose parts say what they are', async () => {
  await byRole('heading', { level: 1, name: 'Pi Agent' }).waitFor();
  await byRole('log', { name: 'Conversation' }).waitFor();
  await byRole('button', { name: /^Model:\s+Demo/ }).waitFor();
  await byRole('button', { name: /^Context/ }).waitFor();
  expect(await input().getAttribute('aria-describedby')).toBe('composer-hint');
  await workbench.agent.frame.locator('body.vscode-using-screen-reader').waitFor();
});

it('names the rows of the mentions, and which one is meant', async () => {
  await input().focus();
  await keys.type('write told.txt hello @greet');
  const list = byRole('listbox');
  await list.getByRole('option', { name: /^greeting\.md/, selected: true }).waitFor();
  const active = await input().getAttribute('aria-activedescendant');
  expect(await list.getByRole('option', { selected: true }).getAttribute('id')).toBe(active);
  await keys.press('Enter');
  const chips = byRole('list', { name: 'Attached' });
  await chips.getByRole('button', { name: 'greeting.md', exact: true }).waitFor();
  await chips.getByRole('button', { name: 'Remove greeting.md' }).waitFor();
  // what is typed is said by the screen reader itself
  expect((await said()).filter((one) => /greet/.test(one))).toEqual([]);
});

it('says once that a call waits, and what it is about', async () => {
  await keys.press('Enter');
  const approval = byRole('group', { name: /^Write told\.txt \(new\)\?/ });
  await approval.and(workbench.agent.frame.locator(':focus')).waitFor();
  expect(await heard(/^Approval needed: Write told\.txt \(new\)\?/)).toBe(1);
  await approval.getByRole('button', { name: 'Allow Once' }).waitFor();
  await approval.getByRole('button', { name: 'Deny' }).waitFor();
  await keys.allow(approval);
});

it('reads the answer out once, and has it and the call as articles', async () => {
  expect(await heard(/^Pi: The tool answered/)).toBe(1);
  await byRole('article', { name: 'You' }).first().waitFor();
  await byRole('article', { name: /told\.txt.*done/i }).waitFor();
  const answer = byRole('article', { name: 'Pi' }).last();
  await answer.getByRole('button', { name: 'Copy Answer' }).waitFor();
  await keys.press('Shift+Tab');
  await answer.and(workbench.agent.frame.locator(':focus')).waitFor();
  await keys.press('Escape');
});

it('says that a server asks, and names its fields', async () => {
  await keys.type('use everything__trigger_elicitation_request');
  await keys.press('Enter');
  const approval = byRole('group', { name: /trigger-elicitation-request/ });
  await approval.and(workbench.agent.frame.locator(':focus')).waitFor();
  expect(
    await heard(/^Approval needed: Run this tool of an MCP server\? trigger-elicitation-request/),
  ).toBe(1);
  await approval.getByRole('button', { name: 'Allow Once' }).press('Enter');
  const form = byRole('region', { name: 'Question of an MCP server: everything' });
  await form.waitFor();
  expect(await heard(/^Question of an MCP server: everything: /)).toBe(1);
  // it takes the focus from nothing: the user goes there
  await keys.press('Control+Shift+A');
  await form.and(workbench.agent.frame.locator(':focus')).waitFor();
  await form.getByRole('textbox', { name: /^String required/ }).waitFor();
  await form.getByRole('combobox').first().waitFor();
  await form.getByRole('button', { name: 'Decline' }).press('Enter');
  expect(await heard(/^Pi: .*declined/i)).toBe(1);
});

it('says what Escape does, and that the run was stopped', async () => {
  await input().focus();
  await keys.type('tell me a long story');
  await keys.press('Enter');
  await byRole('article', { name: 'Pi' }).filter({ hasText: 'Once upon' }).waitFor();
  await byRole('button', { name: 'Stop' }).waitFor();
  await keys.press('Escape');
  expect(await heard('Stopping')).toBe(1);
  await byRole('button', { name: 'Stop' }).waitFor({ state: 'detached' });
  expect(await heard(/^Pi: Once upon/)).toBe(1);
  await input().focus();
  await keys.press('ArrowUp');
  await expect.poll(() => input().inputValue()).toBe('tell me a long story');
  await keys.press('Control+A', 'Delete');
});

it('names the model that was chosen', async () => {
  const model = byRole('button', { name: /^Model:/ });
  await model.press('Enter');
  await keys.choose('Second');
  await byRole('button', { name: /^Model:\s+Second/ }).waitFor();
});

it('has the changes as a region with words, and says that they were undone', async () => {
  const bar = byRole('region', { name: 'Changed files' });
  await bar.getByRole('button', { name: /^1 file/, expanded: false }).press('Enter');
  await bar.getByRole('button', { name: /^told\.txt/ }).waitFor();
  await bar.getByRole('button', { name: 'Open Diff of told.txt' }).waitFor();
  await bar.getByRole('button', { name: 'Undo told.txt' }).waitFor();
  await workbench.screenshot('screen-reader-changes');
  await bar.getByRole('button', { name: 'Undo', exact: true }).press('Enter');
  await bar.getByText('Changes of 1 file undone').waitFor();
  expect(await heard('Changes of 1 file undone')).toBe(1);
  expect(existsSync(join(workbench.workspaceDir, 'told.txt'))).toBe(false);
});

/** The ring, what fills the context, summaries and waits on the page of the Pi Agent view, in a real browser. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { isFocused, sent, spoken, tell } from '../helpers/pages/host.js';
import { faultsInAllLooks } from '../helpers/pages/looks.js';
import { agentSnapshots, contextView } from '../helpers/pages/states/agent.mjs';
import { usePages } from '../helpers/pages/usePages.js';

const pages = usePages();

const { context: snapshot } = agentSnapshots;

const open = (options: { snapshot?: object; width?: number; theme?: string } = {}) =>
  pages.open({
    page: 'agent',
    replies: {
      ready: options.snapshot ?? snapshot,
      readContext: contextView,
      prompt: { isSent: true },
    },
    width: options.width ?? 280,
    height: 640,
    ...(options.theme && { theme: options.theme }),
  });
const ring = (page: Page) => page.getByRole('button', { name: /^Context / });
const panel = (page: Page) => page.getByRole('dialog', { name: 'Context' });

it('says in words how full the context is, and asks for more only when it is opened', async () => {
  const page = await open();
  expect(await ring(page).getAttribute('aria-label')).toBe(
    'Context 34 %: 68,000 of 200,000 tokens',
  );
  expect(await ring(page).getAttribute('title')).toContain('above 180,000 of 200,000');
  expect(await ring(page).getByText('Context 34 %').isVisible()).toBe(false);
  expect(await sent(page, 'readContext')).toEqual([]);
  await tell(page, 'state', { ...snapshot.state, title: 'Another one' });
  expect(await sent(page, 'readContext')).toEqual([]);
  await ring(page).press('Enter');
  await expect.poll(() => panel(page).evaluate(isFocused)).toBe(true);
  await panel(page).getByRole('button', { name: 'Conversation' }).waitFor();
  expect(await sent(page, 'readContext')).toHaveLength(1);
  // a flush that is no end of a turn
  await tell(page, 'state', { ...snapshot.state, title: 'A third' });
  await tell(page, 'state', {
    ...snapshot.state,
    usage: { ...snapshot.state.usage, tokens: 100_000 },
  });
  await panel(page).getByText('100,000 of 200,000 tokens').waitFor();
  expect(await sent(page, 'readContext')).toHaveLength(2);
});

it('is opened by /context, with the focus in it', async () => {
  const page = await pages.open({
    page: 'agent',
    replies: {
      ready: snapshot,
      readContext: contextView,
      runCommand: { kind: 'done', opens: 'context' },
    },
    width: 280,
    height: 640,
  });
  await page.locator('#composer-text').fill('/context');
  await page.locator('#composer-text').press('Escape');
  await page.locator('#composer-text').press('Enter');
  await expect.poll(() => panel(page).evaluate(isFocused)).toBe(true);
  await panel(page).getByRole('button', { name: 'Conversation' }).waitFor();
});

it('shows the label beside the ring where there is room', async () => {
  const page = await open({ width: 760 });
  expect(await ring(page).getByText('Context 34 %').isVisible()).toBe(true);
});

it('unfolds tools by server and results by tool, with the keyboard, and gives the focus back', async () => {
  const page = await open();
  await ring(page).press('Enter');
  const tools = panel(page).getByRole('button', { name: 'Tools' });
  await tools.press('Enter');
  expect(await tools.getAttribute('aria-expanded')).toBe('true');
  await panel(page).getByText('github').waitFor();
  await panel(page).getByRole('button', { name: 'Conversation' }).press(' ');
  await panel(page).getByText('Results of github: search_issues').waitFor();
  await panel(page)
    .getByText(/\$0\.0412 · 3 requests · .* cached/)
    .waitFor();
  await tools.press('Escape');
  await expect.poll(() => ring(page).evaluate(isFocused)).toBe(true);
  expect(await panel(page).count()).toBe(0);
});

it('summarizes with a focus, and closes', async () => {
  const page = await open();
  await ring(page).click();
  await panel(page).locator('vscode-button', { hasText: 'Compact' }).click();
  const focus = page.getByRole('textbox', { name: /should the summary keep/ });
  await expect.poll(() => focus.evaluate(isFocused)).toBe(true);
  await focus.press('Escape');
  expect(await panel(page).count()).toBe(1);
  await panel(page).locator('vscode-button', { hasText: 'Compact' }).click();
  await focus.fill('the cart');
  await focus.press('Enter');
  expect(await sent(page, 'compact')).toEqual([{ focus: 'the cart' }]);
  expect(await panel(page).count()).toBe(0);
  await expect.poll(() => page.locator('#composer-text').evaluate(isFocused)).toBe(true);
});

it('changes when it is summarized, with words for what is no number', async () => {
  const page = await open();
  await ring(page).click();
  await panel(page).getByText('The last 20,000 tokens stay word for word.').waitFor();
  await panel(page).getByRole('button', { name: 'Edit' }).press('Enter');
  const above = page.getByRole('textbox', { name: 'Summarize above' });
  await expect.poll(() => above.evaluate(isFocused)).toBe(true);
  expect(await above.inputValue()).toBe('180000');
  const save = panel(page).locator('vscode-button', { hasText: 'Save' });
  await above.fill('many');
  expect(await above.getAttribute('aria-invalid')).toBe('true');
  await save.locator('xpath=self::*[@disabled]').waitFor();
  await above.press('Enter');
  await above.fill('150,000');
  await page.getByRole('textbox', { name: 'Leave the latest' }).press('Enter');
  await above.waitFor({ state: 'detached' });
  expect(await sent(page, 'setCompactionLimits')).toEqual([{ above: 150_000, keeps: 20_000 }]);
  const change = panel(page).getByRole('button', { name: 'Edit' });
  await expect.poll(() => change.evaluate(isFocused)).toBe(true);
  await panel(page).getByRole('button', { name: 'Auto-Compact' }).press('Enter');
  expect(await sent(page, 'setAutoCompaction')).toEqual([{ isOn: false }]);
});

it('closes on a click elsewhere', async () => {
  const page = await open();
  await ring(page).click();
  await panel(page).waitFor();
  await page.locator('.agent-head').click({ position: { x: 2, y: 2 } });
  await panel(page).waitFor({ state: 'detached' });
});

it('offers to undo a summary, and tells of its begin and its end', async () => {
  const page = await open();
  const entry = { id: 'c2', kind: 'compacting', text: 'The context is nearly full.' };
  await tell(page, 'entries', [entry]);
  await expect.poll(() => spoken(page)).toContain('nearly full');
  const activity = { kind: 'compacting', since: Date.now(), begun: Date.now() };
  await tell(page, 'state', { ...snapshot.state, status: 'running', activity });
  await page.getByRole('button', { name: 'Cancel' }).click();
  expect(await sent(page, 'cancelCompaction')).toHaveLength(1);
  await tell(page, 'state', snapshot.state);
  await tell(page, 'entries', [
    {
      ...entry,
      kind: 'compaction',
      summary: '## Goal',
      tokensBefore: 9,
      tokensAfter: 4,
      stored: 's2',
    },
  ]);
  await expect.poll(() => spoken(page)).toContain('Compacted: 9 → 4 tokens');
  const undo = page.locator('.compaction').getByRole('button', { name: 'Undo' });
  await undo.last().click();
  // something was said since
  await undo.first().click();
  expect(await sent(page, 'undoCompaction')).toEqual([{ id: 's2' }, { id: 's1' }]);
});

it('counts down to the next try in one line, says it once, and leaves the focus somewhere', async () => {
  const page = await open({
    snapshot: { ...snapshot, state: { ...snapshot.state, status: 'running' } },
  });
  const retry = (attempt: number, seconds: number) => ({
    id: 'r1',
    kind: 'retry',
    text: 'Rate limited by Anthropic',
    detail: '429 Number of requests has exceeded your limit',
    attempt,
    of: 3,
    until: Date.now() + seconds * 1_000,
  });
  await tell(page, 'entries', [retry(1, 300)]);
  const line = page.locator('[data-entry=r1]');
  await expect
    .poll(async () => (await line.textContent())?.replace(/\s+/g, ' '))
    .toMatch(/Rate limited by Anthropic · Retry 1 of 3 in [45]:\d\d/);
  await expect.poll(() => spoken(page)).toContain('Rate limited by Anthropic, Retry 1 of 3 in');
  const first = await line.locator('retry-countdown').textContent();
  await expect.poll(() => line.locator('retry-countdown').textContent()).not.toBe(first);
  const once = await spoken(page);
  await tell(page, 'entries', [retry(2, 60)]);
  await line.getByText('Retry 2 of 3').waitFor();
  expect(await spoken(page)).toBe(once);
  expect(await page.locator('.entry.retry').count()).toBe(1);
  const at = { since: Date.now(), begun: Date.now() };
  const working = (activity: object) =>
    tell(page, 'state', { ...snapshot.state, status: 'running', activity: { ...at, ...activity } });
  const { until } = retry(2, 60);
  await working({ kind: 'retrying', label: 'Rate limited by Anthropic', count: 2, of: 3, until });
  const status = page.locator('.status-line');
  await status.getByText(/Retry 2 of 3 in [01]:\d\d · Rate limited by Anthropic/).waitFor();
  await status.getByRole('button', { name: 'Try Again' }).press('Enter');
  expect(await sent(page, 'retryNow')).toHaveLength(1);
  await working({ kind: 'waiting' });
  const { until: _until, ...going } = retry(2, 0);
  await tell(page, 'entries', [going]);
  await line.getByText('Retry 2 of 3', { exact: true }).waitFor();
  const stop = status.getByRole('button', { name: 'Stop' });
  await expect.poll(() => stop.evaluate(isFocused)).toBe(true);
  await stop.press('Enter');
  expect(await sent(page, 'stop')).toHaveLength(1);
});

it('offers to continue beside trying again, while nothing was said since', async () => {
  const page = await open();
  const failure = {
    id: 'n9',
    kind: 'notice',
    level: 'error',
    text: 'The provider takes no more requests for the moment.',
    remedy: 'Wait a little.',
    branch: { request: 'm2', canContinue: true },
  };
  await tell(page, 'entries', [failure]);
  await page.getByRole('button', { name: 'Continue' }).click();
  expect(await sent(page, 'prompt')).toEqual([
    { text: 'Continue where you stopped.', kind: 'next' },
  ]);
  await tell(page, 'entries', [{ id: 'u9', kind: 'user', text: 'Continue where you stopped.' }]);
  await page.getByRole('button', { name: 'Continue' }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Try Again' }).waitFor();
});

it('is accessible in every theme', async () => {
  const page = await open();
  await ring(page).click();
  await panel(page).getByRole('button', { name: 'Tools' }).click();
  await panel(page).locator('vscode-button', { hasText: 'Compact' }).click();
  expect(await faultsInAllLooks(page, 'context-compact', [280])).toEqual([]);
  await page.locator('#compact-focus').press('Escape');
  await panel(page).getByRole('button', { name: 'Edit' }).click();
  expect(await faultsInAllLooks(page, 'context-change', [280])).toEqual([]);
});

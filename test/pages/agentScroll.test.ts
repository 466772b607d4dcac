/** Where the page of the Pi Agent view stands while a conversation goes on, in a real browser. */
import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { savedState, sent, tell } from '../helpers/pages/host.js';
import { agentSnapshots } from '../helpers/pages/states/agent.mjs';
import { usePages } from '../helpers/pages/usePages.js';

const pages = usePages();

const { state } = agentSnapshots.empty;
const lines = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => `Line ${from + index}`).join('\n\n');
const answer = (id: string, text: string, isStreaming = false) => ({
  id,
  kind: 'assistant',
  text,
  isStreaming,
});
const call = (id: string, status: string, text: string) => ({
  id,
  kind: 'tool',
  tool: 'bash',
  args: '{}',
  status,
  result: [{ kind: 'text', text }],
});
const conversation = {
  conversation: 'one',
  state: { ...state, status: 'running' },
  earlier: 0,
  transcript: [
    call('t0', 'running', 'working'),
    ...Array.from({ length: 20 }, (_, index) =>
      answer(`a${index}`, `Answer ${index}\n\n${lines(0, 3)}`),
    ),
    answer('last', lines(0, 10), true),
  ],
};

const open = (ready: object = conversation, options: object = {}) =>
  pages.open({
    page: 'agent',
    replies: { ready, prompt: { isSent: true } },
    width: 300,
    height: 600,
    ...options,
  });
const log = (page: Page) => page.getByRole('log');
const jump = (page: Page) => page.getByRole('button', { name: 'Jump to Latest' });
const fromEnd = (page: Page) =>
  log(page).evaluate((it) => it.scrollHeight - it.clientHeight - it.scrollTop);
const top = async (locator: Locator) => (await locator.boundingBox())?.y ?? Number.NaN;

/** Lets the last answer grow, and waits until that is drawn. */
async function grow(page: Page, from: number, to: number): Promise<void> {
  const before = lines(0, from);
  const added = lines(0, to).slice(before.length);
  await tell(page, 'entries', [
    { id: 'last', kind: 'growth', text: { from: before.length, added } },
  ]);
  await page.getByText(`Line ${to - 1}`, { exact: true }).waitFor({ state: 'attached' });
}

/** Turns the wheel over the conversation, and waits until nothing moves any more. */
async function wheel(page: Page, deltaY: number): Promise<void> {
  await log(page).hover();
  await page.mouse.wheel(0, deltaY);
  await log(page).evaluate(async (it) => {
    for (let before = Number.NaN, still = 0; still < 5; ) {
      await new Promise(requestAnimationFrame);
      still = it.scrollTop === before ? still + 1 : 0;
      before = it.scrollTop;
    }
  });
}

it('follows the end while the answer grows', async () => {
  const page = await open();
  await expect.poll(() => fromEnd(page)).toBeLessThan(3);
  await grow(page, 10, 40);
  await expect.poll(() => fromEnd(page)).toBeLessThan(3);
  expect(await jump(page).count()).toBe(0);
});

it('stays where a single notch of the wheel brought the reader, whatever comes', async () => {
  const page = await open();
  await expect.poll(() => fromEnd(page)).toBeLessThan(3);
  await wheel(page, -12);
  const read = page.locator('[data-entry=last] p').nth(4);
  const before = await top(read);
  await grow(page, 10, 40);
  await tell(page, 'entries', [answer('b1', 'New one'), answer('b2', 'New two')]);
  await page.locator('[data-entry=b2]').waitFor({ state: 'attached' });
  expect(await top(read)).toBe(before);
  await page.getByRole('button', { name: 'Jump to Latest (2)' }).click();
  await expect.poll(() => fromEnd(page)).toBeLessThan(3);
  expect(await jump(page).count()).toBe(0);
  await grow(page, 40, 60);
  await expect.poll(() => fromEnd(page)).toBeLessThan(3);
});

it('stays where a screen reader went, which uses neither wheel nor keys', async () => {
  const page = await open();
  await expect.poll(() => fromEnd(page)).toBeLessThan(3);
  const first = page.getByText('Answer 0', { exact: true });
  await first.evaluate((one) => one.scrollIntoView());
  await jump(page).waitFor();
  await grow(page, 10, 30);
  expect(await fromEnd(page)).toBeGreaterThan(600);
  await expect.poll(() => top(first)).toBeGreaterThan(0);
});

it('follows again once the reader has come to the end by keyboard', async () => {
  const page = await open();
  await log(page).focus();
  await page.keyboard.press('PageUp');
  await jump(page).waitFor();
  await page.keyboard.press('End');
  await jump(page).waitFor({ state: 'detached' });
  await grow(page, 10, 40);
  await expect.poll(() => fromEnd(page)).toBeLessThan(3);
});

it('does not move a reader who sends a message', async () => {
  const page = await open();
  await wheel(page, -400);
  const before = await log(page).evaluate((it) => it.scrollTop);
  await page.locator('#composer-text').fill('Also this');
  await page.locator('#composer-text').press('Enter');
  await tell(page, 'entries', [{ id: 'u9', kind: 'user', text: 'Also this' }]);
  await page.getByText('Also this').waitFor({ state: 'attached' });
  expect(await log(page).evaluate((it) => it.scrollTop)).toBe(before);
  await page.getByRole('button', { name: 'Jump to Latest (1)' }).waitFor();
});

it('keeps what is read in its place when a card above it grows', async () => {
  const page = await open();
  await wheel(page, -300);
  const read = page.locator('[data-entry=a18] p').first();
  const before = await top(read);
  await tell(page, 'entries', [call('t0', 'running', 'more\n'.repeat(30))]);
  await expect.poll(() => page.locator('[data-entry=t0]').textContent()).toContain('Result');
  await tell(page, 'entries', [call('t0', 'done', 'one\ntwo\nthree\nfour')]);
  await page.locator('[data-entry=t0][data-status=done]').waitFor({ state: 'attached' });
  await expect.poll(async () => Math.abs((await top(read)) - before)).toBeLessThan(2);
});

it('leaves the button that unfolds something under the pointer', async () => {
  const page = await open({
    ...conversation,
    transcript: [...conversation.transcript.slice(0, -1), call('t9', 'done', 'x\n'.repeat(60))],
  });
  await expect.poll(() => fromEnd(page)).toBeLessThan(3);
  const result = page.locator('[data-entry=t9]').getByRole('button', { name: 'Result' });
  const before = await top(result);
  await result.click();
  await jump(page).waitFor();
  expect(Math.abs((await top(result)) - before)).toBeLessThan(2);
});

it('is where the reader was after the page was discarded, and at the end of another conversation', async () => {
  const page = await open();
  await wheel(page, -900);
  const first = await page.locator('[data-entry]').evaluateAll((entries) => {
    const area = document.querySelector('#transcript')?.getBoundingClientRect().top ?? 0;
    const shown = entries.find((entry) => entry.getBoundingClientRect().bottom > area);
    return shown?.getAttribute('data-entry') ?? '';
  });
  const before = await top(page.locator(`[data-entry=${first}]`));
  const saved = await savedState(page);
  await page.close();
  const again = await open(conversation, { savedState: saved });
  await jump(again).waitFor();
  await expect
    .poll(async () => Math.abs((await top(again.locator(`[data-entry=${first}]`))) - before))
    .toBeLessThan(2);
  await tell(again, 'snapshot', { ...conversation, conversation: 'two' });
  await jump(again).waitFor({ state: 'detached' });
  await expect.poll(() => fromEnd(again)).toBeLessThan(3);
  await again.close();
  const other = await open({ ...conversation, conversation: 'three' }, { savedState: saved });
  await expect.poll(() => fromEnd(other)).toBeLessThan(3);
  await other.close();
});

it('takes what is far behind off the page of a user who looks at the end, and of no reader', async () => {
  const many = Array.from({ length: 401 }, (_, index) => answer(`m${index}`, `Old ${index}`));
  const showLatest = { ...conversation, earlier: 300, transcript: many.slice(-100) };
  const page = await open(conversation, { replies: { ready: conversation, showLatest } });
  await wheel(page, -400);
  await tell(page, 'entries', many);
  await page.locator('[data-entry=m400]').waitFor({ state: 'attached' });
  expect(await sent(page, 'showLatest')).toEqual([]);
  await jump(page).click();
  await tell(page, 'entries', [answer('m401', 'Old 401')]);
  await expect.poll(() => page.locator('[data-entry]').count()).toBe(100);
  await expect.poll(() => fromEnd(page)).toBeLessThan(3);
});

it('asks for everything again when it has missed something', async () => {
  const page = await open();
  await page.locator('[data-entry=last]').waitFor();
  await tell(page, 'entries', [
    { id: 'last', kind: 'growth', text: { from: 100_000, added: 'lost' } },
  ]);
  await expect.poll(() => sent(page, 'ready')).toHaveLength(2);
});

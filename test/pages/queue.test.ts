/** The queue on the page of the Pi Agent view, in a real browser: keys, focus, and what is read out. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { isFocused, sent, spoken } from '../helpers/pages/host.js';
import { agentSnapshots } from '../helpers/pages/states/agent.mjs';
import { usePages } from '../helpers/pages/usePages.js';

const pages = usePages();

const message = (id: string, kind: string, text: string) => ({ id, kind, text, attachments: [] });
const one = message('1', 'next', 'list files');
const two = message('2', 'next', 'read README.md');
const three = message('3', 'after', 'write a summary');
const withQueue = (messages: readonly object[], pause?: string) => ({
  ...agentSnapshots.empty,
  state: { ...agentSnapshots.empty.state, status: 'running', queue: { messages, pause } },
});

const open = (messages: readonly object[], replies: Record<string, unknown> = {}) =>
  pages.open({
    page: 'agent',
    replies: { ready: withQueue(messages), prompt: { isSent: true }, ...replies },
    width: 280,
    height: 600,
  });
const update = (page: Page, messages: readonly object[], pause?: string) =>
  page.evaluate((data) => window.postMessage(data, '*'), {
    type: 'state',
    params: withQueue(messages, pause).state,
  });
const rowOf = (page: Page, text: string) => page.getByRole('listitem').filter({ hasText: text });
const button = (page: Page, text: string, name: string) =>
  rowOf(page, text).getByRole('button', { name, exact: true });

it('sends into the run with Enter and after it with Ctrl+Enter, as its buttons say', async () => {
  const page = await open([]);
  const composer = page.locator('#composer-text');
  await composer.fill('first');
  await composer.press('Enter');
  await composer.fill('second');
  await composer.press('Control+Enter');
  await composer.fill('third');
  await page.locator('vscode-button', { hasText: 'Send' }).click();
  await composer.fill('fourth');
  await page.locator('vscode-button', { hasText: 'Queue' }).click();
  expect(await sent(page, 'prompt')).toEqual([
    { text: 'first', kind: 'next' },
    { text: 'second', kind: 'after' },
    { text: 'third', kind: 'next' },
    { text: 'fourth', kind: 'after' },
  ]);
  const title = (word: string) =>
    page.locator('vscode-button', { hasText: word }).getAttribute('title');
  expect(await title('Send')).toContain('(Enter)');
  expect(await title('Queue')).toContain('(Ctrl+Enter)');
});

it('keeps the focus with a message that moves, and goes on to the next when one goes', async () => {
  const page = await open([one, two, three]);
  expect(await button(page, 'list files', 'Move Up').isDisabled()).toBe(true);
  // messages of another kind are not passed
  expect(await button(page, 'read README.md', 'Move Down').isDisabled()).toBe(true);
  await button(page, 'list files', 'Move Down').press('Enter');
  expect(await sent(page, 'callQueued')).toEqual([{ id: '1', call: 'down' }]);
  await update(page, [two, one, three]);
  await expect.poll(() => button(page, 'list files', 'Move Up').evaluate(isFocused)).toBe(true);
  await button(page, 'list files', 'Remove').press('Enter');
  await update(page, [two, three]);
  await expect.poll(() => button(page, 'write a summary', 'Remove').evaluate(isFocused)).toBe(true);
  await update(page, []);
  await expect.poll(() => page.locator('#composer-text').evaluate(isFocused)).toBe(true);
});

it('removes nothing by the second click of a double one, which was for what stood there before', async () => {
  const page = await open([one, two]);
  const remove = button(page, 'list files', 'Remove');
  await remove.dispatchEvent('click', { detail: 2 });
  expect(await sent(page, 'callQueued')).toEqual([]);
  await remove.click();
  await expect.poll(() => sent(page, 'callQueued')).toEqual([{ id: '1', call: 'remove' }]);
});

it('turns a message into the other kind, and keeps the focus with it', async () => {
  const page = await open([one, two, three]);
  await button(page, 'list files', 'next').press('Enter');
  expect(await sent(page, 'callQueued')).toEqual([{ id: '1', call: 'after' }]);
  await update(page, [two, three, { ...one, kind: 'after' }]);
  await expect.poll(() => button(page, 'list files', 'after').evaluate(isFocused)).toBe(true);
});

it('changes a message in its place, and gives up with Escape', async () => {
  const page = await open([one, two], { editQueued: { text: 'list files, whole' } });
  const editor = page.getByRole('textbox', { name: 'Message' });
  await button(page, 'list files', 'Edit').press('Enter');
  await expect.poll(() => editor.evaluate(isFocused)).toBe(true);
  expect(await editor.inputValue()).toBe('list files, whole');
  await editor.press('Escape');
  await expect.poll(() => button(page, 'list files', 'Edit').evaluate(isFocused)).toBe(true);
  await button(page, 'list files', 'Edit').press('Enter');
  await editor.fill('list all files');
  await editor.press('Enter');
  await editor.waitFor({ state: 'detached' });
  expect(await sent(page, 'endEditQueued')).toEqual([
    { id: '1' },
    { id: '1', text: 'list all files' },
  ]);
});

it('keeps what was written for a message that has been sent meanwhile', async () => {
  const page = await open([one], {
    editQueued: { text: 'list files' },
    endEditQueued: { error: 'This message has been sent already.' },
  });
  await button(page, 'list files', 'Edit').press('Enter');
  const editor = page.getByRole('textbox', { name: 'Message' });
  await editor.fill('list all files');
  await editor.press('Enter');
  await page.getByText('This message has been sent already.').waitFor();
  expect(await page.locator('#composer-text').inputValue()).toBe('list all files');
});

it('reads out that a message waits, and why all do', async () => {
  const page = await open([]);
  await page.locator('#composer-text').waitFor();
  await update(page, [one]);
  await expect.poll(() => spoken(page)).toBe('Queue (1)');
  await update(page, [one], 'stopped');
  await expect.poll(() => spoken(page)).toBe('Queue (1): Paused');
  await page.getByRole('button', { name: 'Resume' }).click();
  expect(await sent(page, 'resumeQueue')).toHaveLength(1);
});

it('leaves a call that waits its answers in a short panel', async () => {
  const { state } = agentSnapshots.approval;
  const page = await pages.open({
    page: 'agent',
    replies: {
      ready: {
        ...agentSnapshots.approval,
        state: { ...state, queue: { messages: [one, two, three] } },
      },
    },
    width: 280,
    height: 350,
  });
  const allow = page.locator('.approval').getByRole('button', { name: 'Allow Once' });
  await allow.scrollIntoViewIfNeeded();
  const isSeen = await allow.evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    const at = document.elementFromPoint(left + width / 2, top + height / 2);
    const root = element.getRootNode();
    // what lies below a shadow is found by its host
    const shown = root instanceof ShadowRoot ? root.host : element;
    return at !== null && (shown.contains(at) || at.contains(shown));
  });
  expect(isSeen).toBe(true);
  const room = await page.locator('.approvals').evaluate(({ clientHeight }) => clientHeight);
  expect(room).toBeGreaterThanOrEqual(96);
});

it('says what is not saved in whole words, also where it is narrow, and tries again', async () => {
  const page = await open([]);
  const { state } = withQueue([]);
  const text = 'Not saved yet: another program uses its file.';
  await page.evaluate((data) => window.postMessage(data, '*'), {
    type: 'state',
    params: { ...state, unsaved: text },
  });
  const banner = page.getByRole('status').filter({ hasText: text });
  await banner.waitFor();
  expect(
    await banner.locator('.unsaved-text').evaluate((one) => one.scrollWidth <= one.clientWidth),
  ).toBe(true);
  await banner.getByRole('button', { name: 'Try Again' }).press('Enter');
  expect(await sent(page, 'save')).toHaveLength(1);
  await update(page, []);
  await banner.waitFor({ state: 'detached' });
});

/** What goes with messages on the page: a picture alone, and chips of messages that are changed. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { isFocused, sent, tell } from '../helpers/pages/host.js';
import { faultsInAllLooks, shoot } from '../helpers/pages/looks.js';
import {
  agentSnapshots,
  mentionedRows,
  noInputs,
  redPixel,
} from '../helpers/pages/states/agent.mjs';
import { usePages } from '../helpers/pages/usePages.js';

const pages = usePages();

const { empty } = agentSnapshots;
const src = `data:image/png;base64,${redPixel}`;
const attachments = [
  { kind: 'file', label: 'a.ts', detail: 'src/a.ts' },
  { label: 'Image', detail: 'image/png', isImage: true },
];
const message = {
  id: 'u1',
  kind: 'user',
  text: 'Look',
  attachments,
  message: { id: 'm1' },
};
const added = { id: 'p', kind: 'pasted', label: 'Pasted text, 120 lines', detail: '', tokens: 900 };
const image = { id: 'i', kind: 'image', label: 'red.png', detail: 'red.png' };

const open = (ready: unknown) =>
  pages.open({
    page: 'agent',
    replies: {
      ready,
      editMessage: { text: 'Look' },
      editQueued: { text: '' },
      resend: { isSent: true },
      prompt: { isSent: true },
      picture: { src },
      attachFiles: { refused: [] },
      chooseFiles: { refused: [] },
      mentions: { rows: mentionedRows },
      mention: { refused: [] },
    },
    theme: 'light',
    width: 280,
    height: 600,
  });
const pastePicture = (page: Page, selector: string) =>
  page.locator(selector).evaluate((area, data) => {
    const clipboardData = new DataTransfer();
    const bytes = Uint8Array.from(atob(data), (one) => one.charCodeAt(0));
    clipboardData.items.add(new File([bytes], 'red.png', { type: 'image/png' }));
    area.dispatchEvent(new ClipboardEvent('paste', { clipboardData, cancelable: true }));
  }, redPixel);

it('sends a picture without a word', async () => {
  const page = await open(empty);
  const button = page.getByRole('button', { name: 'Send' });
  await button.waitFor();
  expect(await button.isEnabled()).toBe(false);
  await tell(page, 'inputs', { ...noInputs, attachments: [image] });
  await page.locator('.composer .thumbnail').waitFor();
  expect(await button.isEnabled()).toBe(true);
  await page.locator('#composer-text').press('Enter');
  await expect.poll(() => sent(page, 'prompt')).toEqual([{ text: '', kind: 'next' }]);
});

it('takes chips out of a sent message, puts others in, and sends what is left', async () => {
  const page = await open({ ...empty, transcript: [message] });
  const entry = page.getByRole('article', { name: 'You' });
  await entry.getByRole('button', { name: 'Edit' }).press('Enter');
  const chips = entry.getByRole('list', { name: 'Attached' }).getByRole('listitem');
  await expect.poll(() => chips.count()).toBe(2);
  await entry.locator('.thumbnail').waitFor();
  await entry.getByRole('button', { name: 'Remove a.ts' }).press('Enter');
  await expect.poll(() => chips.count()).toBe(1);
  await pastePicture(page, '#message-editor');
  await expect
    .poll(() => sent(page, 'attachFiles'))
    .toEqual([{ files: [{ name: 'red.png', data: redPixel }], into: 'message/m1' }]);
  await entry.getByRole('button', { name: 'Attach…' }).press('Enter');
  await expect.poll(() => sent(page, 'chooseFiles')).toEqual([{ into: 'message/m1' }]);
  await tell(page, 'inputs', {
    ...noInputs,
    edited: [{ key: 'message/m1', attachments: [added] }],
  });
  await entry.getByText('Pasted text, 120 lines').waitFor();
  await shoot(page, 'edited-chips');
  await entry.getByRole('button', { name: 'Remove Pasted text, 120 lines' }).press('Enter');
  expect(await sent(page, 'detach')).toEqual([{ id: 'p', into: 'message/m1' }]);
  await page.locator('#message-editor').fill('');
  await entry.getByRole('button', { name: 'Send' }).click();
  await expect
    .poll(() => sent(page, 'resend'))
    .toEqual([{ id: 'm1', text: '', isStopping: false, removed: [0] }]);
});

it('does not send a message of which nothing is left', async () => {
  const page = await open({ ...empty, transcript: [message] });
  const entry = page.getByRole('article', { name: 'You' });
  await entry.getByRole('button', { name: 'Edit' }).press('Enter');
  await page.locator('#message-editor').fill('');
  const send = entry.getByRole('button', { name: 'Send' });
  expect(await send.isEnabled()).toBe(true);
  await entry.getByRole('button', { name: 'Remove a.ts' }).click();
  await entry.getByRole('button', { name: 'Remove Image' }).click();
  await expect.poll(() => send.isEnabled()).toBe(false);
  await page.locator('#message-editor').press('Enter');
  expect(await sent(page, 'resend')).toEqual([]);
});

it('changes a message that waits', async () => {
  const queue = { messages: [{ id: 'q1', kind: 'after', text: '', attachments }] };
  const page = await open({ ...empty, state: { ...empty.state, status: 'running', queue } });
  const row = page.getByRole('region', { name: 'Queue' }).getByRole('listitem').first();
  await row.getByText('a.ts, Image').waitFor();
  await row.getByRole('button', { name: 'Edit' }).click();
  await row.getByRole('button', { name: 'Remove Image' }).waitFor();
  expect(await faultsInAllLooks(page, 'edited-queue', [280])).toEqual([]);
  await row.getByRole('button', { name: 'Remove Image' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  expect(await sent(page, 'endEditQueued')).toEqual([{ id: 'q1', text: '', removed: [1] }]);
});

const running = (queued: object) => ({
  ...empty,
  state: {
    ...empty.state,
    status: 'running',
    queue: { messages: [{ id: 'q1', kind: 'after', text: 'Then', attachments: [], ...queued }] },
  },
});

it.each([
  ['sent', { ...empty, transcript: [message] }, '#message-editor', 'message/m1', 'Look'],
  ['waiting', running({}), '#queue-editor', 'queue/q1', ''],
] as const)(
  'takes an @ in a %s message that is changed',
  async (_title, ready, editor, into, text) => {
    const page = await open(ready);
    await page.getByRole('button', { name: 'Edit' }).first().press('Enter');
    const area = page.locator(editor);
    await area.waitFor();
    expect(await area.inputValue()).toBe(text);
    await area.press('End');
    await page.keyboard.type(' @ca');
    const menu = page.getByRole('listbox', { name: 'Attach…' });
    await menu.waitFor();
    await expect.poll(() => sent(page, 'mentions')).toContainEqual({ query: 'ca' });
    expect(await area.getAttribute('aria-activedescendant')).toBe('mention-menu-0');
    // the input for the next message has nothing to do with it
    expect(await page.locator('#composer-text').getAttribute('aria-controls')).toBeNull();
    await page.keyboard.press('Escape');
    await menu.waitFor({ state: 'detached' });
    expect(await area.inputValue()).toBe(`${text} @ca`);
    // what was closed stays closed
    for (const _letter of '@ca') {
      await page.keyboard.press('Backspace');
    }
    expect(await menu.count()).toBe(0);
    await page.keyboard.type('@ca');
    await menu.waitFor();
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => area.getAttribute('aria-activedescendant')).toBe('mention-menu-1');
    await page.keyboard.press('Enter');
    await expect.poll(() => sent(page, 'mention')).toEqual([{ id: mentionedRows[1]?.id, into }]);
    await menu.waitFor({ state: 'detached' });
    expect(await area.inputValue()).toBe(`${text} @${mentionedRows[1]?.word} `);
    expect(await area.evaluate(isFocused)).toBe(true);
    expect([...(await sent(page, 'resend')), ...(await sent(page, 'endEditQueued'))]).toEqual([]);
    await page.keyboard.type('too');
    await page.keyboard.press('Enter');
    const saved = async () => [
      ...(await sent(page, 'resend')),
      ...(await sent(page, 'endEditQueued')),
    ];
    await expect
      .poll(saved)
      .toMatchObject([{ text: `${text} @${mentionedRows[1]?.word} too`.trim() }]);
  },
);

it.each(['#message-editor', '#queue-editor'])('shows what an @ may mean in %s', async (editor) => {
  const isQueue = editor === '#queue-editor';
  const page = await open(isQueue ? running({}) : { ...empty, transcript: [message] });
  await page.getByRole('button', { name: 'Edit' }).first().press('Enter');
  await page.locator(editor).press('End');
  await page.keyboard.type(' @');
  await page.getByRole('listbox', { name: 'Attach…' }).waitFor();
  const name = `edited-mention-${isQueue ? 'queue' : 'message'}`;
  expect(await faultsInAllLooks(page, name, [280])).toEqual([]);
});

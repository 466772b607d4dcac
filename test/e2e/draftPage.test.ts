/** What the user writes on the page of the Pi Agent view and has not sent, in a real browser. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startPreview } from '../workbench/preview/harness.mjs';
import { agentSnapshots } from '../workbench/preview/states.mjs';

let preview: Awaited<ReturnType<typeof startPreview>>;

beforeAll(async () => {
  preview = await startPreview();
});
afterAll(() => preview.close());

interface Sent {
  readonly type: string;
  readonly params: { readonly conversation?: string; readonly draft?: { readonly text: string } };
}

const conversation = (name: string, text?: string, writtenAt = Date.now()) => ({
  ...agentSnapshots.empty,
  conversation: name,
  ...(text !== undefined && { draft: { text, writtenAt } }),
});
const open = (ready: object, saved?: object, replies: Record<string, unknown> = {}) =>
  preview.open({
    page: 'agent',
    replies: { ready, prompt: { isSent: true }, ...replies },
    savedState: saved,
    width: 280,
    height: 600,
  });
const show = (page: Page, params: unknown) =>
  page.evaluate((data) => window.postMessage(data, '*'), { type: 'snapshot', params });
const composer = (page: Page) => page.locator('#composer-text');
/** Drafts and messages in the order in which the extension gets them. */
const sent = async (page: Page): Promise<readonly string[]> => {
  const messages = await page.evaluate(() => (window as unknown as { sent: Sent[] }).sent);
  return messages.flatMap(({ type, params }) => {
    if (type === 'keepDraft') {
      return [`${params.conversation}: ${params.draft?.text}`];
    }
    return type === 'prompt' ? ['prompt'] : [];
  });
};

it('gives the extension each draft, and shows that of the conversation', async () => {
  const page = await open(conversation('a.jsonl'));
  await composer(page).fill('for a');
  await expect.poll(() => sent(page)).toEqual(['a.jsonl: for a']);
  await show(page, conversation('b.jsonl', 'for b'));
  await expect.poll(() => composer(page).inputValue()).toBe('for b');
  await composer(page).fill('for b, too');
  await show(page, conversation('c.jsonl'));
  await expect.poll(() => composer(page).inputValue()).toBe('');
  await show(page, conversation('a.jsonl', 'for a'));
  await expect.poll(() => composer(page).inputValue()).toBe('for a');
  expect(await sent(page)).toContain('b.jsonl: for b, too');
  await page.close();
});

it.each([
  ['the page', 'of the page', 9, 'of the window', 5],
  ['the extension', 'of the page', 5, 'of the window', 9],
] as const)(
  'takes what is newer: that of %s',
  async (_name, ofPage, draftAt, stored, writtenAt) => {
    const saved = { conversation: 'a.jsonl', draft: ofPage, draftAt };
    const page = await open(conversation('a.jsonl', stored, writtenAt), saved);
    const newer = draftAt > writtenAt ? ofPage : stored;
    await expect.poll(() => composer(page).inputValue()).toBe(newer);
    // the extension gets what it has not
    await expect.poll(() => sent(page)).toEqual(draftAt > writtenAt ? [`a.jsonl: ${ofPage}`] : []);
    await page.close();
  },
);

it('takes what was written while Pi was being loaded for the conversation that is shown then', async () => {
  const saved = { conversation: 'a.jsonl', draft: '', draftAt: 5 };
  const page = await open(conversation(''), saved);
  await composer(page).fill('early');
  await show(page, conversation('b.jsonl'));
  await expect.poll(() => sent(page)).toEqual(['b.jsonl: early']);
  expect(await composer(page).inputValue()).toBe('early');
  await page.close();
});

it('keeps what the page before this one had for another conversation', async () => {
  const saved = { conversation: 'a.jsonl', draft: 'for a', draftAt: 5 };
  const page = await open(conversation('b.jsonl'), saved);
  await expect.poll(() => sent(page)).toEqual(['a.jsonl: for a']);
  expect(await composer(page).inputValue()).toBe('');
  await page.close();
});

it('holds on to a message as a draft until the extension has it', async () => {
  const page = await open(conversation('a.jsonl'));
  await composer(page).fill('hello');
  await composer(page).press('Enter');
  await expect.poll(() => sent(page)).toEqual(['a.jsonl: hello', 'prompt', 'a.jsonl: ']);
  await page.close();
});

it('gives back what was not taken, before what was written meanwhile', async () => {
  const page = await open(conversation('a.jsonl'), undefined, { prompt: { error: 'Not now.' } });
  await composer(page).fill('first');
  await page.evaluate(() => {
    const area = document.querySelector<HTMLTextAreaElement>('#composer-text');
    area?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
    if (area) {
      area.value = 'second';
      area.dispatchEvent(new InputEvent('input', { bubbles: true }));
    }
  });
  await page.getByText('Not now.').waitFor();
  await expect.poll(() => composer(page).inputValue()).toBe('first\nsecond');
  await page.close();
});

const queued = (id: string) => ({
  ...conversation('a.jsonl'),
  state: {
    ...agentSnapshots.empty.state,
    queue: { messages: [{ id, kind: 'next', text: 'list files', attachments: [] }] },
  },
});
const ofPage = { conversation: 'a.jsonl', draft: '', draftAt: 1 };

it('goes on with the queued message that the page before this one changed', async () => {
  const saved = { ...ofPage, edited: { id: 'one', text: 'list all files' } };
  const page = await open(queued('one'), saved, { editQueued: { text: 'list files' } });
  const editor = page.getByRole('textbox', { name: 'Queued message' });
  await expect.poll(() => editor.inputValue()).toBe('list all files');
  await page.close();
});

it('leaves a queued message that was saved after the page was written down', async () => {
  const edited = { id: 'one', text: 'list all f', original: 'list' };
  const page = await open(
    queued('one'),
    { ...ofPage, edited },
    { editQueued: { text: 'list files' } },
  );
  // its editor is closed, and begins with what the message is now
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  const editor = page.getByRole('textbox', { name: 'Queued message' });
  await expect.poll(() => editor.inputValue()).toBe('list files');
  expect(await composer(page).inputValue()).toBe('');
  await page.close();
});

it('keeps what was written for a queued message that has gone meanwhile', async () => {
  const saved = { ...ofPage, edited: { id: 'gone', text: 'list all files' } };
  const page = await open(queued('one'), saved);
  await expect.poll(() => composer(page).inputValue()).toBe('list all files');
  await page.close();
});

it('has the arguments again that the user was changing', async () => {
  const { approval } = agentSnapshots;
  const ready = { ...approval, conversation: 'a.jsonl' };
  const id = approval.state.approvals[0]?.id ?? '';
  const page = await open(ready, { ...ofPage, editedArgs: [[id, '{"message": "mine"}']] });
  await expect
    .poll(() => page.locator('.approval textarea').inputValue())
    .toBe('{"message": "mine"}');
  await page.close();
});

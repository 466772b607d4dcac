/** What the user writes on the page of the Pi Agent view and has not sent, in a real browser. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { messages, tell } from '../helpers/pages/host.js';
import { agentSnapshots } from '../helpers/pages/states/agent.mjs';
import { usePages } from '../helpers/pages/usePages.js';

const pages = usePages();

const conversation = (name: string, text?: string, writtenAt = Date.now()) => ({
  ...agentSnapshots.empty,
  conversation: name,
  ...(text !== undefined && { draft: { text, writtenAt } }),
});
const open = (ready: object, saved?: object, replies: Record<string, unknown> = {}) =>
  pages.open({
    page: 'agent',
    replies: { ready, prompt: { isSent: true }, ...replies },
    savedState: saved,
    width: 280,
    height: 600,
  });
const show = (page: Page, params: unknown) => tell(page, 'snapshot', params);
const composer = (page: Page) => page.locator('#composer-text');
/** Drafts and messages in the order in which the extension gets them. */
const kept = async (page: Page): Promise<readonly string[]> => {
  interface Kept {
    readonly conversation?: string;
    readonly draft?: { readonly text: string };
  }
  return (await messages(page)).flatMap(({ type, params }) => {
    if (type === 'keepDraft') {
      const { conversation, draft } = params as Kept;
      return [`${conversation}: ${draft?.text}`];
    }
    return type === 'prompt' ? ['prompt'] : [];
  });
};

it('gives the extension each draft, and shows that of the conversation', async () => {
  const page = await open(conversation('a.jsonl'));
  await composer(page).fill('for a');
  await expect.poll(() => kept(page)).toEqual(['a.jsonl: for a']);
  await show(page, conversation('b.jsonl', 'for b'));
  await expect.poll(() => composer(page).inputValue()).toBe('for b');
  await composer(page).fill('for b, too');
  await show(page, conversation('c.jsonl'));
  await expect.poll(() => composer(page).inputValue()).toBe('');
  await show(page, conversation('a.jsonl', 'for a'));
  await expect.poll(() => composer(page).inputValue()).toBe('for a');
  expect(await kept(page)).toContain('b.jsonl: for b, too');
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
    await expect.poll(() => kept(page)).toEqual(draftAt > writtenAt ? [`a.jsonl: ${ofPage}`] : []);
  },
);

it('takes what was written while Pi was being loaded for the conversation that is shown then', async () => {
  const saved = { conversation: 'a.jsonl', draft: '', draftAt: 5 };
  const page = await open(conversation(''), saved);
  await composer(page).fill('early');
  await show(page, conversation('b.jsonl'));
  await expect.poll(() => kept(page)).toEqual(['b.jsonl: early']);
  expect(await composer(page).inputValue()).toBe('early');
});

it('keeps what the page before this one had for another conversation', async () => {
  const saved = { conversation: 'a.jsonl', draft: 'for a', draftAt: 5 };
  const page = await open(conversation('b.jsonl'), saved);
  await expect.poll(() => kept(page)).toEqual(['a.jsonl: for a']);
  expect(await composer(page).inputValue()).toBe('');
});

it('holds on to a message as a draft until the extension has it', async () => {
  const page = await open(conversation('a.jsonl'));
  await composer(page).fill('hello');
  await composer(page).press('Enter');
  await expect.poll(() => kept(page)).toEqual(['a.jsonl: hello', 'prompt', 'a.jsonl: ']);
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
  const editor = page.getByRole('textbox', { name: 'Message' });
  await expect.poll(() => editor.inputValue()).toBe('list all files');
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
  const editor = page.getByRole('textbox', { name: 'Message' });
  await expect.poll(() => editor.inputValue()).toBe('list files');
  expect(await composer(page).inputValue()).toBe('');
});

it('keeps what was written for a queued message that has gone meanwhile', async () => {
  const saved = { ...ofPage, edited: { id: 'gone', text: 'list all files' } };
  const page = await open(queued('one'), saved);
  await expect.poll(() => composer(page).inputValue()).toBe('list all files');
});

it('has the arguments again that the user was changing', async () => {
  const { approval } = agentSnapshots;
  const ready = { ...approval, conversation: 'a.jsonl' };
  const id = approval.state.approvals[0]?.id ?? '';
  const page = await open(ready, { ...ofPage, editedArgs: [[id, '{"message": "mine"}']] });
  await expect
    .poll(() => page.locator('.approval textarea').inputValue())
    .toBe('{"message": "mine"}');
});

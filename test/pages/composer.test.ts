/** What goes with a message, on the page of the Pi Agent view in a real browser: mentions, pictures, files and long pastes. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { readImageHeader } from '../../src/base/pictures/imageHeader.js';
import { sent, spoken, tell } from '../helpers/pages/host.js';
import { faultsInAllLooks, shoot, violations } from '../helpers/pages/looks.js';
import {
  agentInputs,
  agentSnapshots,
  mentionedRows,
  noInputs,
  redPixel,
} from '../helpers/pages/states/agent.mjs';
import { usePages } from '../helpers/pages/usePages.js';

const pages = usePages();

const src = `data:image/png;base64,${redPixel}`;
const open = (replies: Record<string, unknown> = {}) =>
  pages.open({
    page: 'agent',
    replies: {
      ready: { ...agentSnapshots.empty, conversation: 'a.jsonl' },
      prompt: { isSent: true },
      mentions: { rows: mentionedRows },
      mention: { refused: [] },
      attachFiles: { refused: [] },
      attachUris: { refused: [] },
      attachText: { refused: [] },
      picture: { src },
      ...replies,
    },
    width: 280,
    height: 640,
  });
const composer = (page: Page) => page.locator('#composer-text');
const attached = (page: Page) =>
  tell(page, 'inputs', { ...noInputs, attachments: agentInputs.asking.inputs.attachments });
const active = (page: Page) =>
  composer(page).evaluate((area) => {
    const id = area.getAttribute('aria-activedescendant');
    return id === null ? null : document.getElementById(id)?.textContent?.trim();
  });
/** As a user would paste or drop it. */
const give = (
  page: Page,
  event: 'paste' | 'drop',
  what: {
    readonly files?: readonly {
      readonly name: string;
      readonly type: string;
      readonly data: string;
    }[];
    readonly texts?: Record<string, string>;
  },
) =>
  page.evaluate(
    ([name, { files = [], texts = {} }]) => {
      const data = new DataTransfer();
      for (const file of files) {
        const bytes = Uint8Array.from(atob(file.data), (one) => one.charCodeAt(0));
        data.items.add(new File([bytes], file.name, { type: file.type }));
      }
      for (const [type, text] of Object.entries(texts)) {
        data.setData(type, text);
      }
      const target = document.querySelector('#composer-text');
      const given =
        name === 'paste'
          ? new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })
          : new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true });
      target?.dispatchEvent(given);
      return given.defaultPrevented;
    },
    [event, what] as const,
  );

it('lists what an @ may mean, goes through it by keyboard, and puts the word in its place', async () => {
  const page = await open();
  await composer(page).pressSequentially('look at @ca');
  const menu = page.getByRole('listbox', { name: 'Attach…' });
  await menu.waitFor();
  expect(await active(page)).toMatch(/^Selection/);
  await composer(page).press('ArrowDown');
  expect(await active(page)).toMatch(/^cart\.ts/);
  await expect.poll(() => sent(page, 'mentions')).toContainEqual({ query: 'ca' });
  await shoot(page, 'composer-mentions-280');
  expect(await violations(page)).toEqual([]);
  await composer(page).press('Enter');
  await menu.waitFor({ state: 'detached' });
  expect(await composer(page).inputValue()).toBe('look at @cart.ts ');
  expect(await sent(page, 'mention')).toEqual([{ id: '1/1' }]);
  expect(await sent(page, 'prompt')).toEqual([]);
  expect(await active(page)).toBeNull();
  await composer(page).press('Enter');
  await expect.poll(() => sent(page, 'prompt')).toHaveLength(1);
});

it('knows where a picked name with blanks ends, and asks no more within it', async () => {
  const page = await open();
  await composer(page).pressSequentially('see @my');
  // an answer to fewer letters moves what is pointed at
  await expect.poll(async () => (await sent(page, 'mentions')).at(-1)).toEqual({ query: 'my' });
  const menu = page.getByRole('listbox', { name: 'Attach…' });
  await menu.getByRole('option', { name: 'my file#1.ts' }).click();
  expect(await composer(page).inputValue()).toBe('see @"my file#1.ts" ');
  expect(await sent(page, 'mention')).toEqual([{ id: '1/2' }]);
  const asked = (await sent(page, 'mentions')).length;
  await composer(page).evaluate((area: HTMLTextAreaElement) => area.setSelectionRange(7, 7));
  await composer(page).press('ArrowRight');
  await composer(page).press('x');
  await composer(page).press('End');
  await composer(page).pressSequentially('and @ca');
  await expect.poll(async () => (await sent(page, 'mentions')).at(-1)).toEqual({ query: 'ca' });
  const queries = (await sent(page, 'mentions')).slice(asked) as { query: string }[];
  expect(queries.filter(({ query }) => !'ca'.startsWith(query))).toEqual([]);
});

it('asks for the letters up to the caret, in the middle of a text, and for no mail address', async () => {
  const page = await open();
  await composer(page).fill('see @ca and me@example.org');
  await composer(page).evaluate((area: HTMLTextAreaElement) => area.setSelectionRange(7, 7));
  await composer(page).press('ArrowLeft');
  await expect.poll(() => sent(page, 'mentions')).toEqual([{ query: 'c' }]);
  await page.getByRole('option', { name: 'my file#1.ts' }).click();
  expect(await composer(page).inputValue()).toBe('see @"my file#1.ts" a and me@example.org');
  const caret = await composer(page).evaluate((area: HTMLTextAreaElement) => area.selectionStart);
  expect(caret).toBe('see @"my file#1.ts" '.length);
  await composer(page).press('End');
  expect(await page.getByRole('listbox').count()).toBe(0);
});

it('stays closed after Escape until another @ is written', async () => {
  const page = await open();
  await composer(page).pressSequentially('@c');
  await page.getByRole('listbox').waitFor();
  await composer(page).press('Escape');
  await page.getByRole('listbox').waitFor({ state: 'detached' });
  await composer(page).pressSequentially('art');
  expect(await page.getByRole('listbox').count()).toBe(0);
  await composer(page).pressSequentially(' @');
  await page.getByRole('listbox').waitFor();
});

it('says why a file was not attached, and reads it out', async () => {
  const refused = ['a.bin is neither text nor a PNG, JPEG, GIF or WebP image.'];
  const page = await open({ mention: { refused } });
  await composer(page).pressSequentially('@');
  await page.getByRole('option', { name: 'cart.ts' }).first().click();
  await page.locator('.command-refusal').getByText('neither text nor').waitFor();
  await expect.poll(() => spoken(page)).toContain('neither text nor');
});

it('shows chips with costs and pictures, each with words', async () => {
  const page = await open();
  await composer(page).waitFor();
  await attached(page);
  await page.locator('.attachments li[data-kind=image] img.thumbnail').waitFor();
  const list = page.getByRole('list', { name: 'Attached' });
  await list.getByText('about 2310 tokens').waitFor({ state: 'attached' });
  expect(await faultsInAllLooks(page, 'composer-chips', [760, 280])).toEqual([]);
  await list
    .getByRole('button', { name: 'checkout with a long name.test.ts', exact: true })
    .click();
  expect(await sent(page, 'openAttachment')).toEqual([{ id: 'b' }]);
  await list.getByRole('button', { name: 'Remove architecture.md' }).press('Enter');
  expect(await sent(page, 'detach')).toEqual([{ id: 'a' }]);
});

it('turns a pasted text back into text', async () => {
  const page = await open({ takeText: { text: 'line 1\nline 2' } });
  await composer(page).fill('see');
  await attached(page);
  await page.getByRole('button', { name: 'Turn Pasted text, 120 lines Into Text' }).click();
  await expect.poll(() => composer(page).inputValue()).toBe('see\nline 1\nline 2');
});

it('attaches a long paste, and leaves a short one to the input', async () => {
  const page = await open();
  const lines = (count: number) => Array.from({ length: count }, (_, at) => `${at}`).join('\n');
  expect(await give(page, 'paste', { texts: { 'text/plain': lines(40) } })).toBe(false);
  expect(await give(page, 'paste', { texts: { 'text/plain': 'x'.repeat(3_000) } })).toBe(false);
  expect(await sent(page, 'attachText')).toEqual([]);
  expect(await give(page, 'paste', { texts: { 'text/plain': lines(41) } })).toBe(true);
  expect(await give(page, 'paste', { texts: { 'text/plain': 'x'.repeat(3_001) } })).toBe(true);
  await expect
    .poll(() => sent(page, 'attachText'))
    .toEqual([{ text: lines(41) }, { text: 'x'.repeat(3_001) }]);
  expect(await composer(page).inputValue()).toBe('');
});

it('takes the picture of a paste, and not the text beside it', async () => {
  const page = await open();
  const files = [{ name: 'image.png', type: 'image/png', data: redPixel }];
  const texts = { 'text/plain': 'https://example.org/image.png' };
  expect(await give(page, 'paste', { files, texts })).toBe(true);
  await expect
    .poll(() => sent(page, 'attachFiles'))
    .toEqual([{ files: [{ name: 'image.png', data: redPixel }] }]);
  expect(await composer(page).inputValue()).toBe('');
});

it('says at once that a picture is too large or has too many pixels, and attaches the others', async () => {
  const page = await open();
  const bomb = Buffer.from(redPixel, 'base64');
  bomb.writeUInt32BE(60_000, 16);
  bomb.writeUInt32BE(60_000, 20);
  await page.evaluate((data) => {
    const whole = new DataTransfer();
    const bytes = Uint8Array.from(atob(data), (one) => one.charCodeAt(0));
    whole.items.add(new File([bytes, new Uint8Array(20 * 1024 * 1024)], 'photo.png'));
    document
      .querySelector('#composer-text')
      ?.dispatchEvent(
        new DragEvent('drop', { dataTransfer: whole, bubbles: true, cancelable: true }),
      );
  }, redPixel);
  const refusal = page.locator('.command-refusal');
  await refusal.getByText('photo.png is larger than 10 MB.').waitFor();
  await give(page, 'drop', {
    files: [
      { name: 'bomb.png', type: 'image/png', data: bomb.toString('base64') },
      { name: 'small.png', type: 'image/png', data: redPixel },
    ],
  });
  await refusal.getByText('bomb.png has too many pixels.').waitFor();
  await expect
    .poll(() => sent(page, 'attachFiles'))
    .toEqual([{ files: [{ name: 'small.png', data: redPixel }] }]);
});

it('makes a large picture as small as models look at it', async () => {
  const page = await open();
  const data = await page.evaluate(() => {
    const canvas = document.createElement('canvas');
    canvas.width = 4_000;
    canvas.height = 1_000;
    canvas.getContext('2d')?.fillRect(0, 0, 500, 500);
    return canvas.toDataURL('image/png').replace(/^.*,/, '');
  });
  await give(page, 'paste', { files: [{ name: 'wide.png', type: 'image/png', data }] });
  await expect.poll(() => sent(page, 'attachFiles')).toHaveLength(1);
  const [{ files }] = (await sent(page, 'attachFiles')) as [{ files: { data: string }[] }];
  const { type, size } = readImageHeader(Buffer.from(files[0]?.data ?? '', 'base64')) ?? {};
  expect({ type, size }).toEqual({ type: 'image/png', size: { width: 2_000, height: 500 } });
});

it('opens the menu with the paper clip, where the caret is', async () => {
  const page = await open();
  await composer(page).fill('see and tell');
  await composer(page).evaluate((area: HTMLTextAreaElement) => area.setSelectionRange(3, 3));
  await page.getByRole('button', { name: 'Attach…' }).click();
  await page.getByRole('listbox').waitFor();
  expect(await composer(page).inputValue()).toBe('see @ and tell');
  await composer(page).press('ArrowDown');
  await composer(page).press('Tab');
  expect(await composer(page).inputValue()).toBe('see @cart.ts and tell');
});

it('takes every address of a drop, and shows where it goes', async () => {
  const page = await open();
  const isTaken = (name: string) =>
    page.evaluate((type) => {
      const event = new DragEvent(type, {
        dataTransfer: new DataTransfer(),
        bubbles: true,
        cancelable: true,
      });
      document.querySelector('#transcript')?.dispatchEvent(event);
      return event.defaultPrevented;
    }, name);
  // VS Code gives the page no file from outside unless both are
  expect([await isTaken('dragenter'), await isTaken('dragover')]).toEqual([true, true]);
  await page.locator('.composer.drop-target').waitFor();
  const uris = ['file:///w/a.ts', 'file:///w/my%20file%231.ts'];
  await give(page, 'drop', {
    texts: { 'text/uri-list': uris[0] ?? '', 'application/vnd.code.uri-list': uris.join('\r\n') },
  });
  await expect.poll(() => sent(page, 'attachUris')).toEqual([{ uris }]);
  await page.locator('.composer.drop-target').waitFor({ state: 'detached' });
  await give(page, 'drop', { texts: { 'text/plain': 'only words' } });
  expect(await composer(page).inputValue()).toBe('only words');
});

const said = (id: string, text: string) => ({ id, kind: 'user', text, message: { id: `m${id}` } });

it('brings back with Up what was sent, and with Down what was being written', async () => {
  const transcript = [said('1', 'first'), said('2', 'second\nline'), said('3', 'second\nline')];
  const page = await open({
    ready: { ...agentSnapshots.empty, conversation: 'a.jsonl', transcript },
    earlierRequests: { texts: [] },
  });
  await composer(page).fill('mine');
  await composer(page).press('Home');
  await composer(page).press('ArrowUp');
  expect(await composer(page).inputValue()).toBe('second\nline');
  await composer(page).press('ArrowUp');
  expect(await composer(page).inputValue()).toBe('first');
  await composer(page).press('ArrowUp');
  expect(await composer(page).inputValue()).toBe('first');
  await composer(page).press('ArrowDown');
  expect(await composer(page).inputValue()).toBe('second\nline');
  await composer(page).press('ArrowDown');
  expect(await composer(page).inputValue()).toBe('mine');
  await composer(page).fill('two\nlines');
  await composer(page).press('End');
  // the caret is in the second line, and goes to the first
  await composer(page).press('ArrowUp');
  expect(await composer(page).inputValue()).toBe('two\nlines');
});

it('goes on with Up through what was sent elsewhere in the folder, asked for once', async () => {
  const page = await open({
    ready: {
      ...agentSnapshots.empty,
      conversation: 'a.jsonl',
      transcript: [said('1', 'here')],
    },
    earlierRequests: { texts: ['elsewhere, last', 'elsewhere, first'] },
  });
  await composer(page).fill('mine');
  await composer(page).press('Home');
  await composer(page).press('ArrowUp');
  await composer(page).press('ArrowUp');
  await expect.poll(() => composer(page).inputValue()).toBe('elsewhere, last');
  await composer(page).press('ArrowUp');
  await composer(page).press('ArrowUp');
  expect(await composer(page).inputValue()).toBe('elsewhere, first');
  await composer(page).press('ArrowDown');
  await composer(page).press('ArrowDown');
  expect(await composer(page).inputValue()).toBe('here');
  await composer(page).press('ArrowDown');
  expect(await composer(page).inputValue()).toBe('mine');
  expect(await sent(page, 'earlierRequests')).toHaveLength(1);
});

it('shows the pictures of messages that were sent', async () => {
  const attachments = [
    { kind: 'file', label: 'a.ts', detail: 'src/a.ts' },
    { label: 'Image', detail: 'image/png', isImage: true },
    { label: 'Image', detail: 'image/png', isImage: true },
  ];
  const transcript = [{ ...said('1', 'look'), attachments }];
  const page = await open({
    ready: { ...agentSnapshots.empty, conversation: 'a.jsonl', transcript },
  });
  await expect.poll(() => page.locator('.user img.thumbnail').count()).toBe(2);
  expect(await sent(page, 'picture')).toEqual([
    { of: 'message', id: 'm1', index: 0 },
    { of: 'message', id: 'm1', index: 1 },
  ]);
  await shoot(page, 'composer-sent');
});

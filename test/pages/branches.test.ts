import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { isFocused, savedState, sent, spoken, tell } from '../helpers/pages/host.js';
import { faultsInAllLooks } from '../helpers/pages/looks.js';
import { agentSnapshots } from '../helpers/pages/states/agent.mjs';
import { usePages } from '../helpers/pages/usePages.js';

const pages = usePages();

const code = 'const total = items.reduce((sum, { price }) => sum + price, 0); // with a long end\n';
const user = (id: string, text: string, message?: object) => ({ id, kind: 'user', text, message });
const answer = (id: string, text: string) => ({
  id,
  kind: 'assistant',
  text,
  isStreaming: false,
  message: { id: `m-${id}`, request: 'r1' },
});
const first = user('u1', 'Sum the prices.', { id: 'r1', branch: { at: 2, of: 3 } });
const withCode = answer('a1', `Here it is:\n\n\`\`\`ts\n${code}\`\`\`\n\nThe sum is a number.`);
const tool = {
  id: 't1',
  kind: 'tool',
  tool: 'demo__list',
  mcp: { server: 'demo', tool: 'list' },
  args: '{\n  "of": "prices"\n}',
  status: 'done',
  result: [{ kind: 'text', text: `${'line\n'.repeat(20)}the last price` }],
};
const failed = {
  id: 'n1',
  kind: 'notice',
  level: 'error',
  text: 'The provider is overloaded.',
  remedy: 'Wait a moment.',
  branch: { request: 'r2' },
};
const cut = {
  id: 'n2',
  kind: 'notice',
  level: 'info',
  text: 'Conversation taken back',
  branch: { next: 'r3' },
};
const transcript = [first, withCode, user('u2', 'And the mean?', { id: 'r2' }), tool, failed, cut];
const snapshot = (entries: readonly object[] = transcript, status = 'ready') => ({
  ...agentSnapshots.empty,
  state: { ...agentSnapshots.empty.state, status },
  transcript: entries,
});

function open(ready: object, replies: Record<string, unknown> = {}, look: object = {}) {
  const scenario = { width: 280, height: 700, ...look };
  return pages.open({ page: 'agent', replies: { ready, ...replies }, ...scenario });
}

const entry = (page: Page, id: string) => page.locator(`[data-entry="${id}"]`);

it('leads from Escape twice to the earlier messages, where nothing runs and nothing is written', async () => {
  const page = await open(snapshot(), { runCommand: { kind: 'done' } });
  const input = page.locator('#composer-text');
  await input.fill('something');
  await input.press('Escape');
  await input.press('Escape');
  await input.fill('');
  await input.press('Escape');
  await input.press('a');
  await input.press('Backspace');
  await input.press('Escape');
  expect(await sent(page, 'runCommand')).toEqual([]);
  const escapeTwice = async () => {
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    return await sent(page, 'runCommand');
  };
  // a slow machine may take too long between the two
  await expect.poll(escapeTwice).toContainEqual({ text: '/restore' });
  await tell(page, 'state', snapshot(transcript, 'running').state);
  const before = (await sent(page, 'runCommand')).length;
  expect(await escapeTwice()).toHaveLength(before);
  expect(await sent(page, 'stop')).toHaveLength(2);
});

it('shows what can be done with a message to who points at it or comes by keyboard', async () => {
  const page = await open(snapshot());
  const edit = entry(page, 'u1').getByRole('button', { name: 'Edit' });
  const opacity = () =>
    edit.evaluate((button) => getComputedStyle(button.parentElement ?? button).opacity);
  expect(await opacity()).toBe('0');
  await entry(page, 'u1').hover();
  expect(await opacity()).toBe('1');
  await page.mouse.move(0, 0);
  await edit.focus();
  expect(await opacity()).toBe('1');
  // words for all of them, and no retry where the run goes on
  const labels = (id: string) => entry(page, id).locator('.message-actions').allInnerTexts();
  expect((await labels('a1')).join().split('\n')).toEqual(['Copy', 'Try Again', 'Fork from Here']);
  await tell(page, 'entries', [answer('a2', 'Going on')]);
  await tell(page, 'state', snapshot([], 'running').state);
  await expect.poll(async () => (await labels('a2')).join()).toBe('Copy');
});

it('covers no words of the message that is pointed at with what can be done with it', async () => {
  const words = 'The prices are summed in the loop of [a file](src/a.ts)';
  const page = await open(snapshot([first, answer('a1', words)]), {}, { width: 320 });
  await entry(page, 'a1').hover();
  const link = entry(page, 'a1').getByRole('link', { name: 'a file' });
  await link.hover();
  const copy = entry(page, 'a1').getByRole('button', { name: 'Copy' });
  await copy.hover();
  await entry(page, 'u1').hover();
  await entry(page, 'u1').getByRole('button', { name: 'Edit' }).hover();
});

it('changes a message in its place, by keyboard', async () => {
  const page = await open(snapshot(), {
    editMessage: { text: 'Sum the prices.' },
    resend: { isSent: true },
  });
  const editor = page.getByRole('textbox', { name: 'Message', exact: true });
  await entry(page, 'u1').getByRole('button', { name: 'Edit' }).press('Enter');
  await expect.poll(() => editor.evaluate(isFocused)).toBe(true);
  expect(await editor.inputValue()).toBe('Sum the prices.');
  await editor.press('Escape');
  const edit = entry(page, 'u1').getByRole('button', { name: 'Edit' });
  await expect.poll(() => edit.evaluate(isFocused)).toBe(true);
  await edit.press('Enter');
  await editor.fill('Sum all prices.');
  await editor.press('Shift+Enter');
  await editor.pressSequentially('Twice.');
  await editor.press('Enter');
  await editor.waitFor({ state: 'detached' });
  expect(await sent(page, 'resend')).toEqual([
    { id: 'r1', text: 'Sum all prices.\nTwice.', isStopping: false },
  ]);
});

it('says that sending a changed message ends the run, and keeps what was not taken', async () => {
  const page = await open(snapshot(transcript, 'running'), {
    editMessage: { text: 'Sum the prices.' },
    resend: { error: 'Pi did not accept the message.' },
  });
  await entry(page, 'u1').getByRole('button', { name: 'Edit' }).press('Enter');
  await page.getByText('What followed stays as another version.').waitFor();
  await page.getByRole('textbox', { name: 'Message', exact: true }).fill('Other words');
  await page.locator('vscode-button', { hasText: 'Stop and Send' }).click();
  await page.getByText('Pi did not accept the message.').waitFor();
  expect(await sent(page, 'resend')).toEqual([{ id: 'r1', text: 'Other words', isStopping: true }]);
  const saved = await savedState(page);
  expect(saved).toMatchObject({ editedMessage: { id: 'r1', text: 'Other words' } });
  await page.close();

  const next = await open(snapshot(), {}, { savedState: saved });
  const editor = next.getByRole('textbox', { name: 'Message', exact: true });
  expect(await editor.inputValue()).toBe('Other words');
  await next.close();

  // it was sent after all, of which the page before could not tell any more
  const sentMeanwhile = user('u1', 'Sum the prices.', { id: 'r1', branch: { at: 2, of: 4 } });
  const other = await open(snapshot([sentMeanwhile]), {}, { savedState: saved });
  await entry(other, 'u1').getByText('2 of 4').waitFor();
  expect(await other.getByRole('textbox', { name: 'Message', exact: true }).count()).toBe(0);
  await other.close();
});

it('tries again, forks, and shows what followed', async () => {
  const page = await open(snapshot(), { resend: { isSent: true }, showBranch: { id: 'r3' } });
  await entry(page, 'a1').getByRole('button', { name: 'Try Again' }).press('Enter');
  await entry(page, 'n1').getByRole('button', { name: 'Try Again' }).press('Enter');
  await entry(page, 'u1').getByRole('button', { name: 'Fork from Here' }).press('Enter');
  await entry(page, 'a1').getByRole('button', { name: 'Fork from Here' }).press('Enter');
  await entry(page, 'n2').getByRole('button', { name: 'Show What Followed' }).press('Enter');
  expect(await sent(page, 'resend')).toEqual([{ id: 'r1' }, { id: 'r2' }]);
  expect(await sent(page, 'forkFrom')).toEqual([{ id: 'r1' }, { id: 'm-a1' }]);
  expect(await sent(page, 'showBranch')).toEqual([{ id: 'r3', step: 'itself' }]);
});

it('uses the code of an answer, and covers none of it', async () => {
  const page = await open(snapshot());
  const block = entry(page, 'a1').locator('.code-block');
  await block.getByRole('button', { name: 'Insert at Cursor' }).press('Enter');
  await block.getByRole('button', { name: 'Open in Editor' }).press('Enter');
  expect(await sent(page, 'useCode')).toEqual([
    { text: code, language: '', use: 'insert' },
    { text: code, language: 'ts', use: 'open' },
  ]);
  expect(await block.locator('.code-language').textContent()).toBe('ts');
  const boxes = await block.evaluate((element) => {
    const bottoms = [...element.querySelectorAll('button')].map(
      (button) => button.getBoundingClientRect().bottom,
    );
    return { bottoms, top: element.querySelector('pre')?.getBoundingClientRect().top ?? 0 };
  });
  expect(boxes.bottoms.filter((bottom) => bottom > boxes.top)).toEqual([]);
});

const found = (parts: readonly (readonly [string, string, number])[]) => ({
  parts: parts.map(([entryId, part, count]) => ({ entryId, part, count })),
  isCut: false,
});
const field = (page: Page) => page.getByRole('textbox', { name: 'Find in Conversation' });
/** What is marked as the place that is shown. */
const marked = (page: Page) =>
  page.evaluate(() => {
    const [range] = [...(CSS.highlights.get('pi-mcp-found-current') ?? [])];
    const at = (range as Range | undefined)?.startContainer.parentElement;
    const text = range instanceof Range ? range.toString() : undefined;
    return [text, at?.closest('[data-entry]')?.getAttribute('data-entry')];
  });

it('finds in the conversation, also what is folded, and goes round by keyboard', async () => {
  const page = await open(snapshot(), {
    find: found([
      ['u1', 'text', 1],
      ['a1', 'answer', 1],
      ['t1', 'result', 1],
    ]),
  });
  await page.locator('#composer-text').focus();
  await page.keyboard.press('Control+f');
  await expect.poll(() => field(page).evaluate(isFocused)).toBe(true);
  await field(page).fill('PRICE');
  await page.locator('#find-count', { hasText: '1 of 3' }).waitFor();
  await expect.poll(() => marked(page)).toEqual(['price', 'u1']);
  await expect.poll(() => spoken(page)).toBe('1 of 3');
  await field(page).press('Enter');
  await expect.poll(() => marked(page)).toEqual(['price', 'a1']);
  expect(await entry(page, 't1').getByText('the last price').count()).toBe(0);
  await field(page).press('Enter');
  await expect.poll(() => marked(page)).toEqual(['price', 't1']);
  await expect.poll(() => spoken(page)).toBe('3 of 3');
  await field(page).press('Enter');
  await expect.poll(() => marked(page)).toEqual(['price', 'u1']);
  await field(page).press('Shift+Enter');
  await expect.poll(() => marked(page)).toEqual(['price', 't1']);
  expect(await sent(page, 'find')).toEqual([{ text: '' }, { text: 'PRICE' }]);
  await field(page).press('Escape');
  await field(page).waitFor({ state: 'detached' });
  await expect.poll(() => page.locator('#composer-text').evaluate(isFocused)).toBe(true);
  expect(await marked(page)).toEqual([undefined, undefined]);
  // VS Code gets the key as well and asks for the same; what was looked for is there again
  await tell(page, 'find');
  await expect.poll(() => field(page).inputValue()).toBe('PRICE');
});

it('brings what is earlier than the page, and says when there is nothing', async () => {
  const early = answer('e1', 'An early **price** tag');
  const page = await open(
    { ...snapshot(), earlier: 1 },
    { find: found([['e1', 'answer', 1]]), showEarlier: snapshot([early, ...transcript]) },
  );
  await tell(page, 'find');
  await field(page).fill('price tag');
  await expect.poll(() => marked(page)).toEqual(['price tag', 'e1']);
  expect(await sent(page, 'showEarlier')).toEqual([{ entryId: 'e1' }]);
  const box = await entry(page, 'e1').boundingBox();
  expect(box && box.y >= 0 && box.y < 700).toBe(true);
  await page.close();

  const other = await open(snapshot(), { find: found([]) });
  await tell(other, 'find');
  await field(other).fill('nowhere');
  await other.locator('#find-count', { hasText: '0 of 0' }).waitFor();
  await expect.poll(() => spoken(other)).toBe('0 of 0');
  expect(
    await other.locator('.find-buttons').getByRole('button', { name: /^Next/ }).isDisabled(),
  ).toBe(true);
  await other.close();
});

it('breaks no rule of axe and is cut nowhere, in every theme and width', async () => {
  const replies = {
    editMessage: { text: 'And the mean?\nOr the median?' },
    find: found([
      ['u1', 'text', 1],
      ['a1', 'answer', 1],
    ]),
  };
  const page = await open(snapshot(), replies, { height: 1100 });
  await entry(page, 'u2').getByRole('button', { name: 'Edit' }).press('Enter');
  await page.getByRole('textbox', { name: 'Message', exact: true }).waitFor();
  await tell(page, 'find');
  await field(page).fill('sum');
  await page.locator('#find-count', { hasText: '1 of 2' }).waitFor();
  await entry(page, 'a1').getByRole('button', { name: 'Try Again' }).focus();
  expect(await faultsInAllLooks(page, 'branches')).toEqual([]);
});

/** The page of the Pi Agent view in a real browser: long conversations, failures, copies, and what is read out. */
import { expect, it } from 'vitest';
import { isFocused, sent, spoken, tell } from '../helpers/pages/host.js';
import { faultsInAllLooks } from '../helpers/pages/looks.js';
import { agentSnapshots, startView } from '../helpers/pages/states/agent.mjs';
import { usePages } from '../helpers/pages/usePages.js';

const pages = usePages();

const open = (ready: unknown, replies: Record<string, unknown> = {}) =>
  pages.open({ page: 'agent', replies: { ready, ...replies }, width: 300, height: 600 });
const { elsewhere, empty } = agentSnapshots;
const answer = (id: string, text: string) => ({ id, kind: 'assistant', text, isStreaming: false });

it('brings earlier messages without moving what is read, and reads none of them out', async () => {
  const older = Array.from({ length: 40 }, (_, index) => answer(`o${index}`, `Older ${index}`));
  const showEarlier = { ...elsewhere, earlier: 0, transcript: [...older, ...elsewhere.transcript] };
  const page = await open(elsewhere, { showEarlier });
  const first = page.getByText('It is long.');
  const button = page.getByRole('button', { name: 'Show Earlier Messages' });
  await button.waitFor();
  // comes into view with the focus, and brings them by that
  await button.focus();
  const top = async () => (await first.boundingBox())?.y ?? 0;
  const before = await top();
  await page.getByText('Older 39').waitFor({ state: 'attached' });
  // the button that went away was as high as a line
  expect(Math.abs((await top()) - before)).toBeLessThan(60);
  await button.waitFor({ state: 'detached' });
  expect(await page.getByRole('log').evaluate(isFocused)).toBe(true);
  expect(await spoken(page)).toBe('');
});

it('reads out answers and failures, each once, and no conversation that is shown again', async () => {
  const page = await open(empty);
  await page.locator('#composer-text').waitFor();
  await tell(page, 'snapshot', { ...empty, transcript: [answer('a1', 'Long ago')] });
  await page.getByText('Long ago').waitFor();
  expect(await spoken(page)).toBe('');
  await tell(page, 'entries', [answer('a2', 'Just now')]);
  await page.locator('.visually-hidden[role=status]', { hasText: 'Pi: Just now' }).waitFor({
    state: 'attached',
  });
  const failure = elsewhere.transcript.find(({ id }) => id === 'n1');
  await tell(page, 'entries', [failure]);
  await page.locator('.visually-hidden[role=status]', { hasText: 'Try again' }).waitFor({
    state: 'attached',
  });
  expect(await spoken(page)).not.toContain('Just now');
});

it('offers the next step of a failure', async () => {
  const page = await open(elsewhere);
  await page.locator('.notice').getByRole('button', { name: 'Log In…' }).click();
  expect(await sent(page, 'runAction')).toEqual([{ action: 'logIn' }]);
});

it('offers a larger model and fewer tools where summaries make no room', async () => {
  const text = 'Summaries make no room any more, so no other one is made unasked.';
  const notice = { id: 'n1', kind: 'notice', level: 'info', text };
  const page = await open({
    ...elsewhere,
    transcript: [{ ...notice, actions: ['chooseModel', 'fewerTools'] }],
  });
  await page.locator('.notice').getByRole('button', { name: 'Choose Model…' }).click();
  expect(await sent(page, 'runAction')).toEqual([{ action: 'chooseModel' }]);
  await page.locator('.notice').getByRole('button', { name: 'Fewer Tools…' }).click();
  await expect.poll(() => page.locator('.tool-count').getAttribute('aria-expanded')).toBe('true');
  expect(await sent(page, 'runAction')).toHaveLength(1);
});

it('shows a problem from its beginning, also where there is little room', async () => {
  const page = await open(agentSnapshots.problem);
  await page.setViewportSize({ width: 300, height: 260 });
  const title = page.getByText('Pi has no model that it can use.');
  await title.waitFor();
  await tell(page, 'state', agentSnapshots.problem.state);
  const log = await page.getByRole('log').boundingBox();
  await expect.poll(async () => (await title.boundingBox())?.y).toBeGreaterThan(log?.y ?? 0);
});

it('shows an empty conversation from its beginning, also where there is little room', async () => {
  const page = await open({ ...empty, transcript: [answer('a1', 'Long '.repeat(600))] });
  await page.setViewportSize({ width: 280, height: 300 });
  await page.getByText('Long Long').waitFor();
  await tell(page, 'snapshot', empty);
  await tell(page, 'start', startView);
  const title = page.getByText('Ask Pi about your code');
  await title.waitFor();
  await page.getByText('Failed: docs').waitFor();
  const log = page.getByRole('log');
  const top = () => log.evaluate(({ scrollTop }) => scrollTop);
  expect(await log.evaluate((one) => one.scrollHeight > one.clientHeight)).toBe(true);
  // no more than the space around the text is out of sight
  expect(await top()).toBeLessThan(20);
  await tell(page, 'snapshot', { ...empty, transcript: [answer('a2', 'Later '.repeat(600))] });
  await page.getByText('Later Later').waitFor();
  await expect.poll(top).toBeGreaterThan(100);
});

it('keeps the input in sight of a short panel while a command answers and others are offered', async () => {
  const rows = Array.from({ length: 30 }, (_item, at) => ({ name: `server ${at}`, text: 'idle' }));
  const answered = { kind: 'done', answer: { title: 'MCP Servers', rows } };
  const page = await open(
    { ...empty, transcript: [answer('a1', 'Long '.repeat(600))] },
    { runCommand: answered },
  );
  await page.setViewportSize({ width: 280, height: 260 });
  const composer = page.locator('#composer-text');
  const isWhole = (target: string) =>
    page.locator(target).evaluate((one) => {
      const { top, bottom } = one.getBoundingClientRect();
      return top >= 0 && bottom <= window.innerHeight;
    });
  await composer.fill('/mcp');
  await composer.press('Enter');
  await page.getByRole('region', { name: 'MCP Servers' }).waitFor();
  await expect.poll(() => isWhole('#composer-text')).toBe(true);
  const commands = [{ command: '/new', description: 'Starts anew', arguments: [] }];
  await tell(page, 'inputs', {
    commands,
    attachments: [],
    questions: [],
    choices: [],
    forms: [],
    edited: [],
  });
  await composer.fill('/');
  await page.getByRole('option', { name: '/new' }).waitFor();
  await expect.poll(() => isWhole('#composer-text')).toBe(true);
});

it('shows which folder waits in the picker, and which conversation, with a way there', async () => {
  const page = await open(elsewhere);
  const labels = await page.locator('.folder-picker option').allTextContents();
  expect(labels.map((label) => label.trim())).toEqual(['shop', 'empty · 2 waiting']);
  await page.getByText('Needs you: Mend the tests in empty').waitFor();
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  expect(await sent(page, 'showConversation')).toEqual([{ id: 'two.jsonl' }]);
});

it('shows the whole name of the folder in a narrow panel', async () => {
  const folders = [
    { uri: 'file:///a', name: 'sample', waiting: 0 },
    { uri: 'file:///b', name: 'beta', waiting: 0 },
  ];
  const state = { ...empty.state, folders, folder: folders[0] };
  const ready = { ...empty, state };
  const page = await pages.open({ page: 'agent', replies: { ready }, width: 280 });
  const isWhole = await page.locator('.folder-picker').evaluate((picker) => {
    const { offsetWidth, style } = picker as HTMLElement;
    Object.assign(style, { flex: 'none', maxWidth: 'none' });
    return offsetWidth === (picker as HTMLElement).offsetWidth;
  });
  expect(isWhole).toBe(true);
});

it('leads to the tab of the conversation or back from it, without an input', async () => {
  const state = { ...elsewhere.state, title: 'Mend' };
  const page = await open({ ...elsewhere, isElsewhere: true, state });
  await page.getByText('The conversation is open in an editor.').waitFor();
  expect(await page.locator('#composer-text').count()).toBe(0);
  expect(await page.getByRole('log').count()).toBe(0);
  expect(await faultsInAllLooks(page, 'moved')).toEqual([]);
  await page.getByRole('button', { name: 'Open in Editor' }).click();
  await page.getByRole('button', { name: 'Show Here' }).click();
  expect(await sent(page, 'place')).toEqual([{ action: 'show' }, { action: 'bringBack' }]);
});

it('says on one line of a narrow panel which conversation needs the user', async () => {
  const page = await pages.open({ page: 'agent', replies: { ready: elsewhere }, width: 280 });
  const line = await page.locator('.elsewhere').boundingBox();
  expect(line?.height).toBeLessThan(40);
});

it('folds a long request and unfolds it by keyboard', async () => {
  const page = await open(elsewhere);
  const request = page.locator('.entry.user');
  const lines = async () => ((await request.textContent()) ?? '').split('pasted file').length - 1;
  expect(await lines()).toBe(10);
  await request.getByRole('button', { name: 'Show All' }).press('Enter');
  expect(await lines()).toBe(40);
  await request.getByRole('button', { name: 'Show Less' }).press('Enter');
  expect(await lines()).toBe(10);
});

it('copies whole answers as the model wrote them', async () => {
  const page = await open({ ...empty, transcript: [answer('a1', '**Bold** words')] });
  await page.evaluate(() => {
    const target = window as unknown as { copied?: string };
    Object.defineProperty(navigator, 'clipboard', {
      value: {
        writeText: async (text: string) => {
          target.copied = text;
        },
      },
    });
  });
  await page.getByRole('button', { name: 'Copy' }).press('Enter');
  await page.locator('.visually-hidden[role=status]', { hasText: 'Copied' }).waitFor({
    state: 'attached',
  });
  expect(await page.evaluate(() => (window as unknown as { copied?: string }).copied)).toBe(
    '**Bold** words',
  );
});

it('draws data of results as tables and pairs, says what does not fit its schema, and offers the app', async () => {
  const page = await open(agentSnapshots.done);
  const card = (tool: string) => page.locator(`.tool[data-tool="${tool}"]`);
  const list = card('list_orders');
  await list.getByRole('columnheader', { name: 'customer' }).waitFor();
  await list.getByRole('cell', { name: 'Grace' }).waitFor();
  await list.getByText('does not match its output schema: total must be a number').waitFor();
  await list.getByRole('button', { name: 'Open App…' }).press('Enter');
  expect(await sent(page, 'openApp')).toEqual([{ callId: 't4' }]);
  await card('get_order').getByRole('rowheader', { name: 'tags' }).waitFor();
});

it('shows the others when one entry cannot be drawn, and offers another page', async () => {
  const bad = { id: 'bad', kind: 'tool', tool: 'odd', args: '{}', status: 'done' };
  const page = await open({
    ...empty,
    transcript: [answer('a1', 'Before'), bad, answer('a2', 'Behind')],
  });
  await page.getByText('Before').waitFor();
  await page.getByText('Behind').waitFor();
  await page.getByText('This cannot be shown. Pi goes on.').waitFor();
  await page.getByRole('button', { name: 'Try Again' }).press('Enter');
  expect(await sent(page, 'reloadView')).toHaveLength(1);
  expect(await sent(page, 'pageFailed')).toEqual([{ stack: expect.stringContaining(' at ') }]);
  await tell(page, 'entries', [{ ...bad, result: [] }, answer('a3', 'And on')]);
  await page.getByText('And on').first().waitFor();
  expect(await page.getByText('cannot be shown').count()).toBe(0);
});

it('leaves a way to another page when it cannot be drawn at all', async () => {
  const page = await open(empty);
  await page.locator('#composer-text').waitFor();
  await tell(page, 'state', { ...empty.state, queue: { messages: 'none' } });
  await page.getByText('This cannot be shown. Pi goes on.').waitFor();
  // what comes after it does no harm
  await tell(page, 'entries', [answer('a1', 'More')]);
  const button = page.getByRole('button', { name: 'Try Again' });
  expect(await button.evaluate(isFocused)).toBe(true);
  await button.press('Enter');
  expect(await sent(page, 'reloadView')).toHaveLength(1);
});

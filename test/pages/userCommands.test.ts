/** What the user runs by themselves in the Pi Agent view: the rows, and the input that runs it, in a real browser. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { sent, tell } from '../helpers/pages/host.js';
import { faultsInAllLooks, shoot, violations } from '../helpers/pages/looks.js';
import { agentSnapshots } from '../helpers/pages/states/agent.mjs';
import { usePages } from '../helpers/pages/usePages.js';

const pages = usePages();

const { empty } = agentSnapshots;
const state = { ...empty.state, cards: undefined };
const ran = (id: string, command: string, more: object = {}) => ({
  id,
  kind: 'tool',
  tool: 'bash',
  byUser: { isPrivate: false },
  args: '',
  words: { kind: 'command', command },
  status: 'done',
  result: [{ kind: 'text', text: 'a.ts\nb.ts' }],
  ...more,
});
const answered = [
  { id: 'e1', kind: 'user', text: 'What is there?', message: { id: 'm1' } },
  {
    id: 'e2',
    kind: 'assistant',
    text: 'Two files.',
    isStreaming: false,
    message: { id: 'm2' },
    run: { files: 0, commands: 1, calls: 0, ms: 2_000 },
  },
];
const failed = [{ kind: 'text', text: 'red\n\nCommand exited with code 1' }];
const commands = [
  ran('e3', 'ls src'),
  ran('e4', 'cat .env', { byUser: { isPrivate: true } }),
  ran('e5', 'npm test', { status: 'failed', result: failed }),
];
const open = (transcript: readonly unknown[], how: object = {}) =>
  pages.open({
    page: 'agent',
    replies: {
      ready: { ...empty, state, conversation: 'a.jsonl', transcript },
      prompt: { isSent: true },
      runCommand: { kind: 'done' },
      mentions: { rows: [] },
    },
    width: 320,
    height: 800,
    ...how,
  });

it('shows what the user ran open, whose it is and what the model knows, behind an answer that stays the last', async () => {
  const page = await open([...answered, ...commands]);
  const row = (id: string) => page.locator(`[data-entry=${id}]`);
  await row('e3').getByText('a.ts').waitFor();
  expect(await row('e3').getAttribute('aria-label')).toBe('Run ls src, by you, done');
  expect(await row('e4').getAttribute('aria-label')).toBe('Run cat .env, only for you, done');
  await row('e4').getByText('only for you').waitFor();
  await row('e5').getByText('Exit code 1').waitFor();
  await page.locator('.run-line').waitFor();
  await row('e3').getByRole('button', { name: 'Run ls src' }).press('Enter');
  await row('e3').getByText('a.ts').waitFor({ state: 'detached' });
  expect(await page.locator('.reads').count()).toBe(0);
});

it('is readable in every theme, narrow and wide', async () => {
  const page = await open([...answered, ...commands]);
  await page.locator('[data-entry=e5]').getByText('Exit code 1').waitFor();
  expect(await faultsInAllLooks(page, 'user-commands', [320, 900])).toEqual([]);
});

const input = (page: Page) => page.locator('#composer-text');
const mode = (page: Page) => page.locator('#composer-mode');
const saying = (page: Page, text: string) =>
  page
    .locator('body > .visually-hidden[role=status]', { hasText: text })
    .waitFor({ state: 'attached' });
const lines = (page: Page) => sent(page, 'runCommand');

it('says that a line is run before it is, to eyes and ears, and runs it by Enter', async () => {
  const page = await open([]);
  await input(page).pressSequentially('!git log @{u}..');
  await mode(page).getByText('the model gets the output').waitFor();
  await saying(page, 'Command: runs in the folder, and the model gets the output');
  expect(await page.getByLabel('Command').count()).toBe(1);
  expect(await input(page).getAttribute('aria-describedby')).toBe('composer-mode composer-hint');
  expect(await page.getByRole('listbox').count()).toBe(0);
  expect(await sent(page, 'mentions')).toEqual([]);
  await shoot(page, 'user-commands-mode-320');
  expect(await violations(page)).toEqual([]);
  await input(page).press('Enter');
  await expect.poll(() => lines(page)).toEqual([{ text: '!git log @{u}..' }]);
  expect(await sent(page, 'prompt')).toEqual([]);
  expect(await input(page).inputValue()).toBe('');
  await mode(page).waitFor({ state: 'detached' });
  await input(page).fill('!!env');
  await mode(page).getByText('the model does not get the output').waitFor();
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect.poll(() => lines(page)).toHaveLength(2);
  await input(page).fill('!  ');
  await input(page).press('Enter');
  expect(await lines(page)).toHaveLength(2);
});

it('shows a paste as a command, and takes what begins otherwise for a message', async () => {
  const page = await open([]);
  await input(page).focus();
  await page.evaluate(() => document.execCommand('insertText', false, '!rm -rf build\n'));
  await mode(page).waitFor();
  expect(await lines(page)).toEqual([]);
  await input(page).fill(' !rm -rf build');
  await mode(page).waitFor({ state: 'detached' });
  await input(page).press('Enter');
  await expect.poll(() => sent(page, 'prompt')).toEqual([{ text: '!rm -rf build', kind: 'next' }]);
  expect(await lines(page)).toEqual([]);
});

it('makes no command of what an app suggests, alone or behind what was typed', async () => {
  const page = await open([]);
  await tell(page, 'suggestion', { text: '!touch canary', server: 'shop' });
  await expect.poll(() => input(page).inputValue()).toBe(' !touch canary');
  expect(await mode(page).count()).toBe(0);
  await input(page).press('Enter');
  await expect.poll(() => sent(page, 'prompt')).toHaveLength(1);
  await input(page).fill('!ls');
  await mode(page).waitFor();
  await tell(page, 'suggestion', { text: '; touch canary', server: 'shop' });
  await mode(page).waitFor({ state: 'detached' });
  await input(page).press('Enter');
  await expect.poll(() => sent(page, 'prompt')).toHaveLength(2);
  expect(await lines(page)).toEqual([]);
});

it('makes no command of what stood behind an @ whose place a choice takes', async () => {
  const choose = { id: 'r1', kind: 'choose', label: 'Choose Files…', detail: '', word: '' };
  const replies = {
    ready: { ...empty, state, conversation: 'a.jsonl', transcript: [] },
    prompt: { isSent: true },
    mentions: { rows: [choose] },
    mention: { refused: [] },
  };
  const page = await open([], { replies });
  await tell(page, 'suggestion', { text: '@!touch canary', server: 'shop' });
  await expect.poll(() => input(page).inputValue()).toBe('@!touch canary');
  await input(page).press('Home');
  await input(page).press('ArrowRight');
  await page.getByRole('option', { name: 'Choose Files…' }).click();
  await expect.poll(() => input(page).inputValue()).toContain('!touch canary');
  expect(await input(page).inputValue()).toBe(' !touch canary');
  expect(await mode(page).count()).toBe(0);
});

it('brings a command back as one, and a message that only looks like one as a message', async () => {
  const page = await open([{ id: 'e1', kind: 'user', text: '!important' }, ran('e2', 'ls src')]);
  await input(page).press('ArrowUp');
  expect(await input(page).inputValue()).toBe('!ls src');
  await input(page).press('Home');
  await input(page).press('ArrowUp');
  expect(await input(page).inputValue()).toBe(' !important');
});

it('runs without a model, says why not in Restricted Mode, and offers to send it as text', async () => {
  const problem = { message: 'No model.', remedy: 'Log in.', actions: [] };
  const refused = {
    kind: 'refused',
    text: 'Restricted Mode: nothing in this workspace is started.',
    near: [],
    mayBeText: true,
  };
  const page = await open([], {
    replies: {
      ready: { ...empty, state: { ...state, status: 'unavailable', problem, isRestricted: true } },
      runCommand: refused,
      prompt: { isSent: true },
    },
  });
  await input(page).fill('!ls');
  await mode(page).getByText('nothing in this workspace is started').waitFor();
  await input(page).press('Enter');
  await page
    .getByRole('group', { name: 'Restricted Mode: nothing in this workspace is started.' })
    .waitFor();
  expect(await input(page).inputValue()).toBe('!ls');
  await page.getByRole('button', { name: 'Send as Text' }).waitFor();
});

it('stops what runs from its row, and reads out how it ended', async () => {
  const running = ran('e1', 'sleep 9', { status: 'running', result: [] });
  const page = await open([running]);
  await page.getByRole('button', { name: 'Stop' }).press('Enter');
  await expect.poll(() => sent(page, 'cancelCall')).toEqual([{ entryId: 'e1' }]);
  const aborted = [{ kind: 'text', text: 'Command aborted' }];
  await tell(page, 'entries', [ran('e1', 'sleep 9', { status: 'failed', result: aborted })]);
  await saying(page, 'Run sleep 9, by you, failed');
  await page.locator('.terminal').getByText('Stopped').waitFor();
});

it('is readable in every theme while a line is written', async () => {
  const page = await open(commands);
  await input(page).fill('!!npm run build -- --watch');
  await mode(page).waitFor();
  expect(await faultsInAllLooks(page, 'user-commands-mode', [320, 900])).toEqual([]);
});

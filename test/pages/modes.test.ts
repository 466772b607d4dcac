/** Modes and questions of the Pi Agent view, in a real browser. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { isFocused, sent, tell } from '../helpers/pages/host.js';
import { faultsInAllLooks, violations } from '../helpers/pages/looks.js';
import { agentSnapshots } from '../helpers/pages/states/agent.mjs';
import { usePages } from '../helpers/pages/usePages.js';

const pages = usePages();
const { approval, empty } = agentSnapshots;
const [question] = approval.state.approvals;
const open = (ready: unknown, width = 320) =>
  pages.open({
    page: 'agent',
    replies: {
      ready,
      prompt: { isSent: true },
      setMode: undefined,
      decide: undefined,
      openPlan: undefined,
    },
    width,
    height: 760,
  });
const inMode = (mode: string, more = {}) => ({
  ...empty,
  state: { ...empty.state, mode, ...more },
});
const button = (page: Page) => page.locator('#mode-button');
const rows = (page: Page) => page.getByRole('menuitemradio');

const command = {
  id: 'p1',
  toolCallId: 'c1',
  tool: 'bash',
  why: { kind: 'parts', missing: ['npm test'] },
  commands: { parts: [{ text: 'npm test' }], offer: ['npm test'], wide: ['npm test *'] },
  args: '{\n  "command": "npm test"\n}',
  words: { kind: 'command', command: 'npm test' },
  effect: { kind: 'command', text: 'bash -c\nnpm test' },
  claims: [],
  places: ['folder', 'everywhere'],
};
const push = {
  ...command,
  why: { kind: 'guarded', text: 'git push origin main' },
  commands: undefined,
  words: { kind: 'command', command: 'git push origin main' },
  places: [],
};
const edit = {
  ...command,
  tool: 'edit',
  why: { kind: 'default' },
  commands: undefined,
  isEdit: true,
  effect: undefined,
  words: undefined,
  fileChange: {
    path: 'src/cart.ts',
    kind: 'edit',
    added: 20,
    removed: 1,
    omitted: 0,
    notes: [],
    hunks: [
      [
        { kind: 'removed', number: 1, text: 'const a = 1;' },
        ...Array.from({ length: 20 }, (_one, at) => ({
          kind: 'added',
          number: at + 1,
          text: `const value${at} = ${at};`,
        })),
      ],
    ],
  },
};
const asking = (...approvals: unknown[]) => ({
  ...approval,
  state: { ...approval.state, approvals },
});
const card = (page: Page) => page.locator('[data-approval="p1"]');

it('has the mode as the first button, with a menu that the keys walk', async () => {
  const page = await open(inMode('ask'), 420);
  expect(await page.locator('.composer-buttons button').first().getAttribute('id')).toBe(
    'mode-button',
  );
  await button(page).press('Enter');
  expect(await rows(page).allInnerTexts()).toHaveLength(4);
  expect(await rows(page).nth(0).evaluate(isFocused)).toBe(true);
  await page.keyboard.press('ArrowUp');
  expect(await rows(page).nth(3).evaluate(isFocused)).toBe(true);
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press('Escape');
  expect(await button(page).evaluate(isFocused)).toBe(true);
  expect(await sent(page, 'stop')).toEqual([]);
  await button(page).press('Enter');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect.poll(() => sent(page, 'setMode')).toEqual([{ mode: 'acceptEdits' }]);
});

it('goes on by Ctrl+. from mode to mode, and never into Run Freely', async () => {
  const page = await open(inMode('ask'));
  const input = page.locator('#composer-text');
  for (const mode of ['acceptEdits', 'plan', 'runFreely']) {
    await input.press('Control+.');
    await tell(page, 'state', inMode(mode).state);
  }
  await input.press('Control+.');
  await expect
    .poll(() => sent(page, 'setMode'))
    .toEqual([{ mode: 'acceptEdits' }, { mode: 'plan' }, { mode: 'ask' }, { mode: 'ask' }]);
});

it('has no mode to choose in Restricted Mode', async () => {
  const page = await open(inMode('ask', { isRestricted: true, modes: [] }), 420);
  await page.getByText('Read Only').waitFor();
  expect(await button(page).count()).toBe(0);
  await page.locator('#composer-text').press('Control+.');
  expect(await sent(page, 'setMode')).toEqual([]);
});

it('asks about a command in little room, and denies it with words', async () => {
  const page = await open(asking(command));
  const box = await card(page).boundingBox();
  expect(box?.height).toBeLessThanOrEqual(124);
  await card(page).getByRole('button', { name: 'Deny…' }).click();
  const words = card(page).getByRole('textbox');
  expect(await words.evaluate(isFocused)).toBe(true);
  await words.fill('use vitest');
  await words.press('Enter');
  await expect
    .poll(() => sent(page, 'decide'))
    .toEqual([{ approvalId: 'p1', decision: 'deny', words: 'use vitest' }]);
});

it('unfolds rules, and lets one mean any arguments', async () => {
  const page = await open(asking(command));
  await card(page).getByRole('button', { name: 'More ways to allow' }).click();
  await card(page).getByText('A rule covers: “npm test”').waitFor();
  await card(page).getByRole('button', { name: 'Any arguments' }).click();
  await card(page).getByText('A rule covers: “npm test *”').waitFor();
  expect(await violations(page)).toEqual([]);
  await card(page).getByRole('button', { name: 'Always in This Folder' }).click();
  await expect
    .poll(() => sent(page, 'decide'))
    .toEqual([{ approvalId: 'p1', decision: 'folder', isWide: true }]);
});

it.each([
  ['outside', 'Outside the folder:'],
  ['link', 'A link leads to this file:'],
])('says the real place of a file that is %s', async (kind, label) => {
  const words = { kind: 'read', path: 'way-out.txt' };
  const effect = { kind, text: '/home/dev/secret.txt' };
  const page = await open(asking({ ...command, tool: 'read', commands: undefined, words, effect }));
  await card(page).getByRole('group', { name: label }).getByText('/home/dev/secret.txt').waitFor();
});

it('says what is guarded, and offers no rule for it', async () => {
  const page = await open(asking(push));
  await card(page).getByText('Asked each time: hard to undo').waitFor();
  expect((await card(page).boundingBox())?.height).toBeLessThanOrEqual(124);
  await card(page).getByRole('button', { name: 'More ways to allow' }).click();
  await card(page).getByText('Edit', { exact: true }).waitFor();
  expect(await card(page).getByText('Always in This Folder').count()).toBe(0);
});

it('shows a few lines of an edit, then all, and allows the edits of the run', async () => {
  const page = await open(asking(edit));
  expect(await card(page).locator('.diff-line').count()).toBe(8);
  await card(page).getByRole('button', { name: 'Show All' }).click();
  expect(await card(page).locator('.diff-line').count()).toBe(21);
  await card(page).getByRole('button', { name: 'Allow Edits in This Run' }).click();
  await expect
    .poll(() => sent(page, 'decide'))
    .toEqual([{ approvalId: 'p1', decision: 'run', isWide: false }]);
});

it('folds a long command, and says how long it is', async () => {
  const long = `echo ${'a'.repeat(300)}; rm b`;
  const page = await open(asking({ ...command, words: { kind: 'command', command: long } }));
  await card(page).getByRole('button', { name: 'Show All' }).click();
  const line = card(page).locator('.command-line');
  expect(await line.evaluate((one) => one.scrollHeight <= one.clientHeight + 1)).toBe(true);
});

it.each([
  ['command', asking(command)],
  ['guarded', asking(push)],
  ['edit', asking(edit)],
  ['mcp', asking(question)],
  ['freely', inMode('runFreely')],
])('looks right in every theme: %s', async (name, ready) => {
  const page = await open(ready);
  if (name === 'freely') {
    await button(page).click();
  }
  expect(await faultsInAllLooks(page, `modes-${name}`, [320, 900])).toEqual([]);
});

const planned = {
  ...command,
  tool: 'present_plan',
  why: { kind: 'default' },
  commands: undefined,
  words: undefined,
  effect: undefined,
  places: [],
  plan: {
    title: 'Round prices once',
    steps: ['Read src/cart.ts and its tests', 'Round in one place', 'Run the tests'],
    markdown:
      'Prices are rounded **twice**. <img src=x onerror=alert(1)> [page](javascript:alert(1))',
  },
};

it('shows a plan whole, as data, and starts it by its own buttons alone', async () => {
  const page = await open(inMode('plan', { status: 'running', approvals: [planned] }));
  const card = page.getByRole('group', { name: 'Plan: Round prices once' });
  expect(await card.getByRole('listitem').allTextContents()).toEqual(planned.plan.steps);
  expect(await card.locator('img, a[href]').count()).toBe(0);
  await page.locator('#composer-text').focus();
  await page.keyboard.press('Control+Enter');
  await card.focus();
  await page.keyboard.press('Control+Enter');
  expect(await sent(page, 'decide')).toEqual([]);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await card.getByRole('button', { name: 'Start, Ask' }).click();
  await card.getByRole('button', { name: 'Keep Planning…' }).click();
  await page.keyboard.type('think of tests');
  await page.keyboard.press('Enter');
  expect(await sent(page, 'decide')).toMatchObject([
    { decision: 'startEdits' },
    { decision: 'startAsk' },
    { decision: 'deny', words: 'think of tests' },
  ]);
  await card.locator('vscode-button', { hasText: 'Open in Editor' }).click();
  expect(await sent(page, 'openPlan')).toEqual([{ approvalId: planned.id }]);
  expect(await faultsInAllLooks(page, 'plan', [700, 320])).toEqual([]);
});

it('keeps a plan that nobody decided on where it can be started, and gives way to the next one', async () => {
  const entry = (id: string, title: string) => ({
    id,
    kind: 'tool',
    tool: 'present_plan',
    args: JSON.stringify({ ...planned.plan, title }),
    status: 'denied',
    words: { kind: 'plan', title },
    result: [{ kind: 'text', text: 'Not run: the window was closed before you decided.' }],
  });
  const page = await open({
    ...inMode('plan'),
    transcript: [entry('t1', 'An earlier one'), entry('t2', 'Round prices once')],
  });
  const row = page.locator('[data-entry=t2]');
  expect(await row.getByRole('listitem').allTextContents()).toEqual(planned.plan.steps);
  expect(await row.locator('img, a[href]').count()).toBe(0);
  expect(await page.locator('[data-entry=t1]').getByRole('listitem').count()).toBe(0);
  await row.getByRole('button', { name: 'Start, Accept Edits' }).click();
  await expect
    .poll(() => sent(page, 'prompt'))
    .toEqual([{ text: 'Carry out the plan "Round prices once".', kind: 'next' }]);
  expect(await sent(page, 'setMode')).toEqual([{ mode: 'acceptEdits' }]);
  expect(await faultsInAllLooks(page, 'plan-again', [320])).toEqual([]);
  await tell(page, 'state', inMode('acceptEdits', { status: 'running' }).state);
  await row.getByRole('button', { name: 'Start, Ask' }).waitFor({ state: 'detached' });
});

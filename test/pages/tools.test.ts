/** The tools of a conversation on the page of the Pi Agent view, in a real browser: keys, search, thousands of them. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { ToolChoiceView, ToolRowView } from '../../src/protocol/tools/toolChoice.js';
import { isFocused, sent, spoken } from '../helpers/pages/host.js';
import { faultsInAllLooks } from '../helpers/pages/looks.js';
import { agentSnapshots } from '../helpers/pages/states/agent.mjs';
import { usePages } from '../helpers/pages/usePages.js';

const pages = usePages();

const tool = (name: string, change: Partial<ToolRowView> = {}): ToolRowView => ({
  name,
  description: `Does what ${name} says, and tells what came of it.`,
  isOn: true,
  tokens: 120,
  ...change,
});
const view: ToolChoiceView = {
  profile: 'all',
  isChanged: true,
  profiles: [
    { id: 'user:review', label: 'review', title: 'User' },
    {
      id: 'folder:only what the files of this folder want to have',
      label: 'only what the files of this folder want to have',
      title: 'Folder',
    },
  ],
  tokens: { now: 3_120, all: 8_460 },
  groups: [
    { server: '', takesNew: true, tools: ['read', 'bash', 'edit'].map((name) => tool(name)) },
    {
      server: 'memory',
      takesNew: true,
      tools: [
        tool('create_entities', { mark: 'found' }),
        tool('read_graph', { mark: 'searched' }),
        tool('delete_entities_of_a_name_that_is_longer_than_the_view_is_wide', { isOn: false }),
        tool('export_all', { isOn: false, locked: 'You switched this tool off everywhere.' }),
      ],
    },
    { server: 'docs', takesNew: false, state: 'idle', tools: [tool('search', { isOn: false })] },
  ],
};
const thousands: ToolChoiceView = {
  ...view,
  groups: [
    ...view.groups,
    {
      server: 'crowd',
      takesNew: true,
      tools: Array.from({ length: 4_000 }, (_, at) => tool(`tool_${at}`)),
    },
  ],
};
const withTools = (stamp: number) => ({
  ...agentSnapshots.empty,
  state: { ...agentSnapshots.empty.state, tools: { mcp: 3, builtIn: 3, all: 7, stamp } },
});

async function open(shown: ToolChoiceView = view, options: object = {}): Promise<Page> {
  const page = await pages.open({
    page: 'agent',
    replies: { ready: withTools(1), readTools: shown, changeTools: shown },
    width: 280,
    height: 700,
    ...options,
  });
  await page.getByRole('button', { name: '6 of 7 tools' }).click();
  await rowOf(page, 'memory').waitFor();
  return page;
}
const rowOf = (page: Page, name: string) => page.locator(`[data-tool-row="${name}"]`);
const activeLabel = (page: Page) =>
  page.evaluate(() => {
    const id = document.getElementById('tools-tree')?.getAttribute('aria-activedescendant') ?? '';
    return document.getElementById(id)?.getAttribute('aria-label');
  });

it('is gone through, unfolded and switched by keyboard alone', async () => {
  const page = await open();
  const search = page.getByRole('searchbox', { name: 'Search' });
  await expect.poll(() => search.evaluate(isFocused)).toBe(true);
  await page.keyboard.press('ArrowDown');
  expect(await activeLabel(page)).toBe('Built in, 3 of 3, 360 tokens');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowRight');
  expect(await rowOf(page, 'memory').getAttribute('aria-expanded')).toBe('true');
  expect(await rowOf(page, 'memory').getAttribute('aria-checked')).toBe('mixed');
  await page.keyboard.press('ArrowDown');
  expect(await activeLabel(page)).toBe(
    'create_entities, 120 tokens, The model searched for it and has it now.',
  );
  await page.keyboard.press(' ');
  await page.keyboard.press('ArrowLeft');
  expect(await activeLabel(page)).toBe('memory, 2 of 4, 240 tokens');
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowLeft');
  expect(await rowOf(page, 'memory').getAttribute('aria-expanded')).toBe('false');
  await page.keyboard.press('End');
  expect(await activeLabel(page)).toBe('docs, idle, 0 of 1, 0 tokens');
  expect(await sent(page, 'changeTools')).toEqual([
    { kind: 'switch', server: 'memory', tools: ['create_entities'], isOn: false },
    { kind: 'switch', server: 'memory', isOn: true },
  ]);
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowUp');
  expect(await search.evaluate(isFocused)).toBe(true);
  await page.keyboard.press('Escape');
  await search.waitFor({ state: 'detached' });
  expect(await page.locator('.tool-count').evaluate(isFocused)).toBe(true);
});

it('switches what was found, and nothing else of a server', async () => {
  const page = await open();
  await page.getByRole('searchbox').fill('entities');
  expect(await page.locator('.tool-row').count()).toBe(3);
  await rowOf(page, 'memory').click();
  const [first] = await sent(page, 'changeTools');
  expect(first).toMatchObject({ kind: 'switch', server: 'memory', isOn: true });
  expect((first as { tools: string[] }).tools).toHaveLength(2);
  // what no switch of the conversation gives is not asked for
  await page.getByRole('searchbox').fill('export_all');
  await rowOf(page, 'export_all').click({ force: true });
  expect(await rowOf(page, 'export_all').getAttribute('aria-disabled')).toBe('true');
  expect(await sent(page, 'changeTools')).toHaveLength(1);
  await page.getByText('You switched this tool off everywhere.').waitFor();
  await page.getByRole('button', { name: 'Read Only' }).click();
  await page.getByRole('button', { name: 'Reset' }).click();
  expect((await sent(page, 'changeTools')).slice(1)).toEqual([
    { kind: 'profile', profile: 'readOnly' },
    { kind: 'reset' },
  ]);
});

it('draws what is in sight of thousands of tools, and goes to the last of them', async () => {
  const page = await open(thousands);
  await rowOf(page, 'crowd').locator('.fold').click();
  expect(await page.locator('.tool-row').count()).toBeLessThan(150);
  await page.locator('#tools-tree').focus();
  await page.keyboard.press('End');
  await rowOf(page, 'tool_3999').waitFor();
  expect(await activeLabel(page)).toBe('tool_3999, 120 tokens');
  const isInSight = await rowOf(page, 'tool_3999').evaluate((row) => {
    const { bottom } = row.getBoundingClientRect();
    const tree = document.getElementById('tools-tree')?.getBoundingClientRect();
    return tree !== undefined && bottom <= tree.bottom + 1;
  });
  expect(isInSight).toBe(true);
  expect(await page.locator('.tool-row').count()).toBeLessThan(150);
});

it('reads the tools again when the extension says that they changed, and says how many are on', async () => {
  const page = await open();
  await page.evaluate((data) => window.postMessage(data, '*'), {
    type: 'state',
    params: withTools(2).state,
  });
  await expect.poll(() => sent(page, 'readTools')).toHaveLength(2);
});

it('is opened by /tools', async () => {
  const page = await pages.open({
    page: 'agent',
    replies: {
      ready: withTools(1),
      readTools: view,
      runCommand: { kind: 'done', opens: 'tools' },
    },
    width: 280,
    height: 700,
  });
  await page.locator('#composer-text').fill('/tools');
  await page.locator('#composer-text').press('Escape');
  await page.locator('#composer-text').press('Enter');
  await rowOf(page, 'memory').waitFor();
  await expect.poll(() => page.getByRole('searchbox').evaluate(isFocused)).toBe(true);
});

const rule = {
  id: 'r1',
  scope: 'conversation',
  subject: { kind: 'tool', server: 'demo', tool: 'echo' },
  since: '2026-11-22T10:00:00.000Z',
};
const call = (id: string, why: object) => ({
  id,
  kind: 'tool',
  tool: 'demo__echo',
  mcp: { server: 'demo', tool: 'echo' },
  args: '{}',
  why,
  status: 'done',
  result: [],
});
const withCalls = {
  ...agentSnapshots.empty,
  transcript: [
    call('t1', { ran: { kind: 'rule', rule } }),
    call('t2', { asked: { kind: 'default' }, ran: { kind: 'user', answer: 'once' } }),
  ],
};
const change = (made: string) => ({ change: made, rules: [rule], undo: 'u1' });
const openCards = () =>
  pages.open({
    page: 'agent',
    replies: {
      ready: withCalls,
      readScopes: { scopes: ['conversation', 'folder'] },
      allowLike: change('allowed'),
      removeRule: change('removed'),
      undoRuleChange: change('restored'),
    },
    theme: 'dark',
    width: 280,
    height: 700,
  });
const why = (page: Page, id: string) => page.locator(`[data-why="${id}"]`);
const ask = (page: Page, id: string) =>
  page.locator(`[data-entry="${id}"]`).getByRole('button', { name: 'Why?' });

it('says on a card why its call ran, takes the rule away, and brings it back', async () => {
  const page = await openCards();
  await ask(page, 't1').press('Enter');
  await why(page, 't1')
    .getByText('Ran without asking: “echo” of server demo (Always in This Conversation)')
    .waitFor();
  expect(await why(page, 't1').getByRole('button', { name: 'Always Allow' }).count()).toBe(0);
  await why(page, 't1').getByRole('button', { name: 'Undo This Rule' }).press('Enter');
  await why(page, 't1').getByText('Rule removed').waitFor();
  await expect.poll(() => spoken(page)).toContain('Rule removed');
  await why(page, 't1').getByRole('button', { name: 'Undo', exact: true }).press('Enter');
  await why(page, 't1')
    .getByText('From the next call on: “echo” of server demo (Always in This Conversation)')
    .waitFor();
  expect(await sent(page, 'removeRule')).toEqual([{ entryId: 't1' }]);
  expect(await sent(page, 'undoRuleChange')).toEqual([{ undo: 'u1' }]);
});

it('allows calls like one that was asked about, where the user says', async () => {
  const page = await openCards();
  await ask(page, 't2').press('Enter');
  await why(page, 't2').getByText('You allowed it.').waitFor();
  await why(page, 't2').getByRole('button', { name: 'Always Allow' }).press('Enter');
  await why(page, 't2').getByRole('button', { name: 'Always in This Folder' }).press('Enter');
  await why(page, 't2').getByText('From the next call on').waitFor();
  expect(await sent(page, 'allowLike')).toEqual([{ entryId: 't2', scope: 'folder' }]);
});

it('breaks no rule of axe and is cut nowhere, in every theme and width', async () => {
  const page = await open(view);
  await rowOf(page, 'memory').locator('.fold').click();
  await page.locator('#tools-tree').focus();
  await page.keyboard.press('ArrowDown');
  expect(await faultsInAllLooks(page, 'tools', [760, 280])).toEqual([]);
  await page.close();
  const cards = await openCards();
  await ask(cards, 't1').press('Enter');
  await ask(cards, 't2').press('Enter');
  await why(cards, 't2').getByRole('button', { name: 'Always Allow' }).press('Enter');
  expect(await faultsInAllLooks(cards, 'why', [760, 280])).toEqual([]);
});

it('lies over nothing where the view is short and something else is open', async () => {
  const state = withTools(1);
  const page = await open(view, {
    replies: {
      ready: {
        ...state,
        state: {
          ...state.state,
          aside: { question: 'why?', answer: 'a\n\n'.repeat(40) },
        },
      },
      readTools: view,
    },
    height: 560,
  });
  const [panel, tree] = await Promise.all(
    ['.tools-panel', '.tools-tree'].map(async (one) => {
      await page.locator(one).evaluate((element) => element.scrollIntoView({ block: 'end' }));
      return page.locator(one).evaluate((element) => element.getBoundingClientRect().bottom);
    }),
  );
  expect(tree).toBeLessThan((panel ?? 0) + 1);
});

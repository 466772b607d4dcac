/** Cards and questions of the Pi Agent view, by keyboard and where there is little room, in a real browser. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { holdTime, isFocused, sent, tell } from '../helpers/pages/host.js';
import { agentSnapshots } from '../helpers/pages/states/agent.mjs';
import { usePages } from '../helpers/pages/usePages.js';

const pages = usePages();

const { approval, empty } = agentSnapshots;
const [question] = approval.state.approvals;
const lines = (count: number) =>
  Array.from({ length: count }, (_item, at) => `export const value${at} = ${at};`).join('\n');
const longQuestion = {
  ...question,
  words: { kind: 'values', values: [{ name: 'content', text: lines(80) }] },
};
const asking = (...approvals: unknown[]) => ({
  ...approval,
  state: { ...approval.state, approvals },
});
const open = (ready: unknown, width = 280, height = 600) =>
  pages.open({ page: 'agent', replies: { ready, prompt: { isSent: true } }, width, height });
const saying = (page: Page, text: string) =>
  page.locator('body > .visually-hidden[role=status]', { hasText: text }).waitFor({
    state: 'attached',
  });
const card = (page: Page, id = 'p1') => page.locator(`[data-approval="${id}"]`);
const hasFocus = (page: Page, target: string) => page.locator(target).evaluate(isFocused);

it('allows the open question by Ctrl+Enter from the empty input, and never by Enter', async () => {
  const page = await open(asking(question));
  await card(page).waitFor();
  await holdTime(page);
  await page.clock.fastForward(5_000);
  const input = page.locator('#composer-text');
  await input.focus();
  await input.press('Enter');
  await page.clock.fastForward(5_000);
  expect(await sent(page, 'decide')).toEqual([]);
  await input.press('Control+Enter');
  await expect
    .poll(() => sent(page, 'decide'))
    .toEqual([{ approvalId: 'p1', decision: 'once', isWide: false }]);
  expect(await sent(page, 'prompt')).toEqual([]);
});

it('takes no key for a question that the user cannot have meant', async () => {
  const page = await open({ ...empty, state: { ...empty.state, status: 'running' } });
  const input = page.locator('#composer-text');
  await input.waitFor();
  await holdTime(page);
  await input.fill('and then');
  await tell(page, 'state', asking(question).state);
  await saying(
    page,
    'Needs your OK: Run this tool of an MCP server? write_file · files Ctrl+Shift+A',
  );
  // sends what was written, however long the question has been there
  expect(await hasFocus(page, '#composer-text')).toBe(true);
  await page.clock.fastForward(5_000);
  await input.press('Control+Enter');
  await expect.poll(() => sent(page, 'prompt')).toEqual([{ text: 'and then', kind: 'after' }]);
  // again at once, as the first one seemed to do nothing
  await input.press('Control+Enter');
  await saying(page, 'Ctrl+Enter allows:');
  expect(await sent(page, 'decide')).toEqual([]);
  await page.clock.fastForward(5_000);
  await input.press('Control+Enter');
  await expect.poll(() => sent(page, 'decide')).toHaveLength(1);
  // the next question was not there yet
  await tell(page, 'state', asking({ ...question, id: 'p2' }).state);
  await card(page, 'p2').waitFor();
  await card(page, 'p2').press('Control+Enter');
  expect(await sent(page, 'decide')).toHaveLength(1);
});

it('leaves Ctrl+Enter to the button that has the focus', async () => {
  const page = await open(asking(question));
  await holdTime(page);
  await page.clock.fastForward(5_000);
  const deny = card(page).getByRole('button', { name: 'Deny…' });
  await deny.focus();
  await page.clock.fastForward(5_000);
  await deny.press('Control+Enter');
  for (const made of await sent(page, 'decide')) {
    expect(made).toMatchObject({ decision: 'deny' });
  }
});

it('lets the user say which of several questions is meant', async () => {
  const page = await open(asking(question, { ...question, id: 'p2' }));
  await card(page, 'p2').waitFor();
  await holdTime(page);
  await page.clock.fastForward(5_000);
  await page.locator('#composer-text').focus();
  await page.keyboard.press('Control+Enter');
  expect(await hasFocus(page, '[data-approval=p1]')).toBe(true);
  await page.keyboard.press('Control+Shift+A');
  expect(await hasFocus(page, '[data-approval=p2]')).toBe(true);
  await page.clock.fastForward(5_000);
  await page.keyboard.press('Control+Enter');
  await expect
    .poll(() => sent(page, 'decide'))
    .toEqual([{ approvalId: 'p2', decision: 'once', isWide: false }]);
  await page.keyboard.press('Control+Shift+A');
  expect(await hasFocus(page, '#composer-text')).toBe(true);
});

it('begins all lines of a way to allow at one edge in a narrow column', async () => {
  const page = await open(asking(question));
  await page.setViewportSize({ width: 200, height: 700 });
  await card(page).getByRole('button', { name: 'More ways to allow' }).click();
  const way = card(page).getByRole('button', { name: 'Always in This Conversation' });
  const starts = await way.evaluate((button) => {
    const range = document.createRange();
    range.selectNodeContents(button);
    return [...range.getClientRects()].map(({ left }) => Math.round(left));
  });
  expect(starts.length).toBeGreaterThan(1);
  expect(new Set(starts).size).toBe(1);
});

it('stops by Escape, after what is open above it', async () => {
  const page = await open(asking(question));
  await card(page).getByRole('button', { name: 'More ways to allow' }).click();
  await card(page).getByRole('button', { name: 'Edit' }).click();
  const editor = card(page).getByRole('textbox', { name: 'Arguments' });
  await editor.focus();
  await page.keyboard.press('Escape');
  expect(await hasFocus(page, '[data-approval=p1]')).toBe(true);
  await page.keyboard.press('Control+F');
  await page.locator('#find-text').press('Escape');
  await page.locator('#find-text').waitFor({ state: 'detached' });
  expect(await sent(page, 'stop')).toEqual([]);
  await page.locator('#composer-text').press('Escape');
  await expect.poll(() => sent(page, 'stop')).toHaveLength(1);
  await saying(page, 'Stopping…');
  await tell(page, 'state', empty.state);
  await card(page).waitFor({ state: 'detached' });
  await page.locator('#composer-text').press('Escape');
  expect(await sent(page, 'stop')).toHaveLength(1);
});

it.each([
  [280, 600],
  [280, 400],
  [760, 600],
])('keeps the buttons of a long question in sight at %i by %i pixels', async (width, height) => {
  const page = await open(asking(longQuestion), width, height);
  const allow = card(page).locator('.approval-buttons vscode-button').first();
  const isInSight = () =>
    allow.evaluate((one) => {
      const { left, right, top, bottom } = one.getBoundingClientRect();
      const seen = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
      return bottom <= window.innerHeight && right <= window.innerWidth && one.contains(seen);
    });
  await expect.poll(isInSight).toBe(true);
  const last = card(page).getByText('value79');
  await page.locator('.approvals').evaluate((one) => one.scrollTo(0, one.scrollHeight / 2));
  expect(await isInSight()).toBe(true);
  await card(page).getByRole('button', { name: 'More ways to allow' }).click();
  await card(page).getByText('Always Everywhere').scrollIntoViewIfNeeded();
  expect(await isInSight()).toBe(true);
  expect(await last.evaluate((one) => one.scrollHeight <= one.clientHeight + 1)).toBe(true);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
});

it('scrolls tables of answers and breaks no word of them', async () => {
  const head = '| Package | Downloads | Maintainer | Licence |\n|---|---|---|---|';
  const text = `${head}\n| name | 12,345,678 | modelcontextprotocol-maintainers | MIT |`;
  const transcript = [{ id: 'a1', kind: 'assistant', text, isStreaming: false }];
  const page = await open({ ...empty, transcript });
  const table = page.getByRole('group', { name: 'Table' });
  await table.waitFor();
  expect(await table.evaluate((one) => one.scrollWidth > one.clientWidth)).toBe(true);
  const heights = await table
    .locator('td')
    .evaluateAll((cells) => cells.map((cell) => cell.getBoundingClientRect().height));
  expect(Math.max(...heights)).toBeLessThan(60);
  expect(await page.getByRole('log').evaluate((one) => one.scrollWidth <= one.clientWidth)).toBe(
    true,
  );
});

it('cuts nothing of the first screen of a user without a model', async () => {
  const { problem } = agentSnapshots;
  const path = `/home/${'very'.repeat(12)}/.pi/agent/models.json`;
  const state = { ...problem.state, problem: { ...problem.state.problem, remedy: `See ${path}.` } };
  const page = await open({ ...problem, state });
  const text = page.getByText(path);
  await text.waitFor();
  const right = await text.evaluate((one) => one.getBoundingClientRect().right);
  expect(right).toBeLessThanOrEqual(280);
  expect(await page.getByRole('log').evaluate((one) => one.scrollWidth <= one.clientWidth)).toBe(
    true,
  );
});

const call = (id: string, tool: string, more: object) => ({
  id,
  kind: 'tool',
  tool,
  args: '{}',
  status: 'done',
  result: [{ kind: 'text', text: 'what was read' }],
  ...more,
});
const read = (path: string, more: object = {}) =>
  call(path, 'read', { words: { kind: 'read', path }, ...more });
const command = (text: string, more: object = {}) =>
  call('c1', 'bash', { words: { kind: 'command', command: text }, ...more });
const showing = (...transcript: unknown[]) => ({ ...empty, transcript });

it('folds reads that follow each other into one row, which unfolds and is searched', async () => {
  const page = await open(
    showing(read('a.ts'), read('b.ts'), read('c.ts', { status: 'failed' }), read('d.ts')),
  );
  const group = page.getByRole('button', { name: 'Looked around: 2 files' });
  await group.waitFor();
  expect(await page.locator('[data-tool=read]').count()).toBe(2);
  await page.locator('[data-tool=read][data-status=failed]').waitFor();
  await group.press('Enter');
  await page.getByText('Read b.ts').waitFor();
  await group.press('Enter');
  await page.getByText('Read b.ts').waitFor({ state: 'detached' });
  await tell(page, 'entries', [read('c.ts')]);
  await page.getByRole('button', { name: 'Looked around: 4 files' }).waitFor();
});

it('shows a place that was found in a folded read', async () => {
  const found = { parts: [{ entryId: 'b.ts', part: 'result', count: 1 }], isCut: false };
  const ready = showing(read('a.ts'), read('b.ts', { result: [{ kind: 'text', text: 'needle' }] }));
  const page = await pages.open({ page: 'agent', replies: { ready, find: found }, width: 280 });
  await page.getByRole('button', { name: 'Looked around: 2 files' }).waitFor();
  await page.keyboard.press('Control+F');
  await page.locator('#find-text').fill('needle');
  await page.locator('[data-entry="b.ts"]').getByText('needle').waitFor();
});

it('shows a command as a terminal does: its end first, its colours, how it ended and what it took', async () => {
  const output = Array.from({ length: 30 }, (_item, at) => `line ${at}`).join('\n');
  const text = `${output}\n\u001b[31mbroken\u001b[0m \u202e<b>x</b>\n\nCommand exited with code 3`;
  const spent = { ms: 41_200, tokens: 1_200 };
  const page = await open(
    showing(command('npm test', { status: 'failed', result: [{ kind: 'text', text }], spent })),
    760,
  );
  const terminal = page.locator('.terminal');
  await terminal.getByText('Exit code 3').waitFor();
  await page.getByText('Run npm test').waitFor();
  await page.getByText('41 s · 1,200 tokens').waitFor();
  const shown = await terminal.locator('pre').textContent();
  expect(shown).toContain('broken \\u202e<b>x</b>');
  expect(shown).not.toContain('Command exited');
  expect(shown).not.toContain('line 2\n');
  const broken = terminal.getByText('broken', { exact: true });
  expect(await broken.getAttribute('class')).toBe('ansi-fg');
  expect(await broken.getAttribute('style')).toContain('ansiRed');
  await terminal.getByRole('button', { name: 'Show All (31)' }).press('Enter');
  await terminal.getByText('line 2\n').waitFor();
});

it('shows the progress of a call, and cancels that one alone', async () => {
  const page = await open(agentSnapshots.asking);
  await page.getByText('Waiting (1/3)').waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect.poll(() => sent(page, 'cancelCall')).toEqual([{ entryId: 't1' }]);
  expect(await sent(page, 'stop')).toEqual([]);
});

it('shows the last lines of a command that runs', async () => {
  const running = (text: string) =>
    command('npm test', {
      status: 'running',
      earlierLines: 100,
      result: [{ kind: 'text', text }],
    });
  const page = await open(showing(running('one\n'.repeat(20))));
  await page.getByRole('button', { name: 'Show All (120)' }).waitFor();
  await tell(page, 'entries', [running(`${'one\n'.repeat(20)}last`)]);
  await page.locator('.terminal pre').getByText('last').waitFor();
});

it('says what a run came to, and how long the model thought', async () => {
  const thinking = { thinking: 'The cart first.', thinkingMs: 12_300 };
  const run = {
    files: 3,
    commands: 2,
    calls: 0,
    ms: 18_000,
    waitedMs: 27_000,
    sent: 31_000,
    received: 2_100,
    cost: 1.2,
  };
  const answer = {
    id: 'a1',
    kind: 'assistant',
    text: 'Done',
    isStreaming: false,
    ...thinking,
    run,
  };
  const page = await open(showing(command('ls'), answer));
  await page
    .getByText('3 files · 2 commands · 18 s, 27 s waiting for you · 31k in, 2.1k out · $1.20')
    .waitFor();
  const thought = page.getByRole('button', { name: 'Thinking: 12 s' });
  expect(await thought.getAttribute('aria-expanded')).toBe('false');
});

it('covers no code with its buttons', async () => {
  const result = [{ kind: 'text', text: 'x'.repeat(200) }];
  const mcp = { server: 'shop', tool: 'find' };
  const page = await open(showing(call('m1', 'shop__find', { mcp, result })));
  const copy = await page.getByRole('button', { name: 'Copy' }).boundingBox();
  const code = await page.locator('.entry.tool pre').boundingBox();
  expect((copy?.y ?? 0) + (copy?.height ?? 0)).toBeLessThanOrEqual((code?.y ?? 0) + 1);
});

it('colours code in sight, opens files that are named, and draws a diagram when asked', async () => {
  const fence = '```';
  const text = [
    'See `src/a.ts:12`.',
    `${fence}ts\nconst total = 1;\n${fence}`,
    `${fence}mermaid\ngraph TD\nA[Cart] --> B[Total]\n${fence}`,
  ].join('\n\n');
  const page = await open(showing({ id: 'a1', kind: 'assistant', text, isStreaming: true }), 420);
  await page.locator('.hljs-keyword', { hasText: 'const' }).waitFor();
  expect(await page.locator('.code-lines').first().textContent()).toBe('const total = 1;\n');
  await page.getByRole('link', { name: 'src/a.ts:12' }).press('Enter');
  expect(await sent(page, 'openFile')).toEqual([{ path: 'src/a.ts', line: 12 }]);
  const source = page.locator('.code-lines').last();
  const picture = page.getByRole('img', { name: 'Diagram: Cart, Total' });
  expect(await picture.count()).toBe(0);
  await page.getByRole('button', { name: 'Show Diagram' }).press('Enter');
  await picture.waitFor();
  expect(
    await picture.evaluate((one: HTMLImageElement) => one.decode().then(() => one.naturalWidth)),
  ).toBeGreaterThan(50);
  expect(await source.isVisible()).toBe(false);
  await page.getByRole('button', { name: 'Hide Diagram' }).press('Enter');
  await picture.waitFor({ state: 'detached' });
  expect(await source.isVisible()).toBe(true);
  await page.getByRole('button', { name: 'Show Diagram' }).waitFor();
});

it('shows the steps of the task in one line, which unfolds, until all are done', async () => {
  const steps = [
    { text: 'Read the cart', state: 'done' },
    { text: 'Write the tests', state: 'doing' },
    { text: 'Mend the total', state: 'open' },
  ];
  const page = await open({ ...empty, state: { ...empty.state, todo: { steps } } });
  const line = page.getByRole('button', { name: '1 of 3 · Write the tests' });
  await line.press('Enter');
  expect(await page.getByRole('list', { name: 'Steps' }).getByRole('listitem').count()).toBe(3);
  await line.press('Enter');
  await page.getByText('Mend the total').waitFor({ state: 'detached' });
  const done = steps.map((step) => ({ ...step, state: 'done' }));
  await tell(page, 'state', { ...empty.state, todo: { steps: done } });
  await line.waitFor({ state: 'detached' });
  expect(await page.locator('.todo').count()).toBe(0);
});

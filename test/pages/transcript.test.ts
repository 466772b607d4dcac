/** How the transcript of the Pi Agent view reads where there is little room, in a real browser. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { tell } from '../helpers/pages/host.js';
import { faultsInAllLooks, shoot } from '../helpers/pages/looks.js';
import { agentSnapshots } from '../helpers/pages/states/agent.mjs';
import { fixSnapshot } from '../helpers/pages/states/agentFix.mjs';
import { usePages } from '../helpers/pages/usePages.js';

const pages = usePages();

const { approval, changes, empty } = agentSnapshots;
const open = (ready: unknown, width = 320, height = 600, replies: Record<string, unknown> = {}) =>
  pages.open({
    page: 'agent',
    replies: { ready, prompt: { isSent: true }, ...replies },
    width,
    height,
  });
const answer = (id: string, text: string) => ({ id, kind: 'assistant', text, isStreaming: false });

/** Whatever the element is, it can be clicked in its middle. */
const isOnTop = (page: Page, name: string) =>
  page.getByRole('button', { name, exact: true }).first().evaluate(isHit);

/** Runs in the page. */
function isHit(one: Element): boolean {
  const { left, right, top, bottom } = one.getBoundingClientRect();
  const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  const root = one.getRootNode();
  return hit !== null && (one.contains(hit) || (root instanceof ShadowRoot && root.host === hit));
}

it('lets nothing shine through the way back to the end, whatever the theme says of buttons', async () => {
  const transcript = Array.from({ length: 30 }, (_item, at) => answer(`a${at}`, `Line ${at}`));
  const page = await open({ ...empty, transcript });
  await page.evaluate(() =>
    document.documentElement.style.setProperty('--vscode-button-secondaryBackground', '#0000'),
  );
  await page.getByText('Line 29').waitFor();
  await page.getByRole('log').evaluate((one) => one.scrollTo(0, 0));
  const jump = page.getByRole('button', { name: 'Jump to Latest' });
  await jump.waitFor();
  const background = await jump.evaluate((one) => getComputedStyle(one).backgroundColor);
  // without a share that shines through
  expect(background).toMatch(/^rgb\(/);
});

it('covers no button with a question', async () => {
  const [question] = approval.state.approvals;
  const words = {
    kind: 'values',
    values: [{ name: 'content', text: 'one line\n'.repeat(60) }],
  };
  const approvals = ['p1', 'p2', 'p3'].map((id) => ({ ...question, id, words }));
  const state = {
    ...changes.state,
    approvals,
    status: 'running',
    restore: undefined,
    changes: { ...changes.state.changes, canUndoRun: true },
  };
  const page = await open({ ...changes, state }, 320, 640);
  await page.getByRole('button', { name: 'Allow All' }).waitFor();
  expect(await isOnTop(page, 'Undo All')).toBe(true);
  await page.locator('.approvals').evaluate((one) => one.scrollTo(0, 200));
  expect(await isOnTop(page, 'Allow All')).toBe(true);
});

it('closes what a command answered when a message is sent', async () => {
  const outcome = { kind: 'done', answer: { title: 'Commands', rows: [], notes: ['/help'] } };
  const page = await open(empty, 320, 600, { runCommand: outcome });
  const input = page.locator('#composer-text');
  await input.fill('/help');
  await input.press('Enter');
  await page.getByRole('region', { name: 'Commands' }).waitFor();
  await input.fill('hello');
  await input.press('Enter');
  await page.getByRole('region', { name: 'Commands' }).waitFor({ state: 'detached' });
});

it.each([480, 360])(
  'shows a question that comes over what a command answered, %i px high',
  async (height) => {
    const rows = Array.from({ length: 30 }, (_item, at) => ({ name: `/c${at}`, text: 'does it' }));
    const outcome = { kind: 'done', answer: { title: 'Commands', rows, notes: ['/help'] } };
    const page = await open(empty, 320, height, { runCommand: outcome });
    await page.locator('#composer-text').fill('/help');
    await page.locator('#composer-text').press('Enter');
    await page.getByRole('region', { name: 'Commands' }).waitFor();
    await tell(page, 'state', approval.state);
    await page.getByRole('button', { name: 'Allow Once' }).waitFor();
    await shoot(page, `question-over-help-${height}`);
    expect(await isOnTop(page, 'Allow Once')).toBe(true);
    expect(await isOnTop(page, 'Deny…')).toBe(true);
    // of what it is about
    const title = page.locator('[data-approval]').getByText('Run this tool of an MCP server?');
    expect(await title.evaluate(isHit)).toBe(true);
  },
);

it('draws what grows alone, beside a result of 2 MB, and no more of it with each of 300 lines', async () => {
  const text = 'A line of a log with a few words in it.\n'.repeat(52_000);
  const result = [{ kind: 'text', text }];
  const big = {
    id: 't1',
    kind: 'tool',
    tool: 'files__read_log',
    mcp: { server: 'files', tool: 'read_log' },
    args: '{}',
    status: 'done',
    result,
  };
  const page = await open({ ...empty, transcript: [big] });
  const row = page.locator('[data-entry="t1"]');
  await row.waitFor();
  expect((await row.evaluate((one) => one.textContent ?? '')).length).toBeLessThan(2_000);
  await tell(page, 'entries', [{ ...answer('a1', '```ts\n'), isStreaming: true }]);
  await page.evaluate(() => {
    const drawn: number[] = [];
    Object.assign(window, { drawn });
    const counting = new MutationObserver((records) => {
      const nodes = records.flatMap(({ addedNodes, removedNodes }) => [
        ...addedNodes,
        ...removedNodes,
      ]);
      drawn.push(
        nodes.reduce((sum, one) => sum + (one.textContent ?? '').length, 0) + records.length,
      );
    });
    counting.observe(document.querySelector('#transcript') ?? document, {
      childList: true,
      subtree: true,
      characterData: true,
    });
  });
  let code = '```ts\n';
  for (let line = 0; line < 300; line++) {
    const added = `const value${line} = ${line};\n`;
    await tell(page, 'entries', [{ id: 'a1', kind: 'growth', text: { from: code.length, added } }]);
    code += added;
  }
  await page.getByText('const value299').waitFor();
  const drawn = await page.evaluate(() => (window as unknown as { drawn: number[] }).drawn);
  // a line, not the lines before it, and nothing of the result
  expect(drawn.length).toBeGreaterThan(100);
  expect(Math.max(...drawn)).toBeLessThan(200);
  await row.getByRole('button').first().click();
  const pieces = row.locator('.text-piece');
  await pieces.first().waitFor();
  const lengths = await pieces.evaluateAll((ones) =>
    ones.map((one) => (one.textContent ?? '').length),
  );
  expect(lengths.reduce((sum, one) => sum + one)).toBe(text.length);
  // what stands in a piece that is not laid out is not visible
  await pieces.evaluateAll((ones) => ones.map((one) => one.append(document.createElement('i'))));
  const laidOut = () =>
    pieces
      .locator('i')
      .evaluateAll(
        (ones) => ones.filter((one) => one.checkVisibility({ contentVisibilityAuto: true })).length,
      );
  await expect.poll(laidOut).toBeLessThan(6);
  expect(await laidOut()).toBeGreaterThan(0);
});

it('cuts no line of code where it is narrow', async () => {
  const code = `const total = ${Array.from({ length: 30 }, (_item, at) => `value${at}`).join(' + ')};`;
  const page = await open({ ...empty, transcript: [answer('a1', `\`\`\`ts\n${code}\n\`\`\``)] });
  const block = page.locator('.code-lines');
  await block.waitFor();
  expect(await block.evaluate((one) => one.scrollWidth <= one.clientWidth)).toBe(true);
  await page.setViewportSize({ width: 760, height: 600 });
  await expect.poll(() => block.evaluate((one) => getComputedStyle(one).whiteSpace)).toBe('pre');
});

it('says of one call with one verb that it writes, before it runs and after', async () => {
  const change = { path: 'notes.md', added: 1, removed: 0, hunks: [], omitted: 0, notes: [] };
  const call = (kind: string, status: string) => ({
    id: 't1',
    kind: 'tool',
    tool: 'write',
    args: '',
    status,
    change: { ...change, kind },
    result: [],
  });
  const page = await open({ ...empty, transcript: [call('write', 'pending')] });
  const row = page.locator('[data-tool=write]');
  await row.getByText('Write notes.md', { exact: true }).waitFor();
  await tell(page, 'entries', [call('create', 'done')]);
  await row.getByText('Write notes.md (new)', { exact: true }).waitFor();
});

const row = (page: Page, id: string) => page.locator(`[data-entry="${id}"]`);
/** Pixels of the whole conversation. */
const heightOf = (page: Page) =>
  page.getByRole('log').evaluate((log) => {
    for (const entry of log.querySelectorAll<HTMLElement>('.entry')) {
      entry.style.contentVisibility = 'visible';
    }
    return Math.round(log.firstElementChild?.getBoundingClientRect().height ?? 0);
  });

it('shows a fix of twelve calls in two screens, where cards take seven', async () => {
  const page = await open(fixSnapshot, 320, 760);
  await page.getByText('added once now').waitFor();
  const compact = await heightOf(page);
  await shoot(page, 'fix-compact', true);
  await tell(page, 'state', { ...fixSnapshot.state, cards: 'full' });
  await page.locator('.entry.tool:not(.row)').first().waitFor();
  const full = await heightOf(page);
  console.info(`a fix of twelve calls at 320: ${compact} px in rows, ${full} px as cards`);
  expect(compact).toBeLessThanOrEqual(1_200);
  expect(full).toBeGreaterThan(compact * 2);
});

it('opens a call by its row with the keyboard, and leaves it open', async () => {
  const page = await open(fixSnapshot, 320, 760);
  await row(page, 'c11').getByRole('button', { name: 'update_order' }).press('Enter');
  await row(page, 'c11').getByText('updated').waitFor();
  expect(await row(page, 'c11').locator('.call-row').getAttribute('aria-expanded')).toBe('true');
  await tell(page, 'state', { ...fixSnapshot.state, status: 'running' });
  await row(page, 'c11').getByText('updated').waitFor();
  await row(page, 'c11').locator('.call-row').press('Enter');
  await row(page, 'c11').getByText('updated').waitFor({ state: 'detached' });
});

it('opens by itself what runs and what failed, and folds neither into a group', async () => {
  const page = await open(fixSnapshot, 320, 760);
  await page
    .getByRole('button', { name: 'Looked around: 2 files, grep, git status, git diff' })
    .waitFor();
  await row(page, 'c6').getByText('Expected 119, got 138').waitFor();
  await row(page, 'c6').getByText('Exit code 1', { exact: true }).waitFor();
  const output = row(page, 'c6').locator('.terminal-output');
  expect((await output.boundingBox())?.height).toBeLessThanOrEqual(130);
  // its end is in sight
  expect(await output.evaluate((one) => Math.abs(one.scrollTop))).toBeLessThanOrEqual(1);
  const text = Array.from({ length: 30 }, (_item, at) => `line ${at}`).join('\n');
  const command = fixSnapshot.transcript.find(({ id }) => id === 'c12');
  const running = { ...command, status: 'running', result: [{ kind: 'text', text }] };
  await tell(page, 'entries', [running]);
  await row(page, 'c12').getByText('line 29').waitFor();
  expect(await row(page, 'c12').locator('pre').textContent()).not.toContain('line 24\n');
  await tell(page, 'entries', [{ ...running, status: 'done' }]);
  await row(page, 'c12').locator('pre').waitFor({ state: 'detached' });
});

it('opens the row in which something is found', async () => {
  const found = { parts: [{ entryId: 'c11', part: 'result', count: 1 }], isCut: false };
  const page = await open(fixSnapshot, 320, 760, { find: found });
  await row(page, 'c11').waitFor();
  await page.keyboard.press('Control+F');
  await page.locator('#find-text').fill('updated');
  await row(page, 'c11').getByText('updated').waitFor();
});

it('is readable in rows in every theme', async () => {
  const page = await open(fixSnapshot, 320, 760);
  await page.getByText('added once now').waitFor();
  expect(await faultsInAllLooks(page, 'fix', [320])).toEqual([]);
});

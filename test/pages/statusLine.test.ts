/** The line that says what Pi is at, from the press of Enter on, in a real browser. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { holdTime, isFocused, sent, spoken, tell } from '../helpers/pages/host.js';
import { faultsInAllLooks, shoot, wear } from '../helpers/pages/looks.js';
import { agentSnapshots, noInputs } from '../helpers/pages/states/agent.mjs';
import { usePages } from '../helpers/pages/usePages.js';

const pages = usePages();

const { approval, empty } = agentSnapshots;
const open = (ready: unknown = empty, width = 320) =>
  pages.open({
    page: 'agent',
    replies: { ready, prompt: { isSent: true } },
    width,
    height: 600,
  });
const working = (activity: object) => ({
  ...empty.state,
  status: 'running',
  activity: { since: Date.now(), begun: Date.now(), ...activity },
});

const form = {
  id: 'f1',
  server: 'travel',
  message: 'Which train?',
  fields: [{ kind: 'boolean', name: 'quiet', title: 'Quiet coach', isRequired: false }],
};
/** What a server asks is known to the page alone: for the extension, the call runs. */
async function show(
  page: Page,
  activity: { readonly kind: string; readonly begun?: number },
): Promise<void> {
  const isForm = activity.kind === 'form';
  await tell(page, 'inputs', { ...noInputs, forms: isForm ? [form] : [] });
  await tell(page, 'state', working({ ...activity, kind: isForm ? 'running' : activity.kind }));
}
/** Narrow and wide, light and dark, where somebody asks for pictures. */
async function shootWide(page: Page, name: string): Promise<void> {
  const before = page.viewportSize();
  for (const theme of process.env.PI_MCP_PICTURES === undefined ? [] : ['light', 'dark']) {
    await wear(page, theme);
    for (const width of [320, 900]) {
      await page.setViewportSize({ width, height: 240 });
      await shoot(page, `${name}-${theme}-${width}`);
    }
  }
  if (before) {
    await page.setViewportSize(before);
  }
}

it('is there as soon as a message is sent, before the extension has heard of it', async () => {
  const page = await open();
  const input = page.locator('#composer-text');
  await input.fill('hello');
  const text = await input.evaluate((area) => {
    area.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
    // in the same turn
    return document.querySelector('.status-text')?.textContent;
  });
  expect(text).toBe('Working…');
  await tell(page, 'state', working({ kind: 'waiting' }));
  await page
    .locator('.status-line')
    .getByText(/^Asking .*…$/)
    .waitFor();
  await tell(page, 'state', empty.state);
  await page.locator('.status-line').waitFor({ state: 'detached' });
});

it('counts by itself, says once that an answer is slow, and offers to send again', async () => {
  const page = await open(empty, 420);
  await page.locator('#composer-text').waitFor();
  await holdTime(page);
  const now = await page.evaluate(() => Date.now());
  await tell(page, 'state', working({ kind: 'waiting', since: now, begun: now, tokensIn: 31_000 }));
  const line = page.locator('.status-line');
  await line.getByText('0:00 · ↑31k').waitFor();
  await page.clock.fastForward(21_000);
  await line.getByText('0:21 · ↑31k').waitFor();
  expect(await spoken(page)).toContain('Asking');
  expect(await line.getByRole('button', { name: 'Try Again' }).count()).toBe(0);
  await page.clock.fastForward(40_000);
  await line.getByText(/^No answer from .* for 1:01$/).waitFor();
  await line.getByRole('button', { name: 'Try Again' }).press('Enter');
  expect(await sent(page, 'sendAgain')).toHaveLength(1);
});

it('stops, and leads to the question that the run waits for', async () => {
  const page = await open({ ...approval, state: { ...approval.state, ...working({}) } });
  const approvals = approval.state.approvals;
  await tell(page, 'state', {
    ...working({ kind: 'approval', label: 'git push', count: 1 }),
    approvals,
  });
  await page.locator('#composer-text').focus();
  await page.getByRole('button', { name: 'Needs your OK: git push' }).press('Enter');
  expect(await page.locator('[data-approval]').first().evaluate(isFocused)).toBe(true);
  await page.locator('.status-line').getByRole('button', { name: 'Stop' }).click();
  expect(await sent(page, 'stop')).toHaveLength(1);
});

it('says which server waits for an answer, and leads to its form', async () => {
  const page = await open();
  await show(page, { kind: 'form' });
  await page.locator('#composer-text').focus();
  await page.getByRole('button', { name: 'Waits for your answer: travel' }).press('Enter');
  expect(await page.locator('[data-form]').evaluate(isFocused)).toBe(true);
  await show(page, { kind: 'running' });
  await page.locator('.status-line[data-activity="running"]').waitFor();
});

it('keeps to one line in every state, and can be read in every theme', async () => {
  const page = await open();
  await page.locator('#composer-text').waitFor();
  const until = Date.now() + 285_000;
  const long = 'src/a/rather/long/path/of/a/file/in/a/folder.js';
  const states = [
    { kind: 'sending' },
    { kind: 'waiting' },
    { kind: 'thinking', label: 'The total is added twice, so the tax is too high by far' },
    { kind: 'writing', tokensIn: 31_400, tokensOut: 2_140 },
    { kind: 'preparing', label: long, count: 84, tokensIn: 31_400, tokensOut: 2_140 },
    { kind: 'running', label: 'npm test', count: 1 },
    { kind: 'approval', label: 'git push origin main', count: 1 },
    { kind: 'review', label: 'pay' },
    { kind: 'form' },
    { kind: 'retrying', label: 'Rate limited by Acme', count: 1, of: 3, until },
    { kind: 'compacting' },
    { kind: 'stalled', until },
    { kind: 'stopping' },
  ];
  const heights: number[] = [];
  for (const activity of states) {
    await show(page, { begun: Date.now() - 34_000, ...activity });
    const line = page.locator(`.status-line[data-activity="${activity.kind}"]`);
    await line.waitFor();
    heights.push((await line.boundingBox())?.height ?? 0);
    await shootWide(page, `status-${activity.kind}`);
  }
  expect(Math.max(...heights)).toBeLessThanOrEqual(24);
  for (const kind of ['approval', 'form', 'preparing', 'stalled']) {
    const activity = states.find((one) => one.kind === kind) ?? { kind };
    await show(page, activity);
    await page.locator(`.status-line[data-activity="${kind}"]`).waitFor();
    expect(await faultsInAllLooks(page, `status-${kind}`, [320])).toEqual([]);
  }
});

/** What stands beside a conversation in a wide tab, and where it is when there is no room: the page alone in Chromium. */
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { repository } from '../workbench/paths.mjs';
import { startPreview } from '../workbench/preview/harness.mjs';
import { agentSnapshots } from '../workbench/preview/states.mjs';

const axeSource = readFileSync(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
);
const pictures = join(repository, 'test-results/rail');
const queued = { id: '1', kind: 'after', text: 'write a summary', attachments: [] };
const { changes, context } = agentSnapshots;
const snapshot = {
  ...changes,
  state: { ...changes.state, usage: context.state.usage, queue: { messages: [queued] } },
};

let preview: Awaited<ReturnType<typeof startPreview>>;
beforeAll(async () => {
  mkdirSync(pictures, { recursive: true });
  preview = await startPreview();
});
afterAll(() => preview.close());

const open = (width: number, place: 'view' | 'tab' = 'tab', theme = 'dark') =>
  preview.open({ page: 'agent', replies: { ready: snapshot }, width, height: 800, place, theme });
const rail = (page: Page) => page.getByRole('complementary', { name: 'About this conversation' });
const title = (page: Page, name: string | RegExp) => rail(page).getByRole('button', { name });

it('has changes, queue, context and tools beside the conversation, and each fact once', async () => {
  const page = await open(1300);
  for (const name of ['Changes', 'Queue (1)', 'Context', 'Tools']) {
    await title(page, name).first().waitFor();
  }
  for (const part of ['.changes', '.queue', '.tool-count', '#context-button']) {
    expect(await page.locator(part).count(), part).toBe(await rail(page).locator(part).count());
  }
  await rail(page).getByText('write a summary').waitFor();
  const column = await page.locator('#composer-text').boundingBox();
  expect(column?.width).toBeLessThanOrEqual(760);
  await page.screenshot({ path: join(pictures, 'wide.png') });
  await page.close();
});

it('folds by keyboard, and stays folded for the next page', async () => {
  const page = await open(1300);
  const queue = title(page, 'Queue (1)');
  await queue.press('Enter');
  expect(await queue.getAttribute('aria-expanded')).toBe('false');
  expect(await page.locator('.queue').count()).toBe(0);
  const saved = await page.evaluate(() => JSON.stringify(Reflect.get(window, 'savedState')));
  expect(saved).toContain('rail-folded/queue');
  await page.close();
});

it('has them above the input where there is no room, and goes over as the width changes', async () => {
  const page = await open(1300);
  await page.locator('#composer-text').fill('half a sentence');
  await rail(page).waitFor();
  await page.setViewportSize({ width: 900, height: 800 });
  await rail(page).waitFor({ state: 'detached' });
  await page.locator('.column > .queue').getByText('write a summary').waitFor();
  expect(await page.locator('#composer-text').inputValue()).toBe('half a sentence');
  await page.screenshot({ path: join(pictures, 'narrow.png') });
  await page.setViewportSize({ width: 1300, height: 800 });
  await rail(page).waitFor();
  await page.close();
  const view = await open(1300, 'view');
  await view.locator('.column > .queue').waitFor();
  expect(await rail(view).count()).toBe(0);
  await view.close();
});

it.each(['dark', 'light', 'hc-dark', 'hc-light'])(
  'breaks no rule in the %s theme',
  async (theme) => {
    const page = await open(1300, 'tab', theme);
    await rail(page).waitFor();
    await page.screenshot({ path: join(pictures, `${theme}.png`) });
    await page.evaluate(axeSource);
    const found = await page.evaluate(() =>
      Reflect.get(window, 'axe').run({ rules: { region: { enabled: false } } }),
    );
    expect(
      found.violations.map(({ id, nodes }: { id: string; nodes: { html: string }[] }) => [
        id,
        nodes[0]?.html,
      ]),
    ).toEqual([]);
    await page.close();
  },
);

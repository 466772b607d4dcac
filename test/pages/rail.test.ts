/** What stands beside a conversation in a wide tab, and where it is when there is no room: the page alone in Chromium. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { faultsInAllLooks, shoot } from '../helpers/pages/looks.js';
import { agentSnapshots } from '../helpers/pages/states/agent.mjs';
import { usePages } from '../helpers/pages/usePages.js';

const queued = { id: '1', kind: 'after', text: 'write a summary', attachments: [] };
const { changes, context } = agentSnapshots;
const snapshot = {
  ...changes,
  state: { ...changes.state, usage: context.state.usage, queue: { messages: [queued] } },
};

const pages = usePages();

const open = (width: number, place: 'view' | 'tab' = 'tab') =>
  pages.open({ page: 'agent', replies: { ready: snapshot }, width, height: 800, place });
const rail = (page: Page) => page.getByRole('complementary', { name: 'Details' });
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
  await shoot(page, 'rail-wide');
});

it('folds by keyboard, and stays folded for the next page', async () => {
  const page = await open(1300);
  const queue = title(page, 'Queue (1)');
  await queue.press('Enter');
  expect(await queue.getAttribute('aria-expanded')).toBe('false');
  expect(await page.locator('.queue').count()).toBe(0);
  const saved = await page.evaluate(() => JSON.stringify(Reflect.get(window, 'savedState')));
  expect(saved).toContain('rail-folded/queue');
});

it('has them above the input where there is no room, and goes over as the width changes', async () => {
  const page = await open(1300);
  await page.locator('#composer-text').fill('half a sentence');
  await rail(page).waitFor();
  await page.setViewportSize({ width: 900, height: 800 });
  await rail(page).waitFor({ state: 'detached' });
  await page.locator('.column > .queue').getByText('write a summary').waitFor();
  expect(await page.locator('#composer-text').inputValue()).toBe('half a sentence');
  await shoot(page, 'rail-narrow');
  await page.setViewportSize({ width: 1300, height: 800 });
  await rail(page).waitFor();
  await page.close();
  const view = await open(1300, 'view');
  await view.locator('.column > .queue').waitFor();
  expect(await rail(view).count()).toBe(0);
  await view.close();
});

it('breaks no rule in any theme', async () => {
  const page = await open(1300);
  await rail(page).waitFor();
  expect(await faultsInAllLooks(page, 'rail', [1300])).toEqual([]);
});

it('shows nothing where there is nothing', async () => {
  const ready = {
    ...snapshot,
    state: { ...snapshot.state, changes: undefined, queue: { messages: [] } },
  };
  const page = await pages.open({ page: 'agent', replies: { ready }, width: 1300, place: 'tab' });
  await title(page, 'Context').first().waitFor();
  expect(await rail(page).locator('.rail-section').count()).toBe(2);
});

/** The bar and cards of changed files in a real browser, with the extension's side played by sample states. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startPreview } from '../workbench/preview/harness.mjs';
import { agentSnapshots, cartHunks } from '../workbench/preview/states.mjs';
import { themes } from '../workbench/preview/themes.mjs';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let preview: Awaited<ReturnType<typeof startPreview>>;

beforeAll(async () => {
  preview = await startPreview();
});
afterAll(() => preview.close());

/** With the list and one file unfolded. */
async function openChanges(theme: string, width: number): Promise<Page> {
  const page = await preview.open({
    page: 'agent',
    replies: { ready: agentSnapshots.changes, changedFile: cartHunks, hunk: null, changes: null },
    theme,
    width,
    height: 1000,
  });
  await page.getByRole('button', { name: /^3 files/ }).click();
  await page.getByRole('button', { name: 'src/cart.ts', exact: true }).click();
  await page.locator('.changed-part').waitFor();
  return page;
}

async function sent(page: Page): Promise<readonly unknown[]> {
  interface Sent {
    readonly type: string;
    readonly params?: unknown;
  }
  const messages = await page.evaluate(() => (window as unknown as { sent: Sent[] }).sent);
  return messages
    .filter(({ type }) => ['changes', 'hunk', 'changedFile'].includes(type))
    .map(({ type, params }) => [type, params]);
}

it.each(Object.keys(themes).flatMap((theme) => [280, 700].map((width) => [theme, width] as const)))(
  'breaks no rule of axe and is cut nowhere: %s, %i px',
  async (theme, width) => {
    const page = await openChanges(theme, width);
    await page.evaluate(axe);
    const found = await page.evaluate(async () => {
      const { run } = (window as unknown as { axe: { run: (o: object) => Promise<Found> } }).axe;
      interface Found {
        readonly violations: readonly { readonly id: string }[];
      }
      const { violations } = await run({ rules: { region: { enabled: false } } });
      return violations.map(({ id }) => id);
    });
    expect(found).toEqual([]);
    const tooWide = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(tooWide).toBe(0);
    await page.close();
  },
);

it('asks for what the user chose, by keyboard too', async () => {
  const page = await openChanges('dark', 400);
  await page.getByRole('button', { name: 'Undo part 1 of src/cart.ts' }).press('Enter');
  await page.getByRole('button', { name: 'Keep old.txt' }).press('Space');
  await page.getByRole('button', { name: 'Undo All' }).click();
  await page.getByRole('button', { name: 'Undo Last Run' }).click();
  const id = '/home/dev/app/src/cart.ts';
  expect(await sent(page)).toEqual([
    ['changedFile', { id }],
    ['hunk', { action: 'undo', id, hunk: 'h1' }],
    ['changes', { action: 'keep', id: '/c' }],
    ['changes', { action: 'undo' }],
    ['changes', { action: 'undoRun' }],
  ]);
  await page.close();
});

it('reads unfolded files again when something was changed', async () => {
  const page = await openChanges('dark', 400);
  const { state } = agentSnapshots.changes;
  const params = { ...state, changes: { ...state.changes, stamp: 2 } };
  await page.evaluate((message) => window.postMessage(message, '*'), { type: 'state', params });
  await expect.poll(async () => (await sent(page)).length).toBe(2);
  const gone = { ...params, changes: { ...params.changes, files: [], stamp: 3 } };
  await page.evaluate((message) => window.postMessage(message, '*'), {
    type: 'state',
    params: gone,
  });
  // it is read out, too
  await page.locator('.changes-toggle', { hasText: 'Changes of 1 file undone' }).waitFor();
  expect(await page.locator('.changed-part').count()).toBe(0);
  await page.close();
});

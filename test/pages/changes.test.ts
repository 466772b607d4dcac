/** The bar and cards of changed files in a real browser, with the extension's side played by sample states. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { messages, tell } from '../helpers/pages/host.js';
import { faultsInAllLooks } from '../helpers/pages/looks.js';
import { agentSnapshots, cartHunks } from '../helpers/pages/states/agent.mjs';
import { usePages } from '../helpers/pages/usePages.js';

const pages = usePages();

/** With the list and one file unfolded. */
async function openChanges(): Promise<Page> {
  const page = await pages.open({
    page: 'agent',
    replies: { ready: agentSnapshots.changes, changedFile: cartHunks, hunk: null, changes: null },
    width: 400,
    height: 1000,
  });
  await page.getByRole('button', { name: /^3 files/ }).click();
  await page.getByRole('button', { name: 'src/cart.ts', exact: true }).click();
  await page.locator('.changed-part').waitFor();
  return page;
}

/** Of the changes, each with its type. */
async function asked(page: Page): Promise<readonly unknown[]> {
  const types = ['changes', 'hunk', 'changedFile'];
  return (await messages(page))
    .filter(({ type }) => types.includes(type))
    .map(({ type, params }) => [type, params]);
}

it('breaks no rule of axe and is cut nowhere, in every theme and width', async () => {
  const page = await openChanges();
  expect(await faultsInAllLooks(page, 'changes')).toEqual([]);
});

it('asks for what the user chose, by keyboard too', async () => {
  const page = await openChanges();
  await page
    .getByRole('group', { name: '1 of src/cart.ts' })
    .getByRole('button', { name: 'Undo' })
    .press('Enter');
  await page
    .getByRole('group', { name: 'old.txt' })
    .getByRole('button', { name: 'Keep' })
    .press('Space');
  await page.getByRole('button', { name: 'Undo All' }).click();
  await page.getByRole('button', { name: 'Undo Last Run' }).click();
  const id = '/home/dev/app/src/cart.ts';
  expect(await asked(page)).toEqual([
    ['changedFile', { id }],
    ['hunk', { action: 'undo', id, hunk: 'h1' }],
    ['changes', { action: 'keep', id: '/c' }],
    ['changes', { action: 'undo' }],
    ['changes', { action: 'undoRun' }],
  ]);
});

it('reads unfolded files again when something was changed', async () => {
  const page = await openChanges();
  const { state } = agentSnapshots.changes;
  const params = { ...state, changes: { ...state.changes, stamp: 2 } };
  await tell(page, 'state', params);
  await expect.poll(async () => (await asked(page)).length).toBe(2);
  const gone = { ...params, changes: { ...params.changes, files: [], stamp: 3 } };
  await tell(page, 'state', gone);
  // it is read out, too
  await page.locator('.changes-toggle', { hasText: 'Undone: 1 file' }).waitFor();
  expect(await page.locator('.changed-part').count()).toBe(0);
});

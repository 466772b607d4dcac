/** What a restore would do, on the page of the Pi Agent view in a real browser: looks, keys, focus, what is read out. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { isFocused, sent, spoken, tell } from '../helpers/pages/host.js';
import { faultsInAllLooks } from '../helpers/pages/looks.js';
import { agentSnapshots } from '../helpers/pages/states/agent.mjs';
import { usePages } from '../helpers/pages/usePages.js';

const pages = usePages();

const { state } = agentSnapshots.restore;
const { restore } = state;

const open = (options: object = {}, replies: object = {}) =>
  pages.open({
    page: 'agent',
    replies: { ready: agentSnapshots.restore, leaveRestore: null, showRestore: null, ...replies },
    width: 280,
    height: 800,
    ...options,
  });

const update = (page: Page, change: object) => tell(page, 'state', { ...state, ...change });

const card = (page: Page) => page.locator('.restore');
const box = (page: Page, name: RegExp | string) => card(page).getByRole('checkbox', { name });

it('breaks no rule of axe and is cut nowhere, in every theme and width', async () => {
  const page = await open();
  await card(page).waitFor();
  expect(await faultsInAllLooks(page, 'restore')).toEqual([]);
  const buttons = await card(page).locator('.restore-buttons').boundingBox();
  const frame = await card(page).boundingBox();
  expect((buttons?.y ?? 0) + (buttons?.height ?? 0)).toBeLessThanOrEqual(
    (frame?.y ?? 0) + (frame?.height ?? 0),
  );
});

it('restores what is ticked, and says what else the user chose', async () => {
  const page = await open({}, { restore: { isDone: true, draft: 'Mend the total of the cart.' } });
  expect(await box(page, /src\/tax\.ts/).isChecked()).toBe(false);
  expect(await box(page, /data\.bin/).isDisabled()).toBe(true);
  await box(page, /src\/tax\.ts/).press('Space');
  await box(page, /checkout/).press('Space');
  await box(page, 'Conversation').press('Space');
  await box(page, 'Conversation').press('Space');
  await card(page).locator('vscode-button', { hasText: 'Restore' }).click();
  expect(await sent(page, 'restore')).toEqual([
    {
      stamp: 's1',
      files: true,
      conversation: true,
      restored: ['/home/dev/app/c'],
      left: ['/home/dev/app/b'],
    },
  ]);
  const composer = page.locator('#composer-text');
  await expect.poll(() => composer.inputValue()).toBe('Mend the total of the cart.');
  expect(await composer.evaluate(isFocused)).toBe(true);
});

it('can be left with Escape, and restores nothing without a part', async () => {
  const page = await open();
  await box(page, 'Conversation').uncheck();
  await box(page, '4 files').uncheck();
  expect(await box(page, /src\/cart\.ts/).isDisabled()).toBe(true);
  const button = card(page).locator('vscode-button', { hasText: 'Restore' });
  expect(await button.getAttribute('disabled')).not.toBeNull();
  await box(page, 'Conversation').press('Escape');
  expect(await sent(page, 'restore', 'leaveRestore')).toEqual([undefined]);
});

it('takes the focus when it opens, is read out, and says when the files were changed meanwhile', async () => {
  const page = await open();
  await update(page, { restore: undefined });
  await card(page).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Restore…' }).last().press('Enter');
  expect(await sent(page, 'showRestore')).toEqual([{ id: 'm2' }]);
  await update(page, {});
  await expect.poll(() => card(page).evaluate(isFocused)).toBe(true);
  expect(await spoken(page)).toContain('4 files');
  await box(page, 'Conversation').focus();
  await update(page, { restore: { ...restore, isChanged: true, stamp: 's2' } });
  await card(page).getByText('The files were changed meanwhile').waitFor();
  expect(await spoken(page)).toContain('changed meanwhile');
  // the user stays where they are
  expect(await box(page, 'Conversation').evaluate(isFocused)).toBe(true);
  // of another moment nothing is chosen yet
  await box(page, 'Conversation').uncheck();
  await update(page, { restore: { ...restore, id: 'm1', stamp: 's3' } });
  await expect.poll(() => box(page, 'Conversation').isChecked()).toBe(true);
  await update(page, { status: 'running' });
  await card(page).locator('vscode-button', { hasText: 'Stop and Restore' }).waitFor();
});

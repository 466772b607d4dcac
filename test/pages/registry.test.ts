/** The page that adds servers from the registry in a real browser, with the extension's side played by sample states. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { isFocused, savedState, sent } from '../helpers/pages/host.js';
import { faultsInAllLooks } from '../helpers/pages/looks.js';
import {
  registryDetails,
  registryRows,
  registryStates,
} from '../helpers/pages/states/registry.mjs';
import { usePages } from '../helpers/pages/usePages.js';

const pages = usePages();

interface Look {
  readonly theme?: string;
  readonly width?: number;
  readonly savedState?: unknown;
}

function open(state: string, look: Look = {}): Promise<Page> {
  const { replies = {} } = registryStates[state] ?? {};
  return pages.open({ page: 'registry', replies, height: 800, ...look });
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const box = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });

it.each(Object.keys(registryStates))(
  'has no violation in any theme, and nothing cut at 280 px: %s',
  async (state) => {
    const page = await open(state);
    await registryStates[state]?.steps(page);
    expect(await faultsInAllLooks(page, `registry-${state}`, [900, 280])).toEqual([]);
  },
);

it('searches once the user pauses, at once with Enter, and shows more', async () => {
  const page = await open('list');
  await button(page, /^Weather/).waitFor();
  await box(page, 'Search').pressSequentially('wea');
  await expect.poll(() => sent(page, 'search')).toEqual([{ text: '' }, { text: 'wea' }]);
  await box(page, 'Search').press('Enter');
  await expect.poll(() => sent(page, 'search')).toHaveLength(3);
  await button(page, 'Show More').click();
  await expect
    .poll(async () => (await sent(page, 'search')).at(-1))
    .toEqual({ text: 'wea', cursor: registryRows.cursor });
  await expect
    .poll(() => page.locator('body > [role=status]').textContent())
    .toBe('10 servers, and more');
});

it('adds a server by keyboard alone', async () => {
  const page = await open('added');
  const first = button(page, /^Weather/);
  await first.focus();
  await first.press('Enter');
  const title = page.getByRole('heading', { name: 'Weather', exact: true });
  await expect.poll(() => title.evaluate(isFocused)).toBe(true);
  for (const name of ['https://github.com/example/weather', 'https://weather.example/']) {
    await page.keyboard.press('Tab');
    expect(await button(page, name).evaluate(isFocused)).toBe(true);
  }
  await page.keyboard.press('Tab');
  expect(await page.getByRole('radio', { name: /^npm/ }).evaluate(isFocused)).toBe(true);
  await page.keyboard.press('Tab');
  expect(await page.getByRole('combobox', { name: 'Where' }).evaluate(isFocused)).toBe(true);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.type('secret');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.type('/maps');
  await button(page, 'Add: weather').focus();
  await page.keyboard.press('Enter');
  const added = page.getByRole('heading', { name: 'Server added: weather' });
  await expect.poll(() => added.evaluate(isFocused)).toBe(true);
  expect(await sent(page, 'add')).toEqual([
    {
      id: '1',
      way: 'package-0',
      place: 'primary file:///work/shop',
      name: 'weather',
      answers: {
        WEATHER_API_KEY: 'secret',
        WEATHER_UNITS: 'metric',
        folders: '/maps',
        '--verbose': '',
        '--days': '5',
      },
    },
  ]);
});

it('says at the field what is missing, only once the user was there or wanted to add', async () => {
  const page = await open('incomplete');
  await button(page, /^Weather/).click();
  const trouble = page.locator('.field-problem').getByText('A value is needed here.');
  await page.getByText('Fill in what is needed').waitFor();
  expect(await trouble.count()).toBe(0);
  await button(page, 'Add: weather').click();
  await trouble.waitFor();
  await expect.poll(() => page.locator('#answer-WEATHER_API_KEY').evaluate(isFocused)).toBe(true);
});

it('keeps what was entered while the tab is hidden, but no secret', async () => {
  const page = await open('form');
  await button(page, /^Weather/).click();
  await page.locator('vscode-text-field#answer-WEATHER_API_KEY input').fill('canary');
  await page.locator('#answer-folders').fill('/maps');
  await box(page, 'Name').fill('rain');
  const saved = await savedState(page);
  expect(JSON.stringify(saved)).not.toContain('canary');
  await page.close();
  const again = await open('form', { savedState: saved });
  await again.getByRole('heading', { name: 'Weather', exact: true }).waitFor();
  await expect.poll(() => box(again, 'Name').inputValue()).toBe('rain');
  expect(await again.locator('#answer-folders').inputValue()).toBe('/maps');
  await again.close();
});

it('goes back to the row from where it came, and leaves with Escape', async () => {
  const page = await open('form', { width: 420 });
  await button(page, /^Weather/).click();
  await button(page, 'All Servers').click();
  await expect.poll(() => button(page, /^Weather/).evaluate(isFocused)).toBe(true);
  await button(page, /^Weather/).click();
  await box(page, 'Name').press('Escape');
  await expect.poll(() => button(page, /^Weather/).evaluate(isFocused)).toBe(true);
});

it('shows why a way cannot be used, and offers no button for it', async () => {
  const page = await open('blocked');
  await registryStates.blocked?.steps(page);
  await page.getByText('Download the bundle').waitFor();
  expect(await button(page, /^Add/).count()).toBe(0);
  expect(registryDetails.ways[1]?.blocker).toBeDefined();
});

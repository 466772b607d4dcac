/** The page that adds servers in a real browser, with the extension's side played by sample states. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { isFocused, savedState, sent, spoken } from '../helpers/pages/host.js';
import { faultsInAllLooks } from '../helpers/pages/looks.js';
import { addStates } from '../helpers/pages/states/add.mjs';
import { registryRows, servers } from '../helpers/pages/states/addCards.mjs';
import { usePages } from '../helpers/pages/usePages.js';

const pages = usePages();

interface Look {
  readonly theme?: string;
  readonly width?: number;
  readonly savedState?: unknown;
}

function open(state: string, look: Look = {}): Promise<Page> {
  const { replies = {} } = addStates[state] ?? {};
  return pages.open({ page: 'add', replies, height: 800, ...look });
}

async function openAt(state: string, look: Look = {}): Promise<Page> {
  const page = await open(state, look);
  await addStates[state]?.steps(page);
  return page;
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const box = (page: Page) => page.getByRole('textbox', { name: /^Paste a command/ });
const secret = (page: Page) => page.getByLabel('WEATHER_API_KEY', { exact: false }).first();

it.each(Object.keys(addStates))(
  'has no violation in any theme, and nothing cut at 320 px: %s',
  async (state) => {
    const page = await openAt(state);
    expect(await faultsInAllLooks(page, `add-${state}`, [1280, 320])).toEqual([]);
  },
);

it('fetches the bundle of a server when it is asked to, and says at its card why it does not', async () => {
  const page = await openAt('form');
  await page.getByRole('radio', { name: /^mcpb: / }).check();
  await page.getByText('Its download is checked and shown first.').waitFor();
  expect(await sent(page, 'openPackage')).toEqual([]);
  await button(page, 'Download and Show').click();
  await page.getByRole('alert').getByText('It is another file. Download it by hand.').waitFor();
  expect(await sent(page, 'openPackage')).toEqual([{ id: '1', way: 'package-1' }]);
  expect(await faultsInAllLooks(page, 'add-package', [1280, 320])).toEqual([]);
});

it('takes what is typed from the beginning, without a click', async () => {
  const page = await open('list');
  await expect.poll(() => box(page).evaluate(isFocused)).toBe(true);
  await page.keyboard.type('wea');
  await expect.poll(() => sent(page, 'read')).toEqual([{ text: 'wea' }]);
});

it('reads what is typed once the user pauses, and searches for words', async () => {
  const page = await open('list');
  await box(page).pressSequentially('wea');
  await expect.poll(() => sent(page, 'search')).toEqual([{ text: 'weather' }]);
  expect(await sent(page, 'read')).toEqual([{ text: 'wea' }]);
  await button(page, 'Show More').click();
  await expect
    .poll(async () => (await sent(page, 'search')).at(-1))
    .toEqual({ text: 'weather', cursor: registryRows.cursor });
  await expect.poll(() => spoken(page)).toBe('10 servers and more');
});

it('says what it is to screen readers, and takes the other reading', async () => {
  const page = await openAt('pasted');
  expect((await page.locator('#what').getAttribute('role')) ?? '').toBe('status');
  expect(await page.locator('#what').textContent()).toContain('A command line');
  expect(await box(page).getAttribute('aria-describedby')).toBe('what');
  await button(page, 'Search the registry instead').click();
  await expect
    .poll(async () => (await sent(page, 'read')).at(-1))
    .toEqual({ text: 'npx -y @example/linked', wish: 'search' });
});

it('asks the host of a URL for its servers on a press alone, and says what came of it', async () => {
  const page = await open('cards');
  await box(page).fill('https://mcp.weather.example/mcp');
  const ask = button(page, 'Look for servers at mcp.weather.example');
  await ask.waitFor();
  expect(await sent(page, 'discover')).toEqual([]);
  await ask.click();
  await page.getByRole('heading', { name: 'com.example/hosted' }).waitFor();
  expect(await sent(page, 'discover')).toEqual([{ text: 'https://mcp.weather.example/mcp' }]);
  expect(await page.locator('#what').textContent()).toContain('mcp.weather.example: 3 servers');
  expect(await page.locator('.card').count()).toBe(3);
  await page.getByText('saas.elsewhere.example', { exact: false }).first().waitFor();
  expect(await page.getByText('which was not asked', { exact: false }).count()).toBe(1);
});

it('keeps the card of the URL when its host lists nothing', async () => {
  const page = await openAt('host');
  expect(await page.locator('.card h2').allTextContents()).toEqual(['weather']);
  expect(await page.locator('.host [role=status]').textContent()).toContain('lists no MCP servers');
});

it('leads to the place that is wrong', async () => {
  const page = await openAt('wrong');
  await button(page, 'Go to the Place').click();
  const range = await box(page).evaluate((element: HTMLTextAreaElement) => [
    element.selectionStart,
    element.selectionEnd,
  ]);
  expect(range).toEqual([15, 16]);
  expect(await box(page).getAttribute('aria-invalid')).toBe('true');
});

it('reads the clipboard only once it is asked for', async () => {
  const page = await open('clipboard');
  const chip = button(page, 'From the clipboard: JSON of 2 servers');
  await chip.waitFor();
  expect(await sent(page, 'readClipboard')).toEqual([]);
  await chip.press('Enter');
  await expect.poll(() => box(page).inputValue()).toBe('npx -y @example/linked');
  expect(await chip.count()).toBe(0);
});

it('adds and starts a pasted server by keyboard alone, and leaves to its page', async () => {
  const page = await open('pasted');
  await box(page).focus();
  await page.keyboard.type('npx -y @example/linked');
  await page.keyboard.press('Enter');
  const title = page.getByRole('heading', { name: 'linked', exact: true });
  await expect.poll(() => title.evaluate(isFocused)).toBe(true);
  await page.keyboard.press('Tab');
  await page.keyboard.press('End');
  await page.keyboard.type('-2');
  await page.keyboard.press('Tab');
  expect(await page.getByRole('combobox', { name: 'Where' }).evaluate(isFocused)).toBe(true);
  await page.keyboard.press('Tab');
  await page.keyboard.type('canary');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await button(page, 'Add and Start: linked-2').focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => sent(page, 'show')).toEqual([{ id: 'x', isStarted: true, isLast: true }]);
  expect(await sent(page, 'add')).toEqual([
    {
      id: '7',
      way: 'pasted',
      place: 'primary file:///work/shop',
      name: 'linked-2',
      answers: { 'secret-env-API_TOKEN': 'canary' },
      plain: [],
    },
  ]);
  await expect.poll(() => spoken(page)).toBe('Added to the MCP servers: weather');
});

it('keeps what was entered when Enter asks for what was read already', async () => {
  const page = await open('pasted');
  await box(page).fill('npx -y @example/linked');
  const name = page.getByRole('textbox', { name: 'Name', exact: true });
  await name.fill('mine');
  await box(page).press('Enter');
  const title = page.getByRole('heading', { name: 'linked', exact: true });
  await expect.poll(() => title.evaluate(isFocused)).toBe(true);
  expect(await name.inputValue()).toBe('mine');
  expect(await sent(page, 'read')).toHaveLength(1);
});

it('stores secrets securely unless the user says otherwise', async () => {
  const page = await openAt('form');
  const store = page.getByRole('checkbox', { name: 'Store securely: WEATHER_API_KEY' });
  expect(await store.isChecked()).toBe(true);
  await store.click();
  await button(page, 'Add: weather').click();
  await expect
    .poll(() => sent(page, 'add'))
    .toMatchObject([{ plain: ['WEATHER_API_KEY'], answers: { '--days': '5' } }]);
  await expect
    .poll(() => sent(page, 'show'))
    .toEqual([{ id: 'x', isStarted: false, isLast: true }]);
});

it('says at the field what is missing, only once the user was there or wanted to add', async () => {
  const page = await open('incomplete');
  await addStates.form?.steps(page);
  const trouble = page.locator('.field-problem').getByText('A value is needed here.');
  await page.getByText('Fill in what is needed').waitFor();
  expect(await trouble.count()).toBe(0);
  await button(page, 'Add: weather').click();
  await trouble.waitFor();
});

it('adds all of a block that can be added', async () => {
  const page = await openAt('several');
  await button(page, 'Add All (2)').click();
  await expect.poll(async () => (await sent(page, 'add')).length).toBe(2);
  await expect.poll(() => button(page, 'Open').count()).toBe(2);
  expect(await page.getByText('The server has both a command and a URL.').count()).toBe(1);
});

it('keeps what was entered while the tab is hidden, but no secret', async () => {
  const page = await openAt('form');
  await secret(page).fill('canary');
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('rain');
  const saved = await savedState(page);
  expect(JSON.stringify(saved)).not.toContain('canary');
  await page.close();
  const again = await open('form', { savedState: saved });
  await again.getByRole('heading', { name: 'Weather', exact: true }).waitFor();
  const name = again.getByRole('textbox', { name: 'Name', exact: true });
  await expect.poll(() => name.inputValue()).toBe('rain');
  expect(await box(again).inputValue()).toBe('weather');
  await again.close();
});

it('keeps no text that came with a secret, nor one that is wrong', async () => {
  for (const reading of [
    servers({ isOpen: false }),
    { kind: 'wrong', message: 'Wrong.', remedy: '' },
  ]) {
    const page = await pages.open({
      page: 'add',
      replies: { ...addStates.pasted?.replies, read: reading },
      height: 800,
    });
    await box(page).fill('TOKEN=canary npx a');
    await page.locator('#what span:not(.codicon)').waitFor();
    expect(JSON.stringify(await savedState(page))).not.toContain('canary');
    await page.close();
  }
});

it('opens a tab of the page of the registry where it was', async () => {
  const page = await open('form', {
    savedState: { text: 'weather', name: 'io.github.example/weather', answers: {} },
  });
  await page.getByRole('heading', { name: 'Weather', exact: true }).waitFor();
  expect(await box(page).inputValue()).toBe('weather');
});

it('offers other ways while the box is empty', async () => {
  const page = await open('empty');
  await button(page, 'Import from Cursor (3)…').click();
  await expect.poll(() => sent(page, 'import')).toEqual([{ source: 'cursor' }]);
  const other = await open('empty');
  await button(other, 'Blank Form').click();
  await expect
    .poll(() => sent(other, 'openForm'))
    .toEqual([{ place: 'primary file:///work/shop' }]);
  await button(other, 'Browse Registry').click();
  await expect.poll(() => sent(other, 'search')).toEqual([{ text: '' }]);
});

it('goes back to the row from where it came, and leaves with Escape', async () => {
  const page = await openAt('form', { width: 420 });
  await button(page, 'All Servers').click();
  await expect.poll(() => button(page, /^Weather/).evaluate(isFocused)).toBe(true);
  await button(page, /^Weather/).click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).press('Escape');
  await expect.poll(() => button(page, /^Weather/).evaluate(isFocused)).toBe(true);
});

it('shows why a way cannot be used as it is, and offers no button that adds it', async () => {
  const page = await openAt('blocked');
  await page.getByText('It is a bundle at').waitFor();
  expect(await button(page, /^Add(?: and Start)?:/).count()).toBe(0);
});

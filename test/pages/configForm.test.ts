/** The form of an entry in a real browser, with the extension's side played by sample states. */
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { sent, tell } from '../helpers/pages/host.js';
import { faultsInAllLooks } from '../helpers/pages/looks.js';
import { editStart, formCheck, formStart, remoteEntry } from '../helpers/pages/states/config.mjs';
import { usePages } from '../helpers/pages/usePages.js';

const pages = usePages();

interface SaveServer {
  readonly inFile: readonly string[];
}

const open = (replies: Record<string, unknown> = {}): Promise<Page> =>
  pages.open({ page: 'server', replies });

/** The form of a server, on its page. */
const edit = (replies: Record<string, unknown> = {}) => open({ ...editStart(), ...replies });

const box = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** The form of a new server, filled in. */
async function add(
  values: Readonly<Record<string, string>>,
  replies: Record<string, unknown> = {},
): Promise<Page> {
  const page = await open({ ...formStart('file:///work/shop'), ...replies });
  for (const [name, value] of Object.entries(values)) {
    await box(page, name).fill(value);
  }
  return page;
}

/** It was saved. */
const isSaved = (page: Page) => expect.poll(() => sent(page, 'saved')).toHaveLength(1);

/** How often a sentence is on the page for those who see it. */
const shown = async (page: Page, sentence: string) =>
  ((await page.locator('main').textContent()) ?? '').split(sentence).length - 1;

const isInSight = (place: Locator) =>
  place.evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return top >= 0 && bottom <= window.innerHeight;
  });

const announced = (page: Page, sentence: string) =>
  page.locator('body > [role=status]').getByText(sentence).waitFor({ state: 'attached' });

describe('what is said while a form is filled in', () => {
  it('a line in the place of a command is split when the user wants it, not before', async () => {
    const { line } = formCheck.offer;
    const page = await add({ Command: line }, { checkServer: { ...formCheck, secrets: [] } });
    const offer = page.locator('.field:has(#field-command) .offer');
    expect(await offer.locator('code').allInnerTexts()).toEqual([
      'npx',
      '-y',
      '@scope/server',
      '--root',
      'my files',
    ]);
    await announced(page, 'This is more than a command.');
    expect(await box(page, 'Command').inputValue()).toBe(line);
    expect(await page.getByRole('textbox', { name: /^Arguments, row/ }).count()).toBe(0);
    await offer.getByRole('button', { name: 'Split' }).press('Enter');
    await offer.waitFor({ state: 'detached' });
    expect(await box(page, 'Command').inputValue()).toBe('npx');
    expect(await box(page, 'Arguments, row 4').inputValue()).toBe('my files');
    expect(await box(page, 'Name').inputValue()).toBe('server');
    await page.locator('#field-command:focus').waitFor();
  });

  it('a name that cannot be used, once it was entered, and once', async () => {
    const message = 'shop/.mcp.json already has a server files.';
    const name = { code: 'server_name_taken', field: 'name', message, remedy: 'Choose another.' };
    const page = await add({ Command: 'npx' }, { checkServer: { name, secrets: [] } });
    await page.waitForFunction(
      () => (window as unknown as { sent: { type: string }[] }).sent.at(-1)?.type === 'checkServer',
    );
    expect(await shown(page, message)).toBe(0);
    await box(page, 'Name').fill('files');
    await page.locator('.field:has(#field-name) .field-problem').getByText(message).waitFor();
    await announced(page, message);
    await button(page, 'Save').click();
    await page.locator('#field-name:focus').waitFor();
    expect(await shown(page, message)).toBe(1);
    expect(await sent(page, 'saveServer')).toEqual([]);
  });

  it('a secret leaves the file unless the user says that it stays', async () => {
    const page = await add(
      { Name: 'new', Command: 'npx' },
      { checkServer: { secrets: formCheck.secrets.slice(0, 1) } },
    );
    await page.locator('[data-group=environment] summary').click();
    const note = page.locator('[data-group=environment] .secret-note');
    await note.getByText('the file gets ${input:memory-api-token}').waitFor();
    await announced(page, 'Looks like a secret: API_TOKEN.');
    const inFile = note.getByRole('checkbox');
    expect(await inFile.isChecked()).toBe(false);
    await inFile.click();
    await note.getByText('It is plain text in the file.').waitFor();
    await button(page, 'Save').click();
    await isSaved(page);
    expect((await sent<SaveServer>(page, 'saveServer')).map(({ inFile }) => inFile)).toEqual([
      ['env'],
    ]);
  });

  it('stored secrets are not shown, and how to keep them is', async () => {
    const page = await edit();
    for (const summary of await page.locator('#settings summary').all()) {
      await summary.click();
    }
    const values = await page
      .locator('form :is(input, textarea)')
      .evaluateAll((fields) => fields.map((field) => (field as HTMLInputElement).value));
    expect(values.join()).not.toContain('REDACTED');
    expect(await page.locator('form').innerHTML()).not.toContain('REDACTED');
    const hints = await page
      .locator('form input')
      .evaluateAll((fields) => fields.map((field) => field.getAttribute('placeholder')));
    expect(hints.filter((hint) => hint?.includes('leave empty'))).toEqual([
      '--key=… (leave empty to keep)',
      '(leave empty to keep)',
      '(leave empty to keep)',
    ]);
  });
});

describe('what comes of a step is said where it was taken', () => {
  it('a refusal that no field is to blame for stands beside the button', async () => {
    const message = 'The file is in use by another program.';
    const problems = [{ code: 'config_busy', message, remedy: 'Wait.' }];
    const page = await add(
      { Name: 'new', Command: 'npx' },
      { saveServer: { saved: false, problems } },
    );
    await button(page, 'Save').click();
    const alert = page.getByRole('alert').getByText(message);
    await alert.waitFor();
    expect([await isInSight(alert), await shown(page, message)]).toEqual([true, 1]);
  });

  it('the first field that is wrong has the focus, in sight, and each sentence stands once', async () => {
    const page = await edit();
    await box(page, 'Command').fill('');
    await page.locator('[data-group=limits] summary').click();
    await box(page, 'Request timeout (milliseconds)').fill('soon');
    await button(page, 'Save').click();
    await page.locator('#field-command:focus').waitFor();
    expect(await isInSight(page.locator('.field:has(#field-command) .field-problem'))).toBe(true);
    expect(await shown(page, 'A value is required.')).toBe(1);
    expect(await shown(page, 'is not a number')).toBe(1);
    await announced(page, 'A value is required.');
  });

  it('a saved server says so on its page, and is read again', async () => {
    const page = await edit();
    await box(page, 'Command').fill('node');
    await button(page, 'Save and Restart').click();
    await page.locator('.outcome').getByText('Saved.').waitFor();
    await announced(page, 'Saved.');
    expect(await sent(page, 'saved')).toEqual([{ id: 'global#memory', isStarted: true }]);
    expect(await box(page, 'Command').inputValue()).toBe('npx');
  });

  it.each([0, 10_000])('what cannot be saved is told in sight, also at %i pixels', async (top) => {
    const replies = { ...editStart(), saveServer: { error: 'The file cannot be written.' } };
    const page = await pages.open({ page: 'server', replies, width: 280, height: 400 });
    await box(page, 'Command').fill('node');
    await page.locator('#panel-settings').evaluate((one, place) => one.scrollTo(0, place), top);
    // a real click would scroll
    await button(page, 'Save and Restart').evaluate((one: HTMLElement) => one.click());
    const problem = page.getByRole('alert').filter({ hasText: 'The file cannot be written.' });
    await problem.waitFor();
    expect(await isInSight(problem)).toBe(true);
    expect(await faultsInAllLooks(page, `form-not-saved-${top}`, [280])).toEqual([]);
    await problem.getByRole('button', { name: 'Dismiss' }).click();
    await problem.waitFor({ state: 'detached' });
  });
});

describe('changes that are not saved', () => {
  it('are told to the extension by their heading, until they are gone', async () => {
    const page = await edit();
    const unsaved = async () =>
      (await sent<{ unsaved?: string }>(page, 'keepForm')).at(-1)?.unsaved;
    await box(page, 'Command').waitFor();
    expect(await unsaved()).toBeUndefined();
    await box(page, 'Command').fill('node');
    expect(await unsaved()).toBe('Settings: memory');
    await box(page, 'Command').fill('npx');
    expect(await unsaved()).toBeUndefined();
    await box(page, 'Command').fill('node');
    await button(page, 'Discard').click();
    await page.locator('#keep-editing:focus').waitFor();
    await button(page, 'Discard').click();
    await expect.poll(() => box(page, 'Command').inputValue()).toBe('npx');
    expect(await unsaved()).toBeUndefined();
  });

  it('are asked about before the form of a new server closes', async () => {
    const page = await add({ Command: 'node' });
    await box(page, 'Command').press('Escape');
    await page.locator('#keep-editing:focus').waitFor();
    await button(page, 'Keep Editing').click();
    expect(await box(page, 'Command').inputValue()).toBe('node');
    expect(await sent(page, 'close')).toEqual([]);
    await button(page, 'Discard').click();
    await button(page, 'Discard').click();
    await expect.poll(() => sent(page, 'close')).toHaveLength(1);
  });
});

it('a row that is removed leaves the focus at its list, from where the next one is near', async () => {
  const page = await edit();
  await button(page, 'Remove Arguments, row 2').press('Enter');
  await page.locator('#field-args:focus').waitFor();
  await page.keyboard.press('Tab');
  const next = page.getByRole('textbox', { name: 'Arguments, row 1' });
  await expect.poll(() => next.evaluate((one) => one === document.activeElement)).toBe(true);
});

it('puts a new server into the file that is chosen', async () => {
  const page = await add({ Name: 'new', Command: 'npx' });
  const where = page.getByRole('combobox', { name: 'Where' });
  expect(await where.locator('option').allInnerTexts()).toEqual([
    'User: Every Folder',
    'Folder shop: for Everybody',
    'Folder shop: Only You',
    'Folder empty: for Everybody',
    'Folder empty: Only You',
  ]);
  await where.selectOption('Folder shop: Only You');
  await page.getByText('pi-mcp/folders/shop-').waitFor();
  await button(page, 'Save').click();
  await isSaved(page);
  expect(await sent(page, 'saveServer')).toMatchObject([
    { poolId: 'file:///work/shop', file: 'local', name: 'new' },
  ]);
});

it('the form fits and is accessible with everything in it', async () => {
  const message = 'shop/.mcp.json already has a server memory.';
  const name = { code: 'server_name_taken', field: 'name', message, remedy: 'Choose another.' };
  const problems = [{ code: 'config_busy', message: 'The file is busy.', remedy: 'Wait.' }];
  const page = await edit({
    checkServer: { ...formCheck, name },
    saveServer: { saved: false, problems },
  });
  await box(page, 'Name').fill('files');
  await box(page, 'Command').fill(formCheck.offer.line);
  await page.locator('.offer').waitFor();
  for (const summary of await page.locator('#settings summary').all()) {
    await summary.click();
  }
  await box(page, 'Request timeout (milliseconds)').fill('soon');
  await button(page, 'Discard').click();
  await page.locator('#keep-editing:focus').waitFor();
  expect(await faultsInAllLooks(page, 'config-form', [900, 280])).toEqual([]);
});

it('the form of a remote server is accessible', async () => {
  const page = await open(editStart({ name: 'docs', entry: remoteEntry }));
  await page.locator('[data-group=account] summary').click();
  await page.getByText('Further parameters').first().scrollIntoViewIfNeeded();
  expect(await faultsInAllLooks(page, 'config-account', [900, 280])).toEqual([]);
});

describe('what a fix leads to', () => {
  const focused = (page: Page) => page.evaluate(() => document.activeElement?.id);

  it('has the focus, in a group that was folded', async () => {
    const page = await edit();
    await box(page, 'Command').waitFor();
    expect(await page.locator('details:has(#field-cwd)').getAttribute('open')).toBeNull();
    await tell(page, 'show', { tab: 'settings', field: 'cwd' });
    await expect.poll(() => focused(page)).toBe('field-cwd');
    // as long as nobody is led elsewhere, the focus is the user's
    await tell(page, 'show', { tab: 'settings' });
    await box(page, 'Command').focus();
    await tell(page, 'show', { tab: 'settings', field: '' });
    expect(await focused(page)).toBe('field-command');
  });

  it.each([
    ['args', 'Arguments, row 1'],
    ['env', 'Environment variables, row 1: Name'],
  ])('is the first control of a field with rows: %s', async (field, label) => {
    const page = await pages.open({ page: 'server', replies: editStart(), width: 280 });
    await box(page, 'Command').waitFor();
    await tell(page, 'show', { tab: 'settings', field });
    await page.locator(`#field-${field} [aria-label="${label}"]:focus`).waitFor();
    expect(await isInSight(page.locator(':focus'))).toBe(true);
  });

  it('is the first field of what it is about, also of a page that just opens', async () => {
    const start = editStart({ name: 'shop', entry: remoteEntry });
    const page = await open({ ...start, open: { ...start.open, field: 'oauth' } });
    await expect.poll(() => focused(page)).toMatch(/^field-oauth\./);
  });
});

/** The form of the configuration page in a real browser, with the extension's side played by sample states. */
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { sent } from '../helpers/pages/host.js';
import { faultsInAllLooks } from '../helpers/pages/looks.js';
import { configState, formCheck, formEntry, remoteEntry } from '../helpers/pages/states/config.mjs';
import { usePages } from '../helpers/pages/usePages.js';

const pages = usePages();

interface SaveServer {
  readonly inFile: readonly string[];
}

interface Look {
  readonly theme?: string;
  readonly width?: number;
}

async function open(replies: Record<string, unknown> = {}, look: Look = {}): Promise<Page> {
  return pages.open({
    page: 'config',
    replies: {
      ready: { state: configState },
      readServer: { name: 'memory', entry: formEntry },
      saveServer: { saved: true, id: 'global#memory' },
      ...replies,
    },
    ...look,
  });
}

const box = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

async function add(page: Page, values: Readonly<Record<string, string>>): Promise<void> {
  await button(page, 'Add Server to shop').click();
  for (const [name, value] of Object.entries(values)) {
    await box(page, name).fill(value);
  }
}

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
    const page = await open({ checkServer: { ...formCheck, secrets: [] } });
    const { line } = formCheck.offer;
    await add(page, { Command: line });
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
    const page = await open({ checkServer: { name, secrets: [] } });
    await add(page, { Command: 'npx' });
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
    const page = await open({ checkServer: { secrets: formCheck.secrets.slice(0, 1) } });
    await add(page, { Name: 'new', Command: 'npx' });
    await page.locator('[data-group=environment] summary').click();
    const note = page.locator('[data-group=environment] .secret-note');
    await note.getByText('the file gets ${input:memory-api-token}').waitFor();
    await announced(page, 'Looks like a secret: API_TOKEN.');
    const inFile = note.getByRole('checkbox');
    expect(await inFile.isChecked()).toBe(false);
    await inFile.click();
    await note.getByText('Everybody who has the folder can read it').waitFor();
    await button(page, 'Save').click();
    await page.getByRole('heading', { name: 'MCP Servers' }).waitFor();
    expect((await sent<SaveServer>(page, 'saveServer')).map(({ inFile }) => inFile)).toEqual([
      ['env'],
    ]);
  });

  it('stored secrets are not shown, and how to keep them is', async () => {
    const page = await open();
    await button(page, 'Edit: server memory').click();
    for (const summary of await page.locator('summary').all()) {
      await summary.click();
    }
    const values = await page
      .locator('vscode-text-field, textarea')
      .evaluateAll((fields) => fields.map((field) => (field as HTMLInputElement).value));
    expect(values.join()).not.toContain('REDACTED');
    expect(await page.locator('form').innerHTML()).not.toContain('REDACTED');
    const hints = await page
      .locator('vscode-text-field')
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
    const message = 'The file is being changed by another program.';
    const problems = [{ code: 'config_busy', message, remedy: 'Wait.' }];
    const page = await open({ saveServer: { saved: false, problems } });
    await add(page, { Name: 'new', Command: 'npx' });
    await button(page, 'Save').click();
    const alert = page.getByRole('alert').getByText(message);
    await alert.waitFor();
    expect([await isInSight(alert), await shown(page, message)]).toEqual([true, 1]);
  });

  it('the first field that is wrong has the focus, in sight, and each sentence stands once', async () => {
    const page = await open({ ready: { state: configState } });
    await button(page, 'Edit: server memory').click();
    await box(page, 'Command').fill('');
    await page.locator('[data-group=limits] summary').click();
    await box(page, 'Request timeout (milliseconds)').fill('soon');
    await button(page, 'Save').click();
    await page.locator('#field-command:focus').waitFor();
    expect(await isInSight(page.locator('.field:has(#field-command) .field-problem'))).toBe(true);
    expect(await shown(page, 'A local server needs a command.')).toBe(1);
    expect(await shown(page, 'is not a number')).toBe(1);
    await announced(page, 'A local server needs a command.');
  });

  it('a request that fails says so in its row, and a test that works does', async () => {
    const failing = await open({ start: { error: 'The window is closing.' } });
    await button(failing, 'Start: server docs').click();
    const row = failing.locator('[data-server=docs]');
    await row.getByRole('alert').getByText('The window is closing.').waitFor();
    expect(await shown(failing, 'The window is closing.')).toBe(1);
    await row.getByRole('button', { name: 'Dismiss' }).click();
    expect(await shown(failing, 'The window is closing.')).toBe(0);
    await failing.close();

    const text = 'The server works: 2 tools, connected in 0.3 s.';
    const working = await open({ test: { state: 'connected', text } });
    await button(working, 'Probe: server docs').click();
    await working.locator('[data-server=docs] .outcome').getByText(text).waitFor();
    await announced(working, text);
    await working.close();
  });

  it('a saved server has the focus', async () => {
    const page = await open({ saveServer: { saved: true, id: 'file:///work/shop#slow' } });
    await button(page, 'Edit: server memory').click();
    await box(page, 'Command').fill('node');
    await button(page, 'Save').click();
    await page.locator('[data-server=slow] h3:focus').waitFor();
    const outcome = page.locator('[data-server=slow] .outcome');
    expect([await outcome.textContent(), await isInSight(outcome)]).toEqual(['Saved.', true]);
  });
});

describe('changes that are not saved', () => {
  it('are told to the extension by their heading, until they are gone', async () => {
    const page = await open();
    const unsaved = async () =>
      (await sent<{ unsaved?: string }>(page, 'keepForm')).at(-1)?.unsaved;
    await button(page, 'Edit: server memory').click();
    expect(await unsaved()).toBeUndefined();
    await box(page, 'Command').fill('node');
    expect(await unsaved()).toBe('Edit Server: memory');
    await box(page, 'Command').fill('npx');
    expect(await unsaved()).toBeUndefined();
    await box(page, 'Command').fill('node');
    await button(page, 'Cancel').click();
    await button(page, 'Discard').click();
    expect(await sent(page, 'keepForm')).toHaveLength(5);
    expect((await sent(page, 'keepForm')).at(-1)).toEqual({});
  });

  it('are asked about before another form takes their place, which then opens', async () => {
    const page = await open();
    await add(page, { Command: 'node' });
    const edit = { poolId: 'global', id: 'global#memory' };
    await page.evaluate((params) => window.postMessage({ type: 'edit', params }, '*'), edit);
    await page.locator('#keep-editing:focus').waitFor();
    await button(page, 'Keep Editing').click();
    expect(await box(page, 'Command').inputValue()).toBe('node');
    await page.evaluate((params) => window.postMessage({ type: 'edit', params }, '*'), edit);
    await button(page, 'Discard').click();
    await page.getByRole('heading', { name: 'Edit Server: memory' }).waitFor();
  });
});

it('puts a new server into the file that is chosen', async () => {
  const page = await open();
  await add(page, { Name: 'new', Command: 'npx' });
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
  await page.getByRole('heading', { name: 'MCP Servers' }).waitFor();
  expect(await sent(page, 'saveServer')).toMatchObject([
    { poolId: 'file:///work/shop', file: 'local', name: 'new' },
  ]);
});

it('the form fits and is accessible with everything in it', async () => {
  const message = 'shop/.mcp.json already has a server memory.';
  const name = { code: 'server_name_taken', field: 'name', message, remedy: 'Choose another.' };
  const problems = [{ code: 'config_busy', message: 'The file is busy.', remedy: 'Wait.' }];
  const page = await open({
    checkServer: { ...formCheck, name },
    saveServer: { saved: false, problems },
  });
  await button(page, 'Edit: server memory').click();
  await box(page, 'Name').fill('files');
  await box(page, 'Command').fill(formCheck.offer.line);
  await page.locator('.offer').waitFor();
  for (const summary of await page.locator('summary').all()) {
    await summary.click();
  }
  await box(page, 'Request timeout (milliseconds)').fill('soon');
  await button(page, 'Cancel').click();
  await page.locator('#keep-editing:focus').waitFor();
  expect(await faultsInAllLooks(page, 'config-form', [900, 280])).toEqual([]);
});

it('the form of a remote server and the list are accessible', async () => {
  const text = 'The server works: 2 tools, connected in 0.3 s.';
  const page = await open({
    readServer: { name: 'docs', entry: remoteEntry },
    test: { state: 'connected', text },
    start: { error: 'The window is closing.' },
  });
  await button(page, 'Probe: server docs').click();
  await page.locator('.outcome').waitFor();
  const found = [...(await faultsInAllLooks(page, 'config-list', [900]))];
  await button(page, 'Start: server docs').click();
  await page.getByRole('alert').waitFor();
  found.push(...(await faultsInAllLooks(page, 'config-alert', [900])));
  await button(page, 'Edit: server docs').click();
  await page.locator('[data-group=account] summary').click();
  found.push(...(await faultsInAllLooks(page, 'config-account', [900])));
  expect(found).toEqual([]);
});

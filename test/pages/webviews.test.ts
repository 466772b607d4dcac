/** Both pages in a real browser, with the extension's side played by sample states. */
import { describe, expect, it } from 'vitest';
import { isFocused, savedState, sent, tell } from '../helpers/pages/host.js';
import { agentSnapshots } from '../helpers/pages/states/agent.mjs';
import {
  configState,
  editStart,
  formEntry,
  formStart,
  listStart,
} from '../helpers/pages/states/config.mjs';
import { serverView } from '../helpers/pages/states/server.mjs';
import { usePages } from '../helpers/pages/usePages.js';

const pages = usePages();

describe('the list of servers', () => {
  it('has a line for each, which opens its page, and one thing to do where it does not work', async () => {
    const page = await pages.open({ page: 'config', replies: listStart });
    const docs = page.locator('[data-server=docs]');
    await docs.getByText('Cannot find module').waitFor();
    expect((await docs.boundingBox())?.height).toBeLessThanOrEqual(34);
    await docs.getByRole('button', { name: 'docs', exact: true }).click();
    await docs.getByRole('button', { name: 'Run in Terminal: server docs' }).click();
    await page.getByRole('button', { name: 'Add Server: shop' }).click();
    await page.getByRole('button', { name: 'Settings: User' }).click();
    expect(await sent(page, 'openServer')).toEqual([{ id: 'global#docs' }]);
    expect(await sent(page, 'fixServer')).toEqual([{ id: 'global#docs' }]);
    expect(await sent(page, 'openForm')).toEqual([
      { poolId: 'file:///work/shop', isSettings: false },
      { poolId: 'global', isSettings: true },
    ]);
  });

  it('begins each line of a long name where the first begins', async () => {
    const page = await pages.open({ page: 'config', replies: listStart, width: 280 });
    const name = page.locator('[data-server=docs] h3 button');
    const starts = await name.evaluate((button) => {
      button.textContent = 'a-name-of-many-words-'.repeat(4);
      const range = document.createRange();
      range.selectNodeContents(button);
      return [...range.getClientRects()].map(({ left }) => Math.round(left));
    });
    expect(starts.length).toBeGreaterThan(1);
    expect(new Set(starts).size).toBe(1);
  });

  it('says of a folder whether its gateway runs and which profile counts, and changes both', async () => {
    const page = await pages.open({ page: 'config', replies: listStart });
    await page.getByText('profile review').waitFor();
    await page.getByRole('button', { name: 'Stop Gateway: shop' }).click();
    await page.getByRole('button', { name: 'Select Profile…: shop' }).click();
    await page
      .getByRole('button', { name: /^Start Gateway: / })
      .first()
      .click();
    const [, shop, other] = configState.pools;
    expect(await sent(page, 'setLent')).toEqual([
      { poolId: shop?.id, isLent: false },
      { poolId: other?.id, isLent: true },
    ]);
    expect(await sent(page, 'selectProfile')).toEqual([{ poolId: shop?.id }]);
  });

  it('says how much memory a server takes that runs here, again after a while, and of no other one', async () => {
    const page = await pages.open({ page: 'config', replies: listStart });
    await page.locator('[data-server=memory]').getByText('42 MB').waitFor();
    expect(await page.locator('.memory').count()).toBe(1);
    await expect.poll(() => sent(page, 'measure')).toHaveLength(2);
  });

  it('stages boxes by the keyboard, says what they would do, and applies or discards them together', async () => {
    const page = await pages.open({
      page: 'config',
      replies: {
        ...listStart,
        previewSwitches: {
          summary: '1 start, 1 stop',
          effects: { 'global#docs': 'It stops.' },
        },
        applySwitches: configState,
      },
    });
    const docs = page.locator('[data-server=docs]');
    const box = docs.getByRole('checkbox', { name: 'Enabled: docs' });
    await box.focus();
    await page.keyboard.press('Space');
    const bar = page.getByRole('region', { name: 'Changes: 1' });
    await bar.getByRole('status').getByText('1 start, 1 stop').waitFor();
    await docs.getByText('It stops.').waitFor();
    expect(await sent(page, 'previewSwitches')).toEqual([{ enable: [], disable: ['global#docs'] }]);
    expect(await sent(page, 'applySwitches')).toEqual([]);
    expect(await savedState(page)).toEqual({ staged: [['global#docs', false]] });
    await bar.getByRole('button', { name: 'Discard' }).click();
    await bar.waitFor({ state: 'detached' });
    expect(await box.isChecked()).toBe(true);
    await docs.getByText('Cannot find module').waitFor();
    await box.click();
    await bar.getByRole('button', { name: 'Apply' }).click();
    await bar.waitFor({ state: 'detached' });
    expect(await sent(page, 'applySwitches')).toEqual([{ enable: [], disable: ['global#docs'] }]);
  });

  it('stages nothing when a server was switched elsewhere', async () => {
    const page = await pages.open({ page: 'config', replies: listStart });
    const box = page.getByRole('checkbox', { name: 'Enabled: docs' });
    await expect.poll(() => box.isChecked()).toBe(true);
    const pools = configState.pools.map((pool) => ({
      ...pool,
      servers: pool.servers.map((one) => (one.name === 'docs' ? { ...one, enabled: false } : one)),
    }));
    await tell(page, 'state', { ...configState, pools });
    await expect.poll(() => box.isChecked()).toBe(false);
    expect(await page.getByRole('region', { name: /^Changes/ }).count()).toBe(0);
    expect(await sent(page, 'previewSwitches')).toEqual([]);
  });

  it('says what went wrong, until it is dismissed', async () => {
    const openServer = { error: 'The window is closing.' };
    const page = await pages.open({ page: 'config', replies: { ...listStart, openServer } });
    await page.getByRole('button', { name: 'docs', exact: true }).click();
    await page.getByRole('alert').getByText('The window is closing.').waitFor();
    await page.getByRole('button', { name: 'Dismiss' }).click();
    expect(await page.getByRole('alert').count()).toBe(0);
  });
});

describe('the form of an entry', () => {
  const open = (replies: Record<string, unknown> = {}, savedState?: unknown) =>
    pages.open({ page: 'server', savedState, replies: { ...editStart(), ...replies } });

  it('saves edits, keeps what was left alone and says which key was renamed', async () => {
    const page = await open();
    await page.getByRole('textbox', { name: 'Arguments, row 4' }).fill('three  words ');
    await page.getByText('Environment', { exact: true }).click();
    await page
      .getByRole('textbox', { name: 'Environment variables, row 1: name' })
      .fill('MEMORY_PATH');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect.poll(() => sent(page, 'saved')).toHaveLength(1);
    const server = '@modelcontextprotocol/server-memory';
    expect(await sent(page, 'saveServer')).toEqual([
      {
        id: 'global#memory',
        poolId: 'global',
        file: 'primary',
        name: 'memory',
        inFile: [],
        entry: {
          ...formEntry,
          values: {
            ...formEntry.values,
            args: ['-y', server, '', 'three  words ', '--key=***REDACTED***'],
            env: [
              { key: 'MEMORY_PATH', value: '***REDACTED***', storedKey: 'MEMORY_FILE_PATH' },
              { key: 'API_TOKEN', value: '***REDACTED***' },
            ],
          },
        },
        // what was not changed here stays as others write it meanwhile
        original: formEntry,
      },
    ]);
  });

  it('shows why the extension refused, at the field', async () => {
    const message = 'The folder has a server of this name.';
    const problems = [{ code: 'name-taken', field: 'name', message, remedy: 'Choose another.' }];
    const page = await open({ ...formStart('global'), saveServer: { saved: false, problems } });
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('memory');
    await page.getByRole('textbox', { name: 'Command' }).fill('npx');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.locator('.field:has(#field-name) .field-problem').getByText(message).waitFor();
    await page.locator('#field-name:focus').waitFor();
  });

  it('unfolds the group of a field that is wrong, and counts what a group sets', async () => {
    const page = await open();
    const group = (id: string) => page.locator(`[data-group="${id}"]`);
    await group('environment').getByText('2 fields set').waitFor();
    expect(await page.locator('details[open]').count()).toBe(0);
    await group('limits').locator('summary').press('Enter');
    await page.getByRole('textbox', { name: 'Request timeout (milliseconds)' }).fill('700000');
    await group('limits').getByText('2 fields set').waitFor();
    await group('limits').locator('summary').press('Enter');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await group('limits').getByText('is not a number from 1 to 600000').waitFor();
    expect(await sent(page, 'saveServer')).toEqual([]);
  });

  it('edits the settings of a file', async () => {
    const read = { name: '', entry: { kind: 'stdio', values: {} } };
    const page = await open({ ...formStart('global', true), read });
    await page.getByRole('heading', { name: 'Settings: User' }).waitFor();
    await page.getByRole('combobox', { name: 'Prefix of tool names' }).selectOption('none');
    await page.getByRole('combobox', { name: 'Tools that ask' }).selectOption('Only these');
    await page.getByRole('button', { name: 'Add: Tools that ask before they run' }).press('Enter');
    await page
      .getByRole('textbox', { name: 'Tools that ask before they run, row 1' })
      .pressSequentially('write_*');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect.poll(() => sent(page, 'saved')).toHaveLength(1);
    expect(await sent(page, 'saveSettings')).toEqual([
      {
        entry: { kind: 'stdio', values: { toolPrefix: 'none', approveTools: ['write_*'] } },
        // what was not changed here stays as others write it meanwhile
        original: { kind: 'stdio', values: {} },
      },
    ]);
  });

  it('keeps an open form, its focus and its text when the state changes', async () => {
    const page = await open();
    const command = page.getByRole('textbox', { name: 'Command' });
    await command.fill('node');
    await tell(page, 'view', { ...serverView, reason: 'Not running' });
    await page.keyboard.type('js');
    expect(await command.inputValue()).toBe('nodejs');
  });

  it('asks before it drops changes', async () => {
    const page = await open();
    await page.getByRole('textbox', { name: 'Command' }).fill('node');
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.getByText('Discard your changes?').waitFor();
    await page.getByRole('button', { name: 'Keep Editing' }).click();
    expect(await page.getByRole('textbox', { name: 'Command' }).inputValue()).toBe('node');
  });

  it('never stores typed secrets on disk, and keeps them while it is hidden', async () => {
    const page = await open();
    await page.getByText('Environment', { exact: true }).click();
    await page.getByLabel('Environment variables, row 2: value').last().fill('topsecret');
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('renamed');
    const saved = await savedState(page);
    expect(JSON.stringify(saved)).not.toContain('topsecret');
    const kept = (await sent(page, 'keepForm')).at(-1) as { form: unknown };
    await page.close();
    const reloaded = await open({}, saved);
    await reloaded.getByText('Values are not kept when the window reloads.').first().waitFor();
    expect((await sent(reloaded, 'keepForm')).at(-1)).toMatchObject({
      unsaved: 'Settings: memory',
    });
    await reloaded.close();
    const ready = { ...editStart().ready, form: kept.form };
    const again = await open({ ready }, saved);
    await again.getByRole('button', { name: 'Save', exact: true }).click();
    await expect.poll(() => sent(again, 'saved')).toHaveLength(1);
    expect(JSON.stringify(await sent(again, 'saveServer'))).toContain('topsecret');
    await again.close();
  });
});

describe('agent panel', () => {
  const open = (ready: unknown, savedState?: unknown) =>
    pages.open({
      page: 'agent',
      replies: { ready, prompt: { isSent: true } },
      savedState,
      width: 320,
      height: 600,
    });

  it('renders no markup, no image and no script link of the model', async () => {
    const page = await open(agentSnapshots.done);
    const answer = page.getByRole('article', { name: 'Pi' }).last();
    await answer.getByText('<script>alert(1)</script>').waitFor();
    expect(await answer.locator('img, script, a[href^="javascript"]').count()).toBe(0);
    await answer.getByRole('link', { name: 'the docs' }).click();
    expect(await sent(page, 'openLink')).toEqual([{ href: 'https://example.com/docs' }]);
  });

  it('sends with Enter, breaks the line with Shift+Enter and keeps the draft', async () => {
    const page = await open(agentSnapshots.empty, { draft: 'first' });
    const text = page.getByRole('textbox', { name: 'Ask Pi' });
    await text.press('End');
    await text.press('Shift+Enter');
    await text.pressSequentially('second');
    await text.press('Enter');
    expect(await sent(page, 'prompt')).toEqual([{ text: 'first\nsecond', kind: 'next' }]);
    expect(await text.inputValue()).toBe('');
  });

  it('moves the focus to a question, but not while the user writes', async () => {
    const page = await open(agentSnapshots.empty);
    const text = page.getByRole('textbox');
    const card = page.locator('.approval');
    const hasFocus = () => card.evaluate(isFocused);
    await text.focus();
    await tell(page, 'state', agentSnapshots.approval.state);
    await card.waitFor();
    expect(await hasFocus()).toBe(true);
    await tell(page, 'state', agentSnapshots.empty.state);
    await card.waitFor({ state: 'detached' });
    await text.fill('Wait');
    await tell(page, 'state', agentSnapshots.approval.state);
    await card.waitFor();
    expect(await hasFocus()).toBe(false);
    await card.getByRole('button', { name: 'Deny…' }).click();
    await card.getByRole('textbox').press('Enter');
    expect(await sent(page, 'decide')).toEqual([{ approvalId: 'p1', decision: 'deny', words: '' }]);
  });
});

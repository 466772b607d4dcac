/** Both pages in a real browser, with the extension's side played by sample states. */
import { describe, expect, it } from 'vitest';
import { isFocused, savedState, sent, tell } from '../helpers/pages/host.js';
import { agentSnapshots } from '../helpers/pages/states/agent.mjs';
import { configState, formEntry } from '../helpers/pages/states/config.mjs';
import { usePages } from '../helpers/pages/usePages.js';

const pages = usePages();

describe('configuration editor', () => {
  const open = (replies: Record<string, unknown> = {}, savedState?: unknown) =>
    pages.open({
      page: 'config',
      savedState,
      replies: {
        ready: { state: configState },
        readServer: { name: 'memory', entry: formEntry },
        saveServer: { saved: true, id: 'global#memory' },
        readSettings: { entry: { kind: 'stdio', values: {} } },
        ...replies,
      },
    });

  it('saves edits, keeps what was left alone and says which key was renamed', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Edit: server memory' }).click();
    await page.getByRole('textbox', { name: 'Arguments, row 4' }).fill('three  words ');
    await page.getByText('Environment', { exact: true }).click();
    await page
      .getByRole('textbox', { name: 'Environment variables, row 1: name' })
      .fill('MEMORY_PATH');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('heading', { name: 'MCP Servers' }).waitFor();
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
      },
    ]);
  });

  it('shows why the extension refused, at the field', async () => {
    const message = 'The folder has a server of this name.';
    const problems = [{ code: 'name-taken', field: 'name', message, remedy: 'Choose another.' }];
    const page = await open({ saveServer: { saved: false, problems } });
    await page.getByRole('button', { name: 'Add Server to User' }).click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('memory');
    await page.getByRole('textbox', { name: 'Command' }).fill('npx');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.locator('.field:has(#field-name) .field-problem').getByText(message).waitFor();
    await page.locator('#field-name:focus').waitFor();
  });

  it('unfolds the group of a field that is wrong, and counts what a group sets', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Edit: server memory' }).click();
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
    const page = await open({ saveSettings: { saved: true, id: 'global' } });
    await page.getByRole('button', { name: 'Settings: User' }).click();
    await page.getByRole('combobox', { name: 'Prefix of tool names' }).selectOption('none');
    await page.getByRole('combobox', { name: 'Tools that ask' }).selectOption('Only these');
    await page.getByRole('button', { name: 'Add: Tools that ask before they run' }).press('Enter');
    await page
      .getByRole('textbox', { name: 'Tools that ask before they run, row 1' })
      .pressSequentially('write_*');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('heading', { name: 'MCP Servers' }).waitFor();
    expect(await sent(page, 'saveSettings')).toEqual([
      {
        poolId: 'global',
        entry: { kind: 'stdio', values: { toolPrefix: 'none', approveTools: ['write_*'] } },
      },
    ]);
  });

  it('keeps an open form, its focus and its text when the state changes', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Edit: server memory' }).click();
    const command = page.getByRole('textbox', { name: 'Command' });
    await command.fill('node');
    await tell(page, 'state', { ...configState, isWorkspaceTrusted: false });
    await page.keyboard.type('js');
    expect(await command.inputValue()).toBe('nodejs');
  });

  it('asks before it drops changes', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Edit: server memory' }).click();
    await page.getByRole('textbox', { name: 'Command' }).fill('node');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Discard your changes?').waitFor();
    await page.getByRole('button', { name: 'Keep Editing' }).click();
    expect(await page.getByRole('textbox', { name: 'Command' }).inputValue()).toBe('node');
  });

  it('never stores typed secrets on disk, and keeps them while it is hidden', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Edit: server memory' }).click();
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
      unsaved: 'Edit Server: memory',
    });
    await reloaded.close();
    const again = await open({ ready: { state: configState, form: kept.form } }, saved);
    await again.getByRole('heading', { name: 'Edit Server: memory' }).waitFor();
    await again.getByRole('button', { name: 'Save', exact: true }).click();
    await again.getByRole('heading', { name: 'MCP Servers' }).waitFor();
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

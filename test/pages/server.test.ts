/** The page of a server: its head, what is wrong, its overview and its list of tools; forms and traffic have files of their own. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { ServerView } from '../../src/protocol/server/serverProtocol.js';
import { drawn, isFocused, savedState, sent, spoken, tell } from '../helpers/pages/host.js';
import { faultsInAllLooks, shoot, violations } from '../helpers/pages/looks.js';
import { inspectorReplies } from '../helpers/pages/states/inspector.mjs';
import { runToolView } from '../helpers/pages/states/runTool.mjs';
import {
  failingView,
  goneView,
  overrideReplies,
  serverStart,
  serverView,
  toolStart,
} from '../helpers/pages/states/server.mjs';
import { usePages } from '../helpers/pages/usePages.js';

const pages = usePages();

async function open(view: ServerView = serverView, options: object = {}): Promise<Page> {
  const replies = serverStart({ view });
  const page = await pages.open({ page: 'server', replies, width: 700, height: 700, ...options });
  await page.getByRole('heading', { level: 1 }).waitFor();
  return page;
}

const tab = (page: Page, name: string) => page.getByRole('tab', { name });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

it('goes from tab to tab by keys, and writes down where it was left', async () => {
  const page = await open();
  expect(await tab(page, 'Overview').getAttribute('aria-selected')).toBe('true');
  await tab(page, 'Overview').focus();
  await page.keyboard.press('ArrowRight');
  expect(await tab(page, 'Tools').evaluate(isFocused)).toBe(true);
  expect(await tab(page, 'Tools').getAttribute('aria-selected')).toBe('true');
  expect(await page.getByRole('tabpanel').getAttribute('aria-labelledby')).toBe('tab-tools');
  expect(await page.locator('[role=tab][tabindex="0"]').count()).toBe(1);
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowRight');
  expect(await tab(page, 'Overview').evaluate(isFocused)).toBe(true);
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  expect(await savedState(page)).toMatchObject({ subject: serverView.subject, tab: 'tools' });
  await page.close();
  const again = await open(serverView, { savedState: { tab: 'tools' } });
  expect(await tab(again, 'Tools').getAttribute('aria-selected')).toBe('true');
});

it('asks for what its head offers, and stays once the user has done something', async () => {
  const page = await open();
  expect(await sent(page, 'keep')).toEqual([]);
  await button(page, 'Stop').click();
  await button(page, 'Restart').click();
  await page.getByRole('checkbox', { name: 'Enabled' }).uncheck();
  await button(page, 'Manage Trust…').click();
  expect(await sent(page, 'act')).toEqual([
    { action: 'stop' },
    { action: 'restart' },
    { action: 'trust' },
  ]);
  expect(await sent(page, 'setEnabled')).toEqual([{ isEnabled: false }]);
  expect(await sent(page, 'keep')).toHaveLength(1);
});

it('opens the menu of VS Code for the rest, about its server', async () => {
  const page = await open();
  await page.evaluate(() => {
    document.addEventListener('contextmenu', (event) => {
      const place = (event.target as HTMLElement).closest('[data-vscode-context]');
      document.body.dataset.context = place?.getAttribute('data-vscode-context') ?? '';
    });
  });
  await button(page, 'More…').press('Enter');
  const context = await page.evaluate(() => JSON.parse(document.body.dataset.context ?? ''));
  expect(context).toEqual({
    webviewSection: 'piMcpServer',
    kind: 'server',
    server: { id: 'global#notes' },
    preventDefaultContextMenuItems: true,
  });
});

it('says once what is wrong, what shows it and the one thing to do', async () => {
  const page = await open(failingView);
  const banner = page.getByRole('region', { name: 'Details' });
  await banner.getByText('The server exited before it answered.').waitFor();
  expect(await banner.locator('pre').textContent()).not.toContain('frame 0 ');
  expect(await banner.locator('pre').textContent()).toContain('Cannot find module');
  await banner.getByRole('button', { name: 'Show All' }).click();
  expect(await banner.locator('pre').textContent()).toContain('frame 0 ');
  await banner.getByRole('button', { name: 'Run in Terminal' }).click();
  await banner.getByRole('button', { name: 'Open Settings' }).click();
  expect(await sent(page, 'act')).toEqual([{ action: 'fix' }]);
  expect(await tab(page, 'Settings').getAttribute('aria-selected')).toBe('true');
  await tab(page, 'Tools').click();
  await page.getByText('Tools are known once the server has run.').waitFor();
  expect(await page.locator('main > .banner').count()).toBe(1);
});

it('tells how the state changes, and measures what runs alone', async () => {
  const page = await open(failingView);
  expect(await sent(page, 'measure')).toEqual([]);
  await tell(page, 'view', serverView);
  await expect.poll(() => spoken(page)).toBe('Connected');
  await expect.poll(() => sent(page, 'measure')).toHaveLength(1);
  expect(await page.locator('.banner').count()).toBe(0);
});

it('has what was measured in its overview', async () => {
  const measure = { facts: [{ label: 'process', text: 'up 3 min · pid 4242 · 45 MB' }] };
  const page = await open(serverView, { replies: { ...serverStart(), measure } });
  await page.getByText('up 3 min · pid 4242 · 45 MB').waitFor();
});

it('leaves a tab almost half of a low page, whatever its head has to say', async () => {
  const page = await open(failingView, { width: 320, height: 400 });
  for (const name of ['Settings', 'Traffic', 'Overview']) {
    await tab(page, name).click();
    const panel = page.locator('.panel:visible');
    expect((await panel.boundingBox())?.height).toBeGreaterThanOrEqual(180);
  }
  await page.locator('main').evaluate((main) => main.scrollTo(0, main.scrollHeight));
  const box = await page.locator('.panel:visible').boundingBox();
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(401);
});

it('has all its tabs in sight in a narrow column', async () => {
  const page = await open(serverView, { width: 214 });
  const tabs = page.getByRole('tablist').getByRole('tab');
  const ends = await tabs.evaluateAll((all) => all.map((tab) => tab.getBoundingClientRect().right));
  expect(ends).toHaveLength(4);
  expect(Math.max(...ends)).toBeLessThanOrEqual(214);
});

it('says nothing of a process that has ended, also by an answer that comes late', async () => {
  const measure = { facts: [{ label: 'process', text: 'up 3 min · pid 4242 · 45 MB' }] };
  const page = await open(serverView, { replies: { ...serverStart(), measure } });
  const process = page.getByText('up 3 min');
  await process.waitFor();
  await tell(page, 'view', { ...serverView, state: 'error' });
  await process.waitFor({ state: 'detached' });
  const asked = await sent(page, 'measure');
  await page.evaluate(
    (views) => views.map((params) => window.postMessage({ type: 'view', params }, '*')),
    [serverView, { ...serverView, state: 'error' }],
  );
  await expect.poll(() => sent(page, 'measure')).toHaveLength(asked.length + 1);
  await page.evaluate(() => new Promise(requestAnimationFrame));
  expect(await process.count()).toBe(0);
});

it('leads on where its server is gone', async () => {
  const page = await open(goneView, { width: 320 });
  await page.getByText('The MCP server does not exist any more.').waitFor();
  expect(await page.getByRole('checkbox', { name: 'Enabled' }).count()).toBe(0);
  await button(page, 'Open Server').click();
  expect(await sent(page, 'act')).toEqual([{ action: 'openServer' }]);
  expect(await violations(page)).toEqual([]);
});

it('finds a tool, disables it and goes through the list by arrows', async () => {
  const page = await open(serverView, { replies: serverStart({ tab: 'tools' }) });
  const rows = page.locator('.tool-row');
  await rows.first().focus();
  await page.keyboard.press('ArrowDown');
  expect(await rows.nth(1).evaluate(isFocused)).toBe(true);
  await page.getByRole('checkbox', { name: 'Enabled: delete_note' }).check();
  expect(await sent(page, 'switchTool')).toEqual([{ tool: 'delete_note', isOn: true }]);
  await page.getByRole('searchbox', { name: 'Search' }).fill('no such');
  await expect.poll(() => rows.allTextContents()).toHaveLength(0);
  await page.getByText('"no such" matches nothing').waitFor();
  await page.getByRole('searchbox', { name: 'Search' }).fill('finds words');
  await expect.poll(() => rows.count()).toBe(1);
});

it('opens what the server offers beside tools, and attaches what goes with a message', async () => {
  const page = await open(serverView, { replies: serverStart({ tab: 'tools' }) });
  const list = (name: string) => page.getByRole('list', { name });
  await list('Resources').getByText('Notes of a Day').click();
  await list('Prompts').getByText('summarize').click();
  await list('Skills').getByRole('button', { name: 'Attach to Pi Agent: tidy' }).click();
  expect(await sent(page, 'useOffer')).toEqual([
    { kind: 'resource', key: 'notes://{day}', use: 'open' },
    { kind: 'prompt', key: 'summarize', use: 'open' },
    { kind: 'skill', key: 'tidy', use: 'attach' },
  ]);
  expect(await list('Prompts').getByRole('button').count()).toBe(1);
  await page.getByRole('searchbox', { name: 'Search' }).fill('sorts folders');
  await expect.poll(() => page.locator('.tool-row').count()).toBe(1);
  await list('Skills').getByText('tidy').waitFor();
});

it('draws no more of a kind than somebody reads, and finds the others', async () => {
  const offers = Array.from({ length: 1_000 }, (_, at) => ({
    kind: 'resource' as const,
    key: `r://${at}`,
    name: `r${at}`,
    detail: '',
  }));
  const page = await open({ ...serverView, offers });
  await tab(page, 'Tools').click();
  await page.getByText('800 more').waitFor();
  await page.getByRole('searchbox', { name: 'Search' }).fill('r987');
  await page.getByRole('list', { name: 'Resources' }).getByText('r987').waitFor();
});

it('keeps what is half typed for one tool while another is looked at', async () => {
  const replies = { ...toolStart, ready: { kind: 'tool', view: runToolView }, check: null };
  const page = await open(serverView, { replies });
  const path = page.getByRole('textbox', { name: 'Path required' });
  await path.fill('notes/today.md');
  await page.locator('.tool-row', { hasText: 'read_note' }).click();
  await expect.poll(() => path.inputValue()).toBe('');
  await page.locator('.tool-row', { hasText: 'search_notes' }).click();
  await expect.poll(() => path.inputValue()).toBe('notes/today.md');
});

it('shows one of list and tool where there is room for one, and leads back', async () => {
  const replies = { ...toolStart, ready: { kind: 'tool', view: runToolView }, check: null };
  const page = await open(serverView, { replies, width: 320 });
  await page.locator('#run').waitFor();
  expect(await page.locator('.tool-list').isVisible()).toBe(false);
  await button(page, 'All Tools').click();
  await page.locator('.tool-list').waitFor();
  expect(await page.locator('.tool-detail').isVisible()).toBe(false);
});

it('says what the file says of a tool, and leads there', async () => {
  const ready = { kind: 'tool', view: runToolView };
  const page = await open(serverView, { replies: { ...serverStart(), ready, check: null } });
  await tell(page, 'show', { tab: 'tools', tool: 'read_note' });
  await page.getByText('The file says: description · fixed: vault, token').waitFor();
  await page.locator('.tool-detail').getByRole('button', { name: 'Open File' }).click();
  await expect.poll(() => sent(page, 'act')).toEqual([{ action: 'openFile' }]);
  // of one about which it says nothing
  await page.locator('.tool-row', { hasText: 'delete_note' }).click();
  await page.getByText('The file says').waitFor({ state: 'hidden' });
});

it('writes what the user says of a tool when it is saved, and tells its cost before', async () => {
  const ready = { kind: 'tool', view: runToolView };
  const replies = { ...serverStart(), ready, check: null, ...overrideReplies };
  const page = await open(serverView, { replies });
  await tell(page, 'show', { tab: 'tools', tool: 'read_note' });
  const group = page.locator('details.override');
  await group.locator('summary').click();
  const text = group.getByRole('textbox', { name: 'Description', exact: true });
  await expect.poll(() => text.inputValue()).toBe('Reads one note.');
  await group.getByText('210 tokens, 290 before').waitFor();
  expect(await group.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
  expect(await page.locator('[id]').evaluateAll((all) => all.length)).toBe(
    await page.locator('[id]').evaluateAll((all) => new Set(all.map(({ id }) => id)).size),
  );
  await text.fill('Reads.');
  await group.getByRole('textbox', { name: 'limit' }).fill('many');
  await group.getByText('This is not a number.').waitFor();
  expect(await group.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
  await group.getByRole('textbox', { name: 'limit' }).fill('5');
  const said = { description: 'Reads.', arguments: { vault: 'home', limit: 5 } };
  const token = '***REDACTED***';
  const override = { ...said, arguments: { ...said.arguments, token } };
  await expect
    .poll(async () => (await sent(page, 'weighOverride')).at(-1))
    .toEqual({
      tool: 'read_note',
      override,
    });
  expect(await sent(page, 'saveOverride')).toEqual([]);
  // another tool has another form, and this one is kept
  await page.locator('.tool-row', { hasText: 'delete_note' }).click();
  expect(await group.getAttribute('open')).toBeNull();
  await page.locator('.tool-row', { hasText: 'read_note' }).click();
  await expect.poll(() => text.inputValue()).toBe('Reads.');
  await group.getByRole('button', { name: 'Save' }).click();
  await expect.poll(() => sent(page, 'saveOverride')).toEqual([{ tool: 'read_note', override }]);
});

it('brings back what was typed and not saved after a reload, as the extension lets it be written down', async () => {
  const ready = { kind: 'tool', view: runToolView };
  const replies = { ...serverStart(), ready, check: null, ...overrideReplies };
  const page = await open(serverView, { replies });
  await tell(page, 'show', { tab: 'tools', tool: 'read_note' });
  const group = page.locator('details.override');
  await group.locator('summary').click();
  const text = group.getByRole('textbox', { name: 'Description', exact: true });
  await expect.poll(() => text.inputValue()).toBe('Reads one note.');
  expect(await savedState(page)).not.toHaveProperty('overrides.read_note');
  await text.fill('a-secret-that-is-not-written-down');
  const { kept } = overrideReplies.weighOverride;
  await expect
    .poll(() => savedState(page))
    .toMatchObject({ tool: 'read_note', overrides: { read_note: kept } });
  const saved = await savedState(page);
  expect(JSON.stringify(saved)).not.toContain('a-secret-that-is-not');

  const again = await open(serverView, { replies, savedState: saved });
  const form = again.locator('details.override');
  const description = form.getByRole('textbox', { name: 'Description', exact: true });
  await expect.poll(() => description.inputValue()).toBe('Half');
  expect(await form.getByRole('button', { name: 'Save' }).isEnabled()).toBe(true);
  await form.getByRole('button', { name: 'Discard' }).click();
  await expect.poll(() => description.inputValue()).toBe('Reads one note.');
  await expect.poll(() => savedState(again)).not.toHaveProperty('overrides.read_note');
});

it('takes back what was not saved', async () => {
  const ready = { kind: 'tool', view: runToolView };
  const replies = { ...serverStart(), ready, check: null, ...overrideReplies };
  const page = await open(serverView, { replies });
  await tell(page, 'show', { tab: 'tools', tool: 'read_note' });
  const group = page.locator('details.override');
  await group.locator('summary').click();
  const text = group.getByRole('textbox', { name: 'Description', exact: true });
  await text.fill('Reads.');
  await group.getByRole('button', { name: 'Discard' }).click();
  await expect.poll(() => text.inputValue()).toBe('Reads one note.');
  expect(await sent(page, 'saveOverride')).toEqual([]);
});

it('goes where it is told to from outside', async () => {
  const ready = { kind: 'tool', view: runToolView };
  const page = await open(serverView, { replies: { ...serverStart(), ready, check: null } });
  await tell(page, 'show', { tab: 'tools', tool: 'read_note' });
  await drawn(page);
  expect(await page.locator('.tool-row[aria-current]').textContent()).toContain('read_note');
  await tell(page, 'show', {});
  expect(await tab(page, 'Tools').getAttribute('aria-selected')).toBe('true');
});

it('shows what hostile names and texts hold, and runs none of it', async () => {
  const markup = '<img src=x onerror="window.canary = 1">\u202e';
  const page = await open({
    ...failingView,
    name: markup,
    reason: markup,
    instructions: `# ${markup}`,
    suggestions: [markup],
    tools: [{ name: markup, title: markup, badges: [], figures: '' }],
    offers: [{ kind: 'skill', key: markup, name: markup, detail: markup }],
  });
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain('\\u202e');
  await tab(page, 'Tools').click();
  expect(await page.locator('#root :is(img, script, a)').count()).toBe(0);
  expect(await page.evaluate(() => (window as { canary?: number }).canary)).toBeUndefined();
});

it.each([
  ['overview', serverStart()],
  ['failing', serverStart({ view: failingView })],
  ['tools', { ...toolStart, ready: { kind: 'tool', view: runToolView }, check: null }],
  [
    'override',
    {
      ...serverStart({ tab: 'tools', tool: 'read_note' }),
      ready: { kind: 'tool', view: runToolView },
      check: null,
      ...overrideReplies,
    },
  ],
  ['traffic', inspectorReplies],
])('has no violations in any theme, wide and narrow: %s', async (name, replies) => {
  const page = await open(serverView, { replies });
  await page.getByRole('tabpanel').waitFor();
  if (name === 'override') {
    await page.locator('details.override summary').click();
    await page.getByText('210 tokens, 290 before').last().waitFor();
    await page.setViewportSize({ width: 700, height: 1900 });
    await shoot(page, 'server-override-whole');
  }
  expect(await faultsInAllLooks(page, `server-${name}`, [1280, 320])).toEqual([]);
  await shoot(page, `server-${name}-last`);
});

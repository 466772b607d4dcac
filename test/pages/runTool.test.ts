import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { toolScope } from '../../src/protocol/server/serverProtocol.js';
import type { RunToolView } from '../../src/protocol/tools/runTool.js';
import { isFocused, sent, tell } from '../helpers/pages/host.js';
import { faultsInAllLooks, shoot, violations } from '../helpers/pages/looks.js';
import { runOutcome, runToolView } from '../helpers/pages/states/runTool.mjs';
import { serverStart, serverView, toolStart } from '../helpers/pages/states/server.mjs';
import { usePages } from '../helpers/pages/usePages.js';

const pages = usePages();

async function open(change: Partial<RunToolView> = {}, options: object = {}): Promise<Page> {
  const view = { ...runToolView, ...change };
  const page = await pages.open({
    page: 'server',
    replies: {
      ...toolStart,
      ready: { kind: 'tool', view },
      check: null,
      copy: { leftOut: [] },
      run: { kind: 'ended', outcome: runOutcome, view },
      forgetHistory: { ...view, history: [] },
    },
    width: 1000,
    height: 800,
    ...options,
  });
  await page.locator('#run').waitFor();
  return page;
}

const withProperties = (properties: object) => ({
  inputSchema: { type: 'object', properties },
  history: [],
});
const box = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const json = async (page: Page): Promise<unknown> =>
  JSON.parse(await page.locator('#json').inputValue());
const hasFocus = (place: Locator) => place.evaluate(isFocused);

it('takes the keyboard once where the page was opened for it, and not for a click in the page', async () => {
  const page = await open();
  const first = box(page, 'Path required');
  await expect.poll(() => hasFocus(first)).toBe(true);
  await page.getByRole('tab', { name: 'Tools' }).focus();
  await tell(page, 'view', serverView);
  expect(await hasFocus(first)).toBe(false);
  await page.locator('.tool-row', { hasText: 'read_note' }).click();
  await page.locator('#run').waitFor();
  expect(await hasFocus(first)).toBe(false);
  await tell(page, 'show', { tab: 'tools', tool: 'search_notes' });
  await expect.poll(() => hasFocus(first)).toBe(true);
});

it('writes one field as JSON, and back without loss', async () => {
  const page = await open(withProperties({ tags: { type: 'array', items: { type: 'string' } } }));
  await page.locator('#json').fill('{"tags":["a","b"]}');
  await button(page, 'Edit as JSON: tags').click();
  expect(JSON.parse(await box(page, 'tags').inputValue())).toEqual(['a', 'b']);
  await box(page, 'tags').fill('["a", "b", "c"');
  expect(await button(page, 'Edit in Form: tags').count()).toBe(0);
  await box(page, 'tags').fill('["a", "b", "c"]');
  await button(page, 'Edit in Form: tags').click();
  expect(await json(page)).toEqual({ tags: ['a', 'b', 'c'] });
});

it('writes down what was typed as the extension lets it, and has it again after a reload', async () => {
  const schema = withProperties({ user: { type: 'string' }, password: { type: 'string' } });
  const page = await open(schema);
  await box(page, 'user').fill('me');
  await page.locator('input[type=password]').fill('hunter2-long');
  await expect
    .poll(async () => (await sent(page, 'keep')).at(-1))
    .toEqual({ args: { user: 'me', password: 'hunter2-long' } });
  await page.close();
  const run = { tool: 'search_notes', args: { user: 'me' }, timeout: '5' };
  const again = await open(schema, { savedState: { run } });
  expect(await box(again, 'user').inputValue()).toBe('me');
  expect(await json(again)).toEqual({ user: 'me' });
  await expect.poll(() => sent(again, 'keep')).toEqual([{ args: { user: 'me' } }]);
  expect(await sent(again, 'run')).toEqual([]);
  await again.close();
});

it('says of a tool that is not known yet how it comes', async () => {
  const missing = {
    kind: 'missing',
    tool: 'search_notes',
    text: 'What the server offers is known when it is connected. The server is not running. It starts when one of its tools is used.',
    isConnectable: true,
  };
  const view = {
    ...serverView,
    state: 'idle',
    icon: 'circle-outline',
    reason: 'Stopped',
    lifecycle: ['start'],
  } as const;
  const start = serverStart({ tab: 'tools', tool: 'search_notes', view });
  const page = await pages.open({
    page: 'server',
    replies: { ...start, ready: missing },
    width: 280,
    height: 500,
  });
  await page.getByText(missing.text).waitFor();
  await shoot(page, 'run-tool-missing');
  await page.locator('#tool').getByRole('button', { name: 'Start' }).click();
  expect(await sent(page, 'connect')).toHaveLength(1);
  expect(await violations(page)).toEqual([]);
  await tell(page, 'changed', { view: runToolView }, toolScope('search_notes'));
  await page.locator('#run').waitFor();
});

it('shows no secret in the JSON beside the form, and sends it from there', async () => {
  const page = await open(
    withProperties({ user: { type: 'string' }, password: { type: 'string' } }),
  );
  await page.locator('input[type=password]').fill('hunter2-long');
  expect(await json(page)).toEqual({ password: '‹hidden 1›' });
  await page.getByText('are secrets of the form').waitFor();
  await page.locator('#json').fill('{"user": "me", "password": "‹hidden 1›"}');
  expect(await page.locator('input[type=password]').inputValue()).toBe('hunter2-long');
  await button(page, 'Run').click();
  await page.locator('#result').waitFor();
  expect(await sent(page, 'run')).toEqual([{ args: { user: 'me', password: 'hunter2-long' } }]);
});

it('is copied as curl while a gateway runs', async () => {
  const page = await open();
  await box(page, 'Path required').fill('notes');
  await button(page, 'Copy as curl').click();
  expect(await sent(page, 'copy')).toEqual([{ as: 'curl', args: { path: 'notes', limit: 20 } }]);
  await page.close();
  const none = await open({ hasGateway: false });
  await button(none, 'Copy as JSON').waitFor();
  expect(await button(none, 'Copy as curl').count()).toBe(0);
  await none.close();
});

it('runs as a task where that is the choice of the user', async () => {
  const page = await open({ ...withProperties({}), task: 'optional' });
  const task = page.getByRole('checkbox', { name: 'Run as Task' });
  expect(await task.isChecked()).toBe(true);
  await task.uncheck();
  await button(page, 'Run').click();
  await page.locator('#result').waitFor();
  expect(await sent(page, 'run')).toEqual([{ args: {}, asTask: false }]);
  await shoot(page, 'run-tool-task');
  await page.close();
  const always = await open({ ...withProperties({}), task: 'required' }, { width: 280 });
  const required = always.getByRole('checkbox', { name: 'Run as Task' });
  expect([await required.isChecked(), await required.isDisabled()]).toEqual([true, true]);
  expect(await faultsInAllLooks(always, 'run-tool-task', [280])).toEqual([]);
  await always.close();
});

it('says which secrets a copy does not have', async () => {
  const leftOut = [{ name: 'password', place: 'PI_MCP_PASSWORD' }];
  const page = await pages.open({
    page: 'server',
    replies: {
      ...toolStart,
      ready: { kind: 'tool', view: runToolView },
      check: null,
      copy: { leftOut },
    },
    width: 280,
    height: 900,
  });
  await box(page, 'Path required').fill('notes');
  await button(page, 'Copy as Command Line').click();
  await page.getByText(/^Copied without secrets.*: password \(PI_MCP_PASSWORD\)$/).waitFor();
  await page.locator('.copied').scrollIntoViewIfNeeded();
  await shoot(page, 'run-tool-copied-280');
  await button(page, 'Copy as JSON').click();
  await page.getByText(/^Copied without secrets. Replaced:/).waitFor();
  await box(page, 'Path required').fill('other');
  await page.locator('.copied', { hasText: 'Copied' }).waitFor({ state: 'hidden' });
});

describe('the form and its JSON', () => {
  it('are in step, and half-written JSON stays as it is', async () => {
    const page = await open();
    expect(await json(page)).toEqual({ limit: 20 });
    await box(page, 'Path required').fill('notes');
    await page.getByLabel('order', { exact: true }).selectOption('oldest');
    expect(await json(page)).toEqual({ path: 'notes', limit: 20, order: 'oldest' });
    const half = '{ "path": "\\"quoted\\"", ';
    await page.locator('#json').fill(half);
    expect(await page.locator('#json').inputValue()).toBe(half);
    await page.getByText('This is not JSON').first().waitFor();
    await page.locator('#json').fill('{ "path": "\\"quoted\\"", "note": null }');
    expect(await box(page, 'Path required').inputValue()).toBe('"quoted"');
    expect(await box(page, 'limit').inputValue()).toBe('');
    await page.getByText('null', { exact: true }).first().waitFor();
  });

  it('have variants, lists, free properties and values to find', async () => {
    const page = await open();
    await page.getByLabel('Variant').selectOption({ index: 1 });
    await box(page, 'width required').fill('3');
    await button(page, 'Add: rows').click();
    await button(page, 'Add: rows').click();
    await box(page, 'id required').fill('7');
    await button(page, 'Add: labels').click();
    await button(page, 'Add: labels').click();
    await box(page, 'Name').fill('a');
    await page.getByLabel('work').check();
    const zone = page.getByRole('combobox', { name: 'zone', exact: true });
    await zone.fill('/59');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    expect(await zone.inputValue()).toBe('Zone/590');
    expect(await json(page)).toEqual({
      limit: 20,
      tags: ['work'],
      zone: 'Zone/590',
      where: { width: 3 },
      rows: [{ id: 7 }],
      labels: {},
    });
  });

  it('with a union at the root have fields', async () => {
    const page = await open({
      ...withProperties({}),
      inputSchema: {
        type: 'object',
        anyOf: [
          { title: 'Same', properties: { id: { type: 'number' } }, required: ['id'] },
          { title: 'Same', properties: { name: { type: 'string' } }, required: ['name'] },
        ],
      },
    });
    await page.getByLabel('Variant').selectOption({ index: 2 });
    await box(page, 'name required').fill('x');
    await page.keyboard.press('Control+Enter');
    await page.locator('#result').waitFor();
    expect(await sent(page, 'run')).toEqual([{ args: { name: 'x' } }]);
  });
});

describe('a run', () => {
  it('that cannot be sent leads to what is wrong, by keyboard alone', async () => {
    const page = await open();
    await box(page, 'limit').fill('9007199254740993');
    await page.keyboard.press('Control+Enter');
    await expect.poll(() => hasFocus(page.locator('#problems'))).toBe(true);
    expect(await sent(page, 'run')).toEqual([]);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect.poll(() => hasFocus(box(page, 'Path required'))).toBe(true);
    await page.keyboard.type('notes');
    await box(page, 'limit').fill('9');
    await page.keyboard.press('Control+Enter');
    await page.locator('#result').waitFor();
    expect(await sent(page, 'run')).toEqual([{ args: { path: 'notes', limit: 9 } }]);
  });

  it('that the extension refuses says so at the field', async () => {
    const problem = { message: 'data/path must match the pattern x', at: 'data/path' };
    const page = await open(
      {},
      {
        replies: {
          ...toolStart,
          ready: { kind: 'tool', view: runToolView },
          check: problem,
          run: { kind: 'refused', problem },
        },
      },
    );
    await box(page, 'Path required').fill('notes');
    await page.locator('.field-problem', { hasText: 'must match the pattern' }).waitFor();
    await button(page, 'Run').click();
    await page.locator('#problems').waitFor();
    expect(await box(page, 'Path required').getAttribute('aria-invalid')).toBe('true');
  });

  it('takes time-out and _meta along, shows its result, and is done again', async () => {
    const page = await open();
    await box(page, 'Path required').fill('notes');
    await page.getByText('Advanced').click();
    await box(page, 'Time-Out in Seconds').fill('5');
    await box(page, '_meta').fill('{ "a": 1 }');
    await button(page, 'Run').click();
    const result = page.locator('#result');
    await result.getByText('does not match its output schema').waitFor();
    await result.getByRole('columnheader', { name: 'title' }).waitFor();
    await result.getByRole('cell', { name: 'Milk', exact: true }).waitFor();
    await result.locator('img.result-image').waitFor();
    expect(await sent(page, 'run')).toEqual([
      { args: { path: 'notes', limit: 20 }, meta: { a: 1 }, timeoutMs: 5000 },
    ]);
    await button(page, 'Today').click();
    expect(await sent(page, 'openResource')).toEqual([{ uri: 'notes://today' }]);
    await page.getByText('Earlier Runs').first().click();
    await button(page, 'Run Again: 3 minutes ago').click();
    await expect.poll(() => sent(page, 'run')).toHaveLength(2);
    expect((await sent(page, 'run'))[1]).toMatchObject({ args: { path: 'notes', limit: 5 } });
    // the secret of the other one has to be given again
    expect(await button(page, 'Run Again: yesterday').count()).toBe(0);
  });
});

it('shows what hostile names and texts hold, and runs none of it', async () => {
  const markup = '<img src=x onerror="window.canary = 1"><script>window.canary = 1</script>';
  const properties = JSON.parse(
    `{"constructor": {"type": "string"}, ${JSON.stringify(markup)}: {"type": "string", "description": ${JSON.stringify(markup)}, "enum": [${JSON.stringify(markup)}, "b"]}}`,
  );
  const page = await open({
    ...withProperties(properties),
    title: `${markup}\u202e`,
    description: markup,
  });
  await box(page, 'constructor').fill('x');
  expect(await page.locator('#json').inputValue()).toContain('"constructor": "x"');
  expect(await page.locator('#tool h2').first().textContent()).toBe(`${markup}\\u202e`);
  expect(await page.evaluate(() => (window as { canary?: number }).canary)).toBeUndefined();
  expect(await page.locator('main img').count()).toBe(0);
  // the control: parsed, the markup is a picture; its handler would be refused, which counts as a problem of the page
  const parsed = await page.evaluate(
    (text) => new DOMParser().parseFromString(text, 'text/html').images.length,
    markup.replace(/ onerror="[^"]*"/, ''),
  );
  expect(parsed).toBe(1);
});

it('has no violations in any theme, wide and narrow', async () => {
  const page = await open();
  await button(page, 'Run').click();
  await page.locator('#problems').waitFor();
  await box(page, 'Path required').fill('notes');
  await page.getByLabel('Variant').selectOption({ index: 1 });
  await box(page, 'width required').fill('1');
  await box(page, 'height required').fill('1');
  await page.getByText('Advanced').click();
  await page.getByText('Earlier Runs').first().click();
  await button(page, 'Run').click();
  await page.locator('#result').waitFor();
  expect(await faultsInAllLooks(page, 'run-tool', [1000, 340])).toEqual([]);
});

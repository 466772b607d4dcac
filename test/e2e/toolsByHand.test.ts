/** A day with tools by hand: run from their rows, looked at in their traffic, stopped, all there after a reload; and the walkthrough. */
import { readFile } from 'node:fs/promises';
import type { Locator } from 'playwright-core';
import { expect, it } from 'vitest';
import manifestTexts from '../../package.nls.json' with { type: 'json' };
import { connectSample } from '../helpers/e2e/steps.js';
import { storedLayout } from '../helpers/e2e/storedLayout.js';
import { useWorkbench } from '../helpers/e2e/useWorkbench.js';
import { pageOf } from '../helpers/e2e/webview.js';

const settings = { 'piMcp.log.keepDays': 3 };
const texts: Readonly<Record<string, string>> = manifestTexts;
const workbench = useWorkbench({ settings }, async (workbench) => {
  await connectSample(workbench);
  const { servers } = workbench;
  await servers.show();
  await servers.expand(servers.row('everything').first());
  await servers.expand(servers.group('everything', 'Tools'));
});

const tool = (name: string) => workbench.servers.rows.filter({ hasText: name }).first();
const frame = () => pageOf(workbench.page, 'editor');
const box = (name: string) => frame().getByRole('textbox', { name, exact: true });
const button = (name: string) => frame().getByRole('button', { name, exact: true });
/** A tab of the page of a server. */
const part = (name: string) => frame().getByRole('tab', { name });
const result = () => frame().locator('#result');
const words = () => frame().locator('details.override');
const sum = () => result().getByText(/is 42\b/);
/** A row that is drawn anew under the pointer may take the click and do nothing. */
const openTool = (name: string, answer: Locator) =>
  workbench.shell.askUntilShown(
    () => workbench.servers.clickAction(tool(name), 'Run Tool…'),
    answer,
  );
const tab = (name: RegExp) => workbench.page.locator('.part.editor').getByRole('tab', { name });

it('looks at a server by a click on its row, and keeps its page once it is used', async () => {
  const { servers } = workbench;
  const click = async (name: string) => {
    await servers.row(name).first().locator('.label-name').click();
    await frame().getByRole('heading', { name, level: 1 }).waitFor();
  };
  await click('memory');
  await click('filesystem');
  await expect.poll(() => tab(/^memory/).count()).toBe(0);
  await workbench.screenshot('server-overview');
  await part('Traffic').click();
  await click('memory');
  expect(await tab(/^filesystem/).count()).toBe(1);
  expect(workbench.serverProcesses().length).toBeGreaterThan(0);
  // its menu is VS Code's own
  await frame().getByRole('button', { name: 'More…' }).click();
  await servers.menu
    .getByRole('menuitem', { name: 'Open Configuration File…' })
    .click({ delay: 150 });
  await workbench.editor.tab('.mcp.json').waitFor();
  await workbench.editor.closeAll();
});

it('runs a tool from its row by the keyboard, and a result leads to its resources', async () => {
  const { editor, page } = workbench;
  await openTool('get-resource-links', button('Run'));
  await button('Run').click();
  await result().locator('.resource-line button').first().click();
  await editor.content.waitFor();
  await editor.closeAll();
  await openTool('get-sum', box('a required'));
  await box('a required').fill('2');
  await box('b required').fill('40');
  await page.keyboard.press('Control+Enter');
  await sum().waitFor();
  await workbench.screenshot('run-tool-result');
});

it('shows progress, and stops a tool that takes long', async () => {
  await openTool('trigger-long-running-operation', box('duration'));
  await box('duration').fill('120');
  await box('steps').fill('240');
  await button('Run').click();
  await frame().locator('.progress progress').waitFor();
  await button('Cancel').click();
  await result().getByText('Stopped, ').waitFor();
  await workbench.editor.closeAll();
});

it('has the earlier runs when the palette asks for the tool, and repeats one', async () => {
  const { page, shell } = workbench;
  // the one of the first server, which is not the remote one
  await shell.runAndChoose('Pi MCP: Run Tool…', 'get-sum');
  await frame().locator('.history summary').click();
  await frame().getByText('{"a":2,"b":40}').waitFor();
  await frame().getByRole('button', { name: 'Run Again' }).first().click();
  await sum().waitFor();
  await box('a required').fill('19');
  await box('b required').fill('23');
  await words().locator('summary').click();
  await words().getByRole('textbox', { name: 'Title', exact: true }).fill('Sum Up');
  await expectStored(/"a\\*":19,\\*"b\\*":23/);
  await expectStored(/"title\\*":\\*"Sum Up/);
  // the page of its server, which is one for all of its tools
  expect(await tab(/^everything(?!\.)/).count()).toBe(1);
  expect(await page.locator('.tab.dirty').count()).toBe(0);
});

it('inspects what passed before: the handshake, a ping, a list again, and the recording as a document', async () => {
  const { editor, shell } = workbench;
  await shell.runAndChoose('Pi MCP: Open Server…', 'everything');
  await part('Traffic').click();
  const page = frame();
  await page.getByRole('heading', { name: 'everything' }).waitFor();
  const filter = page.getByRole('textbox', { name: 'Filter' });
  await filter.fill('method:initialize');
  await page.locator('.row').filter({ hasText: 'initialize' }).first().waitFor();
  await page.getByRole('button', { name: 'Ping' }).click();
  await page.locator('.banner', { hasText: 'Completed in' }).waitFor();
  await workbench.screenshot('inspector');
  await filter.fill('method:tools/list');
  const lists = page.locator('.row');
  await expect.poll(() => lists.filter({ hasNotText: 'tools/list' }).count()).toBe(0);
  const before = await lists.count();
  // what only tells that the list has changed is not sent again
  await lists.filter({ hasNotText: 'notifications' }).first().click();
  // until the entry is there, nothing of it is sent
  await page.locator('.frame').first().waitFor();
  await page.locator('vscode-button', { hasText: 'Send Again' }).click();
  await expect.poll(() => lists.count()).toBe(before + 1);
  await page.getByRole('button', { name: 'Open as Document' }).click();
  await editor.tab('everything.jsonl').waitFor();
});

it('logs the calls that were made, and finds those of a tool', async () => {
  await workbench.shell.runAndChoose('Pi MCP: Open Server…', 'everything');
  await part('Traffic').click();
  await frame().getByRole('button', { name: 'Open Log of Calls' }).click();
  const page = frame();
  await page.getByText(/^\s*Calls: \d+\s*$/).waitFor();
  expect(await tab(/^Calls: everything$/).count()).toBe(1);
  await page.getByRole('textbox', { name: 'Filter' }).fill('method:person target:get-sum');
  await page.locator('.row').first().click();
  await page.locator('.frame', { hasText: '"a": 2' }).waitFor();
  await workbench.screenshot('call-log');
});

it('makes a server of what passed, by the file that the user names and the page that adds servers', async () => {
  const { editor, page, shell } = workbench;
  await shell.runAndChoose('Pi MCP: Open Server…', 'everything');
  await part('Traffic').click();
  await frame().getByRole('button', { name: 'Serve as a Mock…' }).click();
  await shell.quickInput.getByRole('textbox').waitFor();
  await page.keyboard.press('Enter');
  await editor.tab('Add Server').waitFor();
  await frame().getByRole('heading', { name: 'everything-mock' }).waitFor();
  await frame()
    .getByText(/^node \S+pi-mcp\.cjs mock \S+everything\.jsonl$/)
    .waitFor();
  const where = frame().getByRole('combobox', { name: 'Where' }).locator('option:checked');
  expect(await where.textContent()).toContain('User');
  await workbench.screenshot('mock-server');
  await editor.tab('Add Server').getByRole('button', { name: /Close/ }).click({ force: true });
});

it('has its pages again after a reload as they were left, and runs nothing', async () => {
  await workbench.shell.runCommand('Pi MCP: Doctor');
  await frame().getByRole('heading', { name: 'PATH and shell' }).waitFor();
  await expectStored(/piMcp\.doctor\.page/);
  await tab(/^everything(?!\.)/).click();
  await frame().getByRole('textbox', { name: 'Filter' }).fill('method:ping');
  await expectStored(/method:ping/);
  await workbench.open();
  // a busy machine takes its time to start the host of the extensions, before which a tab is empty
  await workbench.shell.connectedItem(0, 4).waitFor({ timeout: 60_000 });
  await tab(/^Doctor/).click();
  await frame().getByRole('heading', { name: 'PATH and shell' }).waitFor();
  await tab(/^Calls: everything$/).click();
  await frame()
    .getByText(/^\s*Calls: \d+\s*$/)
    .waitFor();
  await tab(/^everything(?!\.)/).click();
  const filter = frame().getByRole('textbox', { name: 'Filter' });
  await expect.poll(() => filter.inputValue()).toBe('method:ping');
  await part('Tools').click();
  await expect.poll(() => box('a required').inputValue()).toBe('19');
  expect(await box('b required').inputValue()).toBe('23');
  await frame().locator('.history summary').waitFor();
  expect(await result().count()).toBe(0);
  const title = words().getByRole('textbox', { name: 'Title', exact: true });
  await expect.poll(() => title.inputValue()).toBe('Sum Up');
  await words().getByRole('button', { name: 'Save' }).click();
  await frame().getByText('The file says').waitFor();
  const path = (await words().getByText('Saved in ').textContent())?.replace('Saved in ', '');
  expect(await readFile(path?.trim() ?? '', 'utf8')).toContain('"Sum Up"');
  expect(path).not.toContain(workbench.workspaceDir);
  await workbench.screenshot('tool-in-your-words');
  await expect.poll(() => workbench.serverProcesses()).toEqual([]);
  await button('Run').click();
  await sum().waitFor();
  await part('Traffic').click();
  await frame().getByRole('button', { name: 'Ping' }).click();
  await frame().locator('.row').filter({ hasText: 'ping' }).first().waitFor();
  await workbench.screenshot('inspector-restored');
});

/** VS Code writes its layout down now and then. */
async function expectStored(text: RegExp): Promise<void> {
  const stored = () => workbench.page.evaluate(storedLayout);
  await expect.poll(stored, { interval: 1_000 }).toMatch(text);
}

const steps = ['servers', 'trust', 'try', 'ask'] as const;

async function openWalkthrough(): Promise<void> {
  const { page, shell } = workbench;
  await shell.runAndChoose('Welcome: Open Walkthrough...', 'Get Started with Pi MCP');
  await page.locator('.getting-started-step').first().waitFor();
}

async function openStep(id: string): Promise<Locator> {
  const step = workbench.page.locator(`.getting-started-step[data-step-id$="#${id}"]`);
  await step.waitFor();
  if ((await step.getAttribute('aria-expanded')) !== 'true') {
    await step.click();
  }
  await step.and(workbench.page.locator('[aria-expanded=true]')).waitFor();
  return step;
}

const picture = () =>
  workbench.page
    .frameLocator('iframe.webview.ready:visible')
    .frameLocator('#active-frame')
    .locator('svg');

it('shows a picture for each step of the walkthrough', async () => {
  await openWalkthrough();
  // VS Code shows pictures only where there is room
  await workbench.page.setViewportSize({ width: 1600, height: 800 });
  for (const id of steps) {
    await openStep(id);
    // VS Code replaces the page of the step before
    await expect.poll(async () => (await picture().boundingBox())?.width ?? 0).toBeGreaterThan(200);
    await workbench.screenshot(`walkthrough-${id}`);
  }
});

it('has ticked what was done before anyone looked at it, and shows no marks of Markdown', async () => {
  const isDone = async (id: string) =>
    (await openStep(id)).getByRole('checkbox').first().getAttribute('aria-checked');
  await expect.poll(() => isDone('servers')).toBe('true');
  await expect.poll(() => isDone('trust')).toBe('true');
  const found: string[] = [];
  for (const id of steps) {
    const description = (await openStep(id)).locator('.step-description-container');
    expect(await description.textContent()).not.toMatch(/[`*]|\]\(/);
    const labels = await description.locator(':is(a, .monaco-button)').allTextContents();
    found.push(...labels.map((label) => label.trim()));
  }
  const written = steps.flatMap((id) => [
    ...(texts[`walkthrough.${id}.description`] ?? '').matchAll(/\[([^\]]+)\]\(command:/g),
  ]);
  expect(found.sort()).toEqual(written.map(([, label]) => label).sort());
  await (await openStep('servers')).locator('code').getByText('.mcp.json').waitFor();
});

it.each<[string, (typeof steps)[number], () => Locator]>([
  ['Add one', 'servers', () => workbench.editor.tab('Add Server')],
  ['Run Tool', 'try', () => workbench.shell.quickInput.locator(':visible').first()],
  ['Open Pi Agent', 'ask', () => workbench.agent.composer],
])('leads from its link "%s" to what it says', async (label, id, leadsTo) => {
  const { page } = workbench;
  await openWalkthrough();
  const step = await openStep(id);
  const link = step.locator(':is(a, .monaco-button)').getByText(label, { exact: true });
  await link.first().click();
  await leadsTo().waitFor();
  await workbench.screenshot(`walkthrough-link-${label.replace(/\W+/g, '-')}`);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
});

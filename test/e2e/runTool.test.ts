/** Tools that a person runs by hand, on a page with a form for their arguments. */
import { expect, it } from 'vitest';
import { connectSample } from '../helpers/e2e/steps.js';
import { storedLayout } from '../helpers/e2e/storedLayout.js';
import { useWorkbench } from '../helpers/e2e/useWorkbench.js';
import { pageOf } from '../helpers/e2e/webview.js';

const workbench = useWorkbench({}, async (workbench) => {
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
const result = () => frame().locator('#result');

it('asks for each argument, says what is wrong, runs the tool and shows its result', async () => {
  const { page, servers } = workbench;
  await servers.clickAction(tool('get-sum'), 'Run Tool…');
  await box('a required').fill('two');
  await workbench.screenshot('run-tool');
  await button('Run').click();
  await frame().locator('#problems').getByText('a: This is not a number.').waitFor();
  await frame().locator('#problems').getByText('b: A value is required.').waitFor();
  await box('a required').fill('2');
  await box('b required').fill('40');
  await page.keyboard.press('Control+Enter');
  await result().getByText('42').waitFor();
  await result()
    .getByText(/about \d+ tokens/)
    .waitFor();
  await workbench.screenshot('run-tool-result');
});

it('has the earlier runs, and repeats one', async () => {
  const { shell } = workbench;
  await shell.runCommand('View: Close All Editors');
  // the one of the first server, which is not the remote one
  await shell.runAndChoose('Pi MCP: Run Tool…', 'get-sum');
  await frame().locator('.history summary').click();
  await frame().getByText('{"a":2,"b":40}').waitFor();
  await frame()
    .getByRole('button', { name: /^Run Again/ })
    .first()
    .click();
  await result().getByText('42').waitFor();
  expect(await box('a required').inputValue()).toBe('2');
  await shell.runCommand('View: Close All Editors');
});

it('shows progress, and stops a tool that takes long', async () => {
  const { servers, shell } = workbench;
  await servers.clickAction(tool('trigger-long-running-operation'), 'Run Tool…');
  await box('duration').fill('120');
  await box('steps').fill('240');
  await button('Run').click();
  await frame().locator('.progress progress').waitFor();
  await workbench.screenshot('run-tool-progress');
  await button('Cancel').click();
  await result()
    .getByText(/You stopped the tool/)
    .waitFor();
  await shell.runCommand('View: Close All Editors');
});

it('shows data, pictures and links to resources', async () => {
  const { servers, shell, editor } = workbench;
  await servers.clickAction(tool('get-structured-content'), 'Run Tool…');
  await frame().getByLabel('location', { exact: false }).first().selectOption({ index: 1 });
  await button('Run').click();
  await result().locator('.data').waitFor();
  await shell.runCommand('View: Close All Editors');
  await servers.clickAction(tool('get-tiny-image'), 'Run Tool…');
  await button('Run').click();
  await result().locator('img.result-image').waitFor();
  await workbench.screenshot('run-tool-image');
  await shell.runCommand('View: Close All Editors');
  await servers.clickAction(tool('get-resource-links'), 'Run Tool…');
  await button('Run').click();
  await result().locator('.resource-line button').first().click();
  await editor.content.waitFor();
  await shell.runCommand('View: Close All Editors');
});

it('comes back after a reload with what was typed and what was run, and runs nothing', async () => {
  const { page, servers } = workbench;
  await servers.clickAction(tool('get-sum'), 'Run Tool…');
  await box('a required').fill('19');
  await box('b required').fill('23');
  await expect
    .poll(() => page.evaluate(storedLayout), { timeout: 30_000 })
    .toMatch(/"a\\*":19,\\*"b\\*":23/);
  await workbench.open();
  await page.locator('.part.editor').getByRole('tab', { name: /^Run / }).click();
  await expect.poll(() => box('a required').inputValue()).toBe('19');
  expect(await box('b required').inputValue()).toBe('23');
  expect(await result().count()).toBe(0);
  await frame().locator('.history summary').waitFor();
  await workbench.screenshot('run-tool-restored');
  await expect.poll(() => workbench.serverProcesses()).toEqual([]);
  await button('Run').click();
  await result().getByText('42').waitFor();
  await workbench.shell.runCommand('View: Close All Editors');
});

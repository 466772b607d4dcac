/** Tools that a person runs by hand, with a form for their arguments. */
import { expect, it } from 'vitest';
import { connectSample } from '../helpers/e2e/steps.js';
import { useWorkbench } from '../helpers/e2e/useWorkbench.js';

const workbench = useWorkbench({}, async (workbench) => {
  await connectSample(workbench);
  const { servers } = workbench;
  await servers.show();
  await servers.expand(servers.row('everything').first());
  await servers.expand(servers.group('everything', 'Tools'));
});

const tool = (name: string) => workbench.servers.rows.filter({ hasText: name }).first();

it('asks for each argument, runs the tool and shows its whole result', async () => {
  const { editor, page, servers, shell } = workbench;
  await servers.clickAction(tool('get-sum'), 'Run Tool…');
  await shell.quickPick('a (required)').waitFor();
  await workbench.screenshot('run-tool');
  const input = shell.quickInput.locator('input[type=text]');
  // what is missing is asked for, one after the other, and checked while it is typed
  await shell.quickPick(/^\s*Run\s*$/).click();
  await shell.quickInput.getByText('get-sum: a').waitFor();
  await input.fill('two');
  await shell.quickInput.getByText('"a" is not a number.').waitFor();
  await input.fill('2');
  await page.keyboard.press('Enter');
  await shell.quickInput.getByText('get-sum: b').waitFor();
  await input.fill('40');
  await page.keyboard.press('Enter');
  await editor.content.getByText('42').first().waitFor();
  await workbench.screenshot('run-tool-result');
  await shell.runCommand('View: Close All Editors');
});

it('begins with what was sent the last time, and leaves without a call', async () => {
  const { editor, page, shell } = workbench;
  await shell.runCommand('Pi MCP: Run Tool…');
  // the one of the first server, which is not the remote one
  await shell.quickPick('get-sum').first().click();
  await shell.quickPick('a (required)').filter({ hasText: '2' }).waitFor();
  await shell.quickPick('b (required)').filter({ hasText: '40' }).waitFor();
  await page.keyboard.press('Escape');
  await shell.quickInput.waitFor({ state: 'hidden' });
  expect(await editor.content.getByText('42').count()).toBe(0);
});

it('runs a tool without arguments at once, and opens the image that it returns', async () => {
  const { editor, servers, shell } = workbench;
  await servers.clickAction(tool('get-tiny-image'), 'Run Tool…');
  await editor.tab('1-get-tiny-image.png').waitFor();
  await editor.tab('everything get-tiny-image.txt').waitFor();
  await workbench.screenshot('run-tool-image');
  await shell.runCommand('View: Close All Editors');
});

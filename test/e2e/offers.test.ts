/** What a server offers beside tools: prompts, resources that change, progress, cancellation and its log. */
import { expect, it } from 'vitest';
import { connectOffering, offeringFiles, useTool } from '../helpers/e2e/offering.js';
import { useWorkbench } from '../helpers/e2e/useWorkbench.js';

const workbench = useWorkbench({ files: offeringFiles }, async (workbench) => {
  await connectOffering(workbench);
  const { servers } = workbench;
  await servers.expand(servers.row('offering').first());
});

it('shows what a server makes of a prompt, with its suggestions for the arguments', async () => {
  const { editor, page, shell } = workbench;
  await shell.runAndChoose('Pi MCP: Get Prompt…', 'greet');
  const city = shell.quickInput.getByPlaceholder(/^city \(required\): Whom to greet/);
  await city.waitFor();
  await shell.quickPick('Oslo').waitFor();
  await city.fill('par');
  await shell.quickPick('Oslo').waitFor({ state: 'detached' });
  await workbench.screenshot('get-prompt-argument');
  await shell.quickPick('Parma').click();
  await shell.quickInput.getByPlaceholder(/^Tone of voice \(may be empty\)/).waitFor();
  await shell.quickPick('loudly').click();
  await editor.tab('greet').waitFor();
  await editor.content.getByText('Greet Parma, loudly').waitFor();
  await workbench.screenshot('get-prompt');
  await page.keyboard.press('Escape');
  await shell.runCommand('View: Close All Editors');
});

it('suggests values for the arguments of a resource template', async () => {
  const { editor, servers, shell } = workbench;
  await servers.expand(servers.group('offering', 'Resources'));
  await servers.rows.filter({ hasText: 'weather' }).first().click();
  await shell.quickInput.getByPlaceholder(/^city/).fill('os');
  // from here on no row moves
  await shell.pickRow('os').waitFor();
  await shell.pick('Oslo');
  await editor.tab('Oslo').waitFor();
  await editor.content.getByText('about weather://Oslo').waitFor();
});

it('shows an open resource anew when the server says that it changed', async () => {
  const { agent, editor, servers } = workbench;
  await servers.rows.filter({ hasText: 'note://current' }).first().click();
  await editor.tab('current').waitFor();
  await editor.content.getByText('revision 1').waitFor();
  await useTool(workbench, 'touch');
  await agent.answer('told about').waitFor();
  await editor.content.getByText('revision 2').waitFor();
});

it('opens an image as an image and other bytes without harm', async () => {
  const { editor, page, servers, shell } = workbench;
  await servers.rows.filter({ hasText: 'pic://dot' }).first().click();
  await editor.tab('dot.png').waitFor();
  await page.locator('.statusbar-item').filter({ hasText: '1x1' }).waitFor();
  await workbench.screenshot('resource-image');
  await servers.rows.filter({ hasText: 'raw://bytes' }).first().click();
  await editor.tab('bytes').waitFor();
  await page
    .getByText(/binary/i)
    .first()
    .waitFor();
  await workbench.screenshot('resource-binary');
  await shell.runCommand('View: Close All Editors');
});

it('sees what a server offers later, in the tree and as a slash command', async () => {
  const { agent, servers } = workbench;
  await servers.expand(servers.group('offering', 'Prompts'));
  await useTool(workbench, 'grow');
  await servers.rows.filter({ hasText: 'late-prompt' }).waitFor();
  await servers.rows.filter({ hasText: 'late-note' }).waitFor();
  await agent.answer('grown').waitFor();
  await agent.composer.fill('/offering:late');
  await agent.frame.getByRole('option', { name: '/offering:late-prompt' }).waitFor();
  await agent.composer.fill('');
});

it('shows progress on the card of a call, and cancels that call alone', async () => {
  const { agent } = workbench;
  await useTool(workbench, 'count', { steps: 100 });
  const card = agent.tool('count', 'running');
  await card.getByText(/Counting \(\d+\/100\)/).waitFor();
  await workbench.screenshot('call-progress');
  await card.getByRole('button', { name: 'Cancel count' }).click();
  await agent.tool('count', 'failed').waitFor();
  // the run goes on: the model hears of it and answers
  await agent.answer('cancelled by the user').waitFor();
  await useTool(workbench, 'cancelled');
  await agent.answer('cancelled calls: 1').waitFor();
});

it("writes a server's messages into its log, each at its level", async () => {
  const { agent, page, shell } = workbench;
  await useTool(workbench, 'speak');
  await agent.answer('spoken').waitFor();
  await shell.runCommand('Pi MCP: Show Log');
  await shell.pick('offering');
  const log = page.locator('.panel .monaco-editor .view-lines');
  await log.getByText('mouth: warning of the server').waitFor();
  await workbench.screenshot('server-log');
  const lines = (await log.textContent())?.replace(/\u00a0/g, ' ') ?? '';
  expect(lines).toMatch(/\[info\] mouth: notice of the server/);
  expect(lines).toMatch(/\[warning\] mouth: warning of the server/);
  expect(lines).toMatch(/\[error\] mouth: critical of the server/);
  await shell.runCommand('View: Hide Panel');
});

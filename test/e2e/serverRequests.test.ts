/**
 * What servers ask of the user, and what goes with messages: forms, samples, prompts, resources, files, what editors,
 * terminals and git show, and pictures.
 */
import { execFileSync } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { connectSample } from '../helpers/e2e/steps.js';
import { useWorkbench } from '../helpers/e2e/useWorkbench.js';
import { redPixel } from '../helpers/pages/states/agent.mjs';

const code = `export function totalOfCart(prices: number[]): number {
  const all: string = prices.reduce((one, other) => one + other, 0);
  return all;
}
`;

const files = { 'src/my file#1.ts': code, 'tsconfig.json': '{"compilerOptions":{"strict":true}}' };
const workbench = useWorkbench({ files }, async (workbench) => {
  await connectSample(workbench);
  await workbench.servers.show();
  await workbench.agent.show();
  await workbench.agent.frame.locator('.model-picker').waitFor();
});

async function useTool(name: string): Promise<void> {
  const { agent } = workbench;
  await agent.ask(`use everything__${name}`);
  await agent
    .approval(name.replaceAll('_', '-'))
    .getByRole('button', { name: 'Allow Once' })
    .click();
}

const form = () =>
  workbench.agent.frame.getByRole('region', { name: 'Question of an MCP server: everything' });

it('shows a form that a server asks for in the conversation, checks it and sends the answer', async () => {
  const { agent, shell } = workbench;
  await useTool('trigger_elicitation_request');
  const send = form().getByRole('button', { name: 'Send Answer' });
  await send.waitFor();
  expect(await shell.quickInput.isVisible()).toBe(false);
  await send.click();
  await form().getByText('A value is required.').first().waitFor();
  await workbench.screenshot('elicitation-form');
  await form()
    .getByRole('textbox', { name: /^String required/ })
    .fill('Ada');
  await send.click();
  await form().waitFor({ state: 'detached' });
  await agent.tool('trigger-elicitation-request', 'done').waitFor();
  await agent.answer('Ada').waitFor();
});

it('keeps a form as it was left while nobody sees it and over a reload, and says that it waits', async () => {
  const { agent, shell, page } = workbench;
  await useTool('trigger_elicitation_request');
  const name = form().getByRole('textbox', { name: /^String required/ });
  await name.fill('Ada');
  await agent.hide();
  await page.locator('[id="pi-mcp.pi-mcp.piMcp.approvals"]').getByText('1 waiting').waitFor();
  await workbench.screenshot('form-waits');
  await agent.show();
  await form().waitFor();
  expect(await name.inputValue()).toBe('Ada');
  await agent.frame.locator('body').evaluate((body) => body.setAttribute('data-before', ''));
  await shell.runCommand('Developer: Reload Webviews');
  await agent.frame.locator('body:not([data-before]) .form-question').waitFor();
  expect(await name.inputValue()).toBe('Ada');
  // a default that is taken out stays out
  await form()
    .getByRole('combobox', { name: /^Boolean/ })
    .selectOption({ index: 0 });
  await form().getByRole('button', { name: 'Send Answer' }).click();
  await form().waitFor({ state: 'detached' });
  await agent.answer('Ada').nth(1).waitFor();
});

it('tells a server that the user declines', async () => {
  const { agent } = workbench;
  await useTool('trigger_elicitation_request');
  await form().getByRole('button', { name: 'Decline' }).click();
  await agent.answer(/declined/i).waitFor();
});

it('tells a server that the user went away without an answer', async () => {
  const { agent } = workbench;
  await useTool('trigger_elicitation_request');
  await form().getByRole('button', { name: 'Do Not Answer' }).click();
  await agent.answer(/cancelled/i).waitFor();
});

it('shows what a server wants from the model, and the answer, before either is sent', async () => {
  const { agent } = workbench;
  await agent.ask(
    'use everything__trigger_sampling_request {"prompt": "Say hello", "maxTokens": 50}',
  );
  await agent.approval('trigger-sampling').getByRole('button', { name: 'Allow Once' }).click();
  const request = agent.question('asks to use a model');
  await request.getByText('Say hello').waitFor();
  await workbench.screenshot('sampling-request');
  await request.getByRole('button', { name: 'Allow Once' }).click();
  const answer = agent.question('Send this answer');
  await answer.waitFor();
  await workbench.screenshot('sampling-answer');
  await answer.getByRole('button', { name: 'Send Answer' }).click();
  await agent.tool('trigger-sampling-request', 'done').waitFor();
});

it('refuses the model to a server when the user says so', async () => {
  const { agent } = workbench;
  await agent.ask(
    'use everything__trigger_sampling_request {"prompt": "Say more", "maxTokens": 50}',
  );
  await agent.approval('trigger-sampling').getByRole('button', { name: 'Allow Once' }).click();
  const request = agent.question('asks to use a model');
  await request.getByRole('button', { name: 'Deny' }).click();
  await agent.tool('trigger-sampling-request', 'failed').waitFor();
});

it('tells a server the folder that it works in', async () => {
  const { agent } = workbench;
  await useTool('get_roots_list');
  await agent.answer(/file:\/\/.*sample/).waitFor();
});

it('uses a prompt of a server as a slash command', async () => {
  const { agent, shell, page } = workbench;
  await agent.composer.fill('/everything:args');
  await agent.frame.getByRole('option', { name: '/everything:args-prompt' }).waitFor();
  await workbench.screenshot('slash-menu');
  await agent.composer.press('Enter');
  await agent.composer.press('Enter');
  await shell.quickInput.getByPlaceholder(/^city/).fill('Paris');
  await shell.quickPick('Paris').first().waitFor();
  await page.keyboard.press('Enter');
  await shell.quickPick('Leave Empty').waitFor();
  await workbench.screenshot('prompt-argument');
  await page.keyboard.press('Enter');
  await agent.frame.locator('.user').filter({ hasText: 'weather in Paris' }).waitFor();
});

it('opens a resource from the tree, read-only, and attaches one to a message', async () => {
  const { servers, shell, editor, agent, page } = workbench;
  await servers.show();
  await servers.expand(servers.row('everything').first());
  await servers.expand(servers.group('everything', 'Resources'));
  const resource = servers.rows.filter({ hasText: 'architecture.md' }).first();
  await resource.click();
  await editor.tab('architecture.md').waitFor();
  await editor.content.locator('.view-line').first().waitFor();
  await workbench.screenshot('resource-opened');
  await servers.clickAction(resource, 'Attach to Pi Agent');
  await agent.frame.locator('.composer .attachments').getByText('architecture.md').waitFor();
  await workbench.screenshot('resource-attached');
  await agent.ask('summarize');
  const message = agent.frame.locator('.user').filter({ hasText: 'summarize' });
  await message.locator('.attachments').getByText('architecture.md').waitFor();
  expect(await message.textContent()).not.toContain('mcp-resource');
  await workbench.screenshot('resource-sent');
  await agent.frame.locator('.composer .attachments').waitFor({ state: 'detached' });
  await shell.runCommand('View: Close All Editors');
  await page.locator('.tab').first().waitFor({ state: 'detached' });
});

it('asks for the arguments of a resource template', async () => {
  const { servers, shell, editor, page } = workbench;
  await servers.rows.filter({ hasText: 'Dynamic Text Resource' }).first().click();
  await shell.quickInput.getByPlaceholder(/^resourceId/).fill('1');
  await shell.quickPick('1').first().waitFor();
  await page.keyboard.press('Enter');
  await editor.tab('1').waitFor();
});

const chips = () => workbench.agent.frame.locator('.composer .attachments li');
const sentChips = (text: string) =>
  workbench.agent.frame.locator('.user').filter({ hasText: text }).locator('.attachments li');
/** In a conversation of its own: the scripted model may have taken words of what came before for commands. */
async function beginAnew(): Promise<void> {
  const { agent } = workbench;
  await agent.composer.fill('/new');
  await agent.composer.press('Escape');
  await agent.composer.press('Enter');
  await agent.frame.locator('.user').first().waitFor({ state: 'detached' });
  await agent.frame.getByText('Ask Pi about your code').waitFor();
}
/** Types an `@` with some letters and picks the row. */
async function mention(letters: string, row: RegExp): Promise<void> {
  const { agent } = workbench;
  const option = agent.frame.getByRole('option', { name: row }).first();
  await workbench.shell.tryAgain(async () => {
    // what extensions find out meanwhile is there for the next letters
    await agent.composer.fill('');
    await agent.composer.pressSequentially(`@${letters}`);
    await option.waitFor({ timeout: 5_000 });
  });
  await option.click();
}
const drop = (data: Record<string, string>, picture?: string) =>
  workbench.agent.composer.evaluate(
    (area, { data, picture }) => {
      const dataTransfer = new DataTransfer();
      for (const [type, text] of Object.entries(data)) {
        dataTransfer.setData(type, text);
      }
      if (picture !== undefined) {
        const bytes = Uint8Array.from(atob(picture), (one) => one.charCodeAt(0));
        dataTransfer.items.add(new File([bytes], 'red.png', { type: 'image/png' }));
      }
      area.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    },
    { data, picture },
  );

it('attaches a file with an @, and never one outside of the workspace', async () => {
  const { agent, workspaceDir } = workbench;
  await beginAnew();
  const outside = join(dirname(workspaceDir), 'outside of it.txt');
  writeFileSync(outside, 'not for the model');
  symlinkSync(outside, join(workspaceDir, 'leading-out.txt'));
  await agent.composer.pressSequentially('explain @myfile');
  await agent.frame.getByRole('option', { name: /^my file#1\.ts/ }).waitFor();
  await workbench.screenshot('mention-menu');
  await agent.composer.press('Enter');
  await chips().getByText('my file#1.ts').waitFor();
  expect(await agent.composer.inputValue()).toBe('explain @my file#1.ts ');
  await agent.composer.press('Enter');
  await sentChips('explain').getByText('my file#1.ts').waitFor();
  await chips().first().waitFor({ state: 'detached' });
  const refusal = agent.frame.locator('.command-refusal');
  await drop({ 'text/uri-list': `file://${outside.replaceAll(' ', '%20')}` });
  await refusal.getByText('outside of it.txt is not in this workspace.').waitFor();
  await agent.composer.fill('');
  await drop({ 'text/uri-list': `file://${join(workspaceDir, 'leading-out.txt')}` });
  await refusal.getByText('leads out of the folder').waitFor();
  expect(await chips().count()).toBe(0);
  await agent.composer.fill('');
});

it('attaches what is selected, what is wrong, a symbol, and what git says has changed', async () => {
  const { agent, editor, page, workspaceDir } = workbench;
  const wrong = editor.content.locator('.squiggly-error').first();
  await editor.open('my file#1.ts');
  // VS Code's own TypeScript does not start in every busy window, and waiting does not start it
  await wrong.waitFor({ timeout: 40_000 }).catch(async () => {
    await workbench.open();
    await agent.show();
    await editor.open('my file#1.ts');
    await wrong.waitFor({ timeout: 90_000 });
  });
  await beginAnew();
  await editor.content.locator('.view-lines').click();
  await page.keyboard.press('Control+A');
  await mention('sel', /^Selection/);
  await chips().getByText('my file#1.ts:1-4').waitFor();
  await mention('problems', /^Problems/);
  await chips()
    .getByText(/^Problems \(\d\)/)
    .waitFor();
  await mention('totalOf', /^totalOfCart/);
  await chips().getByText('totalOfCart').waitFor();
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.org', ...args], {
      cwd: workspaceDir,
    });
  git('init', '-q');
  git('add', 'tsconfig.json', 'src');
  git('commit', '-qm', 'Begin');
  writeFileSync(join(workspaceDir, 'tsconfig.json'), '{}');
  await mention('changes', /^Git changes/);
  await chips()
    .getByText(/^Git changes/)
    .waitFor();
  await workbench.screenshot('mention-chips');
  await agent.composer.fill('what about these');
  await agent.composer.press('Enter');
  await sentChips('what about these').getByText('totalOfCart').waitFor();
  expect(await sentChips('what about these').count()).toBe(4);
});

it('attaches what the last command of a terminal wrote', async () => {
  const { agent, shell, page } = workbench;
  await beginAnew();
  await shell.runCommand('Terminal: Create New Terminal');
  const terminal = page.locator('.terminal-wrapper.active .xterm');
  await terminal.waitFor();
  await page.locator('.terminal-command-decoration').first().waitFor({ state: 'attached' });
  await page.keyboard.type('printf seen-in-the-terminal');
  await page.keyboard.press('Enter');
  await mention('terminal', /Terminal: printf seen/);
  await chips().getByText('printf seen').waitFor();
  await agent.composer.fill('what was written');
  await agent.composer.press('Enter');
  await sentChips('what was written').getByText('printf seen').waitFor();
});

it('keeps a picture with its draft over a reload, and shows it where it was sent', async () => {
  const { agent, page } = workbench;
  await beginAnew();
  await agent.composer.fill('look at this');
  await drop({}, redPixel);
  await chips().locator('img.thumbnail').waitFor();
  await page.reload();
  await agent.show();
  await chips().locator('img.thumbnail').waitFor();
  await workbench.screenshot('picture-attached');
  expect(await agent.composer.inputValue()).toBe('look at this');
  await agent.composer.press('Enter');
  await sentChips('look at this').locator('img.thumbnail').waitFor();
  await workbench.screenshot('picture-sent');
});

/** A day with servers that offer more than tools, ask their user, and take their time: in the conversation and beside it. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { connectOffering, useTool } from '../helpers/e2e/offering.js';
import { answerTimeoutMs } from '../helpers/e2e/shell.js';
import { answerReview, consentPage, review } from '../helpers/e2e/steps.js';
import { useWorkbench } from '../helpers/e2e/useWorkbench.js';
import { pageOf } from '../helpers/e2e/webview.js';
import { repository } from '../workbench/paths.mjs';

const fixture = (name: string, ...args: string[]) => ({
  command: 'node',
  args: [join(repository, 'test/fixtures/servers', name), ...args],
});
const url = 'https://pay.example/confirm?order=a%26b';
const visits: string[] = [];

const workbench = useWorkbench(
  {
    files: {
      '.mcp.json': JSON.stringify({
        mcpServers: {
          offering: fixture('offering.mjs'),
          jobs: fixture('tasks.mjs'),
          skilled: fixture('skills.mjs', '${workspaceFolder}/skills'),
        },
      }),
      'skills/forms/SKILL.md':
        '---\nname: forms\ndescription: Fills in forms.\n---\nRead FIELDS.md first.\n',
      'skills/forms/references/FIELDS.md': 'name, age\n',
      'plan.md': '# Total of the cart\n\nIt is the sum of the prices.\n',
      'wrong.json': '{ "a" }\n',
    },
    settings: { 'piMcp.agent.toolBudget': 20_000 },
    // pictures and symbols are of extensions of VS Code that the shared windows lack
    hasOwnServer: true,
  },
  async (workbench) => {
    await connectOffering(workbench, 3);
    await workbench.page.context().route('https://pay.example/**', async (route) => {
      visits.push(route.request().url());
      await route.fulfill({ contentType: 'text/html', body: '<h1>Payment</h1>' });
    });
  },
);

/** The answer to the last message; earlier ones say the same. */
async function waitForAnswer(text: string): Promise<void> {
  const last = workbench.agent.frame.locator('.entry').last();
  await last.and(workbench.agent.answer(text)).waitFor();
}

const region = { name: 'Question of an MCP server: offering' };
const form = () => workbench.agent.frame.getByRole('region', region);
const tab = () => pageOf(workbench.page, 'editor').getByRole('region', region);
const page = () => workbench.agent.question('An MCP server asks you to open a page');

it('keeps a form as it was left while nobody sees it, says that it waits, and sends it', async () => {
  const { agent, servers, shell } = workbench;
  await useTool(workbench, 'ask_form');
  const name = form().getByRole('textbox', { name: /^Name/ });
  await name.fill('Ada');
  await agent.hide();
  await shell.notification('waits for your answer').waitFor();
  await servers.waitForServer('offering', 'waits for your answer');
  const approvals = workbench.page.locator('[id="pi-mcp.pi-mcp.piMcp.approvals"]');
  await approvals.getByText('1 waiting').waitFor();
  await agent.show();
  await form().waitFor();
  expect(await name.inputValue()).toBe('Ada');
  await agent.frame.locator('body').evaluate((body) => body.setAttribute('data-before', ''));
  await shell.runCommand('Developer: Reload Webviews');
  await agent.frame.locator('body:not([data-before]) .form-question').waitFor();
  expect(await name.inputValue()).toBe('Ada');
  await workbench.screenshot('question-form');
  await form().getByRole('button', { name: 'Send Answer' }).click();
  await waitForAnswer('"Ada"');
  await servers.waitForServer('offering', 'Connected, 7 tools');
  await shell.runCommand('Notifications: Clear All Notifications');
});

it('is answered on a page of its own while no conversation is in sight, which goes with the answer', async () => {
  const { agent, servers, editor, shell } = workbench;
  await useTool(workbench, 'ask_form');
  await form().waitFor();
  await agent.hide();
  const notice = shell.notification('waits for your answer');
  await notice.getByRole('button', { name: 'Answer', exact: true }).click();
  const name = tab().getByRole('textbox', { name: /^Name/ });
  await name.fill('Ada');
  await editor.closeAll();
  await servers.waitForServer('offering', 'waits for your answer');
  await servers.clickAction(servers.row('offering').first(), 'Answer Question');
  await expect.poll(() => name.inputValue()).toBe('Ada');
  await workbench.screenshot('question-tab');
  await tab().getByRole('button', { name: 'Send Answer' }).click();
  await editor.tab('Questions of MCP Servers').waitFor({ state: 'detached' });
  await agent.show();
  await waitForAnswer('"Ada"');
});

it('takes no key that was meant for the editor, and opens a page only after the user saw its address', async () => {
  const { agent, editor, shell } = workbench;
  const { keyboard } = workbench.page;
  await agent.ask(`use offering__ask_page ${JSON.stringify({ url })}`);
  await agent.approval('ask_page').waitFor();
  await shell.runCommand('File: New Untitled Text File');
  await editor.content.waitFor();
  await agent.approval('ask_page').getByRole('button', { name: 'Allow Once' }).click();
  await page().waitFor();
  await shell.runCommand('View: Focus Active Editor Group');
  await keyboard.type('typed');
  await keyboard.press('Enter');
  await keyboard.type('more');
  await editor.content.getByText('more').waitFor();
  await shell.runCommand('View: Revert and Close Editor');
  await page().getByText(url).waitFor();
  await workbench.screenshot('question-page');
  expect(visits).toEqual([]);
  const [paid] = await Promise.all([
    workbench.page.context().waitForEvent('page'),
    // VS Code's own question about a domain that the user has not trusted
    page()
      .getByRole('button', { name: 'Open Page' })
      .click()
      .then(() => shell.dialog.getByRole('button', { name: 'Open' }).click()),
  ]);
  await paid.getByRole('heading', { name: 'Payment' }).waitFor();
  await paid.close();
  expect(visits).toEqual([url]);
  await shell.statusItem('The page that you opened is done').waitFor();
  await waitForAnswer('"accept"');
});

it('opens prompts and templates with the suggestions of the server', async () => {
  const { editor, servers, shell } = workbench;
  await shell.runAndChoose('Pi MCP: Get Prompt…', 'greet');
  const city = shell.quickInput.getByPlaceholder(/^city \(required\): Whom to greet/);
  await shell.quickPick('Oslo').waitFor();
  await city.fill('par');
  // from then on no row moves
  await shell.quickPick('Oslo').waitFor({ state: 'detached' });
  await shell.quickPick('Parma').click();
  await shell.quickInput.getByPlaceholder(/^Tone of voice \(may be empty\)/).waitFor();
  await shell.quickPick('loudly').click();
  await editor.content.getByText('Greet Parma, loudly').waitFor();
  await editor.closeAll();
  await servers.expand(servers.row('offering').first());
  await servers.expand(servers.group('offering', 'Resources'));
  await servers.rows.filter({ hasText: 'weather' }).first().click();
  await shell.quickInput.getByPlaceholder(/^city/).fill('os');
  // from here on no row moves
  await shell.pickRow('os').waitFor();
  await shell.pick('Oslo');
  await editor.content.getByText('about weather://Oslo').waitFor();
});

it('opens resources as what they are, anew when they change, and attaches one', async () => {
  const { agent, editor, page: window, servers } = workbench;
  await servers.rows.filter({ hasText: 'pic://dot' }).first().click();
  await window.locator('.statusbar-item').filter({ hasText: '1x1' }).waitFor();
  const note = servers.rows.filter({ hasText: 'note://current' }).first();
  await note.click();
  await editor.content.getByText('revision 1').waitFor();
  await useTool(workbench, 'touch');
  await editor.content.getByText('revision 2').waitFor();
  await waitForAnswer('told about');
  await servers.clickAction(note, 'Attach to Pi Agent');
  await chips().getByText('current').waitFor();
  await agent.ask('summarize');
  const message = agent.frame.locator('.user').filter({ hasText: 'summarize' });
  await message.locator('.attachments').getByText('current').waitFor();
  await chips().first().waitFor({ state: 'detached' });
  await editor.closeAll();
});

it('attaches a skill, which is read once the user has seen all of it', async () => {
  const { agent, editor, servers } = workbench;
  await servers.expand(servers.row('skilled').first());
  await servers.expand(servers.group('skilled', 'Skills'));
  const skill = servers.row('forms', 'skill').first();
  await skill.click();
  await editor.content.getByText('Read FIELDS.md first.').waitFor();
  await editor.closeAll();
  await servers.clickAction(skill, 'Attach to Pi Agent');
  await chips().getByText('forms').waitFor();
  await agent.ask('summarize the skill');
  const card = agent.question('Use this skill of an MCP server?');
  await card.getByText('references/FIELDS.md').waitFor();
  await card.getByText('Read FIELDS.md first.').waitFor();
  await workbench.screenshot('skill-consent');
  await card.getByRole('button', { name: 'Use This Skill' }).click();
  const message = agent.frame.locator('.user').filter({ hasText: 'summarize the skill' });
  await message.locator('.attachments').getByText('forms').waitFor();
  await chips().first().waitFor({ state: 'detached' });
  // the same skill is not asked about again
  await agent.composer.fill('@forms');
  await agent.frame
    .getByRole('option', { name: /^forms\b/ })
    .first()
    .click();
  await chips().getByText('forms').waitFor();
  await agent.ask('once more');
  await chips().first().waitFor({ state: 'detached' });
  expect(await card.count()).toBe(0);
});

it('sees what a server offers later once that is accepted, in the tree and as a slash command', async () => {
  const { agent, servers } = workbench;
  await servers.expand(servers.group('offering', 'Prompts'));
  await useTool(workbench, 'grow');
  await servers.rows.filter({ hasText: 'late-note' }).waitFor();
  await servers.waitForServer('offering', '1 definition changed');
  expect(await servers.rows.filter({ hasText: 'late-prompt' }).count()).toBe(0);
  await waitForAnswer('grown');
  await review(workbench);
  const card = consentPage(workbench).locator('.card');
  await card.getByText('Prompt late-prompt is new since you trusted the server').waitFor();
  await answerReview(workbench, 'Accept Selected');
  await servers.rows.filter({ hasText: 'late-prompt' }).waitFor();
  await agent.composer.fill('/offering:late');
  await agent.frame.getByRole('option', { name: '/offering:late-prompt' }).waitFor();
  await agent.composer.fill('');
});

it('shows progress on the card of a call, cancels that call alone, and writes the log of the server', async () => {
  const { agent, page: window, shell } = workbench;
  await useTool(workbench, 'count', { steps: 100 });
  const card = agent.tool('count', 'running');
  await card.getByText(/Counting \(\d+\/100\)/).waitFor();
  await card.getByRole('button', { name: 'Cancel count' }).click();
  await agent.tool('count', 'failed').waitFor();
  // the run goes on: the model hears of it and answers
  await waitForAnswer('cancelled by the user');
  await useTool(workbench, 'speak');
  await waitForAnswer('spoken');
  await shell.runCommand('Pi MCP: Show Log');
  await shell.pick('offering');
  const log = window.locator('.panel .monaco-editor .view-lines');
  await log.getByText('mouth: warning of the server').waitFor();
  const lines = (await log.textContent())?.replace(/\u00a0/g, ' ') ?? '';
  expect(lines).toMatch(/\[info\] mouth: notice of the server/);
  expect(lines).toMatch(/\[error\] mouth: critical of the server/);
  await shell.runCommand('View: Hide Panel');
});

it('continues a task in the background, gives its result to the next message, and opens it later', async () => {
  const { agent, servers, shell } = workbench;
  await agent.ask('call jobs__work {"what":"the report","steps":120}');
  await agent.approval('work').getByRole('button', { name: 'Allow Once' }).click();
  const running = agent.tool('work', 'running');
  await running.getByRole('button', { name: 'Continue in Background' }).click();
  await agent.answer('continue in the background as task-1').waitFor();
  await servers.row('jobs', '1 task').first().waitFor();
  await agent.tool('work', 'done').getByText('worked on the report').waitFor();
  await agent.ask('news');
  await agent.answer('In the background: worked on the report').waitFor();
  await shell.runCommand('Pi MCP: Show Tool Statistics');
  await shell.quickPick('work').first().waitFor();
  const row = shell.quickPick('work').first();
  const result = workbench.page.locator('.editor-instance .monaco-editor');
  // its rows are drawn anew every moment, and are never still on a busy machine
  const now = { force: true, timeout: answerTimeoutMs };
  await shell.askUntilShown(async () => {
    await shell.runCommand('Pi MCP: Show Tasks');
    await row.waitFor({ timeout: answerTimeoutMs });
    await row.hover(now);
    await row.getByRole('button', { name: 'Open Result' }).click(now);
  }, result.getByText('worked on the report').first());
});

const chips = () => workbench.agent.frame.locator('.composer .attachments li');

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

it('attaches what is selected, what is wrong, a symbol, what git says has changed, what a terminal wrote, and tools', async () => {
  const { agent, editor, page: window, shell, workspaceDir } = workbench;
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.org', ...args], {
      cwd: workspaceDir,
    });
  git('init', '-q');
  git('add', 'plan.md');
  git('commit', '-qm', 'Begin');
  writeFileSync(join(workspaceDir, 'plan.md'), '# Total of the cart\n\nIt is what it costs.\n');
  await shell.runCommand('Terminal: Create New Terminal');
  await window.locator('.terminal-wrapper.active .xterm').waitFor();
  await window.locator('.terminal-command-decoration').first().waitFor({ state: 'attached' });
  await window.keyboard.type('printf seen-in-the-terminal');
  await window.keyboard.press('Enter');
  await editor.open('wrong.json');
  await editor.content.locator('.squiggly-error').first().waitFor();
  await editor.open('plan.md');
  await editor.content.locator('.view-lines').click();
  await window.keyboard.press('Control+A');
  await mention('sel', /^Selection/);
  await chips().getByText('plan.md:1-').waitFor();
  await mention('problems', /^Problems/);
  await chips()
    .getByText(/^Problems \(\d\)/)
    .waitFor();
  await mention('Total', /^# Total of the cart|^Total of the cart/);
  await chips()
    .getByText(/Total of the cart/)
    .waitFor();
  await mention('changes', /^Git changes/);
  await chips()
    .getByText(/^Git changes/)
    .waitFor();
  await mention('terminal', /Terminal: printf seen/);
  await chips().getByText('printf seen').waitFor();
  await mention('jobs', /^jobs/);
  await chips().getByText('jobs', { exact: true }).waitFor();
  await mention('work', /^work/);
  await chips().getByText('work', { exact: true }).waitFor();
  await workbench.screenshot('mention-chips');
  await agent.composer.fill('what about these');
  await agent.composer.press('Enter');
  const sent = agent.frame.locator('.user').filter({ hasText: 'what about these' });
  await sent.locator('.attachments').getByText('printf seen').waitFor();
  expect(await sent.locator('.attachments li').count()).toBe(7);
});

/** A day with servers that offer more than tools, ask their user, show apps and take their time, also while the user is elsewhere. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { startCountingServer } from '../fixtures/countingServer.js';
import { connectOffering, offeringFiles, useTool, waitForAnswer } from '../helpers/e2e/offering.js';
import { answerTimeoutMs } from '../helpers/e2e/shell.js';
import { answerReview, consentPage, review } from '../helpers/e2e/steps.js';
import { useWorkbench } from '../helpers/e2e/useWorkbench.js';
import { pageOf } from '../helpers/e2e/webview.js';
import { enterWindow, leaveWindow, listenToNotes } from '../helpers/e2e/windowFocus.js';
import { createDeferred } from '../helpers/fakes/deferred.js';
import { repository } from '../workbench/paths.mjs';

const url = 'https://pay.example/confirm?order=a%26b';
const visits: string[] = [];
const settings = { 'piMcp.agent.toolBudget': 20_000 };
let notes: readonly number[] = [];
const counting = await startCountingServer();
afterAll(() => counting.close());

const workbench = useWorkbench(
  {
    files: offeringFiles(counting.origin),
    settings,
    size: { width: 1280, height: 1000 },
    // pictures and symbols are of extensions of VS Code that the shared windows lack
    hasOwnServer: true,
    // it shows what extensions know of the focus
    otherExtensions: [join(repository, 'test/fixtures/consumer')],
  },
  async (workbench) => {
    notes = await listenToNotes(workbench.page);
    await connectOffering(workbench, 5);
    await workbench.page.context().route('https://pay.example/**', async (route) => {
      visits.push(route.request().url());
      await route.fulfill({ contentType: 'text/html', body: '<h1>Payment</h1>' });
    });
  },
);

const region = { name: 'Question of an MCP server: offering' };
const form = () => workbench.agent.frame.getByRole('region', region);
const tab = () => pageOf(workbench.page, 'editor').getByRole('region', region);
const page = () => workbench.agent.question('An MCP server asks you to open a page');

it('keeps a form while nobody sees it, says that it waits, and takes the answer on a page of its own', async () => {
  const { agent, servers, editor, shell } = workbench;
  await useTool(workbench, 'ask_form');
  await form().getByRole('textbox', { name: /^Name/ }).fill('Ada');
  await agent.hide();
  const notice = shell.notification('waits for your answer');
  await servers.waitForServer('offering', 'waits for your answer');
  await shell.waitingItem.getByText('1 waiting').waitFor();
  await notice.getByRole('button', { name: 'Answer', exact: true }).click();
  const name = tab().getByRole('textbox', { name: /^Name/ });
  await expect.poll(() => name.inputValue()).toBe('Ada');
  await name.fill('Ada L');
  await editor.closeAll();
  await servers.clickAction(servers.row('offering').first(), 'Answer Question');
  await expect.poll(() => name.inputValue()).toBe('Ada L');
  await tab().getByRole('button', { name: 'Send Answer' }).click();
  await editor.tab('Questions of MCP Servers').waitFor({ state: 'detached' });
  await agent.show();
  await waitForAnswer(workbench, '"Ada L"');
  await shell.runCommand('Notifications: Clear All Notifications');
});

it('opens a page only after the user saw its address', async () => {
  const { shell } = workbench;
  await useTool(workbench, 'ask_page', { url });
  await page().getByText(url).waitFor();
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
  await waitForAnswer(workbench, '"accept"');
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
  await shell.quickInput.getByPlaceholder(/^Tone of voice/).waitFor();
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
  const { editor, page: window, servers } = workbench;
  await servers.rows.filter({ hasText: 'pic://dot' }).first().click();
  await window.locator('.statusbar-item').filter({ hasText: '1x1' }).waitFor();
  const note = servers.rows.filter({ hasText: 'note://current' }).first();
  await note.click();
  await editor.content.getByText('revision 1').waitFor();
  await useTool(workbench, 'touch');
  await editor.content.getByText('revision 2').waitFor();
  await waitForAnswer(workbench, 'told about');
  await servers.clickAction(note, 'Attach to Pi Agent');
  await chips().getByText('current').waitFor();
  await editor.closeAll();
});

it('attaches a skill beside it, which is read once the user has seen all of it', async () => {
  const { agent, editor, servers } = workbench;
  await servers.expand(servers.row('skilled').first());
  await servers.expand(servers.group('skilled', 'Skills'));
  const skill = servers.row('forms', 'skill').first();
  await skill.click();
  await editor.content.getByText('Read FIELDS.md first.').waitFor();
  await editor.closeAll();
  await servers.clickAction(skill, 'Attach to Pi Agent');
  await chips().getByText('forms').waitFor();
  await agent.ask('summarize');
  const card = agent.question('Use this skill of an MCP server?');
  await card.getByText('references/FIELDS.md').waitFor();
  await card.getByText('Read FIELDS.md first.').waitFor();
  await card.getByRole('button', { name: 'Use This Skill' }).click();
  const message = agent.frame.locator('.user').filter({ hasText: 'summarize' });
  await message.locator('.attachments').getByText('forms').waitFor();
  await message.locator('.attachments').getByText('current').waitFor();
  await chips().first().waitFor({ state: 'detached' });
});

it('sees what a server offers later once that is accepted, in the tree and as a slash command', async () => {
  const { agent, servers } = workbench;
  await servers.expand(servers.group('offering', 'Prompts'));
  await useTool(workbench, 'grow');
  await servers.rows.filter({ hasText: 'late-note' }).waitFor();
  await servers.waitForServer('offering', 'changed definitions: 1');
  expect(await servers.rows.filter({ hasText: 'late-prompt' }).count()).toBe(0);
  await waitForAnswer(workbench, 'grown');
  await review(workbench);
  const card = consentPage(workbench).locator('.card');
  await card.getByText('New since you trusted the server: prompt late-prompt').waitFor();
  await answerReview(workbench, 'Accept Selected');
  await servers.rows.filter({ hasText: 'late-prompt' }).waitFor();
  await agent.composer.fill('/offering:late');
  await agent.frame.getByRole('option', { name: '/offering:late-prompt' }).waitFor();
  await agent.composer.fill('');
});

it('writes what a server logs into its log', async () => {
  const { page: window, shell } = workbench;
  await useTool(workbench, 'speak');
  await waitForAnswer(workbench, 'spoken');
  await shell.runCommand('Pi MCP: Show Log');
  await shell.pick('offering');
  const log = window.locator('.panel .monaco-editor .view-lines');
  await log.getByText('mouth: warning of the server').waitFor();
  const lines = (await log.textContent())?.replace(/\u00a0/g, ' ') ?? '';
  expect(lines).toMatch(/\[info\] mouth: notice of the server/);
  expect(lines).toMatch(/\[error\] mouth: critical of the server/);
  await shell.runCommand('View: Hide Panel');
});

it('continues a task in the background, and opens its result later', async () => {
  const { agent, servers, shell } = workbench;
  await agent.ask('call jobs__work {"what":"the report","steps":120}');
  await agent.approval('work').getByRole('button', { name: 'Allow Once' }).click();
  const running = agent.tool('work', 'running');
  await running.getByRole('button', { name: 'Continue in Background' }).click();
  await agent.answer('continue in the background as task-1').waitFor();
  await servers.row('jobs', 'tasks: 1').first().waitFor();
  await agent.tool('work', 'done').getByText('worked on the report').waitFor();
  const row = shell.quickPick('work').first();
  const result = workbench.page.locator('.editor-instance .monaco-editor');
  // its rows are drawn anew every moment, and are never still on a busy machine
  const now = { force: true, timeout: answerTimeoutMs };
  await shell.askUntilShown(async () => {
    await shell.runCommand('Pi MCP: Show Tasks');
    await row.waitFor({ timeout: answerTimeoutMs });
    await row.hover(now);
    await row.getByRole('button', { name: 'Open Whole Result' }).click(now);
  }, result.getByText('worked on the report').first());
});

const chips = () => workbench.agent.frame.locator('.composer .attachments li');

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
  await agent.mention('sel', /^Selection/);
  await chips().getByText('plan.md:1-').waitFor();
  await agent.mention('problems', /^Problems/);
  await chips()
    .getByText(/^Problems \(\d\)/)
    .waitFor();
  await agent.mention('Total', /^# Total of the cart|^Total of the cart/);
  await chips()
    .getByText(/Total of the cart/)
    .waitFor();
  await agent.mention('changes', /^Git changes/);
  await chips()
    .getByText(/^Git changes/)
    .waitFor();
  await agent.mention('terminal', /Terminal: printf seen/);
  await chips().getByText('printf seen').waitFor();
  await agent.mention('jobs', /^jobs/);
  await chips().getByText('jobs', { exact: true }).waitFor();
  await agent.mention('work', /^work/);
  await chips().getByText('work', { exact: true }).waitFor();
  await agent.composer.fill('what about these');
  await agent.composer.press('Enter');
  const sent = agent.frame.locator('.user').filter({ hasText: 'what about these' });
  await sent.locator('.attachments').getByText('printf seen').waitFor();
  expect(await sent.locator('.attachments li').count()).toBe(7);
});

const app = () => pageOf(workbench.page, 'editor').frameLocator('iframe');
const appTab = () => workbench.page.locator('.tab').filter({ hasText: 'App: ' });

/** Shows orders by the server of an app; resolves when it is asked for consent. */
async function openApp(server: string): Promise<void> {
  const { agent, shell } = workbench;
  const cards = agent.tool('show_orders', 'done');
  const before = await cards.count();
  await agent.ask(`call ${server}__show_orders ${JSON.stringify({ probe: counting.origin })}`);
  await agent.approval('show_orders').getByRole('button', { name: 'Allow Once' }).click();
  const card = cards.nth(before);
  await card.locator('img.picture').first().waitFor();
  await card.getByRole('button', { name: 'Open App…' }).click();
  await shell.dialog.getByText(`Show the app of this MCP server? ${server}`).waitFor();
}

it('shows an app after consent, which reaches nothing outside: no server, no page around it, no VS Code', async () => {
  const { agent, shell } = workbench;
  await openApp('shop');
  await shell.dialog.getByText('Requests to the network are blocked').waitFor();
  await shell.dialog.getByText('Not granted: camera').waitFor();
  await shell.answerDialog('Cancel');
  expect(await appTab().count()).toBe(0);
  await agent.tool('show_orders', 'done').getByRole('button', { name: 'Open App…' }).click();
  await shell.answerDialog('Show Apps of This Server');
  await app().getByText('Grace: 7').waitFor();
  const probe = app().locator('#probe');
  await probe.getByText('top:').waitFor();
  const lines = ((await probe.textContent()) ?? '').split('\n');
  expect(lines.filter((line) => line.endsWith('worked'))).toEqual([]);
  expect(lines.length).toBe(13);
  expect(counting.paths).toEqual([]);
  // what it forged did nothing either
  expect(await pageOf(workbench.page, 'editor').getByText('forged').count()).toBe(0);
  expect(await appTab().count()).toBe(1);
});

it('lets an app call tools, suggest a message and open links only as far as the user agrees', async () => {
  const { agent } = workbench;
  await app().getByRole('button', { name: 'Refresh' }).click();
  const approval = agent.approval('Run this tool for the app of an MCP server? refresh_orders');
  await agent.deny(approval);
  await app().getByText('refused: The user did not allow this call').waitFor();
  await app().getByRole('button', { name: 'Refresh' }).click();
  await approval.getByRole('button', { name: 'Allow Once' }).click();
  await app().getByText('"refreshed 1"').waitFor();
  await app().getByRole('button', { name: 'Read the rules' }).click();
  await app().getByText('"No refunds"').waitFor();
  const sent = await agent.frame.locator('.entry.user').count();
  await app().getByRole('button', { name: 'Suggest a message' }).click();
  await expect.poll(() => agent.composer.inputValue()).toBe('Cancel order 1');
  expect(await agent.frame.locator('.entry.user').count()).toBe(sent);
  await agent.composer.fill('');
  await app().getByRole('button', { name: 'Open a link' }).click();
  const question = agent.question('An app of an MCP server asks you to open a page');
  await question.getByText('https://example.com/orders').waitFor();
  await question.getByRole('button', { name: 'Decline' }).click();
  await app().getByText('refused: The user did not open the link').waitFor();
});

it('draws the picture of a tool in the tree', async () => {
  const { servers } = workbench;
  await servers.expand(servers.row('shop').first());
  await servers.expand(servers.group('shop', 'Tools'));
  const icon = servers.row('show_orders').first().locator('.custom-view-tree-node-item-icon');
  await expect
    .poll(() => icon.evaluate((element) => getComputedStyle(element).backgroundImage))
    .toMatch(/^url\("data:image\/png/);
});

it('closes the app when the user takes the consent back, and asks again', async () => {
  const { agent, servers, shell, page: window } = workbench;
  await servers.row('shop', 'shows apps').first().waitFor();
  await servers.pickFromMenu(servers.row('shop').first(), 'Manage Trust…');
  await shell.quickPick('Apps of MCP Servers…').click();
  await shell.quickPick('shop').first().click();
  await window.keyboard.press('Enter');
  await appTab().waitFor({ state: 'detached' });
  await agent.tool('show_orders', 'done').getByRole('button', { name: 'Open App…' }).click();
  await shell.dialog.getByText('Show the app of this MCP server? shop').waitFor();
  await shell.answerDialog('Cancel');
});

it('lets an app reach what its server declared and the user saw, and closes one that does not stop sending', async () => {
  const { shell } = workbench;
  await openApp('zone');
  await shell.dialog.getByText(counting.origin).waitFor();
  await shell.answerDialog('Show Apps of This Server');
  await app().locator('#probe').getByText('top:').waitFor();
  expect(new Set(counting.paths)).toEqual(new Set(['/fetch', '/xhr', '/beacon']));
  await app().getByRole('button', { name: 'Flood' }).click();
  await shell.notification('it did not stop sending messages').waitFor();
  await appTab().waitFor({ state: 'detached' });
});

const toasts = () => workbench.page.locator('.notification-toast');
const open = (text: string) =>
  workbench.shell.notification(text).getByRole('button', { name: 'Open', exact: true });

it('tells, once, of an answer that comes while the window has no focus, and leads to it', async () => {
  const { agent, modelScript, shell } = workbench;
  await shell.runCommand('Notifications: Clear All Notifications');
  await agent.newConversation();
  await agent.ask('what can you do?');
  await agent.answer('scripted model').waitFor();
  await agent.newConversation();
  const released = createDeferred<undefined>();
  modelScript.refuse = () => released.promise;
  await agent.ask('hello from afar');
  await leaveWindow(workbench);
  released.resolve(undefined);
  await open('Pi has answered: hello from afar').waitFor();
  modelScript.refuse = undefined;
  await agent.hide();
  // what was answered with focus came first, and would have told first
  expect(await toasts().count()).toBe(1);
  await open('Pi has answered: hello from afar').click();
  await agent.frame.getByText('hello from afar').first().waitFor();
  await toasts().waitFor({ state: 'detached' });
});

it('tells of a question that waits, by a sound too if the user wants one, and by none with focus', async () => {
  const { agent, shell } = workbench;
  await agent.enter('write far.txt away');
  await open('Pi needs you: hello from afar').click();
  await agent.deny(agent.approval('far.txt'));
  await open('Pi has answered: hello from afar').waitFor();
  await shell.runCommand('Notifications: Clear All Notifications');
  expect(notes).toEqual([]);
  workbench.changeSettings({ ...settings, 'piMcp.agent.sound': true });
  await workbench.open();
  await agent.show();
  await enterWindow(workbench);
  await agent.newConversation();
  await agent.enter('what can you do?');
  await agent.answer('scripted model').waitFor();
  // the run ends a moment after its last word
  await agent.button('Stop').waitFor({ state: 'detached' });
  await leaveWindow(workbench);
  await agent.enter('write near.txt by');
  await expect.poll(() => notes).toEqual([660, 880]);
  await agent.deny(agent.approval('near.txt'));
  await expect.poll(() => notes).toEqual([660, 880, 523]);
});

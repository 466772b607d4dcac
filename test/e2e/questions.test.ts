/** What servers ask of the user: what opens, what is told to the server, and what becomes of a question that is left. */
import { expect, it } from 'vitest';
import { connectOffering, offeringFiles, useTool } from '../helpers/e2e/offering.js';
import { useWorkbench } from '../helpers/e2e/useWorkbench.js';
import { pageOf } from '../helpers/e2e/webview.js';

const url = 'https://pay.example/confirm?order=a%26b';
const visits: string[] = [];

const workbench = useWorkbench({ files: offeringFiles }, async (workbench) => {
  await connectOffering(workbench);
  await workbench.page.context().route('https://pay.example/**', async (route) => {
    visits.push(route.request().url());
    await route.fulfill({ contentType: 'text/html', body: '<h1>Payment</h1>' });
  });
});

/** The answer to the last message; earlier ones say the same. */
async function waitForAnswer(text: string): Promise<void> {
  const last = workbench.agent.frame.locator('.entry').last();
  await last.and(workbench.agent.answer(text)).waitFor();
}

const ask = () => workbench.agent.question('An MCP server asks you to open a page');

it('opens a page only after the user saw its host and address, and hears when it is done', async () => {
  const { shell, page } = workbench;
  await useTool(workbench, 'ask_page', { url });
  const open = ask().getByRole('button', { name: 'Open Page' });
  await ask().getByText(url).waitFor();
  await ask().getByText('Confirm the payment.').waitFor();
  await workbench.screenshot('question-page');
  expect(visits).toEqual([]);
  await open.click();
  // VS Code's own question about a domain that the user has not trusted
  const [paid] = await Promise.all([
    page.context().waitForEvent('page'),
    shell.dialog.getByRole('button', { name: 'Open' }).click(),
  ]);
  await paid.getByRole('heading', { name: 'Payment' }).waitFor();
  await paid.close();
  expect(visits).toEqual([url]);
  await shell.statusItem('The page that you opened is done').waitFor();
  await waitForAnswer('"accept"');
});

it('takes no key that was meant for the editor, and opens nothing by itself', async () => {
  const { shell, page, agent, editor } = workbench;
  const before = visits.length;
  await agent.ask(`use offering__ask_page ${JSON.stringify({ url })}`);
  await agent.approval('ask_page').waitFor();
  await shell.runCommand('File: New Untitled Text File');
  const text = editor.content;
  await text.waitFor();
  await agent.approval('ask_page').getByRole('button', { name: 'Allow Once' }).click();
  await ask().waitFor();
  await shell.runCommand('View: Focus Active Editor Group');
  await page.keyboard.type('typed');
  await page.keyboard.press('Enter');
  await page.keyboard.type('more');
  expect(await shell.quickInput.isVisible()).toBe(false);
  await text.getByText('more').waitFor();
  await shell.runCommand('View: Revert and Close Editor');
  await ask().getByRole('button', { name: 'Decline' }).click();
  await waitForAnswer('"decline"');
  expect(visits).toHaveLength(before);
});

const form = () =>
  workbench.agent.frame.getByRole('region', { name: 'Question of an MCP server: offering' });
const waits = () =>
  workbench.agent.frame.getByText('Waits for your answer: offering', { exact: true });

const tab = () =>
  pageOf(workbench.page, 'editor').getByRole('region', {
    name: 'Question of an MCP server: offering',
  });

/** Takes the conversation out of sight, and comes to the question on its own page. */
async function answerElsewhere(): Promise<void> {
  const { agent, shell } = workbench;
  await form().waitFor();
  await agent.hide();
  const notice = shell.notification('waits for your answer');
  await notice.getByRole('button', { name: 'Answer', exact: true }).click();
  await tab().waitFor();
}

it('keeps a form while the conversation is out of sight, and says that it waits', async () => {
  const { agent, shell, servers } = workbench;
  await useTool(workbench, 'ask_form');
  await form().waitFor();
  await workbench.screenshot('question-form');
  await agent.hide();
  await shell.notification('waits for your answer').waitFor();
  await servers.waitForServer('offering', 'waits for your answer');
  await agent.show();
  await form().waitFor();
  await form().getByRole('textbox', { name: /^Name/ }).fill('Ada');
  await form().getByRole('button', { name: 'Send Answer' }).click();
  await waitForAnswer('"Ada"');
  await servers.waitForServer('offering', 'connected, 7 tools');
  await shell.runCommand('Notifications: Clear All Notifications');
});

it('is answered on a page of its own while no conversation is in sight, which goes with the answer', async () => {
  const { agent, servers, editor, page } = workbench;
  await useTool(workbench, 'ask_form');
  await answerElsewhere();
  await workbench.screenshot('question-tab');
  await tab().getByRole('textbox', { name: /^Name/ }).fill('Ada');
  await editor.closeAll();
  await servers.waitForServer('offering', 'waits for your answer');
  await servers.clickAction(servers.row('offering').first(), 'Answer Question');
  await expect.poll(() => tab().getByRole('textbox', { name: /^Name/ }).inputValue()).toBe('Ada');
  await tab().getByRole('button', { name: 'Send Answer' }).click();
  await page.getByRole('tab', { name: 'Questions of MCP Servers' }).waitFor({ state: 'detached' });
  await agent.show();
  await waitForAnswer('"Ada"');
  expect(await waits().count()).toBe(0);
});

it('lets the user give a question up, or stop the call behind it', async () => {
  const { agent } = workbench;
  for (const end of ['Do Not Answer', 'Stop']) {
    await useTool(workbench, 'ask_form');
    await form().waitFor();
    await agent.button(end).click();
    await form().waitFor({ state: 'detached' });
    if (end === 'Do Not Answer') {
      await waitForAnswer('"cancel"');
    }
  }
  await agent.frame.getByRole('log').getByText('Stopped.').waitFor();
});

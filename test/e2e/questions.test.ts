/** What servers ask of the user: what opens, what is told to the server, and what becomes of a question that is left. */
import { expect, it } from 'vitest';
import { connectOffering, offeringFiles, useTool } from '../helpers/e2e/offering.js';
import { useWorkbench } from '../helpers/e2e/useWorkbench.js';

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

it('opens a page only after the user saw its host and address, and hears when it is done', async () => {
  const { shell, page } = workbench;
  await useTool(workbench, 'ask_page', { url });
  const open = shell.quickPick('Open pay.example');
  await open.getByText(url).waitFor();
  await shell.quickPick('Confirm the payment.').waitFor();
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
  await shell.statusItem('the page that you opened is done').waitFor();
  await waitForAnswer('"accept"');
});

it('opens nothing for an Enter that was meant for something else', async () => {
  const { shell, page } = workbench;
  const before = visits.length;
  await useTool(workbench, 'ask_page', { url });
  await shell.quickPick('Show the Whole Request').waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('tab', { name: /asks you to open a page/ }).waitFor();
  await shell.quickPick('Decline').click();
  await waitForAnswer('"decline"');
  expect(visits).toHaveLength(before);
});

it('tells a server that the user left a page with Escape', async () => {
  const { shell, page } = workbench;
  await useTool(workbench, 'ask_page', { url });
  await shell.quickPick('Show the Whole Request').waitFor();
  await page.keyboard.press('Escape');
  await waitForAnswer('"cancel"');
});

const form = () =>
  workbench.agent.frame.getByRole('region', { name: 'MCP server "offering" asks' });
const waits = () =>
  workbench.agent.frame.getByText('offering waits for your answer', { exact: true });

/** Takes the conversation out of sight and asks for the form again: now it is on the screen. */
async function answerElsewhere(): Promise<void> {
  const { agent, shell } = workbench;
  await form().waitFor();
  await agent.hide();
  const notice = shell.notification('still waits for your answer');
  await notice.getByRole('button', { name: 'Answer', exact: true }).click();
  await shell.quickPick('Send Answer').waitFor();
}

it('keeps a form while the conversation is out of sight, and says that it waits', async () => {
  const { agent, shell, servers } = workbench;
  await useTool(workbench, 'ask_form');
  await form().waitFor();
  await workbench.screenshot('question-form');
  await agent.hide();
  await shell.notification('still waits for your answer').waitFor();
  await servers.waitForServer('offering', 'waits for your answer');
  await agent.show();
  await form().waitFor();
  await form().getByRole('textbox', { name: /^Name/ }).fill('Ada');
  await form().getByRole('button', { name: 'Send Answer' }).click();
  await waitForAnswer('"Ada"');
  await servers.waitForServer('offering', 'connected, 7 tools');
  await shell.runCommand('Notifications: Clear All Notifications');
});

it('asks on the screen while no conversation is in sight, and keeps that open when another quick pick takes its place', async () => {
  const { agent, shell, servers, page } = workbench;
  await useTool(workbench, 'ask_form');
  await answerElsewhere();
  await shell.quickPick('Name (required)').click();
  await shell.quickInput.getByPlaceholder('Required').fill('Ada');
  await page.keyboard.press('Enter');
  await shell.quickPick('Ada').waitFor();
  await page.keyboard.press('F1');
  await shell.quickPick('Send Answer').waitFor({ state: 'detached' });
  await page.keyboard.press('Escape');
  await servers.waitForServer('offering', 'waits for your answer');
  await workbench.screenshot('question-open');
  await servers.clickAction(servers.row('offering').first(), 'Answer Question');
  await shell.quickPick('Ada').waitFor();
  await shell.quickPick('Send Answer').click();
  await agent.show();
  await waitForAnswer('"Ada"');
  expect(await waits().count()).toBe(0);
});

it('leaves a field that is covered open as well, to be answered in the conversation', async () => {
  const { agent, shell, page } = workbench;
  await useTool(workbench, 'ask_form');
  await answerElsewhere();
  await shell.quickPick('Name (required)').click();
  await shell.quickInput.getByPlaceholder('Required').waitFor();
  await page.keyboard.press('F1');
  await shell.quickInput.getByPlaceholder('Required').waitFor({ state: 'detached' });
  await page.keyboard.press('Escape');
  await agent.show();
  await form().getByRole('button', { name: 'Decline' }).click();
  await waitForAnswer('"decline"');
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

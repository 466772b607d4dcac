/** A user who works in another program is told, once, that Pi has answered or waits. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { connectSample } from '../helpers/e2e/steps.js';
import { useWorkbench } from '../helpers/e2e/useWorkbench.js';
import { enterWindow, leaveWindow, listenToNotes } from '../helpers/e2e/windowFocus.js';
import { repository } from '../workbench/paths.mjs';

const settings = { 'piMcp.agent.toolBudget': 20_000 };
// it shows what extensions know of the focus
const otherExtensions = [join(repository, 'test/fixtures/consumer')];
/** What was played. */
let notes: readonly number[] = [];

const workbench = useWorkbench({ settings, otherExtensions }, async (opened) => {
  notes = await listenToNotes(opened.page);
  await connectSample(opened);
  await opened.agent.show();
  await opened.agent.frame.locator('.model-picker').waitFor();
});

const toasts = () => workbench.page.locator('.notification-toast');
const open = (text: string) =>
  workbench.shell.notification(text).getByRole('button', { name: 'Open', exact: true });
const statusItem = () => workbench.page.locator('[id="pi-mcp.pi-mcp.piMcp.approvals"]');

/** By the keyboard: notices lie over the button. */
async function ask(text: string): Promise<void> {
  const { composer } = workbench.agent;
  await composer.fill(text);
  await composer.press('Enter');
}

async function leave(): Promise<void> {
  await leaveWindow(workbench.page);
  await workbench.shell.statusItem('window has no focus').waitFor();
}

async function comeBack(): Promise<void> {
  await enterWindow(workbench.page);
  await workbench.shell.statusItem('window has focus').waitFor();
}

it('tells of an answer that comes while the window has no focus, and of none before', async () => {
  const { agent, modelScript } = workbench;
  await ask('what can you do?');
  await agent.answer('scripted model').waitFor();
  await workbench.agent.newConversation();
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  modelScript.refuse = async () => {
    await released;
    return undefined;
  };
  await ask('hello from afar');
  await leave();
  release();
  await open('Pi has answered: hello from afar').waitFor();
  modelScript.refuse = undefined;
  await workbench.screenshot('attention-answered');
  // what was answered with focus came first, and would have told first
  expect(await toasts().count()).toBe(1);
});

it('tells no second time while the notice stands, and leads to the conversation', async () => {
  const { agent } = workbench;
  await ask('hello again');
  await agent.answer(/./).nth(1).waitFor();
  await workbench.agent.newConversation();
  await agent.hide();
  expect(await toasts().count()).toBe(1);
  await open('Pi has answered: hello from afar').click();
  await agent.composer.waitFor();
  await agent.frame.getByText('hello from afar').first().waitFor();
  await toasts().waitFor({ state: 'detached' });
});

it('tells of a question that waits, beside badge and status bar', async () => {
  const { agent } = workbench;
  await workbench.agent.newConversation();
  await ask('write far.txt away');
  await open('Pi needs you: write far.txt away').waitFor();
  await workbench.screenshot('attention-needs-you');
  expect(await toasts().count()).toBe(1);
  await agent.hide();
  // in sight, the conversation says so itself
  await statusItem().waitFor();
  await open('Pi needs you').click();
  await agent.deny(agent.approval('far.txt'));
  await agent.answer(/./).nth(1).waitFor();
  await open('Pi has answered: write far.txt away').waitFor();
  await workbench.shell.runCommand('Notifications: Clear All Notifications');
  await toasts().waitFor({ state: 'detached' });
  // nobody has asked for a sound
  expect(notes).toEqual([]);
});

it('plays a sound for the same if the user wants one, and none with focus', async () => {
  const { agent, shell } = workbench;
  workbench.changeSettings({ ...settings, 'piMcp.agent.sound': true });
  await workbench.open();
  await agent.show();
  await comeBack();
  await workbench.agent.newConversation();
  await ask('what can you do?');
  await agent.answer('scripted model').waitFor();
  // the run ends a moment after its last word
  await agent.button('Stop').waitFor({ state: 'detached' });
  await leave();
  await ask('write near.txt by');
  await expect.poll(() => notes).toEqual([660, 880]);
  await agent.deny(agent.approval('near.txt'));
  await expect.poll(() => notes).toEqual([660, 880, 523]);
  await shell.notification('Pi').first().waitFor();
});

it('tells of a form of a server as of any question', async () => {
  const { agent } = workbench;
  workbench.changeSettings({ ...settings, 'piMcp.agent.yolo': true });
  await workbench.open();
  await agent.show();
  await workbench.agent.newConversation();
  await leave();
  await ask('use everything__trigger_elicitation_request');
  await open('Pi needs you: use everything').waitFor();
  await workbench.screenshot('attention-form');
  await agent.frame.getByRole('button', { name: 'Do Not Answer' }).click();
  await agent.answer(/cancelled/i).waitFor();
});

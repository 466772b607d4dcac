/** A conversation and its files taken back to an earlier message, and forth again, in the real VS Code. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { connectSample } from '../helpers/e2e/steps.js';
import { useWorkbench } from '../helpers/e2e/useWorkbench.js';

const notes = 'first\r\nsecond\r\nthird\r\nfourth\r\nfifth\r\n';

// in a browser VS Code saves by itself
const settings = { 'files.autoSave': 'off', 'piMcp.agent.yolo': true };

const workbench = useWorkbench({ files: { 'notes.txt': notes }, settings }, async (workbench) => {
  await connectSample(workbench);
  await workbench.agent.show();
  await workbench.agent.frame.locator('.model-picker').waitFor();
});

const path = (name: string) => join(workbench.workspaceDir, name);
const text = (name: string) => readFileSync(path(name), 'utf8');
const editOf = (oldText: string, newText: string) =>
  `call edit ${JSON.stringify({ path: 'notes.txt', edits: [{ oldText, newText }] })}`;

const card = () => workbench.agent.frame.locator('.restore');
const bar = () => workbench.agent.frame.locator('.changes');
const row = (name: string) => card().getByRole('checkbox', { name });
const spoken = () => workbench.agent.frame.locator('body > .visually-hidden[role=status]');
const requests = () => workbench.agent.frame.locator('.entry.user');
const request = (said: string) => requests().filter({ hasText: said });

/** By keyboard, as the button shows itself to who has the focus in the message. */
async function showRestore(said: string): Promise<void> {
  await request(said).getByRole('button', { name: 'Restore…' }).press('Enter');
  await card().waitFor();
}

async function ask(said: string, tools: number): Promise<void> {
  await workbench.agent.ask(said);
  await expect
    .poll(() => workbench.agent.frame.locator('.tool[data-status=done]').count())
    .toBe(tools);
  await workbench.agent.button('Send').waitFor();
}

it('shows what a restore would do before it does anything', async () => {
  const { page } = workbench;
  await ask(editOf('second', 'SECOND'), 1);
  await ask(editOf('fourth', 'FOURTH'), 2);
  await ask('write fresh.txt hello', 3);
  writeFileSync(path('notes.txt'), `mine\r\n${text('notes.txt')}`);
  await showRestore('FOURTH');
  await expect.poll(() => card().evaluate((one) => one === document.activeElement)).toBe(true);
  await card().getByText('2 files', { exact: true }).waitFor();
  await card().getByText('What others changed elsewhere in it stays.').waitFor();
  await card().getByText('is deleted').waitFor();
  await workbench.screenshot('restore-card');
  await card().getByRole('button', { name: 'Open Diff of notes.txt' }).click();
  await page.getByRole('tab', { name: 'notes.txt (Now and after Restore)' }).waitFor();
  await page
    .locator('.editor.modified .view-line')
    .getByText('fourth', { exact: true })
    .first()
    .waitFor();
  expect(text('notes.txt')).toContain('FOURTH');
  await workbench.screenshot('restore-diff');
});

it('takes files and conversation back, and brings both forth again', async () => {
  const { agent, shell } = workbench;
  await card().getByRole('button', { name: 'Restore' }).click();
  await card().waitFor({ state: 'detached' });
  await bar().getByRole('button', { name: 'Redo' }).waitFor();
  await expect
    .poll(() => spoken().textContent())
    .toContain('Conversation taken back · Changes of 2 files undone');
  expect(text('notes.txt')).toBe(`mine\r\n${notes.replace('second', 'SECOND')}`);
  expect(existsSync(path('fresh.txt'))).toBe(false);
  await expect.poll(() => requests().count()).toBe(1);
  await expect.poll(() => agent.composer.inputValue()).toBe(editOf('fourth', 'FOURTH'));
  await workbench.screenshot('restored');
  await agent.composer.fill('');
  await shell.runCommand('Pi MCP: Redo Undone Changes');
  await expect.poll(() => requests().count()).toBe(3);
  await expect.poll(() => existsSync(path('fresh.txt'))).toBe(true);
  expect(text('notes.txt')).toContain('FOURTH');
});

it('leaves what the user changed in the same lines unless they choose otherwise', async () => {
  writeFileSync(path('notes.txt'), text('notes.txt').replace('FOURTH', 'FOURTH and mine'));
  await showRestore('FOURTH');
  expect(await row('notes.txt').isChecked()).toBe(false);
  await card().getByText('those would be replaced').waitFor();
  await card().getByRole('checkbox', { name: 'Conversation' }).uncheck();
  await workbench.screenshot('restore-conflict');
  await row('notes.txt').check();
  // what is written while the user looks is shown once more, not written over
  writeFileSync(path('notes.txt'), text('notes.txt').replace('first', 'first and mine'));
  await card().getByText('The files were changed meanwhile.').waitFor();
  expect(await row('notes.txt').isChecked()).toBe(true);
  expect(text('notes.txt')).toContain('FOURTH and mine');
  await card().getByRole('button', { name: 'Restore' }).click();
  await bar().getByRole('button', { name: 'Redo' }).waitFor();
  await expect.poll(() => text('notes.txt')).toContain('fourth\r\nfifth\r\n');
  expect(text('notes.txt')).toContain('first and mine');
  expect(await requests().count()).toBe(3);
  await bar().getByRole('button', { name: 'Redo' }).click();
  await expect.poll(() => text('notes.txt')).toContain('FOURTH and mine');
  writeFileSync(path('notes.txt'), text('notes.txt').replace('FOURTH and mine', 'FOURTH'));
  await bar().getByRole('button', { name: 'Redo' }).waitFor({ state: 'detached' });
});

it('restores a file that an editor has not saved, and saves it', async () => {
  const { editor, agent, page } = workbench;
  await editor.closeAll();
  await editor.open('notes.txt');
  await editor.placeCursorAfter('third');
  await editor.type(' unsaved');
  await page.locator('.tab.active.dirty').waitFor();
  await agent.show();
  await showRestore('SECOND');
  await card().getByText('Your unsaved changes are saved too.').waitFor();
  await card().getByRole('checkbox', { name: 'Conversation' }).uncheck();
  // what was written a moment ago may be read once more
  await expect.poll(() => row('notes.txt').isChecked()).toBe(true);
  await card().getByRole('button', { name: 'Restore' }).click();
  await page.locator('.tab.active:not(.dirty)').waitFor();
  await expect.poll(() => text('notes.txt')).toContain('second\r\nthird unsaved\r\n');
  await bar().getByRole('button', { name: 'Redo' }).click();
  await expect.poll(() => text('notes.txt')).toContain('SECOND\r\nthird unsaved\r\n');
  await bar().getByRole('button', { name: 'Redo' }).waitFor({ state: 'detached' });
});

it('knows every moment in the next window, and restores one from the palette', async () => {
  const { agent, shell } = workbench;
  await workbench.open();
  await agent.show();
  await expect.poll(() => requests().count()).toBe(3);
  await shell.runCommand('Pi MCP: Restore Checkpoint…');
  await shell.quickPick('Before the restore').first().waitFor();
  await shell.quickPick('write fresh.txt').waitFor();
  await workbench.screenshot('restore-checkpoints');
  await shell.quickPick('write fresh.txt').click();
  await card().getByText('1 file', { exact: true }).waitFor();
  await card().getByRole('button', { name: 'Restore' }).click();
  await expect.poll(() => existsSync(path('fresh.txt'))).toBe(false);
  await expect.poll(() => requests().count()).toBe(2);
});

it('reviews, keeps and undoes all changes from the palette', async () => {
  const { shell, page } = workbench;
  await shell.runCommand('Pi MCP: Review Changes');
  await page.getByRole('tab', { name: /Changes by Pi/ }).waitFor();
  await shell.runCommand('Pi MCP: Keep All Changes');
  await bar().getByText('1 file', { exact: true }).waitFor({ state: 'detached' });
  // what can do nothing now is not in the palette
  await page.keyboard.press('F1');
  await shell.fillQuickInput('>Pi MCP: Open Pi Agent');
  await shell.quickPick('Pi MCP: Open Pi Agent').first().waitFor();
  await shell.fillQuickInput('>Pi MCP: Undo All Changes');
  await expect.poll(() => shell.quickPick('Pi MCP: Undo All Changes').count()).toBe(0);
  await page.keyboard.press('Escape');
});

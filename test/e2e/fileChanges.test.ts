/** What Pi changes in files: the question before, the review, the restore of an earlier moment, the undo and the redo. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { useWorkbench } from '../helpers/e2e/useWorkbench.js';

const notes = 'first\r\nsecond\r\nthird\r\nfourth\r\nfifth\r\n';
const parts = Array.from({ length: 12 }, (_, at) => `line ${at + 1}.\n`).join('');

// in a browser VS Code saves by itself
const options = {
  files: { 'notes.txt': notes, 'parts.txt': parts, 'other.txt': 'alone\n' },
  settings: { 'files.autoSave': 'off' },
};

// no server is needed for it
const workbench = useWorkbench(options, async ({ shell, agent }) => {
  await shell.trustWorkspace();
  await shell.closeModalEditor();
  await agent.show();
  await agent.frame.locator('.model-picker').waitFor();
});

const path = (name: string) => join(workbench.workspaceDir, name);
const text = (name: string) => readFileSync(path(name), 'utf8');

function edit(name: string, oldText: string, newText: string): Promise<void> {
  const args = { path: name, edits: [{ oldText, newText }] };
  return workbench.agent.ask(`call edit ${JSON.stringify(args)}`);
}

/** Until the run has ended. */
const rest = () =>
  workbench.agent.frame.getByRole('button', { name: 'Send', exact: true }).waitFor();

const bar = () => workbench.agent.frame.locator('.changes');
const card = () => workbench.agent.frame.locator('.restore');
const requests = () => workbench.agent.frame.locator('.entry.user');

it('asks about an edit with its lines, and shows them in the card', async () => {
  const { agent } = workbench;
  await edit('notes.txt', 'second', 'SECOND');
  const approval = agent.approval('Edit notes.txt?');
  await approval.locator('.diff-line.added').getByText('SECOND').waitFor();
  await workbench.screenshot('file-approval');
  await approval.getByRole('button', { name: 'Open Diff' }).click();
  await workbench.page.getByRole('tab', { name: 'notes.txt (Changes by Pi)' }).waitFor();
  expect(text('notes.txt')).toBe(notes);
  await agent.allow(approval, 'Allow All Edits in This Conversation');
  await agent.tool('edit', 'done').getByText('Edit notes.txt').waitFor();
  await bar().getByText('1 file', { exact: true }).waitFor();
  await rest();
});

it('shows all changes in one editor', async () => {
  const { agent, page, editor, shell } = workbench;
  await editor.closeAll();
  await edit('notes.txt', 'fourth', 'FOURTH');
  // the answer to the edit holds for whatever changes files
  await expect.poll(() => text('notes.txt')).toContain('FOURTH');
  await rest();
  await agent.ask('write fresh.txt hello');
  await agent.tool('write', 'done').waitFor();
  await rest();
  await shell.runCommand('Pi MCP: Review Changes');
  await page.getByRole('tab', { name: /Changes by Pi/ }).waitFor();
  const entries = page.locator('.multiDiffEntry');
  await entries.getByText('notes.txt').first().waitFor();
  await entries.getByText('fresh.txt').first().waitFor();
  await entries.locator('.view-line').getByText('SECOND', { exact: true }).first().waitFor();
  await workbench.screenshot('file-review');
});

it('shows what a restore would do, takes files and conversation back, and brings both forth again', async () => {
  const { agent, page, shell } = workbench;
  // by keyboard, as the button shows itself to who has the focus in the message
  const request = requests().filter({ hasText: 'FOURTH' });
  await request.getByRole('button', { name: 'Restore…' }).press('Enter');
  await card().getByText('is deleted').waitFor();
  const restored = card().getByRole('group', { name: 'notes.txt' });
  await restored.getByRole('button', { name: 'Open Diff' }).click();
  await page.getByRole('tab', { name: 'notes.txt: proposed change' }).waitFor();
  const after = page.locator('.editor.modified .view-line');
  await after.getByText('fourth', { exact: true }).first().waitFor();
  expect(text('notes.txt')).toContain('FOURTH');
  await workbench.screenshot('restore-diff');
  await card().getByRole('button', { name: 'Restore' }).click();
  await card().waitFor({ state: 'detached' });
  await expect.poll(() => requests().count()).toBe(1);
  expect(text('notes.txt')).toBe(notes.replace('second', 'SECOND'));
  expect(existsSync(path('fresh.txt'))).toBe(false);
  await expect.poll(() => agent.composer.inputValue()).toContain('FOURTH');
  await agent.composer.fill('');
  await shell.runCommand('Pi MCP: Redo Undone Changes');
  await expect.poll(() => requests().count()).toBe(3);
  await expect.poll(() => existsSync(path('fresh.txt'))).toBe(true);
  expect(text('notes.txt')).toContain('FOURTH');
});

it('restores a moment that is chosen in the palette', async () => {
  const { shell } = workbench;
  await shell.runCommand('Pi MCP: Restore Checkpoint…');
  await shell.quickPick('Before Restore').first().waitFor();
  await workbench.screenshot('restore-checkpoints');
  await shell.quickPick('write fresh.txt').click();
  await card().getByText('1 file', { exact: true }).waitFor();
  await card().getByRole('button', { name: 'Restore' }).click();
  await expect.poll(() => existsSync(path('fresh.txt'))).toBe(false);
  await expect.poll(() => requests().count()).toBe(2);
});

it('asks before an undo would take away what the user changed in the same line', async () => {
  const { page } = workbench;
  writeFileSync(path('notes.txt'), text('notes.txt').replace('SECOND', 'SECOND and mine'));
  await bar().getByRole('button', { name: 'Undo', exact: true }).click();
  const dialog = page.locator('.monaco-dialog-box');
  await dialog.getByText('notes.txt: Others changed the same lines since').waitFor();
  await workbench.screenshot('file-conflict');
  await dialog.getByRole('button', { name: 'Open Diff' }).click();
  await page.getByRole('tab', { name: 'notes.txt: proposed change' }).waitFor();
  expect(text('notes.txt')).toContain('SECOND and mine');
  await bar().getByRole('button', { name: 'Undo', exact: true }).click();
  await dialog.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect.poll(() => text('notes.txt')).toBe(notes);
});

it('edits what an editor has not saved, and saves it', async () => {
  const { agent, editor, page, shell } = workbench;
  await editor.closeAll();
  await editor.open('notes.txt');
  await editor.placeCursorAfter('third');
  await editor.type(' unsaved');
  await page.locator('.tab.active.dirty').waitFor();
  await agent.show();
  await edit('notes.txt', 'third unsaved', 'THIRD');
  await agent.frame.getByText('Your unsaved changes are saved too.').waitFor();
  expect(text('notes.txt')).toContain('THIRD\r\n');
  await page.locator('.tab.active:not(.dirty)').waitFor();
  await shell.runCommand('Pi MCP: Undo All Changes');
  await expect.poll(() => text('notes.txt')).toContain('third unsaved\r\n');
});

it('marks the changes in the editor beside git, and keeps one from there', async () => {
  const { agent, editor, page, shell, workspaceDir } = workbench;
  const git = (...args: string[]) => execFileSync('git', args, { cwd: workspaceDir });
  git('init', '--quiet');
  git('add', 'parts.txt', 'other.txt');
  git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '--quiet', '-m', 'first');
  await agent.show();
  for (const [name, before, after] of [
    ['parts.txt', 'line 2.', 'Line two.'],
    ['parts.txt', 'line 10.', 'Line ten.'],
    ['other.txt', 'alone', 'Alone.'],
  ] as const) {
    await edit(name, before, after);
    await expect.poll(() => text(name)).toContain(after);
    await rest();
  }
  await bar().getByText('2 files', { exact: true }).waitFor();
  await editor.closeAll();
  await editor.open('parts.txt');
  await editor.content.locator('[class*=dirty-diff-modified]').first().waitFor();
  await shell.runCommand('Show Next Change');
  const keep = page.locator('.peekview-widget [aria-label^="Keep Change by Pi"]');
  await page.locator('.peekview-widget select').selectOption('Pi');
  await workbench.screenshot('editor-review-peek');
  await keep.click();
  await page.keyboard.press('Escape');
  expect(text('parts.txt')).toContain('Line two.');
});

it('goes through the changes by keys, undoes one, and goes on in the next file', async () => {
  const { editor, page, shell } = workbench;
  await editor.content.locator('.view-lines').first().click();
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('Alt+F9');
  await shell.statusItem('Changes by Pi: 1 of 1').waitFor();
  await page.keyboard.press('Control+Shift+F9');
  await expect.poll(() => text('parts.txt')).toBe(parts.replace('line 2.', 'Line two.'));
  await editor.tab('other.txt').waitFor();
  await shell.showContainer('Source Control');
  const list = page.locator('.scm-view');
  // what is new to git stands above
  await list
    .getByRole('treeitem', { name: /^sample/ })
    .first()
    .locator('.monaco-tl-twistie')
    .click();
  await list.getByText('Changes by Pi').waitFor();
  await list.getByText('other.txt').last().hover();
  await workbench.screenshot('editor-review-list');
  await list.locator('[aria-label^="Undo Changes by Pi in This File"]').last().click();
  await expect.poll(() => text('other.txt')).toBe('alone\n');
  await list.getByText('Changes by Pi').waitFor({ state: 'detached' });
});

it('keeps all changes from the palette, which has no command that can do nothing now', async () => {
  const { page, shell } = workbench;
  await edit('other.txt', 'alone', 'Alone.');
  await bar().getByText('1 file', { exact: true }).waitFor();
  await shell.runCommand('Pi MCP: Keep All Changes');
  await bar().getByText('1 file', { exact: true }).waitFor({ state: 'detached' });
  expect(text('other.txt')).toBe('Alone.\n');
  await page.keyboard.press('F1');
  await shell.fillQuickInput('>Pi MCP: Open Pi Agent');
  await shell.quickPick('Pi MCP: Open Pi Agent').first().waitFor();
  await shell.fillQuickInput('>Pi MCP: Undo All Changes');
  await expect.poll(() => shell.quickPick('Pi MCP: Undo All Changes').count()).toBe(0);
  await page.keyboard.press('Escape');
});

/** What Pi changes in files, from the question before to the review, the undo and the redo after. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { connectSample } from '../helpers/e2e/steps.js';
import { useWorkbench } from '../helpers/e2e/useWorkbench.js';

const notes = 'first\r\nsecond\r\nthird\r\nfourth\r\nfifth\r\n';
const parts = Array.from({ length: 12 }, (_, at) => `line ${at + 1}.\n`).join('');

// in a browser VS Code saves by itself
const options = {
  files: { 'notes.txt': notes, 'parts.txt': parts, 'other.txt': 'alone\n' },
  settings: { 'files.autoSave': 'off' },
};

const workbench = useWorkbench(options, async (workbench) => {
  await connectSample(workbench);
  await workbench.agent.show();
  await workbench.agent.frame.locator('.model-picker').waitFor();
});

const path = (name: string) => join(workbench.workspaceDir, name);
const text = (name: string) => readFileSync(path(name), 'utf8');

function edit(name: string, oldText: string, newText: string): Promise<void> {
  const args = { path: name, edits: [{ oldText, newText }] };
  return workbench.agent.ask(`call edit ${JSON.stringify(args)}`);
}

const bar = () => workbench.agent.frame.locator('.changes');

it('asks about an edit with its lines, and shows them in the card', async () => {
  const { agent } = workbench;
  await edit('notes.txt', 'second', 'SECOND');
  const approval = agent.approval('Edit notes.txt?');
  await approval.locator('.diff-line.added').getByText('SECOND').waitFor();
  expect(await approval.getByText('oldText').count()).toBe(0);
  await workbench.screenshot('file-approval');
  await approval.getByRole('button', { name: 'Open Diff of notes.txt' }).click();
  await workbench.page.getByRole('tab', { name: 'notes.txt (Change by Pi)' }).waitFor();
  expect(text('notes.txt')).toBe(notes);
  await agent.allow(approval, 'Allow All Edits in This Conversation');
  await agent.tool('edit', 'done').getByText('Edited notes.txt').waitFor();
  await agent.tool('edit', 'done').locator('.diff-line.removed').getByText('second').waitFor();
  await bar().getByText('1 file', { exact: true }).waitFor();
});

it('lists the changes, and shows them all in one editor', async () => {
  const { agent, page, editor } = workbench;
  await editor.closeAll();
  await agent.ask('write fresh.txt hello');
  // the answer to the edit holds for whatever changes files
  await agent.tool('write', 'done').waitFor();
  await bar()
    .getByRole('button', { name: /2 files/ })
    .click();
  await bar()
    .getByRole('button', { name: /^notes.txt/ })
    .click();
  await bar().locator('.changed-part .added').getByText('SECOND').waitFor();
  await bar().getByRole('button', { name: 'Review' }).click();
  await page.getByRole('tab', { name: /Changes by Pi/ }).waitFor();
  await page.locator('.multiDiffEntry').getByText('notes.txt').first().waitFor();
  await page.locator('.multiDiffEntry').getByText('fresh.txt').first().waitFor();
  await page
    .locator('.multiDiffEntry .view-line')
    .getByText('SECOND', { exact: true })
    .first()
    .waitFor();
  await workbench.screenshot('file-review');
});

it('undoes everything and brings it back', async () => {
  await bar().getByRole('button', { name: 'Undo All' }).click();
  await bar().getByText('Changes of 2 files undone').waitFor();
  expect(text('notes.txt')).toBe(notes);
  expect(existsSync(path('fresh.txt'))).toBe(false);
  await bar().getByRole('button', { name: 'Redo' }).click();
  await bar().getByText('2 files', { exact: true }).waitFor();
  expect(text('notes.txt')).toContain('SECOND\r\n');
  expect(text('fresh.txt')).toContain('hello');
  await bar().getByRole('button', { name: 'Keep fresh.txt' }).click();
  await bar().getByText('1 file', { exact: true }).waitFor();
});

it('undoes one part and leaves what the user wrote', async () => {
  const { shell } = workbench;
  await edit('notes.txt', 'fifth', 'FIFTH');
  await bar().getByText('+2', { exact: true }).first().waitFor();
  writeFileSync(path('notes.txt'), `mine\r\n${text('notes.txt')}`);
  await bar()
    .getByRole('button', { name: /^notes.txt/ })
    .click();
  const part = bar().locator('.changed-part').filter({ hasText: 'FIFTH' });
  // the parts are read again once one of them is found to be of another text
  await shell.askUntilShown(
    () => part.getByRole('button', { name: /^Undo part/ }).click(),
    bar().getByText('+1', { exact: true }).first(),
  );
  await expect.poll(() => text('notes.txt')).toContain('fifth');
  expect(text('notes.txt')).toBe(`mine\r\n${notes.replace('second', 'SECOND')}`);
});

it('asks before an undo would take away what the user changed in the same line', async () => {
  const { page } = workbench;
  writeFileSync(path('notes.txt'), text('notes.txt').replace('SECOND', 'SECOND and mine'));
  await bar().getByRole('button', { name: 'Undo', exact: true }).click();
  const dialog = page.locator('.monaco-dialog-box');
  await dialog.getByText('notes.txt was changed by others').waitFor();
  await workbench.screenshot('file-conflict');
  await dialog.getByRole('button', { name: 'Show Diff' }).click();
  await page.getByRole('tab', { name: /Now and after Undo/ }).waitFor();
  expect(text('notes.txt')).toContain('SECOND and mine');
  await bar().getByRole('button', { name: 'Undo', exact: true }).click();
  await dialog.getByRole('button', { name: 'Undo Anyway' }).click();
  await bar().getByText('Changes of 1 file undone').waitFor();
  expect(text('notes.txt')).toBe(`mine\r\n${notes}`);
});

it('edits what an editor has not saved, and saves it', async () => {
  const { agent, editor, page } = workbench;
  await editor.closeAll();
  await editor.open('notes.txt');
  await editor.placeCursorAfter('third');
  await editor.type(' unsaved');
  await page.locator('.tab.active.dirty').waitFor();
  await agent.show();
  await edit('notes.txt', 'third unsaved', 'THIRD');
  await agent.frame.getByText('Your unsaved changes were saved too.').waitFor();
  expect(text('notes.txt')).toContain('THIRD\r\n');
  await page.locator('.tab.active:not(.dirty)').waitFor();
  await bar().getByRole('button', { name: 'Undo', exact: true }).click();
  await bar().getByText('Changes of 1 file undone').waitFor();
  expect(text('notes.txt')).toContain('third unsaved\r\n');
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
    await agent.frame.getByRole('button', { name: 'Send', exact: true }).waitFor();
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
  await shell.statusItem('Change 1 of 1 by Pi').waitFor();
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

/** What Pi changes in files, from the question before to the review, the undo and the redo after. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { connectSample } from '../helpers/e2e/steps.js';
import { useWorkbench } from '../helpers/e2e/useWorkbench.js';

const notes = 'first\r\nsecond\r\nthird\r\nfourth\r\nfifth\r\n';

// in a browser VS Code saves by itself
const options = { files: { 'notes.txt': notes }, settings: { 'files.autoSave': 'off' } };

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
  await approval.getByRole('button', { name: 'Allow for This Session' }).click();
  await agent.tool('edit', 'done').getByText('Edited notes.txt').waitFor();
  await agent.tool('edit', 'done').locator('.diff-line.removed').getByText('second').waitFor();
  await bar().getByText('1 file', { exact: true }).waitFor();
});

it('lists the changes, and shows them all in one editor', async () => {
  const { agent, page, editor } = workbench;
  await editor.closeAll();
  await agent.ask('write fresh.txt hello');
  await agent.approval('Create fresh.txt?').getByRole('button', { name: 'Allow Once' }).click();
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
  await vi.waitFor(() => expect(text('notes.txt')).toContain('fifth'));
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
  await agent.frame.getByText('Unsaved changes of yours were saved with it.').waitFor();
  expect(text('notes.txt')).toContain('THIRD\r\n');
  await page.locator('.tab.active:not(.dirty)').waitFor();
  await bar().getByRole('button', { name: 'Undo', exact: true }).click();
  await bar().getByText('Changes of 1 file undone').waitFor();
  expect(text('notes.txt')).toContain('third unsaved\r\n');
});

it('has the changes of a conversation again in the next window', async () => {
  const { agent } = workbench;
  await edit('notes.txt', 'fourth', 'FOURTH');
  await bar().getByText('1 file', { exact: true }).waitFor();
  await workbench.open();
  await agent.show();
  await bar().getByText('1 file', { exact: true }).waitFor();
  await bar().getByRole('button', { name: 'Undo', exact: true }).click();
  await bar().getByText('Changes of 1 file undone').waitFor();
  expect(text('notes.txt')).toContain('fourth');
});

import * as vscode from 'vscode';
import { CancellationError } from '../../base/async/cancellation.js';
import { labelText } from '../../base/text/labelText.js';
import type { FileChange } from '../../config/configuration.js';
import type { TextDocuments } from '../documents/textDocuments.js';

/**
 * Shows what an edit would do to a file in VS Code's own diff editor, and asks whether to do it.
 * @param cautions what to know before.
 * @throws a cancellation unless the user confirms.
 */
export async function confirmChange(
  documents: TextDocuments,
  { path, before, after }: FileChange,
  action: string,
  cautions: readonly string[] = [],
): Promise<void> {
  const file = vscode.Uri.file(path);
  const left = documents.add(file.path, before);
  const right = documents.add(file.path, after);
  const title = vscode.l10n.t('{0}: proposed change', vscode.workspace.asRelativePath(file));
  await vscode.commands.executeCommand('vscode.diff', left, right, title, { preview: true });
  const items = [
    {
      label: `$(check) ${action}`,
      detail: cautions.length > 0 ? `$(warning) ${labelText(cautions.join(' '))}` : undefined,
      isConfirmed: true,
    },
    { label: `$(close) ${vscode.l10n.t('Cancel')}`, isConfirmed: false },
  ];
  const picked = await vscode.window.showQuickPick(items, { title, ignoreFocusOut: true });
  await closeDiff(right);
  if (!picked?.isConfirmed) {
    throw new CancellationError();
  }
}

async function closeDiff(right: vscode.Uri): Promise<void> {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const ours = tabs.filter(
    ({ input }) =>
      input instanceof vscode.TabInputTextDiff && input.modified.toString() === right.toString(),
  );
  await vscode.window.tabGroups.close(ours);
}

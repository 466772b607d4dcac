/** Files that an answer names. Only those of the conversation's folder are opened, wherever their links lead. */
import * as vscode from 'vscode';
import { locate, readPath } from '../../agent/builtIn/filePlace.js';
import { HumanError } from '../../base/errors.js';

/**
 * @param folderUri of the conversation
 * @param written as the model wrote it
 * @param line from 1. Default: where the editor was
 * @throws {HumanError} for a path out of the folder, and one at which there is nothing
 */
export async function openFolderFile(
  folderUri: string | undefined,
  written: string,
  line: number | undefined,
): Promise<void> {
  const folder = folderUri === undefined ? undefined : vscode.Uri.parse(folderUri, true).fsPath;
  const boundary = folder === undefined ? undefined : { folder, mayLookOutside: false };
  const place = boundary && (await locate(boundary, readPath(boundary, written)));
  if (!place?.isInside) {
    throw new HumanError('link_outside', vscode.l10n.t('Outside the workspace folder.'));
  }
  const file = vscode.Uri.file(place.path);
  const type = await typeOf(file);
  if (type === undefined) {
    throw new HumanError('link_dead', vscode.l10n.t('The file "{0}" does not exist.', written));
  }
  if (type & vscode.FileType.Directory) {
    await vscode.commands.executeCommand('revealInExplorer', file);
    return;
  }
  const start = line === undefined ? undefined : new vscode.Position(Math.max(0, line - 1), 0);
  await vscode.commands.executeCommand('vscode.open', file, {
    preview: true,
    selection: start && new vscode.Range(start, start),
  });
}

async function typeOf(file: vscode.Uri): Promise<vscode.FileType | undefined> {
  try {
    return (await vscode.workspace.fs.stat(file)).type;
  } catch {
    // nothing is there
    return undefined;
  }
}

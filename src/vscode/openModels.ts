import * as vscode from 'vscode';

/** Opens the file of the user's Pi that lists models. A missing one is offered as an unsaved document of that path. */
export async function openModels(path: string): Promise<void> {
  const uri = vscode.Uri.file(path);
  let target = uri;
  try {
    await vscode.workspace.fs.stat(uri);
  } catch {
    // does not exist yet
    target = uri.with({ scheme: 'untitled' });
  }
  await vscode.window.showTextDocument(target);
}

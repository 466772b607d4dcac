import * as vscode from 'vscode';
import { CancellationError } from '../../base/async/cancellation.js';
import { type Disposable, DisposableStore } from '../../base/disposable.js';
import type { FileChange } from '../../config/configuration.js';

const scheme = 'pi-mcp-preview';

/** Shows what an edit would do to a file in VS Code's own diff editor, and asks whether to do it. */
export class ChangePreview implements vscode.TextDocumentContentProvider, Disposable {
  private readonly store = new DisposableStore();
  private readonly texts = new Map</* URI */ string, string>();
  private counter = 0;

  constructor() {
    this.store.add(vscode.workspace.registerTextDocumentContentProvider(scheme, this));
    this.store.add(
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.texts.delete(uri.toString())),
    );
  }

  /** @throws a cancellation unless the user confirms. */
  async confirm({ path, before, after }: FileChange, action: string): Promise<void> {
    const file = vscode.Uri.file(path);
    // each preview is a document of its own: an open one is never asked for its text again
    const side = (text: string, name: string) => {
      const uri = file.with({ scheme, query: `${name}${this.counter}` });
      this.texts.set(uri.toString(), text);
      return uri;
    };
    this.counter++;
    const left = side(before, 'before');
    const right = side(after, 'after');
    const title = vscode.l10n.t('{0}: proposed change', vscode.workspace.asRelativePath(file));
    await vscode.commands.executeCommand('vscode.diff', left, right, title, { preview: true });
    const items = [
      { label: `$(check) ${action}`, isConfirmed: true },
      { label: `$(close) ${vscode.l10n.t('Change Nothing')}`, isConfirmed: false },
    ];
    const picked = await vscode.window.showQuickPick(items, { title, ignoreFocusOut: true });
    await closeDiff(right);
    if (!picked?.isConfirmed) {
      throw new CancellationError();
    }
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.toString()) ?? '';
  }

  dispose(): void {
    this.store.dispose();
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

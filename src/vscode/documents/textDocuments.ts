import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.js';
import { toWellFormed } from '../../base/text/wellFormed.js';

const scheme = 'pi-mcp-text';

/** Read-only documents that exist only while they are open. */
export class TextDocuments implements vscode.TextDocumentContentProvider, Disposable {
  private readonly store = new DisposableStore();
  private readonly texts = new Map</* uri */ string, string>();
  private count = 0;

  constructor() {
    this.store.add(vscode.workspace.registerTextDocumentContentProvider(scheme, this));
    this.store.add(
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.texts.delete(uri.toString())),
    );
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.toString()) ?? '';
  }

  /** @param title becomes the name of the tab. */
  async show(title: string, text: string): Promise<void> {
    const name = toWellFormed(title.replaceAll(/[\\/:*?"<>|]/g, '').trim());
    const uri = vscode.Uri.from({ scheme, path: `/${++this.count}/${name}.md` });
    this.texts.set(uri.toString(), text);
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { preview: true, preserveFocus: true });
  }

  dispose(): void {
    this.store.dispose();
  }
}

import * as vscode from 'vscode';
import { DisposableOwner } from '../../base/disposable.js';
import { toWellFormed } from '../../base/text/wellFormed.js';

const scheme = 'pi-mcp-text';
/** The oldest are forgotten; an open document keeps its text all the same. */
const maxTexts = 100;

/** Read-only documents of texts that are in no file. */
export class TextDocuments extends DisposableOwner implements vscode.TextDocumentContentProvider {
  private readonly texts = new Map</* uri */ string, string>();
  private count = 0;

  constructor() {
    super();
    this.store.add(vscode.workspace.registerTextDocumentContentProvider(scheme, this));
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.toString()) ?? vscode.l10n.t('This is not there any more.');
  }

  /** @param path its last part becomes the name of the tab, and tells the language. */
  add(path: string, text: string): vscode.Uri {
    // a document of its own for each text: an open one is never asked for its text again
    const uri = vscode.Uri.from({ scheme, path, query: String(++this.count) });
    this.texts.set(uri.toString(), text);
    for (const old of [...this.texts.keys()].slice(0, -maxTexts)) {
      this.texts.delete(old);
    }
    return uri;
  }

  /**
   * @param title becomes the name of the tab.
   * @param extension tells the language. Default: Markdown.
   */
  async show(title: string, text: string, extension = 'md'): Promise<void> {
    const name = toWellFormed(title.replaceAll(/[\\/:*?"<>|]/g, '').trim());
    const uri = this.add(`/${name}.${extension}`, text);
    await vscode.window.showTextDocument(uri, { preview: true, preserveFocus: true });
  }
}

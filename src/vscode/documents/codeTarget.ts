/** Where code of an answer goes: into the text editor that the user was in last, or into a new one. */
import * as vscode from 'vscode';
import { DisposableOwner } from '../../base/disposable.js';
import { HumanError } from '../../base/errors.js';
import { languageIdOf } from '../../presentation/language/codeLanguage.js';

export class CodeTarget extends DisposableOwner {
  private last = textEditor(vscode.window.activeTextEditor);

  constructor() {
    super();
    this.store.add(
      vscode.window.onDidChangeActiveTextEditor((editor) => {
        this.last = textEditor(editor) ?? this.last;
      }),
    );
  }

  /** In the place of what is selected there. @throws {HumanError} when there is no such editor, or it takes no text */
  async insert(text: string): Promise<void> {
    const editor = this.editor();
    if (!editor) {
      throw new HumanError('no_editor', vscode.l10n.t('No text editor is open.'), {
        remedy: whereToInsert(),
      });
    }
    const isInserted = await editor.edit((edit) => {
      for (const selection of editor.selections) {
        edit.replace(selection, text);
      }
    });
    if (!isInserted) {
      const name = vscode.workspace.asRelativePath(editor.document.uri);
      throw new HumanError('editor_read_only', vscode.l10n.t('{0} takes no changes.', name), {
        remedy: whereToInsert(),
      });
    }
    const { document, viewColumn } = editor;
    await vscode.window.showTextDocument(document, { viewColumn });
  }

  private editor(): vscode.TextEditor | undefined {
    const active = textEditor(vscode.window.activeTextEditor);
    const { last } = this;
    return active ?? (last && vscode.window.visibleTextEditors.includes(last) ? last : undefined);
  }
}

/** In an editor of its own, which is not saved anywhere. */
export async function openAsDocument(
  content: string,
  language: string,
): Promise<vscode.TextDocument> {
  const id = languageIdOf(language, await vscode.languages.getLanguages());
  const document = await vscode.workspace.openTextDocument({ content, language: id });
  await vscode.window.showTextDocument(document);
  return document;
}

/** Outputs and logs are shown in text editors as well. */
function textEditor(editor: vscode.TextEditor | undefined): vscode.TextEditor | undefined {
  return editor && !['output', 'vscode-output'].includes(editor.document.uri.scheme)
    ? editor
    : undefined;
}

function whereToInsert(): string {
  return vscode.l10n.t('Open a file, put the cursor where the code is to go, and insert it again.');
}

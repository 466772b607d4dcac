import * as vscode from 'vscode';
import type { TextRange } from '../../config/definition.js';

export function toRange(document: vscode.TextDocument, { start, end }: TextRange): vscode.Range {
  return new vscode.Range(document.positionAt(start), document.positionAt(end));
}

/** Offsets and lengths, as `jsonc-parser` gives them, as an edit of the document. */
export function toWorkspaceEdit(
  document: vscode.TextDocument,
  edits: readonly { readonly offset: number; readonly length: number; readonly content: string }[],
): vscode.WorkspaceEdit {
  const edit = new vscode.WorkspaceEdit();
  for (const { offset, length, content } of edits) {
    edit.replace(document.uri, toRange(document, { start: offset, end: offset + length }), content);
  }
  return edit;
}

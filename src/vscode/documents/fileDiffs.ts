import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { FileTexts } from '../../agent/builtIn/fileCalls.js';
import type { TextDocuments } from './textDocuments.js';

/** A file before and after a call, side by side; neither side can be edited. */
export async function showTexts(
  documents: TextDocuments,
  { path, before = '', after }: FileTexts,
): Promise<void> {
  const name = basename(path);
  const uris = [before, after].map((text) => documents.add(`/${name}`, text));
  const title = vscode.l10n.t('{0} (Change by Pi)', name);
  await vscode.commands.executeCommand('vscode.diff', ...uris, title, { preview: true });
}

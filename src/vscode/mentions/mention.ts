/** Something that a message may mention, as the menu shows it and as it is attached once it is picked. */
import * as vscode from 'vscode';
import type { Attachment } from '../../agent/panel/attachments/attachment.js';
import { fuzzyText } from '../../base/text/fuzzy.js';
import type { Rankable } from '../../presentation/mentions/ranking.js';
import type { MentionView } from '../../protocol/attachments.js';
import { relativePath, shownName } from './fileIndex.js';

export interface Mention extends Rankable, Omit<MentionView, 'id'> {
  /** What goes with the message. @throws {HumanError} when it cannot be read, and a cancellation when the user left */
  readonly attach: () => Promise<readonly Attachment[]>;
}

/** @param words what it is found by, beside its label */
export function mention(one: Omit<Mention, 'search'>, words = ''): Mention {
  return { ...one, search: fuzzyText(`${words} ${one.label}`.trim()) };
}

/** A file of the workspace, by its name there. */
export interface PlacedFile {
  readonly folder: vscode.WorkspaceFolder;
  /** Relative to the folder, with `/`. */
  readonly path: string;
  readonly name: string;
}

/** `undefined`: it is in no folder of the workspace, or on no disk. */
export function placedFile(uri: vscode.Uri): PlacedFile | undefined {
  const folder = uri.scheme === 'file' ? vscode.workspace.getWorkspaceFolder(uri) : undefined;
  if (!folder) {
    return undefined;
  }
  const path = relativePath(folder, uri.fsPath);
  return { folder, path, name: shownName(folder, path) };
}

export function fileAttachment({ folder, path, name }: PlacedFile): Attachment {
  return { kind: 'file', folder: folder.uri.toString(), path, name };
}

/** Open editors of files that the agent reads and writes. */
import * as vscode from 'vscode';
import type { OpenEditors } from '../../agent/changes/ports.js';
import { DisposableOwner } from '../../base/disposable.js';
import { Emitter } from '../../base/event.js';
import { sameEnd, sameStart } from '../../config/edit/changedRegions.js';
import { realPathNow } from '../../platform/realPath.js';

const byteOrderMark = '\uFEFF';

export class FileEditors extends DisposableOwner implements OpenEditors {
  private readonly fileEmitter = this.store.add(new Emitter<string>());
  private readonly moveEmitter = this.store.add(
    new Emitter<{ readonly from: string; readonly to: string }>(),
  );

  readonly onDidChange = this.fileEmitter.event;
  readonly onDidMove = this.moveEmitter.event;

  constructor() {
    super();
    const { workspace } = vscode;
    this.store.add(
      workspace.onDidSaveTextDocument(({ uri }) => {
        if (uri.scheme === 'file') {
          this.fileEmitter.fire(realPathNow(uri.fsPath));
        }
      }),
    );
    const watcher = this.store.add(workspace.createFileSystemWatcher('**'));
    const tell = ({ fsPath }: vscode.Uri) => this.fileEmitter.fire(realPathNow(fsPath));
    this.store.add(watcher.onDidChange(tell));
    this.store.add(watcher.onDidCreate(tell));
    this.store.add(watcher.onDidDelete(tell));
    this.store.add(
      workspace.onDidRenameFiles(({ files }) => {
        for (const { oldUri, newUri } of files) {
          const [from, to] = [realPathNow(oldUri.fsPath), realPathNow(newUri.fsPath)];
          this.moveEmitter.fire({ from, to });
        }
      }),
    );
  }

  unsavedText(path: string): string | undefined {
    const document = dirtyDocument(path);
    // a document tells its text without the mark
    const mark = document?.encoding === 'utf8bom' ? byteOrderMark : '';
    return document && `${mark}${document.getText()}`;
  }

  async replaceAndSave(path: string, text: string): Promise<void> {
    const document = dirtyDocument(path);
    if (!document) {
      throw new Error(`The editor of ${path} was closed meanwhile.`);
    }
    const edit = new vscode.WorkspaceEdit();
    const { start, end, insert } = smallestEdit(document.getText(), withoutMark(text));
    const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
    edit.replace(document.uri, range, insert);
    const isDone = (await vscode.workspace.applyEdit(edit)) && (await document.save());
    if (!isDone) {
      throw new Error(`The editor did not save ${path}.`);
    }
  }

  async moveToTrash(path: string): Promise<void> {
    const uri = vscode.Uri.file(path);
    try {
      await vscode.workspace.fs.delete(uri, { useTrash: true });
    } catch {
      // no trash here; what the file held is kept with the conversation
      await vscode.workspace.fs.delete(uri);
    }
  }
}

/** An editor may have been opened through a link. */
function dirtyDocument(path: string): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find(
    ({ isDirty, uri }) => isDirty && uri.scheme === 'file' && realPathNow(uri.fsPath) === path,
  );
}

function withoutMark(text: string): string {
  return text.startsWith(byteOrderMark) ? text.slice(1) : text;
}

/** Cursors and folds outside of it stay. Offsets in the old text. */
function smallestEdit(before: string, after: string) {
  let start = sameStart(before, after);
  let same = sameEnd(before, after, start);
  // an end of line is replaced whole
  while (start > 0 && before[start - 1] === '\r') {
    start--;
  }
  while (same > 0 && before[before.length - same] === '\n') {
    same--;
  }
  return { start, end: before.length - same, insert: after.slice(start, after.length - same) };
}

import * as vscode from 'vscode';
import { DisposableOwner } from '../../base/disposable.js';
import { Emitter } from '../../base/event.js';
import type { WorkspaceFolder } from '../../config/definition.js';
import type { Workspace } from '../../config/ports.js';

/** The window's folders and its Workspace Trust. Trust is only ever granted: VS Code reloads when it is taken back. */
export class VscodeWorkspace extends DisposableOwner implements Workspace {
  private readonly foldersEmitter = this.store.add(new Emitter<void>());
  private readonly trustEmitter = this.store.add(new Emitter<void>());
  readonly onDidChangeFolders = this.foldersEmitter.event;
  readonly onDidChangeTrust = this.trustEmitter.event;

  constructor() {
    super();
    this.store.add(vscode.workspace.onDidChangeWorkspaceFolders(() => this.foldersEmitter.fire()));
    this.store.add(vscode.workspace.onDidGrantWorkspaceTrust(() => this.trustEmitter.fire()));
  }

  get folders(): readonly WorkspaceFolder[] {
    return (vscode.workspace.workspaceFolders ?? []).map(toFolder);
  }

  get isTrusted(): boolean {
    return vscode.workspace.isTrusted;
  }
}

function toFolder(folder: vscode.WorkspaceFolder): WorkspaceFolder {
  return {
    uri: folder.uri.toString(),
    name: folder.name,
    // other schemes have a `fsPath` too, but no file there
    fsPath: folder.uri.scheme === 'file' ? folder.uri.fsPath : undefined,
  };
}

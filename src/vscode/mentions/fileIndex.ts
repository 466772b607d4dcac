/** The names of the workspace's files and folders, to be looked through while the user types. */
import { relative, sep } from 'node:path';
import * as vscode from 'vscode';
import { SharedRun } from '../../base/async/sharedRun.js';
import { DisposableOwner } from '../../base/disposable.js';
import { addAll } from '../../base/lists.js';
import { type FuzzyText, fuzzyText } from '../../base/text/fuzzy.js';
import type { HostEnvironment } from '../../platform/ports.js';
import { listFiles } from '../../platform/process/ripgrep.js';
import { folderPrefix } from '../../presentation/mentions/placeNames.js';

export interface IndexedPath {
  readonly folder: vscode.WorkspaceFolder;
  /** Relative to the folder, with `/`; a folder's ends with one. */
  readonly path: string;
  /** With the folder's name before it where there are several. */
  readonly name: string;
  readonly isFolder: boolean;
  readonly search: FuzzyText;
}

/** Files of a workspace that are known by name. */
const maxFiles = 50_000;
const maxRecent = 20;

export class FileIndex extends DisposableOwner {
  private readonly listing = new SharedRun(() => this.list());
  private entries: readonly IndexedPath[] | undefined;
  private isFollowed = false;
  private isStale = false;
  /** Files that were shown, the latest first. */
  private shown: readonly vscode.Uri[] = [];

  constructor(private readonly environment: Pick<HostEnvironment, 'searchProgram'>) {
    super();
    const { workspace, window } = vscode;
    this.store.add(
      workspace.onDidChangeWorkspaceFolders(() => {
        this.entries = undefined;
      }),
    );
    this.store.add(window.onDidChangeActiveTextEditor((editor) => this.noteShown(editor)));
    this.noteShown(window.activeTextEditor);
  }

  /** What is known; what changed since is there the next time. */
  async all(): Promise<readonly IndexedPath[]> {
    if (!this.entries) {
      await this.listing.run();
    } else if (this.isStale) {
      void this.listing.run().catch(() => undefined);
    }
    return this.entries ?? [];
  }

  /** Files that are open or were, the latest first. */
  recent(): ReadonlyMap</* name */ string, number> {
    const open = vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.flatMap(uriOfTab));
    const names = [...this.shown, ...open].flatMap(nameOf);
    return new Map([...new Set(names)].map((name, place) => [name, place]));
  }

  /** Names of what lies below a folder, relative to it. */
  async below({ folder, path }: Pick<IndexedPath, 'folder' | 'path'>): Promise<readonly string[]> {
    const all = await this.all();
    const inside = all.filter((one) => !one.isFolder && one.folder.uri === folder.uri);
    return inside.flatMap((one) =>
      one.path.startsWith(path) ? [one.path.slice(path.length)] : [],
    );
  }

  /** From before the first list, so that nothing is missed; whoever mentions no file has nothing watched. */
  private follow(): void {
    if (this.isFollowed || this.store.isDisposed) {
      return;
    }
    this.isFollowed = true;
    const { workspace } = vscode;
    const watcher = this.store.add(workspace.createFileSystemWatcher('**', false, true, false));
    const forget = () => {
      this.isStale = true;
    };
    this.store.add(watcher.onDidCreate(forget));
    this.store.add(watcher.onDidDelete(forget));
    this.store.add(workspace.onDidGrantWorkspaceTrust(forget));
  }

  private noteShown(editor: vscode.TextEditor | undefined): void {
    const uri = editor?.document.uri;
    if (uri?.scheme === 'file') {
      const others = this.shown.filter((one) => one.fsPath !== uri.fsPath);
      this.shown = [uri, ...others].slice(0, maxRecent);
    }
  }

  private async list(): Promise<void> {
    this.follow();
    this.isStale = false;
    const folders = (vscode.workspace.workspaceFolders ?? []).filter(
      ({ uri }) => uri.scheme === 'file',
    );
    const entries: IndexedPath[] = [];
    for (const folder of folders) {
      const files = await this.filesOf(folder, maxFiles - entries.length);
      addAll(entries, entriesOf(folder, files));
    }
    this.entries = entries;
  }

  private async filesOf(folder: vscode.WorkspaceFolder, limit: number) {
    const excluded = excludedIn(folder);
    // a folder that nobody trusts has nothing run in it
    const program = vscode.workspace.isTrusted ? this.environment.searchProgram?.() : undefined;
    if (program !== undefined) {
      try {
        return await listFiles(program, { folder: folder.uri.fsPath, excluded, limit });
      } catch {
        // the editor lists them itself
      }
    }
    const pattern = excluded.length > 0 ? `{${excluded.join(',')}}` : undefined;
    const found = await vscode.workspace.findFiles(
      new vscode.RelativePattern(folder, '**'),
      pattern,
      limit,
    );
    return found.map(({ fsPath }) => relativePath(folder, fsPath));
  }
}

/** With the slash of every system. */
export function relativePath(folder: vscode.WorkspaceFolder, fsPath: string): string {
  return relative(folder.uri.fsPath, fsPath).split(sep).join('/');
}

/** What the user is told of a path: with the folder's name where several are open. */
export function shownName(folder: vscode.WorkspaceFolder, path: string): string {
  return `${prefixIn(folder)}${path}` || `${folder.name}/`;
}

function prefixIn({ name, uri }: vscode.WorkspaceFolder): string {
  const all = vscode.workspace.workspaceFolders ?? [];
  return folderPrefix(
    { name, fsPath: uri.fsPath },
    all.map((one) => ({ name: one.name, fsPath: one.uri.fsPath })),
  );
}

function entriesOf(
  folder: vscode.WorkspaceFolder,
  files: readonly string[],
): readonly IndexedPath[] {
  const folders = new Set<string>();
  for (const file of files) {
    for (let at = file.lastIndexOf('/'); at > 0; at = file.lastIndexOf('/', at - 1)) {
      const parent = file.slice(0, at + 1);
      if (folders.has(parent)) {
        break;
      }
      folders.add(parent);
    }
  }
  const prefix = prefixIn(folder);
  return [...files, ...folders].map((path) => {
    const name = `${prefix}${path}`;
    return { folder, path, name, isFolder: path.endsWith('/'), search: fuzzyText(name) };
  });
}

/** What explorer and search leave out. */
function excludedIn(folder: vscode.WorkspaceFolder): readonly string[] {
  const settings = vscode.workspace.getConfiguration(undefined, folder.uri);
  const both = {
    ...settings.get<object>('files.exclude'),
    ...settings.get<object>('search.exclude'),
  };
  return Object.entries(both).flatMap(([pattern, isOn]) => (isOn === true ? [pattern] : []));
}

function uriOfTab({ input }: vscode.Tab): readonly vscode.Uri[] {
  return input instanceof vscode.TabInputText ? [input.uri] : [];
}

function nameOf(uri: vscode.Uri): readonly string[] {
  const folder = uri.scheme === 'file' ? vscode.workspace.getWorkspaceFolder(uri) : undefined;
  return folder ? [shownName(folder, relativePath(folder, uri.fsPath))] : [];
}

import { basename, dirname } from 'node:path';
import * as vscode from 'vscode';
import { DisposableOwner, DisposableStore } from '../../base/disposable.js';
import { folderConfigNames } from '../../config/parse/configLocations.js';
import { agentTabType, pagePanelTypes, storageKeys, viewIds } from '../../contributions.js';
import { lookLater } from '../../platform/lookLater.js';
import { readKeptRows } from '../../presentation/tree/keptRows.js';
import { registerCommands } from '../commandHandlers.js';
import { EditorServers } from '../gateway/editorServers.js';
import { ServersTree } from '../views/serversTree.js';
import type { Main } from './main.js';

/** Milliseconds: VS Code begins to watch when it can, which takes a busy machine long after a start, and does not say so. */
const laterLooksMs = [1000, 4000, 15_000, 45_000];

const configNames: ReadonlySet<string> = new Set(['.mcp.json', 'mcp.json']);

/** Registers every contributed command and view, and hands on what is asked of them; loads the rest when it is needed. */
export class WindowEntry extends DisposableOwner {
  /** What looks for a reason to load. */
  private readonly watches = this.store.add(new DisposableStore());
  private loading: Promise<Main> | undefined;
  private isOver = false;

  private readonly editorServers = this.store.add(new EditorServers());
  private readonly tree: ServersTree;

  constructor(private readonly context: vscode.ExtensionContext) {
    super();
    this.tree = this.store.add(
      new ServersTree(
        readKeptRows(context.workspaceState.get(storageKeys.serverRows)),
        () => this.load(),
        async () => (await this.load()).rowActions,
      ),
    );
  }

  register(): void {
    this.store.add(registerCommands(async (id, args) => (await this.load()).run(id, args)));
    this.registerViews();
    this.watchWindow();
  }

  /** Concurrent callers share one load. */
  load(): Promise<Main> {
    this.loading ??= this.create();
    return this.loading;
  }

  /**
   * Loads if the window needs us, and once a file of ours appears if it does not.
   * @param isNeeded asks the file system
   * @param localFiles what the user keeps for the folders of the window; absolute paths
   */
  async start(isNeeded: () => Promise<boolean>, localFiles: readonly string[]): Promise<void> {
    if (!(await isNeeded())) {
      if (this.loading || this.isOver) {
        return;
      }
      this.watchFiles(localFiles);
      // a file may have appeared before it was watched
      if (!(await isNeeded())) {
        const look = async () => void ((await isNeeded()) && (await this.load()));
        this.watches.add(lookLater(look, laterLooksMs));
        return;
      }
    }
    if (!this.isOver) {
      await this.load();
    }
  }

  async shutdown(): Promise<void> {
    this.isOver = true;
    await (await this.loading)?.shutdown();
  }

  private async create(): Promise<Main> {
    const { compose } = await import('./main.js');
    this.watches.dispose();
    return compose(this.context, { tree: this.tree, editorServers: this.editorServers });
  }

  private registerViews(): void {
    const { window } = vscode;
    this.store.add(
      window.registerWebviewViewProvider(viewIds.agent, {
        resolveWebviewView: async (view) => (await this.load()).agentView.resolveWebviewView(view),
      }),
    );
    for (const type of [agentTabType, ...pagePanelTypes] as const) {
      this.store.add(
        window.registerWebviewPanelSerializer(type, {
          deserializeWebviewPanel: async (...args) =>
            (await this.load()).tabs[type].deserializeWebviewPanel(...args),
        }),
      );
    }
    this.store.add(
      window.registerUriHandler({
        handleUri: async (uri) => (await this.load()).links.handleUri(uri),
      }),
    );
  }

  private watchWindow(): void {
    const { workspace } = vscode;
    const load = () => void this.load();
    const loadFor = ({ uri }: vscode.TextDocument) => {
      if (configNames.has(basename(uri.path))) {
        load();
      }
    };
    workspace.textDocuments.forEach(loadFor);
    this.watches.add(workspace.onDidOpenTextDocument(loadFor));
    this.watches.add(workspace.onDidChangeWorkspaceFolders(load));
  }

  /** Takes time in VS Code, which a window that needs us anyway is spared. */
  private watchFiles(localFiles: readonly string[]): void {
    const { workspace } = vscode;
    const patterns = [
      ...(workspace.workspaceFolders ?? []).flatMap((folder) =>
        folderConfigNames.map((name) => new vscode.RelativePattern(folder, name)),
      ),
      ...localFiles.map((path) => new vscode.RelativePattern(dirname(path), basename(path))),
    ];
    for (const pattern of patterns) {
      const watcher = this.watches.add(workspace.createFileSystemWatcher(pattern));
      this.watches.add(watcher.onDidCreate(() => void this.load()));
    }
  }
}

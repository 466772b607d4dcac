import { basename, dirname } from 'node:path';
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.js';
import { folderConfigNames } from '../../config/parse/configLocations.js';
import {
  agentTabType,
  type CommandId,
  commandIds,
  pagePanelTypes,
  storageKeys,
  viewIds,
} from '../../contributions.js';
import { lookLater } from '../../platform/lookLater.js';
import { readKeptRows } from '../../presentation/tree/keptRows.js';
import { registerNoEditorServers } from '../gateway/editorServers.js';
import { isPlaceholder, registerPlaceholder } from '../registerCommand.js';
import { ServersTree } from '../views/serversTree.js';
import type { LoadedExtension } from './composition.js';

/** Milliseconds: VS Code begins to watch when it can, which takes a busy machine long after a start, and does not say so. */
const laterLooksMs = [1000, 4000, 15_000, 45_000];

const configNames: ReadonlySet<string> = new Set(['.mcp.json', 'mcp.json']);

/** Stands for every contributed command and view until one of them is used, or a file of ours appears. */
export class LazyExtension implements Disposable {
  private readonly store = new DisposableStore();
  /** Give way to what users see of the servers. */
  private readonly stubs = this.store.add(new DisposableStore());
  /** Give way to what is composed after the first rows. */
  private readonly restStubs = this.store.add(new DisposableStore());
  /** Give way to pages. */
  private readonly pageStubs = this.store.add(new DisposableStore());
  /** Give way to the agent. */
  private readonly agentStubs = this.store.add(new DisposableStore());
  private loading: Promise<LoadedExtension> | undefined;
  private isOver = false;

  private readonly tree: ServersTree;

  constructor(private readonly context: vscode.ExtensionContext) {
    this.tree = this.store.add(
      new ServersTree(
        readKeptRows(context.workspaceState.get(storageKeys.serverRows)),
        () => this.load(),
        async () => (await this.load()).loadRowActions(),
      ),
    );
  }

  register(): void {
    for (const id of Object.values(commandIds)) {
      this.store.add(registerPlaceholder(id, () => this.loadCommand(id)));
    }
    this.registerViews();
    this.restStubs.add(registerNoEditorServers());
    this.watchWindow();
  }

  /** Concurrent callers share one load. */
  load(): Promise<LoadedExtension> {
    this.loading ??= this.create();
    return this.loading;
  }

  /**
   * Loads without holding up the first rows if the window needs us, and once a file of ours appears if it does not.
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
        this.stubs.add(lookLater(look, laterLooksMs));
        return;
      }
    }
    await this.tree.whenKeptShown();
    if (!this.isOver) {
      await this.load();
    }
  }

  async shutdown(): Promise<void> {
    this.isOver = true;
    await (await this.loading)?.shutdown();
  }

  dispose(): void {
    this.store.dispose();
  }

  private async loadCommand(id: CommandId): Promise<void> {
    const { loadSurfaces, loadAgent } = await this.load();
    for (const load of [loadSurfaces, loadAgent]) {
      if (isPlaceholder(id)) {
        await load();
      }
    }
  }

  private async create(): Promise<LoadedExtension> {
    const { compose } = await import('./composition.js');
    this.stubs.dispose();
    return compose(this.context, this.tree, {
      forRest: () => this.restStubs.dispose(),
      forSurfaces: () => this.pageStubs.dispose(),
      forAgent: () => this.agentStubs.dispose(),
    });
  }

  private registerViews(): void {
    const { window } = vscode;
    this.agentStubs.add(
      window.registerWebviewViewProvider(viewIds.agent, {
        resolveWebviewView: async (view) => (await this.load()).agentView.resolveWebviewView(view),
      }),
    );
    this.agentStubs.add(
      window.registerWebviewPanelSerializer(agentTabType, {
        deserializeWebviewPanel: async (...args) =>
          (await this.load()).agentView.deserializeWebviewPanel(...args),
      }),
    );
    const pages = async () => (await this.load()).loadSurfaces();
    for (const type of pagePanelTypes) {
      this.pageStubs.add(
        window.registerWebviewPanelSerializer(type, {
          deserializeWebviewPanel: async (...args) =>
            (await pages()).tabs[type].deserializeWebviewPanel(...args),
        }),
      );
    }
    this.pageStubs.add(
      window.registerUriHandler({
        handleUri: async (uri) => (await pages()).registry.handleUri(uri),
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
    this.stubs.add(workspace.onDidOpenTextDocument(loadFor));
    this.stubs.add(workspace.onDidChangeWorkspaceFolders(load));
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
      const watcher = this.stubs.add(workspace.createFileSystemWatcher(pattern));
      this.stubs.add(watcher.onDidCreate(() => void this.load()));
    }
  }
}

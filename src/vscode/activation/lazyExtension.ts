import { basename, dirname } from 'node:path';
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.js';
import { folderConfigNames } from '../../config/parse/configLocations.js';
import {
  agentTabType,
  commandIds,
  configPanelType,
  registryPanelType,
  viewIds,
} from '../../contributions.js';
import { registerNoEditorServers } from '../gateway/editorServers.js';
import type { LoadedExtension } from './composition.js';

const configNames: ReadonlySet<string> = new Set(['.mcp.json', 'mcp.json']);

/** Stands for every contributed command and view until one of them is used, or a file of ours appears. */
export class LazyExtension implements Disposable {
  private readonly stubs = new DisposableStore();
  private loading: Promise<LoadedExtension> | undefined;

  constructor(private readonly context: vscode.ExtensionContext) {}

  /** @param localFiles what the user keeps for the folders of the window; absolute paths */
  register(localFiles: readonly string[]): void {
    for (const id of Object.values(commandIds)) {
      this.stubs.add(
        vscode.commands.registerCommand(id, async (...args: unknown[]) => {
          await this.load();
          return vscode.commands.executeCommand(id, ...args);
        }),
      );
    }
    this.registerViews();
    this.stubs.add(registerNoEditorServers());
    this.watchFiles(localFiles);
  }

  /** Concurrent callers share one load. */
  load(): Promise<LoadedExtension> {
    this.loading ??= this.create();
    return this.loading;
  }

  async shutdown(): Promise<void> {
    await (await this.loading)?.shutdown();
  }

  dispose(): void {
    this.stubs.dispose();
  }

  private async create(): Promise<LoadedExtension> {
    const { compose } = await import('./composition.js');
    // in one go, so that no command is missing in between
    this.stubs.dispose();
    return compose(this.context);
  }

  private registerViews(): void {
    const { window } = vscode;
    this.stubs.add(
      window.registerTreeDataProvider(viewIds.servers, {
        getTreeItem: (item: vscode.TreeItem) => item,
        getChildren: async () => {
          await this.load();
          return [];
        },
      }),
    );
    this.stubs.add(
      window.registerWebviewViewProvider(viewIds.agent, {
        resolveWebviewView: async (...args) =>
          (await this.load()).agentView.resolveWebviewView(...args),
      }),
    );
    this.stubs.add(
      window.registerWebviewPanelSerializer(agentTabType, {
        deserializeWebviewPanel: async (...args) =>
          (await this.load()).agentView.deserializeWebviewPanel(...args),
      }),
    );
    this.stubs.add(
      window.registerWebviewPanelSerializer(configPanelType, {
        deserializeWebviewPanel: async (...args) =>
          (await this.load()).configEditor.deserializeWebviewPanel(...args),
      }),
    );
    this.stubs.add(
      window.registerWebviewPanelSerializer(registryPanelType, {
        deserializeWebviewPanel: async (...args) =>
          (await this.load()).registry.deserializeWebviewPanel(...args),
      }),
    );
    this.stubs.add(
      window.registerUriHandler({
        handleUri: async (uri) => (await this.load()).registry.handleUri(uri),
      }),
    );
  }

  private watchFiles(localFiles: readonly string[]): void {
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
    const patterns = [
      ...(workspace.workspaceFolders ?? []).flatMap((folder) =>
        folderConfigNames.map((name) => new vscode.RelativePattern(folder, name)),
      ),
      ...localFiles.map((path) => new vscode.RelativePattern(dirname(path), basename(path))),
    ];
    for (const pattern of patterns) {
      const watcher = this.stubs.add(workspace.createFileSystemWatcher(pattern));
      this.stubs.add(watcher.onDidCreate(load));
    }
  }
}

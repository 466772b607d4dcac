import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.js';
import type { WorkspaceFolder } from '../../config/definition.js';
import type { FolderGateways } from '../../gateway/folderGateways.js';
import type { Gateway } from '../../gateway/gateway.js';
import { gatewayVariables } from '../../presentation/gateway/clientConfiguration.js';

/** Terminals of a folder that know its gateway, from when the user opens the first one until the gateway stops. */
export class GatewayTerminals implements Disposable {
  private readonly store = new DisposableStore();
  private readonly opened = new Map<
    /* folder uri */ string,
    vscode.EnvironmentVariableCollection
  >();

  constructor(
    private readonly variables: vscode.GlobalEnvironmentVariableCollection,
    gateways: FolderGateways,
  ) {
    // the token is nobody's after this window, so it is not to be kept for the next one
    variables.persistent = false;
    this.store.add(
      gateways.onDidEnd((folderUri) => {
        // the folder may have left before
        this.opened.get(folderUri)?.clear();
        this.opened.delete(folderUri);
      }),
    );
  }

  open({ uri, name }: WorkspaceFolder, { url, tokens }: Gateway): void {
    const collection = this.collectionOf(uri);
    if (!collection) {
      return;
    }
    this.opened.set(uri, collection);
    collection.description = vscode.l10n.t('MCP Gateway');
    collection.replace(gatewayVariables.url, url);
    collection.replace(gatewayVariables.token, tokens.use);
    vscode.window
      .createTerminal({
        name: `Pi MCP: ${name}`,
        cwd: vscode.Uri.parse(uri),
        iconPath: new vscode.ThemeIcon('broadcast'),
      })
      .show();
  }

  dispose(): void {
    this.variables.clear();
    this.store.dispose();
  }

  private collectionOf(folderUri: string): vscode.EnvironmentVariableCollection | undefined {
    const workspaceFolder = vscode.workspace.workspaceFolders?.find(
      ({ uri }) => uri.toString() === folderUri,
    );
    return workspaceFolder && this.variables.getScoped({ workspaceFolder });
  }
}

import { toDisposable } from '../base/disposable.js';
import type { ClientFeatures } from './connection/clientFeatures.js';
import type { McpServerDefinition } from './mcpTypes.js';
import type { Workspace } from './ports.js';

/** Where a server may work: in the folder that declares it, or in all folders when the user declares it for all. */
export function workspaceRoots(
  { folder }: Pick<McpServerDefinition, 'folder'>,
  workspace: Workspace,
): NonNullable<ClientFeatures['roots']> {
  return {
    list: () =>
      (folder ? [folder] : workspace.folders)
        .filter(({ fsPath }) => fsPath !== undefined)
        .map(({ uri, name }) => ({ uri, name })),
    // the folder of a pool is its identity and never changes
    onDidChange: folder ? () => toDisposable(() => undefined) : workspace.onDidChangeFolders,
  };
}

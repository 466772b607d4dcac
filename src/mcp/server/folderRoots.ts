import type { McpServerDefinition } from '../../config/definition.js';
import type { Workspace } from '../../config/ports.js';
import type { ClientFeatures } from '../connection/session/clientFeatures.js';

/** The folders that a server may work in: its own, or all of them for a server of the user. */
export function folderRoots(
  { folder: own }: McpServerDefinition,
  workspace: Workspace,
): NonNullable<ClientFeatures['roots']> {
  return {
    list: () =>
      (own ? [own] : workspace.folders)
        .filter(({ fsPath }) => fsPath !== undefined)
        .map(({ uri, name }) => ({ uri, name })),
    // the folder of a folder's server cannot change: without it the server is gone
    onDidChange: own ? () => ({ dispose: () => undefined }) : workspace.onDidChangeFolders,
  };
}

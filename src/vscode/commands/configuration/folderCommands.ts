import * as vscode from 'vscode';
import { HumanError } from '../../../base/errors.js';
import { labelText } from '../../../base/text/labelText.js';
import { nameToken } from '../../../base/text/nameToken.js';
import type { PoolFile } from '../../../config/configuration.js';
import { serverId, type WorkspaceFolder } from '../../../config/definition.js';
import { commandIds } from '../../../contributions.js';
import type { McpServer, McpService } from '../../../mcp/mcpApi.js';
import { switchInFolder } from '../../../presentation/folderSwitch.js';
import { serverOf } from '../../../presentation/tree/targets.js';
import type { CommandHandlers } from '../../commandHandlers.js';
import { pickMany, pickOne } from '../../prompts/picks/picks.js';

export function folderCommands(service: McpService): CommandHandlers {
  return {
    [commandIds.chooseFolders]: async (argument) => {
      const server = serverOf(service, argument);
      if (server) {
        await chooseFolders(service, server);
      }
    },
  };
}

/** Switches a global server off in the folders that the user leaves out, and on in the others. */
export async function chooseFolders(service: McpService, server: McpServer): Promise<void> {
  const { name } = server.definition;
  const folders = service.pools.flatMap(({ folder }) =>
    folder?.fsPath !== undefined && !service.getServer(serverId(folder.uri, name)) ? [folder] : [],
  );
  if (folders.length === 0) {
    throw new HumanError(
      'no_folder',
      vscode.l10n.t('No open folder uses this User server: {0}', nameToken(name)),
      { remedy: vscode.l10n.t('Open a folder that has no server of this name.') },
    );
  }
  const isOffered = (folder: WorkspaceFolder) => !server.isHiddenIn(folder.uri);
  const chosen = await pickMany<WorkspaceFolder>(
    folders.map((folder) => ({
      label: labelText(folder.name),
      description: folder.fsPath,
      picked: isOffered(folder),
      value: folder,
    })),
    vscode.l10n.t('Folders in Which This Server Is Used: {0}', nameToken(name)),
  );
  const changed = folders.filter((folder) => chosen.includes(folder) !== isOffered(folder));
  if (changed.length === 0) {
    return;
  }
  const file = await pickFile(service, changed);
  for (const { uri } of changed) {
    const isWanted = chosen.some((folder) => folder.uri === uri);
    await switchInFolder(service.configuration, server.id, { uri, isWanted, file });
  }
}

/** A choice of the user's own is nothing that a repository has to hold. */
function pickFile(service: McpService, folders: readonly WorkspaceFolder[]): Promise<PoolFile> {
  const paths = (file: PoolFile) =>
    folders.map(({ uri }) => service.configuration.location(uri, file).path).join(', ');
  return pickOne<PoolFile>(
    [
      {
        label: `$(person) ${vscode.l10n.t('For You Only')}`,
        detail: paths('local'),
        value: 'local',
      },
      {
        label: `$(root-folder) ${vscode.l10n.t('For Everybody With the Folder')}`,
        detail: paths('primary'),
        value: 'primary',
      },
    ],
    { title: vscode.l10n.t('For Whom the Folders Are Changed') },
  );
}

import * as vscode from 'vscode';
import { HumanError } from '../../../base/errors.js';
import { labelText } from '../../../base/text/labelText.js';
import { nameToken } from '../../../base/text/nameToken.js';
import type { PoolFile } from '../../../config/configuration.js';
import { globalPoolId, serverId, type WorkspaceFolder } from '../../../config/definition.js';
import { isFolderLayer } from '../../../config/parse/configLocations.js';
import { commandIds } from '../../../contributions.js';
import type { McpPool, McpServer, McpService } from '../../../mcp/mcpApi.js';
import { type ServerPlace, serverPlaces } from '../../../presentation/configPage/viewState.js';
import { switchInFolder } from '../../../presentation/folderSwitch.js';
import { serverOf } from '../../../presentation/tree/targets.js';
import type { CommandHandlers } from '../../commandHandlers.js';
import { showInformation } from '../../notifications.js';
import { pickMany, pickOne } from '../../prompts/picks/picks.js';
import { chooseServer } from '../../prompts/picks/serverPicker.js';
import { type ConsentParts, mayRunNow } from '../../prompts/serverFlows.js';
import type { ReportError } from '../../reportError.js';

export interface TransferCommandParts extends ConsentParts {
  readonly service: McpService;
  readonly reportError: ReportError;
}

/** Between what is the user's, what everybody with the folder has, and what is the user's in one folder. */
export function transferCommands(parts: TransferCommandParts): CommandHandlers {
  const { service } = parts;
  return {
    [commandIds.moveServer]: async (argument) => {
      const server = await chooseServer(service, argument, {
        title: vscode.l10n.t('Move'),
        accepts: ({ definition }) => definition.origin.layer !== 'import',
      });
      const place = await pickPlace(service, server);
      if (place === 'folders') {
        await chooseFolders(service, server);
        return;
      }
      await transfer(server, { place, isCopy: await askWhetherCopy(server) }, parts);
    },
    [commandIds.chooseFolders]: async (argument) => {
      const server = serverOf(service, argument);
      if (server) {
        await chooseFolders(service, server);
      }
    },
  };
}

/** Moves servers that were dropped on a folder, or on what is global, into its own file. */
export async function moveServers(
  servers: readonly McpServer[],
  pool: McpPool,
  parts: TransferCommandParts,
): Promise<void> {
  const [place] = serverPlaces(pool, parts.service);
  for (const server of servers) {
    const { poolId, origin } = server.definition;
    if (place && poolId !== pool.id && origin.layer !== 'import') {
      await transfer(server, { place, isCopy: false }, parts);
    }
  }
}

function askWhetherCopy({ definition: { name } }: McpServer): Promise<boolean> {
  return pickOne<boolean>(
    [
      { label: `$(arrow-right) ${vscode.l10n.t('Move')}`, value: false },
      {
        label: `$(copy) ${vscode.l10n.t('Copy')}`,
        detail: vscode.l10n.t('The old entry stays; an account is not copied.'),
        value: true,
      },
    ],
    { title: nameToken(name) },
  );
}

async function transfer(
  server: McpServer,
  { place: { poolId, file }, isCopy }: { readonly place: ServerPlace; readonly isCopy: boolean },
  parts: TransferCommandParts,
): Promise<void> {
  const { service } = parts;
  const { definition } = server;
  const { name, origin } = definition;
  const back = service.pools
    .flatMap((pool) => serverPlaces(pool, service))
    .find((place) => place.path === origin.path);
  // where it goes it would need no consent any more
  const isLeaving = isFolderLayer(origin.layer) && (poolId === globalPoolId || file === 'local');
  if (isLeaving && !(await mayRunNow(server, parts))) {
    return;
  }
  const { path } = service.configuration.location(poolId, file);
  const id = await service.configuration.transferServer(server.id, { poolId, file, isCopy });
  if (isCopy) {
    void showInformation(vscode.l10n.t('Copied to {0}, MCP server: {1}', path, nameToken(name)));
    return;
  }
  const undo = vscode.l10n.t('Undo');
  void showInformation(
    vscode.l10n.t('Moved to {0}, MCP server: {1}', path, nameToken(name)),
    ...(back ? [undo] : []),
  )
    .then(async (answer) => {
      if (answer === undo && back) {
        const { poolId: oldPool, file: oldFile } = back;
        await service.configuration.transferServer(id, {
          poolId: oldPool,
          file: oldFile,
          isCopy: false,
        });
      }
    })
    .then(undefined, parts.reportError);
}

function pickPlace(
  service: McpService,
  { definition }: McpServer,
): Promise<ServerPlace | 'folders'> {
  const items = service.pools
    .flatMap((pool) => serverPlaces(pool, service))
    .filter(({ path }) => path !== definition.origin.path)
    .map((place) => ({
      label: `$(${placeIcon(place)}) ${labelText(place.label)}`,
      description: place.path,
      value: place,
    }));
  const isForFolders =
    definition.scope === 'global' && service.pools.some(({ folder }) => folder !== undefined);
  const folders = {
    label: `$(checklist) ${vscode.l10n.t('Choose Folders…')}`,
    value: 'folders',
  } as const;
  return pickOne<ServerPlace | 'folders'>([...items, ...(isForFolders ? [folders] : [])], {
    title: vscode.l10n.t('Where This Server Goes: {0}', nameToken(definition.name)),
  });
}

function placeIcon({ poolId, file }: ServerPlace): string {
  if (poolId === globalPoolId) {
    return 'globe';
  }
  return file === 'local' ? 'person' : 'root-folder';
}

/** Switches a global server off in the folders that the user leaves out, and on in the others. */
async function chooseFolders(service: McpService, server: McpServer): Promise<void> {
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
    vscode.l10n.t('Used in these folders: {0}', nameToken(name)),
  );
  const changed = folders.filter((folder) => chosen.includes(folder) !== isOffered(folder));
  if (changed.length === 0) {
    return;
  }
  const file = await pickFolderFile(service, changed);
  for (const { uri } of changed) {
    const isWanted = chosen.some((folder) => folder.uri === uri);
    await switchInFolder(service.configuration, server.id, { uri, isWanted, file });
  }
}

/** A choice of the user's own is nothing that a repository has to hold. */
function pickFolderFile(
  service: McpService,
  folders: readonly WorkspaceFolder[],
): Promise<PoolFile> {
  const paths = (file: PoolFile) =>
    folders.map(({ uri }) => service.configuration.location(uri, file).path).join(', ');
  return pickOne<PoolFile>(
    [
      {
        label: `$(person) ${vscode.l10n.t('only you')}`,
        detail: paths('local'),
        value: 'local',
      },
      {
        label: `$(root-folder) ${vscode.l10n.t('everybody with the folder')}`,
        detail: paths('primary'),
        value: 'primary',
      },
    ],
    { title: vscode.l10n.t('Where') },
  );
}

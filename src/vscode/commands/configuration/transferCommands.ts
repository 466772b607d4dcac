import * as vscode from 'vscode';
import { labelText } from '../../../base/text/labelText.js';
import { nameToken } from '../../../base/text/nameToken.js';
import { globalPoolId } from '../../../config/definition.js';
import { isFolderLayer } from '../../../config/parse/configLocations.js';
import { commandIds } from '../../../contributions.js';
import type { McpPool, McpServer, McpService } from '../../../mcp/mcpApi.js';
import { type ServerPlace, serverPlaces } from '../../../presentation/configPage/places.js';
import type { CommandHandlers } from '../../commandHandlers.js';
import { showInformation } from '../../notifications.js';
import { pickOne } from '../../prompts/picks/picks.js';
import { chooseServer } from '../../prompts/picks/serverPicker.js';
import { type ConsentParts, mayRunNow } from '../../prompts/serverFlows.js';
import type { ReportError } from '../../reportError.js';
import { chooseFolders } from './folderCommands.js';

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
        title: vscode.l10n.t('Change Server Scope'),
        accepts: ({ definition }) => definition.origin.layer !== 'import',
      });
      const place = await pickPlace(service, server);
      if (place === 'folders') {
        await chooseFolders(service, server);
        return;
      }
      await transfer(server, { place, isCopy: await askWhetherCopy(server) }, parts);
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
    { title: vscode.l10n.t('Move or Copy: {0}', nameToken(name)) },
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
    description: vscode.l10n.t('Used in some folders only; its file stays'),
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

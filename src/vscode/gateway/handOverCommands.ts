import * as vscode from 'vscode';
import { CancellationError } from '../../base/async/cancellation.js';
import { HumanError } from '../../base/errors.js';
import { labelText } from '../../base/text/labelText.js';
import { nameToken } from '../../base/text/nameToken.js';
import type { WorkspaceFolder } from '../../config/definition.js';
import { type CommandId, commandIds } from '../../contributions.js';
import type { HandOvers } from '../../gateway/handOvers.js';
import type { McpServer, McpService } from '../../mcp/mcpApi.js';
import type { ClientChoices } from '../../mcp/otherClients/clientChoices.js';
import type { DoubleStarts } from '../../mcp/otherClients/doubleStarts.js';
import { stateText } from '../../mcp/trouble/stateText.js';
import { copyInEditor } from '../../presentation/gateway/copyInEditor.js';
import { serverOf } from '../../presentation/tree/targets.js';
import {
  doubleStartSentences,
  otherUseActions,
} from '../../presentation/tree/tooltips/otherUseTooltip.js';
import type { CommandHandler, CommandHandlers } from '../commandHandlers.js';
import { confirm } from '../notifications.js';
import { pickMany, pickOne } from '../prompts/picks/picks.js';
import { serverName } from '../workspace/serverName.js';
import { folderOf, type GatewayCommandParts, startGateway } from './gatewayCommands.js';

export interface HandOverCommandParts extends GatewayCommandParts {
  readonly handOvers: HandOvers;
  readonly clientChoices: ClientChoices;
  readonly doubleStarts: Pick<DoubleStarts, 'of'>;
}

/** Who starts a server that VS Code would start, too. All but the first are of one server, which that one chose. */
export function handOverCommands(parts: HandOverCommandParts): CommandHandlers {
  const { service, clientChoices } = parts;
  const of =
    (work: (server: McpServer) => Promise<void>): CommandHandler =>
    async (argument) => {
      const server = serverOf(service, argument);
      await (server && work(server));
    };
  return {
    [commandIds.chooseStarter]: async (argument) => {
      const server = serverOf(service, argument);
      if (server) {
        await vscode.commands.executeCommand(await pickStarter(parts, server), server.id);
        return;
      }
      const folder = await folderOf(service, argument, {
        title: vscode.l10n.t('Choose Who Starts Servers'),
        emptyMessage: vscode.l10n.t('No folder is open.'),
        accepts: () => true,
      });
      await chooseServers(parts, folder);
    },
    [commandIds.useConnectionThere]: of(async (server) =>
      handOver(parts, await folderFor(service, server), [server]),
    ),
    [commandIds.takeBackServer]: of((server) => takeBack(parts, server)),
    [commandIds.leaveToVsCode]: of(async (server) => {
      await takeBack(parts, server);
      await switchOff(service, server);
      await clientChoices.choose(server.definition, 'left');
    }),
    [commandIds.runBoth]: of(async (server) => {
      await takeBack(parts, server);
      await clientChoices.choose(server.definition, 'both');
    }),
  };
}

async function takeBack({ handOvers }: HandOverCommandParts, server: McpServer): Promise<void> {
  for (const folderUri of handOvers.foldersOf(server)) {
    await handOvers.choose(folderUri, [server], false);
  }
}

/** In a file of the user's own, which is in no repository. */
async function switchOff({ configuration }: McpService, server: McpServer): Promise<void> {
  const { id, definition } = server;
  if (definition.folder) {
    await configuration.setEnabledIn(id, definition.folder.uri, false, 'local');
  } else {
    await configuration.setEnabled(id, false);
  }
}

/** The command that does what the user chose for one server. */
function pickStarter(
  { handOvers, doubleStarts }: HandOverCommandParts,
  server: McpServer,
): Promise<CommandId> {
  const use = { handOver: handOvers.stateOf(server), start: doubleStarts.of(server) };
  return pickOne<CommandId>(
    otherUseActions(server, use).map(({ title, command }) => ({ label: title, value: command })),
    {
      title: vscode.l10n.t('Who Starts This Server: {0}', nameToken(server.definition.name)),
      placeHolder: use.start && doubleStartSentences(use.start).join(' '),
      emptyMessage: vscode.l10n.t('No other program would start a server of this window.'),
    },
  );
}

async function chooseServers(parts: HandOverCommandParts, folder: WorkspaceFolder): Promise<void> {
  const { service, handOvers } = parts;
  const servers = service.serversFor(folder.uri).filter(({ definition }) => definition.enabled);
  if (servers.length === 0) {
    throw new HumanError('nothing_to_pick', vscode.l10n.t('No MCP server is enabled.'));
  }
  const isHanded = (server: McpServer) => handOvers.isChosen(folder.uri, server);
  const chosen = await pickMany<McpServer>(
    servers.map((server) => ({
      label: labelText(server.definition.name),
      description: stateText(server.state.value).reason,
      picked: isHanded(server),
      value: server,
    })),
    vscode.l10n.t("Servers That VS Code's Own Agent Has From Pi MCP"),
  );
  const ids = new Set(chosen.map(({ id }) => id));
  const added = chosen.filter((server) => !isHanded(server));
  const dropped = servers.filter((server) => isHanded(server) && !ids.has(server.id));
  if (added.length > 0) {
    await handOver(parts, folder, added);
  }
  if (dropped.length > 0) {
    await handOvers.choose(folder.uri, dropped, false);
  }
}

/** Nothing is lent before the user has said so: where the gateway does not run, it is asked about. */
async function handOver(
  parts: HandOverCommandParts,
  folder: WorkspaceFolder,
  servers: readonly McpServer[],
): Promise<void> {
  const { gateways, handOvers } = parts;
  if (!gateways.get(folder.uri)) {
    const names = servers.map(({ definition }) => `"${serverName(definition)}"`).join(', ');
    const isSure = await confirm(vscode.l10n.t("Share with VS Code's own agent? {0}", names), {
      detail: vscode.l10n.t(
        'This starts the gateway of folder "{0}". VS Code then uses the connection of Pi MCP, with your accounts, until you stop sharing, stop the gateway or close the window.',
        folder.name,
      ),
      action: vscode.l10n.t('Start Gateway and Share'),
    });
    if (!isSure) {
      throw new CancellationError();
    }
  }
  await startGateway(parts, folder);
  await handOvers.choose(folder.uri, servers, true);
  const folders = vscode.workspace.workspaceFolders ?? [];
  const index = folders.findIndex(({ uri }) => uri.toString() === folder.uri);
  for (const { definition } of servers) {
    await stopCopy(copyInEditor(definition, index));
  }
}

/** The command and its ids are VS Code's own affair: without them its copy runs until somebody stops it. */
async function stopCopy(id: string | undefined): Promise<void> {
  try {
    if (id !== undefined) {
      await vscode.commands.executeCommand('workbench.mcp.stopServer', id);
    }
  } catch {
    // another editor, or another version of this one
  }
}

/** Whose gateway lends the server. */
async function folderFor(service: McpService, server: McpServer): Promise<WorkspaceFolder> {
  const folders = service.pools.flatMap(({ folder }) =>
    folder && service.serversFor(folder.uri).some(({ id }) => id === server.id) ? [folder] : [],
  );
  return pickOne<WorkspaceFolder>(
    folders.map((folder) => ({ label: labelText(folder.name), value: folder })),
    {
      title: vscode.l10n.t("Use Pi MCP's Connection There"),
      emptyMessage: vscode.l10n.t('No open folder uses the server.'),
      takesOnly: true,
    },
  );
}

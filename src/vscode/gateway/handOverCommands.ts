import * as vscode from 'vscode';
import { CancellationError } from '../../base/async/cancellation.js';
import { HumanError } from '../../base/errors.js';
import { labelText } from '../../base/text/labelText.js';
import type { WorkspaceFolder } from '../../config/definition.js';
import { commandIds } from '../../contributions.js';
import type { HandOvers } from '../../gateway/handOvers.js';
import type { McpServer, McpService } from '../../mcp/mcpApi.js';
import { stateText } from '../../mcp/trouble/stateText.js';
import { copyInEditor } from '../../presentation/gateway/copyInEditor.js';
import type { CommandHandlers } from '../commandHandlers.js';
import { confirm } from '../notifications.js';
import { pickMany, pickOne } from '../prompts/picks/picks.js';
import { chooseServer } from '../prompts/picks/serverPicker.js';
import { serverName } from '../workspace/serverName.js';
import { folderOf, type GatewayCommandParts, startGateway } from './gatewayCommands.js';

export interface HandOverCommandParts extends GatewayCommandParts {
  readonly handOvers: HandOvers;
}

export function handOverCommands(parts: HandOverCommandParts): CommandHandlers {
  const { service, handOvers } = parts;
  return {
    [commandIds.handOverServers]: async (argument) => {
      const folder = await folderOf(service, argument, {
        title: vscode.l10n.t('Hand Over Servers to VS Code'),
        emptyMessage: vscode.l10n.t('No folder is open.'),
        accepts: () => true,
      });
      await chooseServers(parts, folder);
    },
    [commandIds.useConnectionThere]: async (argument) => {
      const title = vscode.l10n.t("Use Pi MCP's Connection There");
      const server = await chooseServer(service, argument, {
        title,
        emptyMessage: vscode.l10n.t('Every server that is switched on is handed over.'),
        accepts: (one) => one.definition.enabled && handOvers.foldersOf(one).length === 0,
      });
      await handOver(parts, await folderFor(service, server, title), [server]);
    },
    [commandIds.takeBackServer]: async (argument) => {
      const server = await chooseServer(service, argument, {
        title: vscode.l10n.t('Take Back From VS Code'),
        emptyMessage: vscode.l10n.t('No server is handed over to VS Code.'),
        accepts: (one) => handOvers.foldersOf(one).length > 0,
        takesOnly: true,
      });
      for (const folderUri of handOvers.foldersOf(server)) {
        await handOvers.choose(folderUri, [server], false);
      }
    },
  };
}

async function chooseServers(parts: HandOverCommandParts, folder: WorkspaceFolder): Promise<void> {
  const { service, handOvers } = parts;
  const servers = service.serversFor(folder.uri).filter(({ definition }) => definition.enabled);
  if (servers.length === 0) {
    throw new HumanError('nothing_to_pick', vscode.l10n.t('No MCP server is switched on.'));
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
    const isSure = await confirm(vscode.l10n.t("Hand over to VS Code's own agent? {0}", names), {
      detail: vscode.l10n.t(
        'This starts the gateway of folder "{0}". VS Code then uses the connection that Pi MCP has, under your consent and with your accounts, until you take it back, stop the gateway or close the window.',
        folder.name,
      ),
      action: vscode.l10n.t('Start Gateway and Hand Over'),
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
async function folderFor(
  service: McpService,
  server: McpServer,
  title: string,
): Promise<WorkspaceFolder> {
  const folders = service.pools.flatMap(({ folder }) =>
    folder && service.serversFor(folder.uri).some(({ id }) => id === server.id) ? [folder] : [],
  );
  return pickOne<WorkspaceFolder>(
    folders.map((folder) => ({ label: labelText(folder.name), value: folder })),
    { title, emptyMessage: vscode.l10n.t('No open folder uses the server.'), takesOnly: true },
  );
}

import * as vscode from 'vscode';
import type { WorkspaceFolder } from '../../config/definition.js';
import { commandIds } from '../../contributions.js';
import type { HandOvers } from '../../gateway/handOvers.js';
import type { McpServer, McpService } from '../../mcp/mcpApi.js';
import type { ClientChoices } from '../../mcp/otherClients/clientChoices.js';
import type { DoubleStarts } from '../../mcp/otherClients/doubleStarts.js';
import { copyInEditor } from '../../presentation/gateway/clientConfiguration.js';
import { serverOf } from '../../presentation/tree/targets.js';
import {
  stopCopiesQuestion,
  stoppableCopies,
} from '../../presentation/tree/tooltips/otherUseTooltip.js';
import type { CommandHandlers } from '../commandHandlers.js';
import { confirm, showWarning } from '../notifications.js';
import { pickOne } from '../prompts/picks/picks.js';
import { type GatewayCommandParts, startGateway } from './gatewayCommands.js';

export interface HandOverCommandParts extends GatewayCommandParts {
  readonly handOvers: HandOvers;
  readonly clientChoices: ClientChoices;
  readonly doubleStarts: Pick<DoubleStarts, 'all' | 'asksWho' | 'of' | 'stop'>;
}

/** What the command is given by whoever asks without being told to. */
export const ifOpen = 'if open';

type Starter = 'pi' | 'shared' | 'vscode' | 'both' | 'later';

const access = 'chat.mcp.access';

/** Who starts the servers of this workspace that VS Code would start, too: asked once, and by the command. */
export function handOverCommands(parts: HandOverCommandParts): CommandHandlers {
  return {
    [commandIds.chooseStarter]: async (argument) => {
      if (argument === ifOpen && !parts.doubleStarts.asksWho) {
        return;
      }
      const starter = await pickStarter();
      await parts.clientChoices.settle();
      if (starter !== 'later') {
        await apply(starter, parts);
      }
    },
    [commandIds.stopCopies]: (argument) => stopCopies(serverOf(parts.service, argument), parts),
  };
}

/** Of other programs: only what the question has named is ended. */
async function stopCopies(
  server: McpServer | undefined,
  { doubleStarts }: HandOverCommandParts,
): Promise<void> {
  const copies = server ? stoppableCopies(doubleStarts.of(server)) : [];
  if (!server || copies.length === 0) {
    return;
  }
  const { message, ...answer } = stopCopiesQuestion(server.definition.name, copies);
  const left = (await confirm(message, answer)) ? await doubleStarts.stop(copies) : 0;
  if (left > 0) {
    void showWarning(
      vscode.l10n.t('Could not be stopped: {0}. Refresh, or stop them by hand.', left),
    );
  }
}

function pickStarter(): Promise<Starter> {
  return pickOne<Starter>(
    [
      // that of an Enter which was meant for something else
      { label: vscode.l10n.t('Not Now'), value: 'later' },
      {
        label: vscode.l10n.t('Pi MCP only'),
        detail: vscode.l10n.t(
          "Sets {0} to none for the workspace: all MCP tools leave VS Code's chat.",
          access,
        ),
        value: 'pi',
      },
      {
        label: vscode.l10n.t("Share Pi MCP's connection"),
        detail: vscode.l10n.t(
          'Starts the gateway: VS Code uses all enabled servers through it, with your accounts.',
        ),
        value: 'shared',
      },
      {
        label: vscode.l10n.t('VS Code only'),
        detail: vscode.l10n.t('Disables these servers here, in a file of your own.'),
        value: 'vscode',
      },
      {
        label: vscode.l10n.t('Both'),
        detail: vscode.l10n.t('Each starts its own copy.'),
        value: 'both',
      },
    ],
    { title: vscode.l10n.t('VS Code also starts these servers') },
  );
}

/** Takes back what was chosen before. */
async function apply(starter: Starter, parts: HandOverCommandParts): Promise<void> {
  const { service, handOvers, clientChoices, doubleStarts } = parts;
  const folders = service.pools.flatMap(({ folder }) => folder ?? []);
  for (const { uri } of starter === 'shared' ? [] : folders) {
    await handOvers.choose(uri, service.serversFor(uri), false);
  }
  await setAccess(starter === 'pi' ? 'none' : undefined);
  if (starter === 'shared') {
    for (const folder of folders) {
      await share(parts, folder);
    }
  }
  const choice = ({ vscode: 'left', both: 'both' } as const)[starter as 'vscode' | 'both'];
  for (const { server, isPredicted } of doubleStarts.all) {
    const { definition } = server;
    if (isPredicted && definition.launch?.kind === 'stdio' && definition.enabled) {
      if (starter === 'vscode') {
        await disable(service, server);
      }
      await clientChoices.choose(definition, choice);
    }
  }
}

/** Nothing of the user's own elsewhere is touched. */
async function setAccess(value: 'none' | undefined): Promise<void> {
  const settings = vscode.workspace.getConfiguration();
  const isOurs = settings.inspect(access)?.workspaceValue === 'none';
  if (value !== undefined || isOurs) {
    await settings.update(access, value, vscode.ConfigurationTarget.Workspace);
  }
}

/** In a file of the user's own, which is in no repository. */
async function disable({ configuration }: McpService, server: McpServer): Promise<void> {
  const { id, definition } = server;
  if (definition.folder) {
    await configuration.setEnabledIn(id, definition.folder.uri, false, 'local');
  } else {
    await configuration.setEnabled(id, false);
  }
}

/** Nothing is shared before the user has said so. */
async function share(parts: HandOverCommandParts, folder: WorkspaceFolder): Promise<void> {
  const { service, handOvers } = parts;
  const servers = service.serversFor(folder.uri).filter(({ definition }) => definition.enabled);
  if (servers.length === 0) {
    return;
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

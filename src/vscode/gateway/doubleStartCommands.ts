import * as vscode from 'vscode';
import { commandIds } from '../../contributions.js';
import type { HandOvers } from '../../gateway/handOvers.js';
import type { McpServer, McpService } from '../../mcp/mcpApi.js';
import type { ClientChoices } from '../../mcp/otherClients/clientChoices.js';
import type { DoubleStarts } from '../../mcp/otherClients/doubleStarts.js';
import type { CommandHandlers } from '../commandHandlers.js';
import { chooseServer } from '../prompts/picks/serverPicker.js';

export interface DoubleStartCommandParts {
  readonly service: McpService;
  readonly handOvers: HandOvers;
  readonly clientChoices: ClientChoices;
  readonly doubleStarts: DoubleStarts;
}

/** What becomes of an entry that another client would start, or has started, too. */
export function doubleStartCommands(parts: DoubleStartCommandParts): CommandHandlers {
  const { service, handOvers, clientChoices, doubleStarts } = parts;
  const choose = (argument: unknown, title: string) =>
    chooseServer(service, argument, {
      title,
      emptyMessage: vscode.l10n.t('No other program would start a server of this window.'),
      accepts: (server) => server.definition.enabled && doubleStarts.of(server) !== undefined,
    });
  return {
    [commandIds.leaveToVsCode]: async (argument) => {
      const server = await choose(argument, vscode.l10n.t('Leave It to VS Code'));
      await takeBack(handOvers, server);
      await switchOff(service, server);
      await clientChoices.choose(server.definition, 'left');
    },
    [commandIds.runBoth]: async (argument) => {
      const server = await choose(argument, vscode.l10n.t('Run Both'));
      await takeBack(handOvers, server);
      await clientChoices.choose(server.definition, 'both');
    },
  };
}

async function takeBack(handOvers: HandOvers, server: McpServer): Promise<void> {
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

import * as vscode from 'vscode';
import { CancellationError } from '../../base/async/cancellation.js';
import { commandIds } from '../../contributions.js';
import type { McpServer, McpService } from '../../mcp/mcpApi.js';
import { poolLabel } from '../../presentation/tree/presentation.js';
import { serverOf } from '../../presentation/tree/targets.js';
import { showInformation } from '../notifications.js';
import type { CommandHandlers } from '../registerCommand.js';
import type { LogChannels } from '../workspace/logChannels.js';

type LogItem = vscode.QuickPickItem & { readonly server?: McpServer; readonly isMain?: boolean };

export function logCommands(service: McpService, logs: LogChannels): CommandHandlers {
  return {
    [commandIds.showLog]: async (argument) => {
      const server = serverOf(service, argument);
      if (server) {
        logs.showServer(server.definition);
        return;
      }
      const picked = await pickLog(service);
      if (picked.server) {
        logs.showServer(picked.server.definition);
      } else {
        logs.showMain();
      }
    },
    [commandIds.traceTraffic]: () => {
      logs.isTrafficTraced = !logs.isTrafficTraced;
      const message = logs.isTrafficTraced
        ? vscode.l10n.t(
            'The log of each MCP server now shows its JSON-RPC messages, secrets masked, until you toggle this again.',
          )
        : vscode.l10n.t('The logs of MCP servers no longer show JSON-RPC messages.');
      logs.main.log('info', message);
      void showInformation(message);
    },
  };
}

async function pickLog(service: McpService): Promise<LogItem> {
  const main: LogItem = { label: `$(output) ${vscode.l10n.t('Extension')}`, isMain: true };
  const servers = service.pools.flatMap((pool): LogItem[] => [
    { label: poolLabel(pool), kind: vscode.QuickPickItemKind.Separator },
    ...pool.servers.map((server) => ({ label: `$(output) ${server.definition.name}`, server })),
  ]);
  if (!servers.some((item) => item.server)) {
    return main;
  }
  const picked = await vscode.window.showQuickPick([main, ...servers], {
    title: vscode.l10n.t('Show Log'),
  });
  if (!picked) {
    throw new CancellationError();
  }
  return picked;
}

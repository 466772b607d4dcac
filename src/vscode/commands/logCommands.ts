import * as vscode from 'vscode';
import { labelText } from '../../base/text/labelText.js';
import { commandIds } from '../../contributions.js';
import type { McpServer, McpService } from '../../mcp/mcpApi.js';
import { serverOf } from '../../presentation/tree/targets.js';
import type { CommandHandlers } from '../commandHandlers.js';
import { showInformation } from '../notifications.js';
import { pickItemsByPool, pickOne } from '../prompts/picks/picks.js';
import { type LogChannels, mainLog } from '../workspace/logChannels.js';

export function logCommands(service: McpService, logs: LogChannels): CommandHandlers {
  return {
    [commandIds.showLog]: async (argument) => {
      const chosen =
        argument === mainLog ? mainLog : (serverOf(service, argument) ?? (await pickLog(service)));
      if (chosen === mainLog) {
        logs.showMain();
      } else {
        logs.showServer(chosen.definition);
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

/** Asks only when there is a choice. */
function pickLog(service: McpService): Promise<McpServer | typeof mainLog> {
  const servers = pickItemsByPool(service, (pool) =>
    pool.servers.map((value) => ({
      label: `$(output) ${labelText(value.definition.name)}`,
      value,
    })),
  );
  const main = { label: `$(output) ${vscode.l10n.t('Extension')}`, value: mainLog } as const;
  const title = vscode.l10n.t('Show Log');
  return pickOne<McpServer | typeof mainLog>([main, ...servers], { title, takesOnly: true });
}

import * as vscode from 'vscode';
import { labelText } from '../../base/text/labelText.js';
import { commandIds } from '../../contributions.js';
import type { McpServer, McpService } from '../../mcp/mcpApi.js';
import { serverOf } from '../../presentation/tree/targets.js';
import type { CommandHandlers } from '../commandHandlers.js';
import { showInformation } from '../notifications.js';
import { listHeading, pickItemsByPool, pickOne } from '../prompts/picks/picks.js';
import { type LogChannels, mainLog } from '../workspace/logChannels.js';

export function logCommands(service: McpService, logs: LogChannels): CommandHandlers {
  return {
    [commandIds.showLog]: async (argument) => {
      const chosen =
        argument === mainLog
          ? mainLog
          : (serverOf(service, argument) ?? (await pickLog(service, logs)));
      if (chosen === mainLog) {
        logs.showMain();
      } else if (chosen === 'traffic') {
        switchTraffic(logs);
      } else {
        logs.showServer(chosen.definition);
      }
    },
  };
}

function switchTraffic(logs: LogChannels): void {
  logs.isTrafficTraced = !logs.isTrafficTraced;
  const answer = logs.isTrafficTraced ? vscode.l10n.t('Yes') : vscode.l10n.t('No');
  const message = vscode.l10n.t('{0}: {1}', vscode.l10n.t('Write Traffic to Logs'), answer);
  logs.main.log('info', message);
  void showInformation(message);
}

type Log = McpServer | typeof mainLog | 'traffic';

function pickLog(service: McpService, { isTrafficTraced }: LogChannels): Promise<Log> {
  const servers = pickItemsByPool(service, (pool) =>
    pool.servers.map((value) => ({
      label: `$(output) ${labelText(value.definition.name)}`,
      value,
    })),
  );
  const main = { label: `$(output) ${vscode.l10n.t('Extension')}`, value: mainLog } as const;
  const traffic = {
    label: `${isTrafficTraced ? '$(check) ' : ''}${vscode.l10n.t('Write Traffic to Logs')}`,
    detail: vscode.l10n.t('Every JSON-RPC message, secrets masked'),
    value: 'traffic',
  } as const;
  const title = vscode.l10n.t('Show Log');
  return pickOne<Log>([main, ...servers, listHeading(), traffic], { title });
}

import * as vscode from 'vscode';
import { labelText } from '../../base/text/labelText.js';
import { commandIds } from '../../contributions.js';
import type { McpServer, McpService } from '../../mcp/mcpApi.js';
import { listRunningServers } from '../../mcp/service/runningServers.js';
import { stateText } from '../../mcp/trouble/stateText.js';
import {
  runningServerFacts,
  runningServerHolders,
} from '../../presentation/consent/runningServersText.js';
import type { CommandHandlers } from '../commandHandlers.js';
import { type LiveAction, liveAction, showLivePicker } from '../prompts/picks/livePicker.js';
import { pickItemsByPool } from '../prompts/picks/picks.js';
import type { ReportError } from '../reportError.js';
import type { LogChannels } from '../workspace/logChannels.js';

export interface ProcessCommandParts {
  readonly service: McpService;
  readonly logs: LogChannels;
  readonly reportError: ReportError;
}

/** Memory and uptime change without an event. */
const refreshMs = 2000;

export function processCommands(parts: ProcessCommandParts): CommandHandlers {
  const { service, logs, reportError } = parts;
  return {
    [commandIds.showRunningServers]: async () => {
      const actions = actionsOf(logs);
      await showLivePicker<McpServer>({
        service,
        title: vscode.l10n.t('Running MCP Servers'),
        placeholder: vscode.l10n.t('Pick a server to stop it, restart it or read its log'),
        emptyMessage: vscode.l10n.t('No MCP server is running.'),
        refreshMs,
        read: () => readItems(service, actions),
        isSame: (a, b) => a === b,
        reportError,
      });
    },
  };
}

function actionsOf(logs: LogChannels): readonly LiveAction<McpServer>[] {
  return [
    liveAction('debug-stop', vscode.l10n.t('Stop'), (server) => server.stop()),
    liveAction('debug-restart', vscode.l10n.t('Restart'), (server) => server.restart()),
    liveAction('output', vscode.l10n.t('Show Log'), async ({ definition }) =>
      logs.showServer(definition),
    ),
  ];
}

async function readItems(service: McpService, buttons: readonly LiveAction<McpServer>[]) {
  const running = await listRunningServers(service);
  return pickItemsByPool(service, (pool) =>
    running
      .filter(({ server }) => server.definition.poolId === pool.id)
      .map((entry) => ({
        label: `$(${stateText(entry.server.state.value).icon}) ${labelText(entry.server.definition.name)}`,
        description: labelText(runningServerFacts(entry)),
        detail: labelText(runningServerHolders(entry)),
        buttons,
        value: entry.server,
      })),
  );
}

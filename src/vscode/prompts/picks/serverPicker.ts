/** Which server or configuration a command is about. Each throws like {@link pickOne}. */
import * as vscode from 'vscode';
import { labelText } from '../../../base/text/labelText.js';
import type { McpPool, McpServer, McpService } from '../../../mcp/mcpApi.js';
import { byUrgency } from '../../../mcp/stateKinds.js';
import { stateText } from '../../../mcp/trouble/stateText.js';
import { poolLabel } from '../../../presentation/tree/presentation.js';
import { namedServer } from '../../../presentation/tree/targets.js';
import { launchText } from '../../../presentation/tree/tooltips/serverTooltip.js';
import { type PickItem, pickItemsByPool, pickOne } from './picks.js';

/** The server that the command was called with, which may be gone, or else the one that the user picks. */
export async function chooseServer(
  service: McpService,
  argument: unknown,
  options: {
    readonly title: string;
    /** Default: every server. */
    readonly accepts?: (server: McpServer) => boolean;
    /** Takes the only choice without asking, where that can do no harm. Default: asks. */
    readonly takesOnly?: boolean;
  },
): Promise<McpServer> {
  const { title, accepts = () => true, takesOnly = false } = options;
  return (
    namedServer(service, argument) ??
    (await pickOne<McpServer>(
      pickItemsByPool(service, ({ servers }) => byUrgency(servers.filter(accepts)).map(serverItem)),
      { title, takesOnly },
    ))
  );
}

/** Asks only when there is a choice. */
export async function pickPool(
  { pools }: McpService,
  options: {
    readonly title: string;
    readonly accepts: (pool: McpPool) => boolean;
  },
): Promise<McpPool> {
  const items = pools.filter(options.accepts).map((pool) => ({
    label: `$(${pool.folder ? 'root-folder' : 'globe'}) ${labelText(poolLabel(pool))}`,
    description: pool.folder?.fsPath ?? pool.primaryFile,
    value: pool,
  }));
  return pickOne<McpPool>(items, { title: options.title, takesOnly: true });
}

/** The configuration that something new goes into. */
export function pickTarget(service: McpService): Promise<McpPool> {
  return pickPool(service, {
    title: vscode.l10n.t('Where'),
    accepts: (pool) => pool.primaryFile !== '',
  });
}

function serverItem(server: McpServer): PickItem<McpServer> {
  const { icon, reason } = stateText(server.state.value);
  return {
    label: `$(${icon}) ${labelText(server.definition.name)}`,
    description: reason,
    detail: labelText(launchText(server.definition) ?? ''),
    value: server,
  };
}

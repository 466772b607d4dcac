import * as vscode from 'vscode';
import { labelText } from '../../base/text/labelText.js';
import type { McpServer, McpService } from '../../mcp/mcpApi.js';
import type { RunTarget } from '../../presentation/runTool/toolRun.js';
import { pickLive } from '../prompts/picks/livePicker.js';
import { pickItemsByPool } from '../prompts/picks/picks.js';

/** The user picks one of what the servers offer. @param only of this one */
export async function pickTool(service: McpService, only?: McpServer): Promise<RunTarget> {
  const isOffering = (server: McpServer) => !only || server === only;
  const read = () =>
    pickItemsByPool(service, ({ servers }) =>
      servers.filter(isOffering).flatMap((server) =>
        server.catalog.value.tools.map((tool) => ({
          label: `$(tools) ${labelText(tool.name)}`,
          description: labelText(server.definition.name),
          detail: tool.description ? labelText(tool.description.slice(0, 200)) : undefined,
          value: { server, tool },
        })),
      ),
    );
  return await pickLive<RunTarget>({
    service,
    title: vscode.l10n.t('Run Tool'),
    placeholder: vscode.l10n.t('Choose a tool to run by hand'),
    emptyMessage: vscode.l10n.t('No server offers a tool yet.'),
    read: async () => read(),
    isSame: (a, b) => a.server === b.server && a.tool.name === b.tool.name,
    isWaiting: () =>
      service.pools.some(({ servers }) =>
        servers.some((server) => isOffering(server) && server.state.value.kind === 'connecting'),
      ),
  });
}

import * as vscode from 'vscode';
import { labelText } from '../../base/text/labelText.js';
import type { McpServer, McpService } from '../../mcp/mcpApi.js';
import { literal } from '../../presentation/literal.js';
import type { RunTarget } from '../../presentation/runTool/toolRun.js';
import { pickItemsByPool, pickOne } from '../prompts/picks/picks.js';

/** The user picks one of what the servers offer. @param only of this one */
export async function pickTool(service: McpService, only?: McpServer): Promise<RunTarget> {
  const items = pickItemsByPool(service, ({ servers }) =>
    servers
      .filter((server) => !only || server === only)
      .flatMap((server) =>
        server.catalog.value.tools.map((tool) => ({
          label: `$(tools) ${literal(tool.name)}`,
          description: server.definition.name,
          ...(tool.description && { detail: labelText(tool.description.slice(0, 200)) }),
          value: { server, tool },
        })),
      ),
  );
  return await pickOne<RunTarget>(items, {
    title: vscode.l10n.t('Run Tool'),
    placeHolder: vscode.l10n.t('Choose a tool to run by hand'),
    emptyMessage: vscode.l10n.t('No server offers a tool yet.'),
  });
}

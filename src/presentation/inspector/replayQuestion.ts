import * as l10n from '@vscode/l10n';
import type { JsonObject } from '../../base/json.js';
import { nameToken } from '../../base/text/nameToken.js';
import { showHidden } from '../../base/text/showHidden.js';
import { findTool } from '../../mcp/catalog/findTool.js';
import type { McpServer } from '../../mcp/mcpApi.js';

const maxArguments = 1_000;

/** What is asked before a call is made again, whatever the server claims of the tool. @param serverName as {@link nameInWindow} makes it */
export function replayQuestion(
  server: McpServer,
  params: JsonObject,
  serverName: string,
): { readonly message: string; readonly detail: string } {
  const name = String(params.name);
  const hints = findTool(server.catalog.value.tools, name)?.annotations;
  const args = JSON.stringify(params.arguments ?? {});
  const shown = args.length > maxArguments ? `${args.slice(0, maxArguments)}…` : args;
  return {
    message: l10n.t('Run this tool of an MCP server again?'),
    detail: [
      hints?.destructiveHint === false
        ? l10n.t('The tool may change things; the server says that it destroys nothing.')
        : l10n.t('The tool may change or delete things.'),
      [
        l10n.t('{0}: {1}', l10n.t('Tool'), nameToken(name)),
        l10n.t('{0}: {1}', l10n.t('Server'), serverName),
        l10n.t('{0}: {1}', l10n.t('Arguments'), showHidden(shown)),
      ].join('\n'),
    ].join('\n\n'),
  };
}

import * as vscode from 'vscode';
import type { JsonObject } from '../../base/json.js';
import { nameToken } from '../../base/text/nameToken.js';
import { findTool } from '../../mcp/catalog/findTool.js';
import type { McpServer } from '../../mcp/mcpApi.js';
import { confirm } from '../notifications.js';
import { serverName } from '../workspace/serverName.js';

const maxArguments = 1_000;

/** What only reads needs no question; the hint is a claim of the server, and the user has seen the call before. */
export async function confirmReplay(server: McpServer, params: JsonObject): Promise<boolean> {
  const name = String(params.name);
  const hints = findTool(server.catalog.value.tools, name)?.annotations;
  if (hints?.readOnlyHint === true) {
    return true;
  }
  const args = JSON.stringify(params.arguments ?? {});
  const shown = args.length > maxArguments ? `${args.slice(0, maxArguments)}…` : args;
  const claim =
    hints?.destructiveHint === false
      ? vscode.l10n.t('The tool may change things; the server says that it destroys nothing.')
      : vscode.l10n.t('The tool may change or delete things.');
  return await confirm(
    vscode.l10n.t(
      'Run "{0}" of MCP server "{1}" again?',
      nameToken(name),
      serverName(server.definition),
    ),
    {
      action: vscode.l10n.t('Run Again'),
      detail: `${claim}\n\n${vscode.l10n.t('Arguments: {0}', shown)}`,
    },
  );
}

import * as vscode from 'vscode';
import type { JsonObject } from '../../base/json.js';
import type { McpServer } from '../../mcp/mcpApi.js';
import { replayQuestion } from '../../presentation/inspector/replayQuestion.js';
import { confirm } from '../notifications.js';
import { serverName } from '../workspace/serverName.js';

export async function confirmReplay(server: McpServer, params: JsonObject): Promise<boolean> {
  const { message, detail } = replayQuestion(server, params, serverName(server.definition));
  return await confirm(message, { action: vscode.l10n.t('Run Again'), detail });
}

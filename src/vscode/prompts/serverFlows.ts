/** What commands and pages ask before they change a server. */
import * as vscode from 'vscode';
import type { McpServer, McpService } from '../../mcp/mcpApi.js';
import type { ConsentPanel } from '../consent/consentPanel.js';
import { confirm } from '../notifications.js';
import { serverName } from '../workspace/serverName.js';
import type { InputPrompter } from './inputPrompter.js';

export interface ProbeParts {
  readonly consent: Pick<ConsentPanel, 'review'>;
  readonly inputs: Pick<InputPrompter, 'askAtOnce'>;
}

/** Leads through consent where that is what is missing. @returns false when the server still may not run. */
export async function prepareProbe(
  server: McpServer,
  { consent, inputs }: ProbeParts,
): Promise<boolean> {
  const { definition, state } = server;
  if (state.value.kind === 'trust_required' && definition.folder) {
    await consent.review([definition.folder], () => state.value.kind !== 'trust_required');
  }
  // the user wants it now: a question that was dismissed before may come back
  inputs.askAtOnce(server);
  return state.value.kind !== 'trust_required';
}

/** @returns whether the user agreed, and it is gone. */
export async function removeServer(
  service: McpService,
  { id, definition }: McpServer,
): Promise<boolean> {
  const isWanted = await confirm(
    vscode.l10n.t('Remove the MCP server "{0}"?', serverName(definition)),
    {
      action: vscode.l10n.t('Remove'),
      detail: vscode.l10n.t(
        'Its entry is deleted from {0}, and it is stopped.',
        definition.origin.path,
      ),
    },
  );
  // it may be gone by then
  if (!isWanted || !service.getServer(id)) {
    return false;
  }
  await service.configuration.removeServer(id);
  return true;
}

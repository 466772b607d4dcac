/** What commands and pages ask before they change a server. */
import * as vscode from 'vscode';
import type { McpServer, McpService } from '../../mcp/mcpApi.js';
import type { ConsentPanel } from '../consent/consentPanel.js';
import { confirm } from '../notifications.js';
import { serverName } from '../workspace/serverName.js';
import type { InputPrompter } from './inputPrompter.js';

export interface ConsentParts {
  readonly consent: Pick<ConsentPanel, 'review'>;
}

export interface ProbeParts extends ConsentParts {
  readonly inputs: Pick<InputPrompter, 'whileWanted'>;
}

/** Leads through consent where that is what is missing. @returns false when the server still may not run. */
export async function mayRunNow(
  { definition, state }: McpServer,
  { consent }: ConsentParts,
): Promise<boolean> {
  if (state.value.kind === 'trust_required' && definition.folder) {
    await consent.review([definition.folder], () => state.value.kind !== 'trust_required');
  }
  return state.value.kind !== 'trust_required';
}

/**
 * Does what a user who waits wants of a running server: leads through consent first, and asks for inputs at once.
 * @returns `undefined` when the server still may not run.
 */
export async function whenMayRun<T>(
  server: McpServer,
  parts: ProbeParts,
  work: () => PromiseLike<T>,
): Promise<T | undefined> {
  return (await mayRunNow(server, parts))
    ? await parts.inputs.whileWanted(server.definition, work)
    : undefined;
}

export async function removeServer(
  service: McpService,
  { id, definition }: McpServer,
): Promise<void> {
  const isWanted = await confirm(
    vscode.l10n.t('Remove this MCP server? {0}', serverName(definition)),
    {
      action: vscode.l10n.t('Remove'),
      detail: vscode.l10n.t(
        'Its entry is deleted from {0}, and it is stopped.',
        definition.origin.path,
      ),
    },
  );
  // it may be gone by then
  if (isWanted && service.getServer(id)) {
    await service.configuration.removeServer(id);
  }
}

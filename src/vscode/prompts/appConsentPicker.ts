import * as vscode from 'vscode';
import type { AppConsent, AppConsents } from '../../mcp/apps/consents.js';
import type { McpService } from '../../mcp/mcpApi.js';
import { folderPlace, revokeSome } from './picks/revokeSome.js';

/** Lets the user take back what servers may show; their open apps close. */
export async function revokeApps(
  service: McpService,
  consents: AppConsents,
  apps: readonly AppConsent[],
): Promise<void> {
  await revokeSome(consents, {
    title: vscode.l10n.t('Select MCP servers whose apps are no longer shown'),
    emptyMessage: vscode.l10n.t('You allow no app of an MCP server.'),
    items: apps.map((consent) => ({
      label: consent.server,
      description: folderPlace(service, consent, vscode.l10n.t('in windows without a folder')),
      detail: reachText(consent),
      value: consent,
    })),
  });
}

function reachText({ permissions }: AppConsent): string {
  const origins = [...new Set(permissions.map((one) => one.slice(one.indexOf(' ') + 1)))];
  return origins.length > 0
    ? vscode.l10n.t('May reach {0}', origins.join(', '))
    : vscode.l10n.t('Requests to the network are blocked');
}

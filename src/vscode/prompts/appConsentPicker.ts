import * as vscode from 'vscode';
import type { McpServerId } from '../../config/definition.js';
import type { AppConsent, AppConsents } from '../../mcp/apps/consents.js';
import type { McpService } from '../../mcp/mcpApi.js';
import { showInformation } from '../notifications.js';

/** Lets the user take back what servers may show; their open apps close. */
export async function revokeApps(
  service: McpService,
  consents: AppConsents,
  serverId: McpServerId | undefined,
): Promise<void> {
  const all = consents.all.filter((one) => serverId === undefined || one.serverId === serverId);
  if (all.length === 0) {
    void showInformation(vscode.l10n.t('You have not agreed to any app of an MCP server.'));
    return;
  }
  const items = all.map((consent) => ({
    label: consent.server,
    description: placeText(service, consent),
    detail: reachText(consent),
    consent,
    picked: serverId !== undefined,
  }));
  const picked = await vscode.window.showQuickPick(items, {
    canPickMany: true,
    title: vscode.l10n.t('MCP servers whose apps shall not be shown any more'),
  });
  for (const { consent } of picked ?? []) {
    await consents.revoke(consent);
  }
}

function placeText({ pools }: McpService, { folderUri }: AppConsent): string {
  if (folderUri === undefined) {
    return vscode.l10n.t('in windows without a folder');
  }
  const folder = pools.find(({ id }) => id === folderUri)?.folder;
  return vscode.l10n.t('in {0}', folder?.name ?? vscode.Uri.parse(folderUri).fsPath);
}

function reachText({ permissions }: AppConsent): string {
  const origins = [...new Set(permissions.map((one) => one.slice(one.indexOf(' ') + 1)))];
  return origins.length > 0
    ? vscode.l10n.t('May reach {0}', origins.join(', '))
    : vscode.l10n.t('Requests to the network are blocked');
}

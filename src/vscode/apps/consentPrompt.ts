import * as vscode from 'vscode';
import type { AppCall } from '../../agent/apps/sessionApps.js';
import { nameToken } from '../../base/text/nameToken.js';
import { type AppPolicy, reachableOrigins } from '../../mcp/apps/policy.js';
import { confirm } from '../notifications.js';
import { serverName } from '../workspace/serverName.js';

/** Names server, folder, what the app may reach and what it may do, before anything of it is shown. */
export function askToShowApp(call: AppCall, policy: AppPolicy): Promise<boolean> {
  return confirm(
    vscode.l10n.t('Show the app of this MCP server? {0}', serverName(call.server.definition)),
    {
      detail: consentDetail(call, policy),
      action: vscode.l10n.t('Show Apps of This Server'),
    },
  );
}

function consentDetail({ server, folderUri }: AppCall, { domains, notices }: AppPolicy): string {
  const { definition } = server;
  const folder = vscode.workspace.workspaceFolders?.find(({ uri }) => uri.toString() === folderUri);
  const origins = reachableOrigins(domains);
  return [
    vscode.l10n.t(
      'The server sends a page with a program in it. It runs in an editor tab of its own, apart from VS Code and from your files.',
    ),
    [
      vscode.l10n.t('{0}: {1}', vscode.l10n.t('Server'), nameToken(definition.name)),
      vscode.l10n.t('From: {0}', definition.origin.path),
      folder
        ? vscode.l10n.t('{0}: {1}', vscode.l10n.t('Folder'), folder.name)
        : vscode.l10n.t('Folder: none, for this window without a folder'),
    ].join('\n'),
    origins.length > 0
      ? vscode.l10n.t('It may reach:\n{0}', origins.map((origin) => `• ${origin}`).join('\n'))
      : vscode.l10n.t('Requests to the network are blocked'),
    vscode.l10n.t(
      'No browser closes every way out of a page: show apps only of servers that may know what you give them.',
    ),
    vscode.l10n.t(
      'It sees the call and its result. It may read resources of this server, call its tools as far as you approve each call, suggest a message that you may send, and ask to open links.',
    ),
    ...notices,
    vscode.l10n.t(
      'This holds in this folder until you revoke it or the entry of the server changes.',
    ),
  ].join('\n\n');
}

import * as vscode from 'vscode';
import type { ElicitationAnswer, ElicitationRequest } from '../../mcp/connection/clientFeatures.js';

type UrlRequest = Extract<ElicitationRequest, { readonly kind: 'url' }>;

/** Names the host and shows the whole address before anything opens. */
export async function askToOpen(
  serverName: string,
  { message, url }: UrlRequest,
  signal: AbortSignal,
): Promise<ElicitationAnswer> {
  const { host } = new URL(url);
  const open = vscode.l10n.t('Open {0}', host);
  const decline: vscode.MessageItem = { title: vscode.l10n.t('Decline') };
  const choice = await vscode.window.showInformationMessage(
    vscode.l10n.t('MCP server "{0}" asks you to open a page of {1}.', serverName, host),
    { modal: true, detail: `${message}\n\n${url}` },
    { title: open },
    decline,
  );
  if (!choice || signal.aborted) {
    return { action: 'cancel' };
  }
  if (choice.title !== open) {
    return { action: 'decline' };
  }
  const isOpened = await vscode.env.openExternal(vscode.Uri.parse(url, true));
  return { action: isOpened ? 'accept' : 'cancel' };
}

import * as vscode from 'vscode';
import type { McpService } from '../../../mcp/mcpApi.js';
import { showInformation } from '../../notifications.js';
import { type PickItem, pickMany } from './picks.js';

/** Lets the user take back some of what was agreed to for good. */
export async function revokeSome<T>(
  agreed: { revoke(one: T): Promise<void> },
  options: {
    readonly title: string;
    readonly emptyMessage: string;
    readonly items: readonly PickItem<T>[];
  },
): Promise<void> {
  if (options.items.length === 0) {
    void showInformation(options.emptyMessage);
    return;
  }
  for (const one of await pickMany(options.items, options.title)) {
    await agreed.revoke(one);
  }
}

/** Where an agreement holds. */
export function folderPlace(
  service: McpService,
  { folderUri }: { readonly folderUri?: string | undefined },
  withoutFolder: string,
): string {
  if (folderUri === undefined) {
    return withoutFolder;
  }
  const folder = service.getPool(folderUri)?.folder;
  return vscode.l10n.t('in {0}', folder?.name ?? vscode.Uri.parse(folderUri).fsPath);
}

import * as vscode from 'vscode';
import type { WorkspaceFolder } from '../../config/definition.js';
import { commandIds } from '../../contributions.js';
import type { McpPool, McpService } from '../../mcp/mcpApi.js';
import { poolOf } from '../../presentation/tree/targets.js';
import type { CommandHandlers } from '../commandHandlers.js';
import type { ConsentPanel } from '../consent/consentPanel.js';
import type { TextDocuments } from '../documents/textDocuments.js';
import { confirm } from '../notifications.js';
import { pickPool } from '../prompts/picks/serverPicker.js';
import { manageTrust } from '../prompts/trustPicker.js';

export function trustCommands(
  service: McpService,
  consent: ConsentPanel,
  documents: TextDocuments,
): CommandHandlers {
  return {
    [commandIds.manageTrust]: () => manageTrust(service, documents),
    [commandIds.reviewServers]: async (argument) => {
      const folder = poolOf(service, argument)?.folder;
      await consent.review(folder && [folder]);
    },
    [commandIds.trustFolder]: async (argument) => {
      if (!service.trust.isWorkspaceTrusted) {
        await manageWorkspaceTrust();
        return;
      }
      const pool = folderPool(poolOf(service, argument)) ?? (await pickFolderToTrust(service));
      if (pool.folder) {
        await consent.trust(pool.folder);
      }
    },
    [commandIds.revokeTrust]: async (argument) => {
      const { folder } =
        folderPool(poolOf(service, argument)) ??
        (await pickPool(service, {
          title: vscode.l10n.t('Revoke Trust'),
          emptyMessage: vscode.l10n.t(
            'No folder has consent that could be revoked. Servers of your own files always run.',
          ),
          accepts: (candidate) => hasConsent(service, candidate),
        }));
      if (folder) {
        await revoke(service, folder);
      }
    },
    [commandIds.manageWorkspaceTrust]: manageWorkspaceTrust,
  };
}

/** Folders where something waits come first; without any, every folder can be chosen. */
async function pickFolderToTrust(service: McpService): Promise<McpPool> {
  const isWaiting = (pool: McpPool) =>
    pool.folder !== undefined &&
    pool.servers.some((server) => server.state.value.kind === 'trust_required');
  const isAnyWaiting = service.pools.some(isWaiting);
  return pickPool(service, {
    title: vscode.l10n.t('Trust Folder'),
    emptyMessage: vscode.l10n.t('No folder is open. Servers of your own files need no consent.'),
    accepts: isAnyWaiting ? isWaiting : (pool) => pool.folder !== undefined,
  });
}

async function revoke({ trust }: McpService, folder: WorkspaceFolder): Promise<void> {
  const isWanted = await confirm(
    vscode.l10n.t('Revoke your consent for the MCP servers of folder "{0}"?', folder.name),
    {
      action: vscode.l10n.t('Revoke Trust'),
      detail: vscode.l10n.t(
        'Its running servers stop now. Nothing of its files that needs consent runs until you agree again.',
      ),
    },
  );
  if (isWanted) {
    await trust.revoke(folder.uri);
  }
}

function folderPool(pool: McpPool | undefined): McpPool | undefined {
  return pool?.folder ? pool : undefined;
}

function hasConsent(service: McpService, pool: McpPool): boolean {
  return pool.folder !== undefined && service.trust.folderTrust(pool.folder.uri).kind !== 'none';
}

async function manageWorkspaceTrust(): Promise<void> {
  await vscode.commands.executeCommand('workbench.trust.manage');
}

import * as vscode from 'vscode';
import { commandIds } from '../../contributions.js';
import type { McpPool, McpService } from '../../mcp/mcpApi.js';
import { poolOf } from '../../presentation/tree/targets.js';
import type { CommandHandlers } from '../commandHandlers.js';
import type { ConsentPanel } from '../consent/consentPanel.js';
import { pickPool } from '../prompts/picks/serverPicker.js';
import { manageTrust, type TrustPickerParts } from '../prompts/trustPicker.js';

export interface TrustCommandParts extends TrustPickerParts {
  readonly consent: ConsentPanel;
}

export function trustCommands(parts: TrustCommandParts): CommandHandlers {
  const { service, consent } = parts;
  return {
    [commandIds.manageTrust]: (argument) => manageTrust(argument, parts),
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
    accepts: isAnyWaiting ? isWaiting : (pool) => pool.folder !== undefined,
  });
}

function folderPool(pool: McpPool | undefined): McpPool | undefined {
  return pool?.folder ? pool : undefined;
}

async function manageWorkspaceTrust(): Promise<void> {
  await vscode.commands.executeCommand('workbench.trust.manage');
}

import * as vscode from 'vscode';
import type { AllowedTool } from '../../agent/policy/approvalStore.js';
import type { ToolFeatures } from '../../agent/policy/toolFeatures.js';
import { placeOf } from '../../agent/tools/toolOverview.js';
import { commandIds } from '../../contributions.js';
import type { McpServer, McpService } from '../../mcp/mcpApi.js';
import { asTreeNode, serverOf } from '../../presentation/tree/targets.js';
import { showInformation } from '../notifications.js';
import { revokeApps } from '../prompts/appConsentPicker.js';
import { pickStatistics } from '../prompts/statisticsPicker.js';
import type { CommandHandlers } from '../registerCommand.js';

export function toolCommands(service: McpService, features: ToolFeatures): CommandHandlers {
  return {
    [commandIds.switchTool]: async (argument) => {
      const target = toolOf(service, argument);
      if (target) {
        await switchInFolder(service, features, target);
      }
    },
    [commandIds.resetTool]: async (argument) => {
      const target = toolOf(service, argument);
      if (target) {
        await reset(service, features, target);
      }
    },
    [commandIds.revokeApprovals]: async (argument) => {
      await revoke(service, features, toolOf(service, argument));
    },
    [commandIds.revokeApps]: (argument) =>
      revokeApps(service, features.appConsents, serverOf(service, argument)?.id),
    [commandIds.showToolStatistics]: () => pickStatistics(features.statistics),
  };
}

interface ToolTarget {
  readonly server: McpServer;
  readonly tool: string;
}

function toolOf(service: McpService, argument: unknown): ToolTarget | undefined {
  const node = asTreeNode(argument);
  const server = serverOf(service, argument);
  return node?.kind === 'tool' && server ? { server, tool: node.tool.name } : undefined;
}

/** The third state of a global tool: off in some folders. */
async function switchInFolder(
  service: McpService,
  { switches }: ToolFeatures,
  { server, tool }: ToolTarget,
): Promise<void> {
  const folders = service.pools.flatMap(({ folder }) => folder ?? []);
  const items = folders.map((folder) => {
    const place = { ...placeOf(server, tool), folderUri: folder.uri };
    return { label: folder.name, place, picked: switches.isOn(place) };
  });
  const picked = await vscode.window.showQuickPick(items, {
    canPickMany: true,
    title: vscode.l10n.t('Folders in which the tool {0} is on', tool),
  });
  if (!picked) {
    return;
  }
  const isOnEverywhere = switches.isOn(placeOf(server, tool));
  for (const item of items) {
    const isOn = picked.includes(item);
    await switches.set(item.place, isOn === isOnEverywhere ? undefined : isOn ? 'on' : 'off');
  }
}

async function reset(
  service: McpService,
  { switches }: ToolFeatures,
  { server, tool }: ToolTarget,
): Promise<void> {
  const place = placeOf(server, tool);
  await switches.set(place, undefined);
  if (place.folderUri === undefined) {
    for (const { folder } of service.pools) {
      if (folder) {
        await switches.set({ ...place, folderUri: folder.uri }, undefined);
      }
    }
  }
}

async function revoke(
  service: McpService,
  { approvals }: ToolFeatures,
  target: ToolTarget | undefined,
): Promise<void> {
  const all = approvals.all.filter(
    ({ scope, server, tool }) =>
      !target ||
      (scope === target.server.definition.scope &&
        server === target.server.definition.name &&
        tool === target.tool),
  );
  if (all.length === 0) {
    void showInformation(vscode.l10n.t('No tool is allowed to run without asking.'));
    return;
  }
  const items = all.map((allowed) => ({
    label: `${allowed.server}/${allowed.tool}`,
    description: placeText(service, allowed),
    allowed,
    picked: target !== undefined,
  }));
  const picked = await vscode.window.showQuickPick(items, {
    canPickMany: true,
    title: vscode.l10n.t('Tools that shall ask again before they run'),
  });
  for (const { allowed } of picked ?? []) {
    await approvals.revoke(allowed);
  }
}

function placeText({ pools }: McpService, { folderUri }: AllowedTool): string {
  if (folderUri === undefined) {
    return vscode.l10n.t('in every folder');
  }
  const folder = pools.find(({ id }) => id === folderUri)?.folder;
  return vscode.l10n.t('in {0}', folder?.name ?? vscode.Uri.parse(folderUri).fsPath);
}

import * as vscode from 'vscode';
import { toolRule } from '../../agent/policy/approvalStore.js';
import { ruleOf } from '../../agent/policy/shell/commandRuleStore.js';
import type { ToolFeatures } from '../../agent/policy/toolFeatures.js';
import { placeOf } from '../../agent/tools/toolOverview.js';
import { commandIds } from '../../contributions.js';
import type { SwitchPlace } from '../../mcp/catalog/records/toolSwitches.js';
import type { McpServer, McpService } from '../../mcp/mcpApi.js';
import { formatAge } from '../../presentation/consent/formatAge.js';
import { literal } from '../../presentation/literal.js';
import { asTreeNode, originalName, serverOf } from '../../presentation/tree/targets.js';
import { showInformation } from '../notifications.js';
import { revokeApps } from '../prompts/appConsentPicker.js';
import { type PickItem, pickMany } from '../prompts/picks/picks.js';
import { folderPlace } from '../prompts/picks/revokeSome.js';
import { pickStatistics } from '../prompts/statisticsPicker.js';
import type { CommandHandlers } from '../registerCommand.js';
import { pickTool, ToolRunner, type ToolRunParts } from './runTool.js';

export interface ToolCommandParts extends ToolRunParts {
  readonly service: McpService;
  readonly features: ToolFeatures;
}

export function toolCommands(parts: ToolCommandParts): CommandHandlers {
  const { service, features, documents } = parts;
  const runner = new ToolRunner(parts);
  return {
    [commandIds.runTool]: async (argument) => {
      const node = asTreeNode(argument);
      const server = serverOf(service, argument);
      const isTool = node?.kind === 'tool' && server !== undefined;
      await runner.run(isTool ? { server, tool: node.tool } : await pickTool(service));
    },
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
      await manageRules(service, features, toolOf(service, argument));
    },
    [commandIds.revokeApps]: (argument) =>
      revokeApps(service, features.appConsents, serverOf(service, argument)?.id),
    [commandIds.openSchema]: async (argument) => {
      const node = asTreeNode(argument);
      if (node?.kind === 'tool') {
        const { name, inputSchema, outputSchema } = node.tool;
        const schemas = outputSchema ? { inputSchema, outputSchema } : inputSchema;
        await documents.show(name, JSON.stringify(schemas, undefined, 2), 'json');
      }
    },
    [commandIds.copyName]: async (argument) => {
      const node = asTreeNode(argument);
      const name = node && originalName(node);
      if (name !== undefined) {
        await vscode.env.clipboard.writeText(name);
      }
    },
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
  const places = folders.map((folder) => ({
    label: folder.name,
    value: { ...placeOf(server, tool), folderUri: folder.uri },
  }));
  const items = places.map((item) => ({ ...item, picked: switches.isOn(item.value) }));
  const title = vscode.l10n.t('Folders in which the tool {0} is on', tool);
  const picked = await pickMany<SwitchPlace>(items, title);
  const isOnEverywhere = switches.isOn(placeOf(server, tool));
  for (const { value: place } of items) {
    const isOn = picked.includes(place);
    await switches.set(place, isOn === isOnEverywhere ? undefined : isOn ? 'on' : 'off');
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

/** Every rule that outlives conversations, or those for one tool: what it lets run, where, and since when. */
async function manageRules(
  service: McpService,
  features: ToolFeatures,
  target: ToolTarget | undefined,
): Promise<void> {
  const items = ruleItems(service, features, target);
  if (items.length === 0) {
    void showInformation(vscode.l10n.t('Nothing is allowed to run without asking.'));
    return;
  }
  const title = vscode.l10n.t('Remove rules; what they let run asks again');
  const restores: (() => Promise<void>)[] = [];
  for (const remove of await pickMany(items, title)) {
    const restore = await remove();
    if (restore) {
      restores.push(restore);
    }
  }
  const undo = vscode.l10n.t('Undo');
  const isUndone =
    restores.length > 0 &&
    (await showInformation(
      vscode.l10n.t('Removed approval rules: {0}. Their calls ask again.', restores.length),
      undo,
    )) === undo;
  for (const restore of isUndone ? restores : []) {
    await restore();
  }
}

type RemoveRule = () => Promise<(() => Promise<void>) | undefined>;

function ruleItems(
  service: McpService,
  { approvals, commands }: ToolFeatures,
  target: ToolTarget | undefined,
): readonly PickItem<RemoveRule>[] {
  const everywhere = vscode.l10n.t('in every folder');
  const now = Date.now();
  const facts = (rule: { readonly folderUri: string | undefined; readonly allowedAt: string }) => {
    const age = now - Date.parse(rule.allowedAt);
    return {
      description: folderPlace(service, rule, everywhere),
      ...(Number.isFinite(age) && {
        detail: vscode.l10n.t('Allowed {0}', formatAge(age, vscode.env.language)),
      }),
    };
  };
  const ofTools = approvals.all.filter(
    ({ scope, server, tool }) =>
      !target ||
      (scope === target.server.definition.scope &&
        server === target.server.definition.name &&
        tool === target.tool),
  );
  return [
    ...ofTools.map((allowed) => ({
      label: literal(`${allowed.server}/${allowed.tool}`),
      ...facts(allowed),
      picked: target !== undefined,
      value: () => approvals.removeRule(toolRule(allowed).id),
    })),
    ...(target ? [] : commands.all).map((allowed) => ({
      label: literal([...allowed.words, ...(allowed.isPrefix ? ['*'] : [])].join(' ')),
      ...facts(allowed),
      value: () => commands.removeRule(ruleOf(allowed).id),
    })),
  ];
}

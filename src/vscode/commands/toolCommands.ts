import * as vscode from 'vscode';
import type { AgentPanel } from '../../agent/panel/agentPanel.js';
import { listRules } from '../../agent/policy/listRules.js';
import type { ToolFeatures } from '../../agent/policy/toolFeatures.js';
import { switchPlace } from '../../agent/tools/toolOverview.js';
import { labelText } from '../../base/text/labelText.js';
import { nameToken } from '../../base/text/nameToken.js';
import { commandIds } from '../../contributions.js';
import type { SwitchPlace } from '../../mcp/catalog/records/toolSwitches.js';
import type { McpServer, McpService } from '../../mcp/mcpApi.js';
import { asTreeNode, originalName, serverOf, toolTarget } from '../../presentation/tree/targets.js';
import type { CommandHandlers } from '../commandHandlers.js';
import type { TextDocuments } from '../documents/textDocuments.js';
import { pickMany, pickOne } from '../prompts/picks/picks.js';
import { manageRules } from '../prompts/picks/rulePicker.js';
import { pickStatistics } from '../prompts/statisticsPicker.js';

export interface ToolCommandParts {
  readonly service: McpService;
  readonly documents: TextDocuments;
  readonly features: ToolFeatures;
  readonly agent: Pick<AgentPanel, 'allowedInConversations'>;
}

export function toolCommands(parts: ToolCommandParts): CommandHandlers {
  const { service, features, agent, documents } = parts;
  return {
    [commandIds.switchTool]: async (argument) => {
      const target = toolOf(service, argument);
      if (target) {
        await switchTool(service, features, target);
      }
    },
    [commandIds.revokeApprovals]: async (argument) => {
      const { allowedInConversations } = agent;
      await manageRules({
        service,
        rules: () => listRules(features, allowedInConversations),
        target: toolOf(service, argument),
      });
    },
    [commandIds.openSchema]: async (argument) => {
      const target = toolTarget(service, argument);
      if (target) {
        const { name, inputSchema, outputSchema } = target.tool;
        const schemas = outputSchema ? { inputSchema, outputSchema } : inputSchema;
        await documents.show(name, JSON.stringify(schemas, undefined, 2), 'json');
      }
    },
    [commandIds.copyName]: async (argument) => {
      const node = asTreeNode(argument);
      const server = node?.kind === 'server' ? serverOf(service, node) : undefined;
      const name = server ? server.definition.name : node && originalName(node);
      if (name !== undefined) {
        await vscode.env.clipboard.writeText(name);
      }
    },
    [commandIds.showToolStatistics]: () => pickStatistics(features.statistics),
  };
}

/** What the box of its row, or of its line on the page of its server, does. */
export async function setTool(
  { switches, setAside }: Pick<ToolFeatures, 'switches' | 'setAside'>,
  server: McpServer,
  tool: string,
  isOn: boolean,
): Promise<void> {
  const place = switchPlace(server, tool);
  setAside.restore(server.id, tool);
  await switches.set(place, switches.choiceFor(place, isOn));
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

type ToolSwitch = 'on' | 'off' | 'folders' | 'reset';

/** What the box of its row does, and what it cannot say. */
async function switchTool(
  service: McpService,
  features: ToolFeatures,
  target: ToolTarget,
): Promise<void> {
  const { switches } = features;
  const place = switchPlace(target.server, target.tool);
  const isOn = switches.isOn(place);
  const folders = service.pools.filter(({ folder }) => folder !== undefined);
  const isGlobal = place.folderUri === undefined;
  const choice = await pickOne<ToolSwitch>(
    [
      isOn
        ? { label: vscode.l10n.t('Disable'), value: 'off' }
        : { label: vscode.l10n.t('Enable'), value: 'on' },
      ...(isGlobal && folders.length > 0
        ? [{ label: vscode.l10n.t('Choose Folders…'), value: 'folders' } as const]
        : []),
      { label: vscode.l10n.t('As the configuration says'), value: 'reset' },
    ],
    { title: nameToken(target.tool) },
  );
  switch (choice) {
    case 'folders':
      return switchInFolder(service, features, target);
    case 'reset':
      return reset(service, features, target);
    default:
      return switches.set(place, choice);
  }
}

/** The third state of a global tool: off in some folders. */
async function switchInFolder(
  service: McpService,
  { switches }: ToolFeatures,
  { server, tool }: ToolTarget,
): Promise<void> {
  const folders = service.pools.flatMap(({ folder }) => folder ?? []);
  const places = folders.map((folder) => ({
    label: labelText(folder.name),
    value: { ...switchPlace(server, tool), folderUri: folder.uri },
  }));
  const items = places.map((item) => ({ ...item, picked: switches.isOn(item.value) }));
  const title = vscode.l10n.t('Used in these folders: {0}', nameToken(tool));
  const picked = await pickMany<SwitchPlace>(items, title);
  const isOnEverywhere = switches.isOn(switchPlace(server, tool));
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
  const place = switchPlace(server, tool);
  await switches.set(place, undefined);
  if (place.folderUri === undefined) {
    for (const { folder } of service.pools) {
      if (folder) {
        await switches.set({ ...place, folderUri: folder.uri }, undefined);
      }
    }
  }
}

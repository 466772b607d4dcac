import type * as vscode from 'vscode';
import type { ToolPolicy } from '../../agent/policy/toolPolicy.js';
import type { Disposable } from '../../base/disposable.js';
import { errorMessage } from '../../base/errors.js';
import { settingIds } from '../../contributions.js';
import { FolderGateways } from '../../gateway/folderGateways.js';
import { HandOvers } from '../../gateway/handOvers.js';
import type { LendingRules } from '../../gateway/lending/lentServers.js';
import type { McpService } from '../../mcp/mcpApi.js';
import { ClientChoices } from '../../mcp/otherClients/clientChoices.js';
import { DoubleStarts } from '../../mcp/otherClients/doubleStarts.js';
import type { HostEnvironment } from '../../platform/ports.js';
import type { LentCallConsent } from '../questions/lentCallConsent.js';
import { ConfigValue } from '../workspace/configValue.js';
import type { LogChannels } from '../workspace/logChannels.js';
import { createClientChoiceMemory, VsCodeClient } from './editorClient.js';
import { createHandOverMemory, type EditorServers } from './editorServers.js';
import { GatewayTerminals } from './gatewayTerminals.js';

export interface GatewayParts {
  readonly own: <T extends Disposable>(item: T) => T;
  readonly environment: HostEnvironment;
  readonly service: McpService;
  readonly version: string;
  readonly logs: LogChannels;
  /** What switches and the profile of the folder leave, for other programs as for the agent. */
  readonly offered: ToolPolicy['switches'];
  /** Of the calls of the agent, too. */
  readonly statistics: NonNullable<ToolPolicy['statistics']>;
  readonly consent: LentCallConsent;
  readonly editorServers: EditorServers;
  readonly context: Pick<
    vscode.ExtensionContext,
    'environmentVariableCollection' | 'workspaceState'
  >;
}

/** What lends servers to other programs; nothing is lent before the user starts it. */
export function createGateways(parts: GatewayParts) {
  const { own, service, version, logs, offered, statistics, consent, context } = parts;
  const { onDidChange } = offered;
  const rules = (folderUri: string): LendingRules => ({
    isToolLent: ({ definition }, tool) =>
      offered.isOn({ folderUri, server: definition.name, tool }),
    onDidChange,
  });
  const port = own(new ConfigValue(settingIds.gatewayPort));
  const gateways = own(
    new FolderGateways({
      service,
      version,
      approve: (call, signal) => consent.ask(call, signal),
      statistics,
      rules,
      port: () => port.value,
      onError: (error) => logs.main.log('warn', `The gateway: ${errorMessage(error)}`),
    }),
  );
  own(gateways.onDidEnd(() => consent.forget()));
  const memory = createHandOverMemory(context.workspaceState);
  const handOvers = own(
    new HandOvers({ service, gateways, rules, onDidChangeRules: onDidChange, memory }),
  );
  parts.editorServers.offer(handOvers);
  return {
    gateways,
    handOvers,
    ...createDoubleStarts(parts),
    terminals: own(new GatewayTerminals(context.environmentVariableCollection, gateways)),
  };
}

/** What other clients start of the same servers. */
function createDoubleStarts({ own, service, environment, context }: GatewayParts) {
  const clientChoices = new ClientChoices(createClientChoiceMemory(context.workspaceState));
  const editor = own(new VsCodeClient());
  const doubleStarts = own(
    new DoubleStarts({ service, environment, editor, choices: clientChoices }),
  );
  return { clientChoices, doubleStarts };
}

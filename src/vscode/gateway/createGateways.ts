import type * as vscode from 'vscode';
import type { ToolPolicy } from '../../agent/policy/toolPolicy.js';
import type { Disposable } from '../../base/disposable.js';
import { errorMessage } from '../../base/errors.js';
import { FolderGateways } from '../../gateway/folderGateways.js';
import type { McpService } from '../../mcp/mcpApi.js';
import type { LentCallConsent } from '../questions/lentCallConsent.js';
import type { LogChannels } from '../workspace/logChannels.js';
import { GatewayTerminals } from './gatewayTerminals.js';

export interface GatewayParts {
  readonly service: McpService;
  readonly version: string;
  readonly logs: LogChannels;
  /** What switches and the profile of the folder leave, for other programs as for the agent. */
  readonly offered: ToolPolicy['switches'];
  readonly consent: LentCallConsent;
  readonly variables: vscode.GlobalEnvironmentVariableCollection;
}

/** What lends servers to other programs; nothing is lent before the user starts it. */
export function createGateways(
  own: <T extends Disposable>(item: T) => T,
  { service, version, logs, offered, consent, variables }: GatewayParts,
) {
  const gateways = own(
    new FolderGateways({
      service,
      version,
      approve: (call, signal) => consent.ask(call, signal),
      rules: (folderUri) => ({
        isToolLent: ({ definition }, tool) =>
          offered.isOn({ folderUri, server: definition.name, tool }),
        onDidChange: offered.onDidChange,
      }),
      onError: (error) => logs.main.log('warn', `The gateway: ${errorMessage(error)}`),
    }),
  );
  own(gateways.onDidEnd(() => consent.forget()));
  return { gateways, terminals: own(new GatewayTerminals(variables, gateways)) };
}

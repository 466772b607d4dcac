import * as vscode from 'vscode';
import { commandIds } from '../../contributions.js';
import type { McpServer, McpService } from '../../mcp/mcpApi.js';
import { byUrgency } from '../../mcp/stateKinds.js';
import { serverOf } from '../../presentation/tree/targets.js';
import type { CommandHandlers } from '../commandHandlers.js';
import { pickItemsByPool, pickOne } from '../prompts/picks/picks.js';
import { serverItem } from '../prompts/picks/serverPicker.js';
import type { InspectorPanels } from './inspectorPanels.js';

export function inspectorCommands(service: McpService, panels: InspectorPanels): CommandHandlers {
  return {
    [commandIds.inspectServer]: async (argument) => {
      const server = serverOf(service, argument) ?? (await pickServer(service));
      await (server === 'recording' ? panels.openRecording() : panels.show(server));
    },
    [commandIds.openRecording]: () => panels.openRecording(),
  };
}

function pickServer(service: McpService): Promise<McpServer | 'recording'> {
  return pickOne<McpServer | 'recording'>(
    [
      ...pickItemsByPool(service, ({ servers }) => byUrgency(servers).map(serverItem)),
      { label: '', kind: vscode.QuickPickItemKind.Separator },
      { label: vscode.l10n.t('Open Recording…'), alwaysShow: true, value: 'recording' },
    ],
    { title: vscode.l10n.t('Inspect Server') },
  );
}

import * as vscode from 'vscode';
import { commandIds } from '../../contributions.js';
import type { McpService } from '../../mcp/mcpApi.js';
import type { CommandHandlers } from '../commandHandlers.js';
import { chooseServer } from '../prompts/picks/serverPicker.js';
import type { InspectorPanels } from './inspectorPanels.js';

export function inspectorCommands(service: McpService, panels: InspectorPanels): CommandHandlers {
  return {
    [commandIds.inspectServer]: async (argument) => {
      await panels.show(
        await chooseServer(service, argument, {
          title: vscode.l10n.t('Inspect Server'),
          emptyMessage: vscode.l10n.t('No MCP server is configured.'),
        }),
      );
    },
    [commandIds.openRecording]: () => panels.openRecording(),
  };
}

import * as vscode from 'vscode';
import { nameToken } from '../../base/text/nameToken.js';
import type { InputStore } from '../../config/inputs/inputStore.js';
import { commandIds } from '../../contributions.js';
import type { McpServer, McpService } from '../../mcp/mcpApi.js';
import { isBlocked } from '../../mcp/stateKinds.js';
import { type FixWindow, performFix } from '../../presentation/fixes/performFix.js';
import { shellLine } from '../../presentation/runTool/shellWords.js';
import type { CommandHandlers } from '../commandHandlers.js';
import { chooseServer } from '../prompts/picks/serverPicker.js';
import { serverName } from '../workspace/serverName.js';

export interface FixServerParts {
  readonly service: McpService;
  readonly inputs: InputStore;
}

export function fixServerCommands({ service, inputs }: FixServerParts): CommandHandlers {
  return {
    [commandIds.fixServer]: async (argument) => {
      const server = await chooseServer(service, argument, {
        title: vscode.l10n.t('Servers'),
      });
      await performFix(server, { service, inputs, window: fixWindow });
    },
  };
}

const fixWindow: FixWindow = {
  run: async (command, ...args) => {
    await vscode.commands.executeCommand(command, ...args);
  },
  openTerminal,
  openUrl: async (url) => {
    await vscode.env.openExternal(vscode.Uri.parse(url, true));
  },
  openFolder: async () => {
    await vscode.commands.executeCommand('workbench.action.files.openFolder');
  },
  askUrl: async (proposed) =>
    vscode.window.showInputBox({
      title: vscode.l10n.t('URL'),
      prompt: vscode.l10n.t('The server redirects here. Use it only if you trust it.'),
      value: proposed,
      ignoreFocusOut: true,
    }),
  askValue: async (name) =>
    vscode.window.showInputBox({
      title: nameToken(name),
      prompt: vscode.l10n.t('Stored securely, never in the file.'),
      password: true,
      ignoreFocusOut: true,
    }),
};

/** Its command as the entry has it, which runs when the user presses Enter. */
function openTerminal(server: McpServer): void {
  const { launch, folder } = server.definition;
  if (launch?.kind !== 'stdio' || isBlocked(server.state.value)) {
    return;
  }
  const shell = process.platform === 'win32' ? 'windows' : 'posix';
  const line = shellLine([launch.command, ...launch.args], shell);
  const terminal = vscode.window.createTerminal({
    name: serverName(server.definition),
    cwd: folder?.fsPath,
  });
  terminal.show();
  // POSIX quotes hold a line break, at which the terminal would run what stands before it
  terminal.sendText(line.replace(/[\r\n]/g, ' '), false);
}

import * as vscode from 'vscode';
import { type CommandId, commandIds } from '../../contributions.js';
import type { McpServer, McpService } from '../../mcp/mcpApi.js';
import type { McpServerState } from '../../mcp/mcpTypes.js';
import { stateAction, stateRemedy, stateSentence } from '../../mcp/stateText.js';
import { toolCount } from '../../presentation/tree/presentation.js';
import { serverOf } from '../../presentation/tree/targets.js';
import { showInformation, showWarning } from '../notifications.js';
import type { InputPrompter } from '../prompts/inputPrompter.js';
import { pickServer } from '../prompts/serverPicker.js';
import type { TrustPrompter } from '../prompts/trustPrompter.js';
import type { CommandHandlers } from '../registerCommand.js';
import { abortOnCancel } from '../workspace/abortOnCancel.js';

export interface ServerCommandParts {
  readonly service: McpService;
  readonly prompter: TrustPrompter;
  readonly inputs: Pick<InputPrompter, 'askAgain'>;
}

export function serverCommands(parts: ServerCommandParts): CommandHandlers {
  const { service } = parts;
  return {
    [commandIds.probeServer]: async (argument) => {
      const server =
        serverOf(service, argument) ??
        (await pickServer(service, {
          title: vscode.l10n.t('Probe Server'),
          emptyMessage: vscode.l10n.t('No MCP server is configured.'),
        }));
      await probe(server, parts);
    },
    [commandIds.stopServer]: async (argument) => {
      const server =
        serverOf(service, argument) ??
        (await pickServer(service, {
          title: vscode.l10n.t('Stop Server'),
          emptyMessage: vscode.l10n.t('No MCP server is running.'),
          accepts: isRunning,
        }));
      await server.stop();
    },
    [commandIds.enableServer]: (argument) => setEnabled(service, argument, true),
    [commandIds.disableServer]: (argument) => setEnabled(service, argument, false),
    [commandIds.removeServer]: async (argument) => {
      const server =
        serverOf(service, argument) ??
        (await pickServer(service, {
          title: vscode.l10n.t('Remove Server'),
          emptyMessage: vscode.l10n.t('No MCP server is configured.'),
        }));
      await remove(service, server);
    },
    [commandIds.refresh]: () => service.reload(),
  };
}

/** Connects afresh and says how it went; leads through consent first where that is what is missing. */
async function probe(server: McpServer, parts: ServerCommandParts): Promise<void> {
  const before = server.state.value;
  if (before.kind === 'trust_required') {
    const { folder } = server.definition;
    if (folder) {
      await parts.prompter.review([folder]);
    }
    if (server.state.value.kind === 'trust_required') {
      return;
    }
  }
  // the user wants it now: a question that was dismissed before may come back
  parts.inputs.askAgain(server.definition.poolId);
  const state = await vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: vscode.l10n.t('Probing MCP server "{0}"', server.definition.name),
      cancellable: true,
    },
    (_progress, token) => abortOnCancel(token, (signal) => server.restart(signal)),
  );
  await showProbeResult(server, state);
}

async function showProbeResult(server: McpServer, state: McpServerState): Promise<void> {
  const { name } = server.definition;
  if (state.kind === 'connected') {
    const seconds = (state.connectMs / 1000).toFixed(1);
    const tools = toolCount(server.catalog.value.tools.length);
    void showInformation(
      vscode.l10n.t('MCP server "{0}" works: {1}, connected in {2} s.', name, tools, seconds),
    );
    return;
  }
  const next = nextStep(state);
  const text = [stateSentence(state), stateRemedy(state)].filter((part) => part !== undefined);
  const choice = await showWarning(
    vscode.l10n.t('MCP server "{0}": {1}', name, text.join(' ')),
    ...(next ? [next.title] : []),
  );
  if (choice !== undefined && choice === next?.title) {
    await vscode.commands.executeCommand(next.command, server.id);
  }
}

function nextStep(state: McpServerState): { title: string; command: CommandId } | undefined {
  switch (stateAction(state)) {
    case 'enable':
      // the switch of the whole file is not this server's
      return state.kind === 'disabled' && state.by === 'server'
        ? { title: vscode.l10n.t('Enable'), command: commandIds.enableServer }
        : { title: vscode.l10n.t('Open Configuration'), command: commandIds.openConfiguration };
    case 'signIn':
      return { title: vscode.l10n.t('Sign In'), command: commandIds.signIn };
    case 'openFile':
      return { title: vscode.l10n.t('Open Configuration'), command: commandIds.openConfiguration };
    case 'trust':
    case 'manageWorkspaceTrust':
      return { title: vscode.l10n.t('Review…'), command: commandIds.reviewServers };
    default:
      return { title: vscode.l10n.t('Show Log'), command: commandIds.showLog };
  }
}

async function setEnabled(
  service: McpService,
  argument: unknown,
  isEnabled: boolean,
): Promise<void> {
  const server =
    serverOf(service, argument) ??
    (await pickServer(service, {
      title: isEnabled ? vscode.l10n.t('Enable Server') : vscode.l10n.t('Disable Server'),
      emptyMessage: isEnabled
        ? vscode.l10n.t('No MCP server is switched off.')
        : vscode.l10n.t('No MCP server is switched on.'),
      accepts: (candidate) => candidate.definition.enabled !== isEnabled,
    }));
  await service.configuration.setEnabled(server.id, isEnabled);
}

async function remove(service: McpService, server: McpServer): Promise<void> {
  const { name, origin } = server.definition;
  const confirm = vscode.l10n.t('Remove');
  const choice = await showWarning(
    vscode.l10n.t('Remove the MCP server "{0}"?', name),
    {
      modal: true,
      detail: vscode.l10n.t('Its entry is deleted from {0}, and it is stopped.', origin.path),
    },
    confirm,
  );
  if (choice === confirm) {
    await service.configuration.remove(server.id);
  }
}

function isRunning(server: McpServer): boolean {
  const { kind } = server.state.value;
  return kind === 'connected' || kind === 'connecting';
}

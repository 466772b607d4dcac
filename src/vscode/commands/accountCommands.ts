import * as vscode from 'vscode';
import { commandIds, viewIds } from '../../contributions.js';
import type { McpServer, McpService } from '../../mcp/mcpApi.js';
import { usesAccount } from '../../mcp/oauth/authorizations.js';
import { pickServer } from '../prompts/serverPicker.js';
import type { CommandHandlers } from './registerCommand.js';
import { serverOf } from './targets.js';

/** Signing in to servers, and out again. */
export function accountCommands(service: McpService): CommandHandlers {
  const target = async (argument: unknown, title: string): Promise<McpServer> =>
    serverOf(service, argument) ??
    (await pickServer(service, {
      title,
      emptyMessage: vscode.l10n.t('No MCP server is used with an account.'),
      accepts: ({ definition }) => usesAccount(definition.launch),
    }));
  return {
    [commandIds.signIn]: async (argument) => {
      const server = await target(argument, vscode.l10n.t('Sign In'));
      await vscode.window.withProgress({ location: { viewId: viewIds.servers } }, () =>
        service.accounts.signIn(server.id),
      );
    },
    [commandIds.signOut]: async (argument) => {
      const server = await target(argument, vscode.l10n.t('Sign Out'));
      await service.accounts.signOut(server.id);
      void vscode.window.showInformationMessage(
        vscode.l10n.t('You are signed out of MCP server "{0}".', server.definition.name),
      );
    },
    [commandIds.forgetClient]: async (argument) => {
      const server = await target(argument, vscode.l10n.t('Forget Client'));
      await forgetClient(service, server);
    },
  };
}

async function forgetClient(service: McpService, server: McpServer): Promise<void> {
  const forget = vscode.l10n.t('Forget');
  const choice = await vscode.window.showWarningMessage(
    vscode.l10n.t('Forget the client of MCP server "{0}"?', server.definition.name),
    {
      modal: true,
      detail: vscode.l10n.t(
        'Tokens and the registration of this client are deleted. The next sign-in registers a new one.',
      ),
    },
    forget,
  );
  if (choice === forget) {
    await service.accounts.forgetClient(server.id);
  }
}

import * as vscode from 'vscode';
import { commandIds, viewIds } from '../../contributions.js';
import { usesAccount } from '../../mcp/accountUse.js';
import type { McpServer, McpService } from '../../mcp/mcpApi.js';
import type { CommandHandlers } from '../commandHandlers.js';
import { confirm, showInformation } from '../notifications.js';
import { chooseServer } from '../prompts/picks/serverPicker.js';
import { serverName } from '../workspace/serverName.js';

/** Signing in to servers, and out again. */
export function accountCommands(service: McpService): CommandHandlers {
  const { accounts } = service;
  return {
    [commandIds.signIn]: async (argument) => {
      const server = await chooseServer(service, argument, {
        title: vscode.l10n.t('Sign In'),
        emptyMessage: vscode.l10n.t('No MCP server is used with an account.'),
        accepts: ({ definition }) => usesAccount(definition.launch),
      });
      await vscode.window.withProgress({ location: { viewId: viewIds.servers } }, () =>
        accounts.signIn(server.id),
      );
    },
    [commandIds.signOut]: async (argument) => {
      const server = await chooseServer(service, argument, {
        title: vscode.l10n.t('Sign Out'),
        emptyMessage: vscode.l10n.t('You are not signed in to any MCP server.'),
        accepts: ({ id }) => accounts.stored(id).hasTokens,
      });
      await accounts.signOut(server.id);
      void showInformation(
        vscode.l10n.t('You are signed out of this MCP server: {0}', serverName(server.definition)),
      );
    },
    [commandIds.forgetClient]: async (argument) => {
      const server = await chooseServer(service, argument, {
        title: vscode.l10n.t('Forget Client'),
        emptyMessage: vscode.l10n.t('No MCP server knows this client.'),
        accepts: ({ id }) => accounts.stored(id).hasTokens || accounts.stored(id).hasClient,
      });
      await forgetClient(service, server);
    },
  };
}

async function forgetClient(service: McpService, server: McpServer): Promise<void> {
  const isWanted = await confirm(
    vscode.l10n.t('Forget the client of this MCP server? {0}', serverName(server.definition)),
    {
      action: vscode.l10n.t('Forget'),
      detail: vscode.l10n.t(
        'Tokens and the registration of this client are deleted. The next sign-in registers a new one.',
      ),
    },
  );
  if (isWanted) {
    await service.accounts.forgetClient(server.id);
    void showInformation(
      vscode.l10n.t(
        'The client of this MCP server is forgotten: {0}',
        serverName(server.definition),
      ),
    );
  }
}

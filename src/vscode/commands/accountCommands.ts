import * as vscode from 'vscode';
import { CancellationError } from '../../base/async/cancellation.js';
import { nameToken } from '../../base/text/nameToken.js';
import { commandIds, viewIds } from '../../contributions.js';
import { accountNameProblem, usesAccount } from '../../mcp/accountUse.js';
import type { McpServer, McpService } from '../../mcp/mcpApi.js';
import { accountLabel } from '../../presentation/server/accountLabel.js';
import type { CommandHandlers } from '../commandHandlers.js';
import { showInformation } from '../notifications.js';
import { pickOne } from '../prompts/picks/picks.js';
import { chooseServer } from '../prompts/picks/serverPicker.js';
import { serverName } from '../workspace/serverName.js';

/** Signing in to servers, and out again. */
export function accountCommands(service: McpService): CommandHandlers {
  const { accounts } = service;
  return {
    [commandIds.signIn]: async (argument) => {
      const server = await chooseServer(service, argument, {
        title: vscode.l10n.t('Sign In'),
        accepts: ({ definition }) => usesAccount(definition.launch),
      });
      await vscode.window.withProgress({ location: { viewId: viewIds.servers } }, () =>
        accounts.signIn(server.id),
      );
    },
    [commandIds.useAccount]: async (argument) => {
      const server = await chooseServer(service, argument, {
        title: vscode.l10n.t('Account'),
        accepts: ({ definition }) => usesAccount(definition.launch),
      });
      await accounts.use(server.id, await chooseAccount(service, server));
      if (!accounts.stored(server.id).hasTokens) {
        await accounts.signIn(server.id);
      }
    },
    [commandIds.signOut]: async (argument) => {
      const isKnown = ({ id }: McpServer) =>
        accounts.stored(id).hasTokens || accounts.stored(id).hasClient;
      const server = await chooseServer(service, argument, {
        title: vscode.l10n.t('Sign Out'),
        accepts: isKnown,
      });
      if ((await askHow(service, server)) === 'forget') {
        await accounts.forgetClient(server.id);
      } else {
        await accounts.signOut(server.id);
      }
      void showInformation(
        vscode.l10n.t('You are signed out of this MCP server: {0}', serverName(server.definition)),
      );
    },
  };
}

/** @returns the name; `undefined` for the account without one. */
async function chooseAccount(
  { accounts }: McpService,
  { id, definition }: McpServer,
): Promise<string | undefined> {
  const { name: used, names } = accounts.stored(id);
  const items = [undefined, ...names].map((name) => ({
    label: accountLabel(name),
    description: name === used ? vscode.l10n.t('current') : '',
    value: { name },
  }));
  const added = { label: vscode.l10n.t('New Account…'), value: { name: '' } };
  const title = nameToken(definition.name);
  const { name } = await pickOne<{ readonly name: string | undefined }>([...items, added], {
    title,
  });
  return name === '' ? await askName(title) : name;
}

async function askName(title: string): Promise<string> {
  const name = await vscode.window.showInputBox({
    title,
    prompt: vscode.l10n.t('A name to tell this account from your others, such as "work"'),
    validateInput: (text) => accountNameProblem(text)?.message,
  });
  if (name === undefined) {
    throw new CancellationError();
  }
  return name;
}

/** Asks only where this client is registered at the server. */
async function askHow(
  { accounts }: McpService,
  { id, definition }: McpServer,
): Promise<'signOut' | 'forget'> {
  const { hasTokens, hasClient } = accounts.stored(id);
  if (!hasClient) {
    return 'signOut';
  }
  return pickOne<'signOut' | 'forget'>(
    [
      ...(hasTokens
        ? [
            {
              label: vscode.l10n.t('Sign Out'),
              value: 'signOut',
            } as const,
          ]
        : []),
      {
        label: vscode.l10n.t('Forget Client'),
        detail: vscode.l10n.t(
          'Tokens and the registration of this client are deleted. The next sign-in registers a new one.',
        ),
        value: 'forget',
      },
    ],
    { title: nameToken(definition.name) },
  );
}

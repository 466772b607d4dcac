/** What follows `/mcp`. */
import * as l10n from '@vscode/l10n';
import { nameToken } from '../../../base/text/nameToken.js';
import { nearest } from '../../../base/text/nearest.js';
import { type CommandId, commandIds } from '../../../contributions.js';
import type { McpServer } from '../../../mcp/mcpApi.js';
import { stateText } from '../../../mcp/trouble/stateText.js';
import type { CommandAnswer } from '../../../protocol/agentProtocol.js';
import { serversAnswer, serverToolsAnswer, statesAnswer } from './answers.js';
import {
  type CommandParts,
  CommandRefused,
  type CommandValue,
  conversationOf,
  nothing,
  type PanelCommand,
  usableServers,
} from './panelCommand.js';

export const serverCommandTable: readonly PanelCommand[] = [
  {
    words: ['list'],
    describe: () => l10n.t('MCP Servers'),
    run: (parts) => serversAnswer(usableServers(parts)),
  },
  {
    words: ['status'],
    argument: { name: 'server', values: serverValues() },
    describe: () => l10n.t('Say how each server is, and what to do'),
    run: (parts, name) =>
      statesAnswer(name === '' ? usableServers(parts) : [findServer(parts, name, 'status')]),
  },
  {
    words: ['tools'],
    describe: () => l10n.t('Tools'),
    run: ({ panel }) => serverToolsAnswer(conversationOf(panel).choice.summary),
  },
  {
    words: ['reconnect', 'restart'],
    argument: { name: 'server', values: serverValues() },
    describe: () => l10n.t('Restart Server'),
    run: onServer('reconnect', commandIds.restartServer),
  },
  {
    words: ['on', 'enable'],
    argument: { name: 'server', values: serverValues((server) => !server.definition.enabled) },
    describe: () => l10n.t('Enable Server'),
    run: onServer('on', commandIds.enableServer),
  },
  {
    words: ['off', 'disable'],
    argument: { name: 'server', values: serverValues((server) => server.definition.enabled) },
    describe: () => l10n.t('Disable Server'),
    run: onServer('off', commandIds.disableServer),
  },
  {
    words: ['auth', 'login'],
    argument: { name: 'server', values: serverValues(isRemote) },
    describe: () => l10n.t('Sign In'),
    run: onServer('auth', commandIds.signIn),
  },
  {
    words: ['logout'],
    argument: { name: 'server', values: serverValues(isRemote) },
    describe: () => l10n.t('Sign Out'),
    run: onServer('logout', commandIds.signOut),
  },
  {
    words: ['review', 'trust'],
    describe: () => l10n.t('Review MCP Servers'),
    run: nothing(({ panel, editor }) =>
      editor.run(commandIds.reviewServers, panel.snapshot().state.folder?.uri),
    ),
  },
  {
    words: ['setup', 'edit'],
    describe: () => l10n.t('Add, change and remove servers on their page'),
    run: nothing(({ editor }) => editor.run(commandIds.configureServers)),
  },
];

/** Without a name, the command asks for the server. */
function onServer(word: string, command: CommandId): PanelCommand['run'] {
  return async (parts, name): Promise<CommandAnswer | undefined> => {
    const server = name === '' ? undefined : findServer(parts, name, word);
    await parts.editor.run(command, server?.id);
    const after = server && parts.service.getServer(server.id);
    return after && statesAnswer([after]);
  };
}

function findServer(parts: CommandParts, name: string, word: string): McpServer {
  const servers = usableServers(parts);
  const named = (text: string) => servers.filter(({ definition }) => definition.name === text);
  const found =
    named(name)[0] ??
    servers.find(({ definition }) => definition.name.toLowerCase() === name.toLowerCase());
  if (!found) {
    const names = servers.map(({ definition }) => definition.name);
    throw new CommandRefused(
      l10n.t('{0} does not know "{1}".', '/mcp', nameToken(name)),
      nearest(name, names).map((near) => `/mcp ${word} ${near}`),
    );
  }
  return found;
}

function serverValues(accepts: (server: McpServer) => boolean = () => true) {
  return (parts: CommandParts): readonly CommandValue[] =>
    usableServers(parts)
      .filter(accepts)
      .map(({ definition, state }) => ({
        value: definition.name,
        description: stateText(state.value).reason,
      }));
}

function isRemote({ definition }: McpServer): boolean {
  return definition.launch?.kind === 'http';
}

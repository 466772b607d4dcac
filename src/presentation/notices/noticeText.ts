import * as l10n from '@vscode/l10n';
import type { WorkspaceFolder } from '../../config/definition.js';
import { nameInWindow } from '../../config/nameInWindow.js';
import { type CommandId, commandIds } from '../../contributions.js';
import { usesAccount } from '../../mcp/accountUse.js';
import type { McpServer } from '../../mcp/mcpApi.js';
import { stateText } from '../../mcp/trouble/stateText.js';
import { troubleOf, troubleText } from '../../mcp/trouble/trouble.js';

export interface Notice {
  readonly text: string;
  /** The next step. */
  readonly action: {
    readonly title: string;
    readonly command: CommandId;
    /** The server that it is about. */
    readonly argument: string;
  };
}

const maxNames = 5;

/**
 * `undefined` without servers.
 * @param folders of the window
 */
export function noticeOf(
  servers: readonly McpServer[],
  folders: readonly Pick<WorkspaceFolder, 'name'>[],
): Notice | undefined {
  const [first] = servers;
  if (!first) {
    return undefined;
  }
  return {
    text: servers.length === 1 ? textOf(first, folders) : textOfMany(servers, folders),
    action: servers.length === 1 ? stepFor(first) : show(first),
  };
}

type Folders = Parameters<typeof noticeOf>[1];

function textOf({ definition, state }: McpServer, folders: Folders): string {
  const trouble = troubleOf(state.value);
  const said = trouble ? troubleText(trouble) : stateText(state.value).sentence;
  return l10n.t('{0} MCP server: {1}', said, nameInWindow(definition, folders));
}

function textOfMany(servers: readonly McpServer[], folders: Folders): string {
  const names = servers
    .slice(0, maxNames)
    .map(({ definition }) => nameInWindow(definition, folders));
  const more = servers.length - names.length;
  const listed = names.join(', ') + (more > 0 ? ` (+${more})` : '');
  return l10n.t('{0} MCP servers stopped working: {1}', servers.length, listed);
}

function stepFor(server: McpServer): Notice['action'] {
  const { definition, id, state } = server;
  return state.value.kind === 'needs_auth' && usesAccount(definition.launch)
    ? { title: l10n.t('Sign In'), command: commandIds.signIn, argument: id }
    : show(server);
}

/** Its row has the cause and what can be done. */
function show({ id }: McpServer): Notice['action'] {
  return { title: l10n.t('Show'), command: commandIds.revealServer, argument: id };
}

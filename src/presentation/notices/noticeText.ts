import * as l10n from '@vscode/l10n';
import { showText } from '../../base/text/showText.js';
import { type CommandId, commandIds } from '../../contributions.js';
import type { McpServer } from '../../mcp/mcpApi.js';
import { usesAccount } from '../../mcp/oauth/authorizations.js';
import { stateText } from '../../mcp/stateText.js';

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

/** `undefined` without servers. */
export function noticeOf(servers: readonly McpServer[]): Notice | undefined {
  const [first] = servers;
  if (!first) {
    return undefined;
  }
  return {
    text: servers.length === 1 ? textOf(first) : textOfMany(servers),
    action: servers.length === 1 ? stepFor(first) : show(first),
  };
}

function textOf({ definition, state }: McpServer): string {
  const { sentence, remedy } = stateText(state.value);
  const said = [sentence, remedy].filter((part) => part !== undefined).join(' ');
  return l10n.t('MCP server "{0}": {1}', showText(definition.name), said);
}

function textOfMany(servers: readonly McpServer[]): string {
  const names = servers.slice(0, maxNames).map(({ definition }) => showText(definition.name));
  const more = servers.length - names.length;
  const listed = names.join(', ') + (more > 0 ? ` (+${more})` : '');
  return l10n.t('{0} MCP servers stopped working: {1}.', servers.length, listed);
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

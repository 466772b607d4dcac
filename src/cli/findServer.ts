import * as l10n from '@vscode/l10n';
import { HumanError } from '../base/errors.js';
import type { McpServer } from '../mcp/mcpApi.js';
import type { McpServerState } from '../mcp/mcpTypes.js';
import { oneLine } from './plainText.js';
import type { CliSession } from './session.js';

/**
 * A folder's server goes before a global one of its name, as for the agent, unless it may not run: then it must not
 * stand in the way of the user's.
 * @throws {HumanError} with code `usage`.
 */
export function findServer({ service, folderUri }: CliSession, name: string): McpServer {
  const all = service.servers;
  const named = [...service.serversFor(folderUri), ...all].filter(
    ({ definition }) => definition.name === name,
  );
  const server = named.find(({ state }) => !isHeldBack(state.value)) ?? named[0];
  if (!server) {
    throw new HumanError('usage', l10n.t('No server is named "{0}".', name), {
      remedy: l10n.t('Known servers: {0}.', all.map((s) => oneLine(s.definition.name)).join(', ')),
    });
  }
  return server;
}

function isHeldBack({ kind }: McpServerState): boolean {
  return kind === 'trust_required' || kind === 'disabled' || kind === 'invalid';
}

import type { McpServer } from '../mcp/mcpApi.js';
import { isBlocked } from '../mcp/stateKinds.js';
import { type CliSession, unknownOf } from './session.js';

/**
 * A folder's server goes before a global one of its name, as for the agent, unless it may not run: then it must not
 * stand in the way of the user's.
 * @throws {HumanError} with code `server_unknown`.
 */
export function findServer({ service, folderUri }: CliSession, name: string): McpServer {
  const named = service.serversFor(folderUri, name);
  const server = named.find(({ state }) => !isBlocked(state.value)) ?? named[0];
  if (!server) {
    throw unknownOf(name, service.servers);
  }
  return server;
}

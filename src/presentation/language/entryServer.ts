import { globalPoolId, type McpPoolId, serverId } from '../../config/definition.js';
import type { ParsedEntry } from '../../config/parse/configTypes.js';
import type { McpServer, McpService } from '../../mcp/mcpApi.js';

/** The server that an entry of the pool's files declares, or whose switches it sets. */
export function serverOfEntry(
  service: McpService,
  poolId: McpPoolId,
  { name, kind }: Pick<ParsedEntry, 'name' | 'kind'>,
): McpServer | undefined {
  const own = service.getServer(serverId(poolId, name));
  return own ?? (kind === 'overrides' ? service.getServer(serverId(globalPoolId, name)) : own);
}

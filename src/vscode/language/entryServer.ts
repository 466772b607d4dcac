import type { ParsedEntry } from '../../mcp/config/configTypes.js';
import type { McpServer, McpService } from '../../mcp/mcpApi.js';
import { globalPoolId, type McpPoolId, serverId } from '../../mcp/mcpTypes.js';

/** The server that an entry of the pool's files declares, or whose switches it sets. */
export function serverOfEntry(
  service: McpService,
  poolId: McpPoolId,
  { name, kind }: Pick<ParsedEntry, 'name' | 'kind'>,
): McpServer | undefined {
  const own = service.getServer(serverId(poolId, name));
  return own ?? (kind === 'overrides' ? service.getServer(serverId(globalPoolId, name)) : own);
}

import { globalPoolId } from '../config/definition.js';
import type { McpService } from '../mcp/mcpApi.js';
import type { PiMcpSettings } from './extensionApi.js';

/** The master switch, and how many servers are connected. */
export function apiSettings(service: McpService): PiMcpSettings {
  const states = service.servers.map((one) => one.state.value.kind);
  const global = service.getPool(globalPoolId);
  return {
    enabled: global?.isMasterDisabled !== true,
    connected: states.filter((kind) => kind === 'connected').length,
    total: states.filter((kind) => kind !== 'disabled').length,
  };
}

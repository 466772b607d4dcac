import type { McpServerDefinition } from '../../config/definition.js';
import { launchHash } from '../../config/launch/launchHash.js';
import type { McpServer } from '../mcpApi.js';
import type { McpTool } from '../mcpTypes.js';
import { callableTools } from './resourceTool.js';
import { pinTool } from './toolPin.js';

/**
 * Stays the same as long as the server is started or reached in the same way and says the same of the tool. No two tools
 * have the same key.
 */
export function toolKey({ id, definition }: Pick<McpServer, 'id' | 'definition'>, tool: McpTool) {
  return JSON.stringify([id, tool.name, pinTool(tool).fingerprint, launchKey(definition)]);
}

/** The key of what the server lists under the name now. */
export function currentToolKey(
  server: Pick<McpServer, 'id' | 'definition' | 'catalog'>,
  name: string,
): string | undefined {
  const tool = callableTools(server).find((one) => one.name === name);
  return tool && toolKey(server, tool);
}

/** Changes when the server is started or reached in another way. */
export function launchKey({ launch }: McpServerDefinition): string {
  return launch ? launchHash(launch) : '';
}

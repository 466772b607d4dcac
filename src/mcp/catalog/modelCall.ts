/** A call as a model makes it: what can be called, and what is read of the result. */
import type { JsonObject } from '../../base/json.js';
import type { McpCallOptions, McpServer } from '../mcpApi.js';
import type { McpToolResult } from '../mcpTypes.js';
import { callResourceTool, resourceTool } from './own/resourceTool.js';
import { callSkillTool, skillTool } from './own/skillTool.js';
import { type MappedToolResult, mapToolResult, maxCharactersOf } from './results/toolResult.js';
import { wantsToon, writeAsToon } from './results/toonResult.js';
import type { TokenCounter } from './tokens/tokenEstimate.js';

/** Calls a tool of the server, or what reads its resources or loads its skills. @throws as {@link McpServer.callTool}. */
export function callModelTool(
  server: McpServer,
  tool: string,
  args: JsonObject,
  options: McpCallOptions,
): Promise<McpToolResult> {
  if (skillTool(server)?.name === tool) {
    return callSkillTool(server, args, options);
  }
  return resourceTool(server)?.name === tool
    ? callResourceTool(server, args, options)
    : server.callTool(tool, args, options);
}

/** @param settings of the folder */
export async function resultForModel(
  result: McpToolResult,
  { definition }: Pick<McpServer, 'definition'>,
  { toonEncode, truncation }: JsonObject,
  countTokens: TokenCounter,
): Promise<MappedToolResult> {
  const isToon = wantsToon(toonEncode, definition.name);
  return mapToolResult(
    isToon ? writeAsToon(result, countTokens) : result,
    maxCharactersOf(truncation),
  );
}

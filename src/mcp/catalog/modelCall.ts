/** A call as a model makes it: what can be called, and what is read of the result. */
import * as l10n from '@vscode/l10n';
import { HumanError } from '../../base/errors.js';
import type { JsonObject } from '../../base/json.js';
import { quotedName } from '../../base/text/nameToken.js';
import { overrideFor } from '../../config/toolOverrides.js';
import type { McpCallOptions, McpServer } from '../mcpApi.js';
import type { McpToolResult } from '../mcpTypes.js';
import { callResourceTool, resourceTool } from './own/resourceTool.js';
import { callSkillTool, skillTool } from './own/skillTool.js';
import { type MappedToolResult, mapToolResult, maxCharactersOf } from './results/toolResult.js';
import { wantsToon, writeAsToon } from './results/toonResult.js';
import type { TokenCounter } from './tokens/tokenEstimate.js';

/**
 * Calls a tool of the server, or what reads its resources or loads its skills.
 * @throws {HumanError} for one that its entry hides; else as {@link McpServer.callTool}.
 */
export async function callModelTool(
  server: McpServer,
  tool: string,
  args: JsonObject,
  options: McpCallOptions,
): Promise<McpToolResult> {
  const { name, options: entry } = server.definition;
  if (overrideFor(entry.toolOverrides, tool)?.hidden) {
    throw new HumanError(
      'tool_hidden',
      l10n.t('The entry of server {0} hides tool {1}.', quotedName(name), quotedName(tool)),
      { remedy: l10n.t('Take "hidden" of the tool out of "toolOverrides".') },
    );
  }
  if (skillTool(server)?.name === tool) {
    return await callSkillTool(server, args, options);
  }
  if (resourceTool(server)?.name === tool) {
    return await callResourceTool(server, args, options);
  }
  return await server.callTool(tool, args, options);
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

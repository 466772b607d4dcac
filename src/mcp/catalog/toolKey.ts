import { createHash } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import { HumanError } from '../../base/errors.js';
import { isJsonObject, type JsonObject, stableStringify } from '../../base/json.js';
import { nameToken, quotedName } from '../../base/text/nameToken.js';
import { hashOf } from '../../config/launch/launchHash.js';
import type { McpServer } from '../mcpApi.js';
import type { McpTool } from '../mcpTypes.js';
import { callableTools } from './own/resourceTool.js';

/**
 * Stays the same as long as the server is started or reached in the same way and says the same of the tool. No two tools
 * have the same key.
 */
export function toolKey({ id, definition }: Pick<McpServer, 'id' | 'definition'>, tool: McpTool) {
  return JSON.stringify([id, tool.name, pinTool(tool).fingerprint, hashOf(definition)]);
}

/** The key of what the server lists under the name now. */
export function currentToolKey(
  server: Pick<McpServer, 'id' | 'definition' | 'catalog'>,
  name: string,
): string | undefined {
  const tool = callableTools(server).find((one) => one.name === name);
  return tool && toolKey(server, tool);
}

/** @throws {HumanError} when the server lists something else under the name than what has this key. */
export function assertSameTool(
  server: Pick<McpServer, 'id' | 'definition' | 'catalog'>,
  name: string,
  key: string,
): void {
  if (currentToolKey(server, name) !== key) {
    throw new HumanError(
      'tool_changed',
      l10n.t(
        'This tool of an MCP server changed after it was approved: {0} · {1}',
        quotedName(name),
        nameToken(server.definition.name),
      ),
      { remedy: l10n.t('Call it again, so that the user can decide about it as it is now.') },
    );
  }
}

export interface ToolPin {
  /** Of everything that decides what a model or a user believes about the tool. */
  readonly fingerprint: string;
  readonly definition: JsonObject;
}

/** Tools never change. */
const pins = new WeakMap<McpTool, ToolPin>();

export function pinTool(tool: McpTool): ToolPin {
  const known = pins.get(tool);
  if (known) {
    return known;
  }
  const { title, description, inputSchema, annotations } = tool;
  const definition = { title, description, inputSchema, annotations };
  const fingerprint = createHash('sha256').update(stableStringify(definition)).digest('hex');
  const pin = { fingerprint, definition };
  pins.set(tool, pin);
  return pin;
}

export function isToolPin(value: unknown): value is ToolPin {
  return (
    isJsonObject(value) && typeof value.fingerprint === 'string' && isJsonObject(value.definition)
  );
}

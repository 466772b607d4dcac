/** What a user saw of a tool when allowing it, so that a silent change can be noticed and shown. */
import { createHash } from 'node:crypto';
import { isJsonObject, type JsonObject, stableStringify } from '../../base/json.js';
import type { McpTool } from '../mcpTypes.js';

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

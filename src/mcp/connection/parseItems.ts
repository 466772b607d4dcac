import { isJsonObject, type JsonObject } from '../../base/json.js';
import type {
  McpPrompt,
  McpPromptArgument,
  McpResource,
  McpResourceContents,
  McpResourceTemplate,
  McpTool,
  McpToolAnnotations,
} from '../mcpTypes.js';

/** Parsers of single items, as lax as use allows. `undefined`: the item cannot be used. */

export function parseTool(item: unknown): McpTool | undefined {
  if (!isJsonObject(item) || !isName(item.name)) {
    return undefined;
  }
  const inputSchema = item.inputSchema ?? { type: 'object' };
  if (!isJsonObject(inputSchema)) {
    return undefined;
  }
  return {
    name: item.name,
    inputSchema,
    ...texts(item, ['title', 'description']),
    ...(isJsonObject(item.outputSchema) ? { outputSchema: item.outputSchema } : {}),
    ...(isJsonObject(item.annotations) ? { annotations: parseAnnotations(item.annotations) } : {}),
    ...parseTaskSupport(item.execution),
  };
}

export function parseResource(item: unknown): McpResource | undefined {
  if (!isJsonObject(item) || !isName(item.uri)) {
    return undefined;
  }
  return {
    uri: item.uri,
    name: isName(item.name) ? item.name : item.uri,
    ...texts(item, ['title', 'description', 'mimeType']),
    ...(typeof item.size === 'number' ? { size: item.size } : {}),
  };
}

export function parseResourceTemplate(item: unknown): McpResourceTemplate | undefined {
  if (!isJsonObject(item) || !isName(item.uriTemplate)) {
    return undefined;
  }
  return {
    uriTemplate: item.uriTemplate,
    name: isName(item.name) ? item.name : item.uriTemplate,
    ...texts(item, ['title', 'description', 'mimeType']),
  };
}

export function parsePrompt(item: unknown): McpPrompt | undefined {
  if (!isJsonObject(item) || !isName(item.name)) {
    return undefined;
  }
  const args = Array.isArray(item.arguments) ? item.arguments : [];
  return {
    name: item.name,
    ...texts(item, ['title', 'description']),
    arguments: args.map(parseArgument).filter((argument) => argument !== undefined),
  };
}

export function parseResourceContents(item: unknown): McpResourceContents | undefined {
  if (!isJsonObject(item) || !isName(item.uri)) {
    return undefined;
  }
  return { uri: item.uri, ...texts(item, ['mimeType', 'text', 'blob']) };
}

export function parsePromptMessage(
  item: unknown,
): { readonly role: 'user' | 'assistant'; readonly content: JsonObject } | undefined {
  if (!isJsonObject(item) || !isJsonObject(item.content)) {
    return undefined;
  }
  return { role: item.role === 'assistant' ? 'assistant' : 'user', content: item.content };
}

/** Blocks of any type pass, so that newer servers work; only what is no block at all does not. */
export function isContentBlock(item: unknown): item is JsonObject {
  return isJsonObject(item) && typeof item.type === 'string';
}

function parseArgument(item: unknown): McpPromptArgument | undefined {
  if (!isJsonObject(item) || !isName(item.name)) {
    return undefined;
  }
  return {
    name: item.name,
    ...texts(item, ['description']),
    ...(typeof item.required === 'boolean' ? { required: item.required } : {}),
  };
}

function parseTaskSupport(execution: unknown): Pick<McpTool, 'taskSupport'> {
  const taskSupport = isJsonObject(execution) ? execution.taskSupport : undefined;
  return taskSupport === 'optional' || taskSupport === 'required' ? { taskSupport } : {};
}

function parseAnnotations(item: JsonObject): McpToolAnnotations {
  const flags = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const;
  const known = flags.filter((flag) => typeof item[flag] === 'boolean');
  return { ...texts(item, ['title']), ...Object.fromEntries(known.map((key) => [key, item[key]])) };
}

function texts<K extends string>(item: JsonObject, keys: readonly K[]): { [key in K]?: string } {
  const result: { [key in K]?: string } = {};
  for (const key of keys) {
    const value = item[key];
    if (typeof value === 'string') {
      result[key] = value;
    }
  }
  return result;
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

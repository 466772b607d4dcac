import { asString, isDeeperThan, isJsonObject, type JsonObject } from '../../../base/json.js';
import type {
  McpCatalog,
  McpProgress,
  McpPrompt,
  McpPromptArgument,
  McpResource,
  McpResourceContents,
  McpResourceTemplate,
  McpTool,
  McpToolAnnotations,
} from '../../mcpTypes.js';
import { parseIcons } from './parseIcons.js';
import { parseAppNeeds, parseToolUi } from './parseUi.js';
import {
  cutText,
  maxArguments,
  maxDepth,
  maxDescriptionLength,
  maxNameLength,
  maxProgressLength,
  maxTitleLength,
  maxUriLength,
} from './serverBounds.js';

/** Parsers of single items, as lax as use allows. `undefined`: the item cannot be used. Long texts are cut. */

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
    outputSchema: isJsonObject(item.outputSchema) ? item.outputSchema : undefined,
    annotations: isJsonObject(item.annotations) ? parseAnnotations(item.annotations) : undefined,
    ...parseTaskSupport(item.execution),
    ...parseToolUi(item),
    ...parseIcons(item),
  };
}

export function parseResource(item: unknown): McpResource | undefined {
  if (!isJsonObject(item) || !isUri(item.uri)) {
    return undefined;
  }
  return {
    uri: item.uri,
    name: isName(item.name) ? item.name : item.uri,
    ...texts(item, ['title', 'description', 'mimeType']),
    size: typeof item.size === 'number' ? item.size : undefined,
    ...parseAppNeeds(item),
    ...parseIcons(item),
  };
}

export function parseResourceTemplate(item: unknown): McpResourceTemplate | undefined {
  if (!isJsonObject(item) || !isUri(item.uriTemplate)) {
    return undefined;
  }
  return {
    uriTemplate: item.uriTemplate,
    name: isName(item.name) ? item.name : item.uriTemplate,
    ...texts(item, ['title', 'description', 'mimeType']),
    ...parseIcons(item),
  };
}

export function parsePrompt(item: unknown): McpPrompt | undefined {
  if (!isJsonObject(item) || !isName(item.name)) {
    return undefined;
  }
  const args = Array.isArray(item.arguments) ? item.arguments.slice(0, maxArguments) : [];
  return {
    name: item.name,
    ...texts(item, ['title', 'description']),
    arguments: args.map(parseArgument).filter((argument) => argument !== undefined),
    ...parseIcons(item),
  };
}

export function parseResourceContents(item: unknown): McpResourceContents | undefined {
  if (!isJsonObject(item) || !isUri(item.uri)) {
    return undefined;
  }
  const { text, blob } = item;
  return {
    uri: item.uri,
    ...texts(item, ['mimeType']),
    text: asString(text),
    blob: asString(blob),
    ...parseAppNeeds(item),
  };
}

export function parsePromptMessage(
  item: unknown,
): { readonly role: 'user' | 'assistant'; readonly content: JsonObject } | undefined {
  if (!isJsonObject(item) || !isContentBlock(item.content)) {
    return undefined;
  }
  return { role: item.role === 'assistant' ? 'assistant' : 'user', content: item.content };
}

/** Blocks of any type pass, so that newer servers work; only what is no block at all or nested too deeply does not. */
export function isContentBlock(item: unknown): item is JsonObject {
  return isJsonObject(item) && typeof item.type === 'string' && !isDeeperThan(item, maxDepth);
}

function parseArgument(item: unknown): McpPromptArgument | undefined {
  if (!isJsonObject(item) || !isName(item.name)) {
    return undefined;
  }
  return {
    name: item.name,
    ...texts(item, ['title']),
    description:
      typeof item.description === 'string' ? cutText(item.description, maxTitleLength) : undefined,
    required: typeof item.required === 'boolean' ? item.required : undefined,
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
      const isShown = key !== 'description';
      result[key] = cutText(value, isShown ? maxTitleLength : maxDescriptionLength);
    }
  }
  return result;
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= maxNameLength;
}

function isUri(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= maxUriLength;
}

export function parseProgress(value: unknown): McpProgress | undefined {
  if (!isJsonObject(value) || typeof value.progress !== 'number') {
    return undefined;
  }
  const { progress, total, message } = value;
  return {
    progress,
    total: typeof total === 'number' ? total : undefined,
    message: typeof message === 'string' ? cutText(message, maxProgressLength) : undefined,
  };
}

type ServerInfo = NonNullable<McpCatalog['serverInfo']>;

/** Who the server says it is, without what else the SDK passes on. @param info in texts that `repairResponse` has cut */
export function serverInfoOf(
  info: (Omit<ServerInfo, 'icons'> & { readonly icons?: unknown }) | undefined,
): McpCatalog['serverInfo'] {
  return (
    info && {
      name: info.name,
      version: info.version,
      title: info.title,
      ...parseIcons({ icons: info.icons }),
    }
  );
}

/** How other programs write an entry, in the words of ours. */
import { isJsonObject, type JsonObject } from '../../base/json.js';
import type { ImportSource } from '../definition.js';

/**
 * @returns the same object where there is nothing to translate; `undefined` for what declares no server of its own, such
 * as the settings of an extension that brings one.
 */
export function toOwnWords(source: ImportSource, entry: JsonObject): JsonObject | undefined {
  switch (source) {
    case 'cline':
      return withTimeout(entry, 1000);
    case 'copilot':
      return withToolList(withTimeout(entry, 1));
    case 'gemini':
      return withBracedVariables(withAddress(withTimeout(entry, 1)));
    case 'zed':
      return ofZed(entry);
    default:
      return entry;
  }
}

/** @param unitMs milliseconds of the program's unit */
function withTimeout(entry: JsonObject, unitMs: number): JsonObject {
  const { timeout, ...rest } = entry;
  return typeof timeout === 'number' ? { requestTimeoutMs: timeout * unitMs, ...rest } : entry;
}

/** `tools`: those that are offered, or `*` for all. */
function withToolList(entry: JsonObject): JsonObject {
  const { tools, ...rest } = entry;
  if (!Array.isArray(tools)) {
    return entry;
  }
  return tools.includes('*') ? rest : { includeTools: tools, ...rest };
}

/** `httpUrl` speaks Streamable HTTP, `url` server-sent events. */
function withAddress(entry: JsonObject): JsonObject {
  const { httpUrl, ...rest } = entry;
  if (typeof httpUrl === 'string') {
    return { ...rest, type: 'http', url: httpUrl };
  }
  return typeof entry.url === 'string' ? { type: 'sse', ...entry } : entry;
}

/** `$NAME` is read as `${NAME}`. */
function withBracedVariables(value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, braced(item)]));
}

function braced(value: unknown): unknown {
  if (typeof value === 'string') {
    return value.replace(/\$([A-Za-z_]\w*)/g, (_whole, name: string) => `\${${name}}`);
  }
  if (Array.isArray(value)) {
    return value.map(braced);
  }
  return isJsonObject(value) ? withBracedVariables(value) : value;
}

/** Older files hold the program, its arguments and its environment in `command`. */
function ofZed(entry: JsonObject): JsonObject | undefined {
  const { source: _, settings: _2, command, ...rest } = entry;
  if (isJsonObject(command)) {
    const { path, ...others } = command;
    return { ...rest, ...others, command: path };
  }
  return command === undefined && rest.url === undefined
    ? undefined
    : { ...rest, ...(command === undefined ? {} : { command }) };
}

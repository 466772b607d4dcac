/** Reads what a call is about from its arguments. */
import { isJsonObject, type JsonObject } from '../../base/json.js';
import { showHidden } from '../../base/text/showHidden.js';
import type { CallWords } from '../../protocol/callWords.js';

/** Characters of JSON up to which values are shown. */
const maxLength = 20_000;
const maxValues = 40;

/**
 * `undefined` for what is better read as JSON: calls of other tools, and arguments that are odd, many or long.
 * Nothing in the texts hides or turns others.
 */
export function callWords(tool: string, args: unknown, isOfServer: boolean): CallWords | undefined {
  if (!isJsonObject(args) || JSON.stringify(args).length > maxLength) {
    return undefined;
  }
  return isOfServer ? valuesOf(args) : builtInWords(tool, args);
}

function valuesOf(args: JsonObject): CallWords | undefined {
  const values = Object.entries(args).map(([name, value]) => ({
    name: showHidden(name),
    text: showHidden(typeof value === 'string' ? value : JSON.stringify(value, undefined, 2)),
  }));
  return values.length > 0 && values.length <= maxValues ? { kind: 'values', values } : undefined;
}

function builtInWords(tool: string, args: JsonObject): CallWords | undefined {
  switch (tool) {
    case 'bash':
    case 'powershell':
      return commandWords(args);
    case 'read':
      return readWords(args);
    case 'ls':
      return { kind: 'list', path: textOf(args, 'path') ?? '.' };
    case 'grep':
    case 'find': {
      const pattern = textOf(args, 'pattern');
      const path = textOf(args, 'path');
      return pattern === undefined
        ? undefined
        : { kind: tool, pattern, ...(path !== undefined && { path }) };
    }
    case 'ToolSearch': {
      const query = textOf(args, 'query');
      return query === undefined ? undefined : { kind: 'tools', query };
    }
    default:
      return undefined;
  }
}

function commandWords(args: JsonObject): CallWords | undefined {
  const command = textOf(args, 'command');
  const timeout = numberOf(args, 'timeout');
  return command === undefined
    ? undefined
    : { kind: 'command', command, ...(timeout !== undefined && { timeout }) };
}

function readWords(args: JsonObject): CallWords | undefined {
  const path = textOf(args, 'path');
  if (path === undefined) {
    return undefined;
  }
  const limit = numberOf(args, 'limit');
  const from = numberOf(args, 'offset') ?? (limit === undefined ? undefined : 1);
  const to = from === undefined || limit === undefined ? undefined : from + limit - 1;
  const lines = from === undefined ? undefined : { from, ...(to !== undefined && { to }) };
  return { kind: 'read', path, ...(lines && { lines }) };
}

function textOf(args: JsonObject, name: string): string | undefined {
  const value = args[name];
  return typeof value === 'string' && value !== '' ? showHidden(value) : undefined;
}

function numberOf(args: JsonObject, name: string): number | undefined {
  const value = args[name];
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

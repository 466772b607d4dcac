/** How other programs write an entry, in the words of ours. */
import {
  asList,
  asObject,
  defined,
  isJsonObject,
  type JsonObject,
  mapTexts,
} from '../../base/json.js';
import type { ImportSource } from '../definition.js';
import type { ConfigPath } from './configTypes.js';

/**
 * @returns the same object where there is nothing to translate; `undefined` for what declares no server of its own, such
 * as the settings of an extension that brings one.
 */
export function toOwnWords(source: ImportSource, written: JsonObject): JsonObject | undefined {
  const entry = withKnownType(withFlatTransport(written));
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

/** `transportType`, and a `transport` that holds all of the launch, as Cline writes them. */
function withFlatTransport(entry: JsonObject): JsonObject {
  const { transport, transportType, ...rest } = entry;
  if (isJsonObject(transport)) {
    return { ...rest, ...transport };
  }
  const isKept = transport === undefined ? {} : { transport };
  return typeof transportType === 'string' ? { type: transportType, ...rest, ...isKept } : entry;
}

const typeNames: Readonly<Record<string, string>> = {
  http: 'http',
  https: 'http',
  httpstream: 'streamable-http',
  streamable: 'streamable-http',
  streamablehttp: 'streamable-http',
  sse: 'sse',
  stdio: 'stdio',
  local: 'local',
  command: 'stdio',
  remote: 'remote',
};

/** Programs differ in capitals and in what stands between the words. */
function withKnownType(entry: JsonObject): JsonObject {
  const { type } = entry;
  const bare = typeof type === 'string' ? type.toLowerCase().replace(/[\s_-]/g, '') : '';
  const known = Object.hasOwn(typeNames, bare) ? typeNames[bare] : undefined;
  const isUnderstood = type === undefined || type === known || type === 'streamableHttp';
  return isUnderstood || known === undefined ? entry : { ...entry, type: known };
}

/** Names of servers that the program keeps switched off beside its servers; `undefined`: it does not. */
export function switchedOff(
  source: ImportSource,
  root: JsonObject,
  block: ConfigPath = [],
): ((server: string) => boolean) | undefined {
  if (source === 'claude-code' && block.length > 1) {
    const { disabledMcpServers } = objectAt(root, block.slice(0, -1));
    return (server) => asList(disabledMcpServers).includes(server);
  }
  if (source === 'gemini') {
    const { allowed, excluded } = objectAt(root, ['mcp']);
    return (server) =>
      asList(excluded).includes(server) ||
      (Array.isArray(allowed) && allowed.length > 0 && !asList(allowed).includes(server));
  }
  return undefined;
}

function objectAt(root: JsonObject, path: ConfigPath): JsonObject {
  return path.reduce<JsonObject>((inner, step) => {
    const next = Object.hasOwn(inner, step) ? inner[step] : undefined;
    return asObject(next);
  }, root);
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
  const braced = (text: string) =>
    text.replace(/\$([A-Za-z_]\w*)/g, (_whole, name: string) => `\${${name}}`);
  return mapTexts(value, braced) as JsonObject;
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
    : { ...rest, ...defined({ command }) };
}

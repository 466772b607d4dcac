import * as l10n from '@vscode/l10n';
import { HumanError } from '../../base/errors.js';
import { asObject, defined, isJsonObject, type JsonObject } from '../../base/json.js';
import { toOwnEntry } from '../imports/importableServers.js';
import { jsonValueOf, parseJsonDocument } from '../parse/jsonDocument.js';
import { toInputs } from '../parse/parseConfig.js';
import { parseLocation } from '../parse/parseLocation.js';
import type { PastedServer } from './addedServer.js';
import { noServer } from './addedServer.js';
import { suggestServerName } from './serverName.js';

const blockNames = ['mcpServers', 'mcp-servers', 'servers', 'mcp'] as const;

/** @throws {HumanError} when the text is not JSON or holds no server. */
export function serversOfJson(text: string): readonly PastedServer[] {
  const root = readObject(text);
  const vscodeBlock = isJsonObject(root.mcp) && isJsonObject(root.mcp.servers) ? root.mcp : root;
  const key = blockNames.find((name) => isJsonObject(vscodeBlock[name]));
  if (!key && isJsonObject(root.context_servers)) {
    return serversOfClient(JSON.stringify(root), 'zed');
  }
  const block = key ? vscodeBlock[key] : vscodeBlock;
  if (isEntry(block)) {
    const entry = standardEntry(block);
    return [{ name: suggestServerName(entry), entry }];
  }
  const inputs = toInputs(vscodeBlock.inputs ?? root.inputs);
  const declared = inputs.length > 0 ? { declared: inputs } : {};
  const servers = Object.entries(asObject(block)).flatMap(([name, entry]) =>
    isEntry(entry) ? [{ name, entry: standardEntry(entry), ...declared }] : [],
  );
  return someOf(servers);
}

/** The servers of a text in the words of Codex or Zed, as they are taken over from its files. @throws {HumanError} */
export function serversOfClient(
  text: string,
  importSource: 'codex' | 'zed',
): readonly PastedServer[] {
  const place = { layer: 'import', path: 'TOML', isForeignFile: true, isPrimary: false } as const;
  const parsed = parseLocation(text, { ...place, importSource, block: ['context_servers'] });
  if (parsed.hasSyntaxError) {
    throw new HumanError('paste_syntax', parsed.problems[0]?.message ?? '', {
      remedy: l10n.t('Copy the part that describes the server.'),
    });
  }
  return someOf(
    parsed.entries.flatMap((one) => {
      const entry = toOwnEntry(one);
      return entry ? [{ name: one.name, entry }] : [];
    }),
  );
}

function someOf(servers: readonly PastedServer[]): readonly PastedServer[] {
  if (servers.length === 0) {
    throw noServer('paste_no_server');
  }
  return servers;
}

/** Documentation often shows `"name": { … }` without the braces around it, or with a comma behind it. */
function readObject(text: string): JsonObject {
  const bare = text.replace(/,\s*$/, '');
  const isFragment = bare.startsWith('"');
  const { root, error } = parseJsonDocument(isFragment ? `{${bare}}` : bare);
  if (error) {
    const at = Math.max(0, error.range.start - (isFragment ? 1 : 0));
    const column = at - bare.lastIndexOf('\n', at - 1);
    throw new HumanError(
      'paste_syntax',
      l10n.t('The JSON is broken in line {0}, column {1}: {2}.', error.line, column, error.reason),
      { remedy: l10n.t('Copy the part that describes the server.'), facts: { at } },
    );
  }
  const value: unknown = root && jsonValueOf(root);
  return asObject(value);
}

function isEntry(value: unknown): value is JsonObject {
  return (
    isJsonObject(value) &&
    (typeof value.url === 'string' ||
      typeof value.command === 'string' ||
      Array.isArray(value.command))
  );
}

/** What is no string stays readable; it is corrected where the entry is shown. */
function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** opencode's spelling in the words that every reader of `.mcp.json` understands; other fields stay. */
function standardEntry(entry: JsonObject): JsonObject {
  const { environment, type, command, ...rest } = entry;
  const [program, ...args] = Array.isArray(command) ? command.map(asText) : [command];
  const isForeignType = type === 'local' || type === 'remote';
  const own = isForeignType ? undefined : type;
  return {
    ...defined({
      type: type === 'remote' ? 'http' : own,
      command: program,
      args: Array.isArray(command) ? args : undefined,
      env: isJsonObject(environment) ? environment : undefined,
    }),
    ...rest,
  };
}

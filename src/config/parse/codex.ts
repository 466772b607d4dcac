/** Codex keeps its servers as TOML tables `[mcp_servers.<name>]` with names of its own for some fields. */
import * as l10n from '@vscode/l10n';
import { parse, TomlError } from 'smol-toml';
import { asObject, asTexts, isJsonObject, type JsonObject, mapValues } from '../../base/json.js';
import type { TextRange } from '../definition.js';
import { maxFolderFileLength } from './bounds.js';
import type { ParsedConfigFile, ParsedEntry } from './configTypes.js';
import { lineCounter, tooLongText } from './jsonDocument.js';
import { emptyFile, type ParseOptions, parseConfig } from './parseConfig.js';

/** Never throws. Problems of entries have no positions. */
export function parseCodexConfig(text: string, options: ParseOptions): ParsedConfigFile {
  const { path, maxLength = maxFolderFileLength } = options;
  if (text.length > maxLength) {
    const reason = tooLongText(maxLength);
    return broken(options, l10n.t('{0} has a syntax error in line {1}: {2}.', path, 1, reason));
  }
  let content: JsonObject;
  try {
    content = parse(text);
  } catch (error) {
    const line = error instanceof TomlError ? error.line : 1;
    return broken(options, l10n.t('{0} has a syntax error in line {1}.', path, line));
  }
  const mcp = mapValues(asObject(content.mcp_servers), (entry) =>
    isJsonObject(entry) ? toEntry(entry) : entry,
  );
  const json = JSON.stringify({ mcp });
  const parsed = parseConfig(json, { ...options, isForeignFile: true, block: ['mcp'] });
  const headers = headerRanges(text);
  const lineAt = lineCounter(text);
  return {
    ...parsed,
    entries: parsed.entries.map((entry) => withTomlPlace(entry, headers.get(entry.name), lineAt)),
  };
}

function toEntry(entry: JsonObject): JsonObject {
  const { env_http_headers, env_vars, startup_timeout_sec, tool_timeout_sec, ...rest } = entry;
  return {
    ...rest,
    ...merged('http_headers', rest.http_headers, references(env_http_headers)),
    ...merged('env', rest.env, forwarded(env_vars)),
    ...milliseconds('startupTimeoutMs', startup_timeout_sec),
    ...milliseconds('requestTimeoutMs', tool_timeout_sec),
  };
}

/** Header → name of the variable that holds its value. */
function references(value: unknown): JsonObject {
  return mapValues(asObject(value), (name) => `\${${String(name)}}`);
}

/** Names of variables that are passed on when they are set. */
function forwarded(value: unknown): JsonObject {
  return Object.fromEntries(asTexts(value).map((name) => [name, `\${${name}:-}`]));
}

function merged(name: string, written: unknown, added: JsonObject): JsonObject {
  if (Object.keys(added).length === 0) {
    return {};
  }
  return { [name]: isJsonObject(written) ? { ...added, ...written } : added };
}

function milliseconds(name: string, seconds: unknown): JsonObject {
  return typeof seconds === 'number' ? { [name]: seconds * 1000 } : {};
}

function withTomlPlace(
  entry: ParsedEntry,
  header: TextRange | undefined,
  lineAt: (offset: number) => number,
): ParsedEntry {
  const nameRange = header ?? { start: 0, end: 0 };
  return {
    ...entry,
    path: ['mcp_servers', entry.name],
    range: nameRange,
    nameRange,
    line: header && lineAt(header.start),
    // those of the text that it was read from say nothing of this file
    problems: entry.problems.map(({ range: _range, line: _line, ...problem }) => problem),
  };
}

const headerLine = /^[ \t]*\[mcp_servers\.(?:([\w-]+)|"([^"\n\\]*)"|'([^'\n]*)')\]/gm;

/** Of the names in the headers of tables, without their quotation marks. */
function headerRanges(text: string): ReadonlyMap<string, TextRange> {
  const ranges = new Map<string, TextRange>();
  for (const { 0: header, 1: bare, 2: quoted, 3: literal, index } of text.matchAll(headerLine)) {
    const name = bare ?? quoted ?? literal ?? '';
    const start = index + header.length - name.length - (bare === undefined ? 2 : 1);
    if (!ranges.has(name)) {
      ranges.set(name, { start, end: start + name.length });
    }
  }
  return ranges;
}

function broken(options: ParseOptions, message: string): ParsedConfigFile {
  const remedy = l10n.t('Correct the file; until then its last good state is used.');
  const problem = { code: 'syntax', severity: 'error', message, remedy } as const;
  return { ...emptyFile(options), hasSyntaxError: true, problems: [problem] };
}

import { isJsonObject } from '../../base/json.js';
import type { ImportSource } from '../definition.js';
import { maxLengthOf } from './bounds.js';
import { parseCodexConfig } from './codex.js';
import type { ConfigFileLocation } from './configLocations.js';
import type { ParsedConfigFile, ParsedEntry } from './configTypes.js';
import { switchedOff, toOwnWords } from './dialects.js';
import { jsonValueOf, parseJsonDocument } from './jsonDocument.js';
import { type ParseOptions, parseConfig, parseOwnFile } from './parseConfig.js';

/** Reads a file's text in the format of its location, those of other programs included. Never throws. */
export function parseLocation(text: string, location: ConfigFileLocation): ParsedConfigFile {
  const options = { ...location, maxLength: maxLengthOf(location) };
  const { importSource } = location;
  if (importSource === 'codex') {
    return parseCodexConfig(text, options);
  }
  const parsed = parseOwnFile(text, location);
  if (!importSource) {
    return parsed;
  }
  const entries = parsed.entries.flatMap((entry) => inOwnWords(entry, importSource, options));
  return { ...parsed, entries: withSwitches(entries, text, location) };
}

/** Some programs switch servers off in another place than where they stand. */
function withSwitches(
  entries: readonly ParsedEntry[],
  text: string,
  { importSource, block, folder }: ConfigFileLocation,
): readonly ParsedEntry[] {
  const isOfProject = importSource === 'claude-code' && block !== undefined && block.length > 1;
  const hasSwitches = isOfProject || importSource === 'gemini';
  if (!hasSwitches || entries.length === 0) {
    return entries;
  }
  const { root } = parseJsonDocument(text, maxLengthOf({ folder }));
  const content: unknown = root && jsonValueOf(root);
  const isOff = isJsonObject(content) ? switchedOff(importSource, content, block) : undefined;
  return isOff
    ? entries.map((entry) => (isOff(entry.name) ? { ...entry, enabled: false } : entry))
    : entries;
}

/** What a translated entry means; it stays where it is, and its problems are about all of it. */
function inOwnWords(
  entry: ParsedEntry,
  source: ImportSource,
  options: ParseOptions,
): readonly ParsedEntry[] {
  const { raw, name } = entry;
  const own = raw && toOwnWords(source, raw);
  if (!raw || own === raw) {
    return [entry];
  }
  if (!own) {
    return [];
  }
  const text = JSON.stringify({ mcp: Object.fromEntries([[name, own]]) });
  const { entries } = parseConfig(text, { ...options, isForeignFile: true, block: ['mcp'] });
  return entries.map(({ kind, launch, enabled, options: switches, problems }) => ({
    ...entry,
    kind,
    launch,
    enabled,
    options: switches,
    problems: problems.map((problem) => ({ ...problem, range: entry.nameRange })),
  }));
}

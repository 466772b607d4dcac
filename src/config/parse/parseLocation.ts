import type { ImportSource } from '../definition.js';
import { maxLengthOf } from './bounds.js';
import { parseCodexConfig } from './codex.js';
import type { ConfigFileLocation } from './configLocations.js';
import type { ParsedConfigFile, ParsedEntry } from './configTypes.js';
import { toOwnWords } from './dialects.js';
import { type ParseOptions, parseConfig, parseOwnFile } from './parseConfig.js';

/** Reads a file's text in the format of its location, those of other programs included. Never throws. */
export function parseLocation(text: string, location: ConfigFileLocation): ParsedConfigFile {
  const options = { ...location, maxLength: maxLengthOf(location) };
  const { importSource } = location;
  if (importSource === 'codex') {
    return parseCodexConfig(text, options);
  }
  const parsed = parseOwnFile(text, location);
  return importSource
    ? {
        ...parsed,
        entries: parsed.entries.flatMap((entry) => inOwnWords(entry, importSource, options)),
      }
    : parsed;
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

/** What Pi's tools `grep` and `find` do, by ripgrep. Its own versions download their programs, and let settings of the user lead a search through links. */
import { lstat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { asObject, type JsonObject } from '../../base/json.js';
import { listFiles, searchText } from '../../platform/process/ripgrep.js';
import type { PiTool, PiToolResult } from '../pi/piModule.js';

/** Bytes of a result. */
const maxBytes = 50 * 1024;
/** Files of a folder that a name is looked for among. */
const maxListed = 500_000;

type Search = (given: JsonObject, signal: AbortSignal | undefined) => Promise<PiToolResult>;

/** @param program absolute; ripgrep */
export function searches(program: string): Readonly<Record<'grep' | 'find', Search>> {
  return {
    grep: async (given, signal) => {
      const { folder, path } = await placeOf(given);
      const limit = countOf(given.limit, 100);
      const { lines, isCut } = await searchText(program, {
        folder,
        path,
        pattern: textOf(given.pattern) ?? '',
        isLiteral: given.literal === true,
        ignoresCase: given.ignoreCase === true,
        glob: textOf(given.glob),
        context: countOf(given.context, 0),
        limit,
        signal,
      });
      const shown = lines.map((one) =>
        one.isMatch
          ? `${one.path}:${one.line}: ${one.text}`
          : `${one.path}-${one.line}- ${one.text}`,
      );
      return resultOf(shown, isCut ? limit : undefined);
    },
    find: async (given, signal) => {
      const { folder } = await placeOf(given);
      const limit = countOf(given.limit, 1_000);
      const wanted = textOf(given.pattern) ?? '*';
      const included = /^(?:\/|\*\*\/)|^[^/]*$/.test(wanted) ? wanted : `**/${wanted}`;
      const common = { folder, excluded: ['**/node_modules'], limit: maxListed, signal };
      // a pattern by itself would bring back what ignore files leave out
      const seen = new Set(await listFiles(program, common));
      const fitting = await listFiles(program, { ...common, included });
      const found = fitting.filter((path) => seen.has(path)).sort();
      return resultOf(found.slice(0, limit), found.length > limit ? limit : undefined);
    },
  };
}

/** @param definition Pi's, which describes the tool */
export function withSearch(definition: object, search: Search): object {
  const execute: PiTool['execute'] = (_id, args, signal) => search(asObject(args), signal);
  return { ...definition, execute };
}

/** The place of a search: a folder, or one file of it. */
async function placeOf({ path }: JsonObject) {
  const place = String(path);
  const isFolder = (await lstat(place)).isDirectory();
  return isFolder
    ? { folder: place, path: '.' }
    : { folder: dirname(place), path: basename(place) };
}

/** @param reached a limit. For the model, so in English. */
function resultOf(lines: readonly string[], reached: number | undefined): PiToolResult {
  let bytes = 0;
  const fitting = lines.findIndex((line) => {
    bytes += Buffer.byteLength(line) + 1;
    return bytes > maxBytes;
  });
  const shown = fitting === -1 ? lines : lines.slice(0, fitting);
  const notes = [
    ...(shown.length < lines.length ? [`only the first ${maxBytes / 1024} KB`] : []),
    ...(reached === undefined
      ? []
      : [`only the first ${reached}: narrow the pattern, or ask for more by limit`]),
  ];
  const text = shown.length === 0 ? 'Nothing found.' : shown.join('\n');
  const note = notes.length === 0 ? '' : `\n\n[${notes.join('; ')}]`;
  return { content: [{ type: 'text', text: text + note }], details: undefined };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function countOf(value: unknown, standard: number): number {
  return typeof value === 'number' && value >= 0 ? Math.floor(Math.min(value, 100_000)) : standard;
}

/** Where the words of a line lead, found when a rule is matched: a link of the folder may lead anywhere by then. */
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { addAll } from '../../../base/lists.js';
import { pathInFolder } from '../../../platform/folderPath.js';
import type { ShellCommand, ShellWord } from './shellCommand.js';

/** `file`: also what is none, or not there. */
type WordPlace = 'outside' | 'folder' | 'file';

/** Of words as written; those that are not there were not looked up, and may lead anywhere. */
export type WordPlaces = ReadonlyMap<string, WordPlace>;

/** Files that one word may stand for, and folders from which a line may start. */
const maxFound = 1_000;
const maxStarts = 8;

/** Words that begin at the root or a home folder, also behind what names them (`host:/`, `a=~`), or go up. */
const leaving = /(?:^|[=:,])[/~]|(?:^|[/=:,])\.\.(?:[/=:,]|$)/;

/** Characters of a pattern whose meaning is plain; braces, quotes and variables have others. */
const plainPattern = /^[\w@%+=:,./*?[\]-]+$/;
const pattern = /[*?[\]]/;

/** Whatever it becomes, it names nothing outside of the folder in which the command runs, links aside. */
export function staysInside({ raw, value }: ShellWord): boolean {
  if (value !== undefined) {
    return !leaving.test(value);
  }
  // a pattern finds `..` only where it begins with a dot
  const segments = raw.split('/').filter((segment) => pattern.test(segment));
  return (
    plainPattern.test(raw) && !leaving.test(raw) && segments.every((one) => /^[\w*?@%+]/.test(one))
  );
}

/** @returns the folders, below that of the line, from which its commands may start; `undefined`: others, too. */
export function startsOf(commands: readonly ShellCommand[]): readonly string[] | undefined {
  let starts = [''];
  for (const command of commands.filter(isMove)) {
    const [to, ...others] = command.words.slice(1);
    if (!to?.value || others.length > 0) {
      return undefined;
    }
    const { value } = to;
    starts = [...starts, ...starts.map((start) => join(start, value))];
    if (starts.length > maxStarts) {
      return undefined;
    }
  }
  return starts;
}

/** What later words of the line are relative to changes. */
export function isMove({ words: [program] }: ShellCommand): boolean {
  return ['cd', 'chdir', 'pushd', 'popd'].includes(program?.value ?? '');
}

/** @param commands without what wraps them */
export async function findPlaces(
  commands: readonly ShellCommand[],
  folder: string,
): Promise<WordPlaces> {
  const starts = startsOf(commands);
  const places = new Map<string, WordPlace>();
  if (!starts) {
    return places;
  }
  for (const word of commands.flatMap(({ words }) => words.slice(1))) {
    if (!places.has(word.raw) && staysInside(word)) {
      places.set(word.raw, await placeOf(word, starts, folder));
    }
  }
  return places;
}

async function placeOf(
  word: ShellWord,
  starts: readonly string[],
  folder: string,
): Promise<WordPlace> {
  let found: WordPlace = 'file';
  for (const start of starts) {
    const paths =
      word.value === undefined ? await matches(start, word.raw, folder) : [join(start, word.value)];
    for (const path of paths ?? []) {
      const place = await pathInFolder(folder, path);
      if (place.kind === 'outside') {
        return 'outside';
      }
      found = (await isFolder(place.path)) ? 'folder' : found;
    }
    if (!paths) {
      return 'outside';
    }
  }
  return found;
}

/** At least what a shell finds; `undefined`: too many, or outside of the folder. */
async function matches(
  start: string,
  glob: string,
  folder: string,
): Promise<readonly string[] | undefined> {
  let paths = [start];
  for (const segment of glob.split('/')) {
    const next: string[] = [];
    for (const path of paths) {
      const names = pattern.test(segment) ? await namesIn(path, folder) : [segment];
      if (!names) {
        return undefined;
      }
      addAll(
        next,
        names.filter((name) => mayMatch(segment, name)).map((name) => join(path, name)),
      );
      if (next.length > maxFound) {
        return undefined;
      }
    }
    paths = next;
  }
  return paths;
}

async function namesIn(path: string, folder: string): Promise<readonly string[] | undefined> {
  const place = await pathInFolder(folder, path);
  return place.kind === 'inside' ? await readdir(place.path).catch(() => []) : undefined;
}

/** Every pattern of one character is read as `*`, and a segment with others as one that finds all. */
function mayMatch(segment: string, name: string): boolean {
  const [first = '', ...rest] = segment.split(/[*?]/);
  if (/[[\]]/.test(segment)) {
    return true;
  }
  if (rest.length === 0) {
    return name === segment;
  }
  const last = rest.at(-1) ?? '';
  let at = first.length;
  for (const part of rest.slice(0, -1)) {
    const found = name.indexOf(part, at);
    if (found === -1) {
      return false;
    }
    at = found + part.length;
  }
  return name.startsWith(first) && name.endsWith(last) && at + last.length <= name.length;
}

async function isFolder(path: string): Promise<boolean> {
  return await lstat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

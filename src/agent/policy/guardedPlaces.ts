/** Which files start something when they are written, by what is on the disk around them: links and repositories. */
import { lstat, readdir } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { isHumanError } from '../../base/errors.js';
import { readTextFile } from '../../platform/boundedFile.js';
import { isThere, pathInFolder } from '../../platform/folderPath.js';
import { realPath } from '../../platform/realPath.js';
import { isWithinAnyCase } from '../../platform/withinFolder.js';
import type { StartKind } from '../../protocol/tools/approvalRules.js';
import { changesStarts, folded, startedBy } from './guardedPaths.js';

/** What would be written. */
export interface PlacedWrite {
  /** Absolute, as it was named. */
  readonly written: string;
  /** Absolute and free of links. */
  readonly path: string;
  /** Whole; `undefined`: not known. */
  readonly texts?: { readonly before: string | undefined; readonly after: string } | undefined;
}

/** Folders on the way to a file that are looked at: all of them, or it may start anything. */
const maxFolders = 500;
/** Files of a configuration of git that name each other. */
const maxIncludes = 8;
const maxConfigBytes = 1024 * 1024;
const tooLarge = Symbol('too large');

/** What would read the file and start what it says; `undefined`: nothing. @param folder of the conversation */
export async function startedByWrite(
  folder: string,
  { written, path, texts }: PlacedWrite,
): Promise<StartKind | undefined> {
  const root = await realPath(resolve(folder));
  const named = [
    ...(isWithinAnyCase(resolve(folder), written)
      ? [startedBy(relative(resolve(folder), written))]
      : []),
    isWithinAnyCase(root, path) ? startedBy(relative(root, path)) : startedBy(path, true),
  ].find((kind) => kind !== undefined);
  if (named) {
    return named;
  }
  if ([written, path].some((one) => changesStarts(one, texts?.before, texts?.after ?? ''))) {
    return 'install';
  }
  const above = foldersAbove(path);
  if (above.length > maxFolders) {
    return 'dotted';
  }
  const inside = above.filter((one) => isWithinAnyCase(root, one));
  return (await startedByRepository(path, above)) ?? (await startedByLink(root, path, inside));
}

/** A link with a guarded name that leads to the file, or to a folder of it, in a folder that is above the file. */
async function startedByLink(
  root: string,
  path: string,
  folders: readonly string[],
): Promise<StartKind | undefined> {
  for (const folder of folders) {
    for (const { name, isLink, isFolder } of await entriesOf(folder)) {
      if (!isLink && !isFolder) {
        continue;
      }
      const entry = join(folder, name);
      const kind = startedBy(relative(root, entry));
      if (kind === undefined || kind === 'dotted') {
        continue;
      }
      const links = isLink ? [entry] : await linksIn(entry);
      for (const link of links) {
        const target = await pathInFolder(root, link);
        if (target.kind === 'inside' && isWithinAnyCase(target.path, path)) {
          return kind;
        }
      }
    }
  }
  return undefined;
}

/** Of a guarded folder, and of the folder of hooks in it. */
async function linksIn(folder: string): Promise<readonly string[]> {
  const places = [folder, join(folder, 'hooks')];
  const found = await Promise.all(
    places.map(async (place) =>
      (await entriesOf(place)).flatMap(({ name, isLink }) => (isLink ? [join(place, name)] : [])),
    ),
  );
  return found.flat();
}

/** The file is of a folder of git by another name, makes a folder one, or is named by the configuration of one. */
async function startedByRepository(
  path: string,
  folders: readonly string[],
): Promise<StartKind | undefined> {
  for (const folder of folders) {
    const next = folded(relative(folder, path).split(sep)[0] ?? '');
    if (await isGitFolder(folder, next)) {
      return 'git';
    }
    const gitFolder = await gitFolderOf(folder);
    if (gitFolder === undefined) {
      continue;
    }
    if (isWithinAnyCase(gitFolder, path)) {
      return 'git';
    }
    const commons = await textOf(join(gitFolder, 'commondir'));
    const common = resolve(gitFolder, commons === tooLarge ? '' : (commons?.trim() ?? ''));
    const files = [common, gitFolder].flatMap((one) => [
      join(one, 'config'),
      join(one, 'config.worktree'),
    ]);
    const paths = await pathsNamedIn([...new Set(files)], folder);
    if (!paths || commons === tooLarge) {
      return 'gitNamed';
    }
    for (const named of paths) {
      if (named !== folder && isWithinAnyCase(named, path) && !isWithinAnyCase(named, folder)) {
        return 'gitNamed';
      }
    }
  }
  return undefined;
}

/** By what git itself goes by. @param next what the write puts into the folder */
async function isGitFolder(folder: string, next: string): Promise<boolean> {
  if (next !== 'head' && !(await isThere(join(folder, 'HEAD')))) {
    return false;
  }
  const names = (await entriesOf(folder)).map(({ name }) => folded(name));
  const has = (name: string) => name === next || names.includes(name);
  return has('head') && (has('commondir') || (has('objects') && has('refs')));
}

/** Of a worktree, wherever it is. */
async function gitFolderOf(folder: string): Promise<string | undefined> {
  const path = join(folder, '.git');
  const stats = await lstat(path).catch(() => undefined);
  if (!stats || stats.isDirectory()) {
    return stats && path;
  }
  const text = stats.isFile() ? await textOf(path) : undefined;
  // git refuses one that is too large
  const named = text === tooLarge ? undefined : /^gitdir: *(.+)/.exec(text ?? '')?.[1]?.trim();
  return await realPath(named === undefined ? path : resolve(folder, named));
}

/** Keys whose values are never paths. */
const plainKeys = new Set(
  ['remote', 'pushremote', 'merge', 'fetch', 'push', 'defaultbranch', 'name', 'email'].concat([
    'pushdefault',
    'rebase',
    'default',
    'description',
  ]),
);

/**
 * All that values of a configuration could mean by a path: what is a program, and what a word, git decides key by key.
 * `undefined`: it is too large to be read, or too much is included, so that it could name any file.
 */
async function pathsNamedIn(
  files: readonly string[],
  worktree: string,
): Promise<ReadonlySet<string> | undefined> {
  const found = new Set<string>();
  const left = [...files];
  const read = new Set<string>();
  for (let file = left.shift(); file !== undefined; file = left.shift()) {
    if (read.has(file)) {
      continue;
    }
    const text = await textOf(file);
    if (text === tooLarge || read.size >= maxIncludes) {
      return undefined;
    }
    read.add(file);
    for (const [key, value] of settingsIn(text ?? '')) {
      for (const word of plainKeys.has(key) ? [] : wordsOf(value)) {
        found.add(resolve(worktree, word));
        if (key === 'path') {
          const included = resolve(dirname(file), word);
          found.add(included);
          // what is outside is the user's own
          left.push(...(isWithinAnyCase(worktree, included) ? [included] : []));
        }
      }
    }
  }
  return found;
}

function settingsIn(text: string): readonly (readonly [key: string, value: string])[] {
  const lines = text.replace(/\\\r?\n/g, '').split(/\r?\n/);
  return lines.flatMap((line) => {
    const at = line.indexOf('=');
    const key = line.slice(0, at).replace(/^.*\]/, '').trim().toLowerCase();
    return at === -1 || /^[#;]/.test(key) ? [] : [[key, line.slice(at + 1)] as const];
  });
}

function wordsOf(value: string): readonly string[] {
  return value.split(/[\s"'`;|&()<>=!]+/).filter((word) => word !== '');
}

/** From the nearest to the root. */
function foldersAbove(path: string): readonly string[] {
  const folder = dirname(path);
  return folder === dirname(folder) ? [folder] : [folder, ...foldersAbove(folder)];
}

interface Entry {
  readonly name: string;
  readonly isLink: boolean;
  readonly isFolder: boolean;
}

async function entriesOf(folder: string): Promise<readonly Entry[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.map((entry) => ({
    name: entry.name,
    isLink: entry.isSymbolicLink(),
    isFolder: entry.isDirectory(),
  }));
}

/** `undefined`: there is none that can be read. */
async function textOf(path: string): Promise<string | typeof tooLarge | undefined> {
  return await readTextFile(path, maxConfigBytes).catch((error: unknown) =>
    isHumanError(error) && error.code === 'file_too_large' ? tooLarge : undefined,
  );
}

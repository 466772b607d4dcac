/** Pi extensions that a trusted folder brings along, as they would run. Reading them runs nothing. */
import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join, posix, relative, sep } from 'node:path';
import { asObject, asTexts, parseJsonObject } from '../../base/json.js';
import { addAll } from '../../base/lists.js';
import type { FolderFiles } from './folderFiles.js';

export interface FolderExtensions {
  /** Every file that could run, sorted by its path in the folder. */
  readonly files: readonly { readonly path: string; readonly text: string }[];
  /** Paths of those that Pi begins with. */
  readonly entries: readonly string[];
  /** Changes with any of the texts. */
  readonly hash: string;
}

/** More than somebody reads before they agree. */
const maxFiles = 30;

const root = '.pi/extensions';
const programs = /\.(?:[cm]?[jt]s|json)$/;

/** `undefined`: there are none, or too many to be shown. */
export async function readFolderExtensions(
  folder: FolderFiles,
  cwd: string,
): Promise<FolderExtensions | undefined> {
  const paths = await filesBelow(folder, cwd, join(cwd, root), 0);
  if (paths.length === 0 || paths.length > maxFiles) {
    return undefined;
  }
  const texts = await Promise.all(
    paths.map(async (path) => ({
      path: relative(cwd, path).split(sep).join('/'),
      text: await folder.read(cwd, path),
    })),
  );
  const files = texts.flatMap(({ path, text }) => (text === undefined ? [] : [{ path, text }]));
  const entries = entriesOf(files);
  const hash = createHash('sha256').update(JSON.stringify(files)).digest('hex');
  return entries.length === 0 ? undefined : { files, entries, hash };
}

/**
 * Writes the very texts that were consented to where no repository reaches them.
 * @returns the path of each entry
 */
export async function copyExtensions(
  { files, entries, hash }: FolderExtensions,
  directory: string,
): Promise<ReadonlyMap</* in the folder */ string, /* absolute */ string>> {
  const target = join(directory, hash);
  for (const { path, text } of files) {
    await mkdir(dirname(join(target, path)), { recursive: true, mode: 0o700 });
    await writeFile(join(target, path), text, { mode: 0o600 });
  }
  return new Map(entries.map((entry) => [entry, join(target, entry)]));
}

async function filesBelow(
  folder: FolderFiles,
  cwd: string,
  directory: string,
  depth: number,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { path, isDirectory } of await folder.list(cwd, directory)) {
    if (isDirectory && basename(path) !== 'node_modules' && depth < 4) {
      addAll(found, await filesBelow(folder, cwd, path, depth + 1));
    } else if (!isDirectory && programs.test(path)) {
      found.push(path);
    }
  }
  return found;
}

/** As Pi looks for them: files, and of a folder what its package.json names, or its index. */
function entriesOf(files: FolderExtensions['files']): readonly string[] {
  const known = new Map(files.map(({ path, text }) => [path, text]));
  const children = new Set(files.map(({ path }) => path.split('/').slice(0, 3).join('/')));
  return [...children].flatMap((child) => {
    if (known.has(child)) {
      return /\.[jt]s$/.test(child) ? [child] : [];
    }
    const named = namedIn(known.get(`${child}/package.json`))
      .map((name) => posix.join(child, name))
      .filter((path) => known.has(path));
    const index = ['index.ts', 'index.js']
      .map((name) => `${child}/${name}`)
      .find((path) => known.has(path));
    return named.length > 0 ? named : index === undefined ? [] : [index];
  });
}

function namedIn(text: string | undefined): readonly string[] {
  // the author of a broken one sees that it does not load
  return asTexts(asObject(parseJsonObject(text ?? '')?.pi).extensions);
}

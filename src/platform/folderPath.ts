/** Where the paths of a workspace folder lead, found link by link without touching anything outside of the folder. */
import { lstat, readlink, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve, sep } from 'node:path';
import * as l10n from '@vscode/l10n';
import { HumanError } from '../base/errors.js';
import { realPath } from './realPath.js';

export type FolderPath =
  /** Free of links; there may be nothing at it. */
  | { readonly kind: 'inside'; readonly path: string }
  | {
      readonly kind: 'outside';
      /** The link that leaves the folder; `undefined`: the path itself does. */
      readonly link: string | undefined;
      /** Where it leads to, as written. */
      readonly target: string;
    };

// as many as Linux follows
const maxLinks = 40;
const isWindows = process.platform === 'win32';

/**
 * A path that a repository names must not make us look elsewhere: a look at a network share or at an automatic mount
 * already tells somebody something, and may hang.
 * @param folder the workspace folder; links on the way to it are the user's.
 * @param path absolute, or relative to the folder.
 */
export async function pathInFolder(folder: string, path: string): Promise<FolderPath> {
  const written = resolve(folder);
  const root = await realPath(written);
  const parts = isAbsolute(path) ? partsBelow([written, root], path) : partsOf(path);
  return parts ? followInside([written, root], parts) : outside(undefined, path);
}

/**
 * The real path of a file of the folder.
 * @throws {HumanError} that names the link through which the path leaves the folder.
 */
export async function realPathInFolder(folder: string, path: string): Promise<string> {
  const found = await pathInFolder(folder, path);
  if (found.kind === 'inside') {
    return found.path;
  }
  throw new HumanError(
    'leaves_folder',
    l10n.t('{0} leads out of the folder, to {1}.', found.link ?? path, found.target),
    { remedy: l10n.t('Put a copy of the file in place of the link.') },
  );
}

/** Whether a folder is there, links followed. */
export async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    // not there, or in a folder that may not be read
    return false;
  }
}

/** Whether something is there, and be it a link that leads nowhere. */
export async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

async function followInside(
  roots: readonly [written: string, real: string],
  parts: readonly string[],
): Promise<FolderPath> {
  const [, root] = roots;
  let left = [...parts];
  let current = root;
  let lastLink: string | undefined;
  let links = 0;
  for (let part = left.shift(); part !== undefined; part = left.shift()) {
    if (part === '..' && current !== root) {
      current = dirname(current);
      continue;
    }
    const next = join(current, part);
    // a colon names a drive or a stream on Windows
    if (part === '..' || (isWindows && part.includes(':'))) {
      return outside(lastLink, join(next, ...left));
    }
    const target = await linkTarget(next);
    if (target === undefined) {
      current = next;
      continue;
    }
    const below = isAbsolute(target) ? partsBelow(roots, target) : partsOf(target);
    if (!below || ++links > maxLinks) {
      return outside(next, target);
    }
    lastLink = next;
    current = isAbsolute(target) ? root : current;
    left = [...below, ...left];
  }
  return { kind: 'inside', path: current };
}

function outside(link: string | undefined, target: string): FolderPath {
  return { kind: 'outside', link, target };
}

/** `undefined`: there is no link. */
async function linkTarget(path: string): Promise<string | undefined> {
  try {
    return (await lstat(path)).isSymbolicLink() ? await readlink(path) : undefined;
  } catch {
    // not there, or in a folder that may not be read
    return undefined;
  }
}

/** What follows one of the roots; `undefined`: the path does not begin with one. */
function partsBelow(roots: readonly string[], path: string): readonly string[] | undefined {
  for (const root of roots) {
    const start = root.endsWith(sep) ? root : root + sep;
    if (comparable(path) === comparable(root) || comparable(path).startsWith(comparable(start))) {
      return partsOf(path.slice(root.length));
    }
  }
  return undefined;
}

function partsOf(path: string): readonly string[] {
  return path.split(isWindows ? /[/\\]/ : '/').filter((part) => part !== '' && part !== '.');
}

function comparable(path: string): string {
  return isWindows ? path.toLowerCase().replaceAll('/', '\\') : path;
}

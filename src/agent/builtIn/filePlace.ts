/** Where a path that a model names leads in the end. */
import { homedir } from 'node:os';
import { parse, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pathInFolder } from '../../platform/folderPath.js';
import { pathOnDisk } from '../../platform/realPath.js';
import type { StartKind } from '../../protocol/tools/approvalRules.js';

export interface FilePlace {
  /** Absolute, free of links, and as the disk writes it; there may be nothing at it. */
  readonly path: string;
  readonly isInside: boolean;
  /** The path as written goes through a link, so that it reads as another place. */
  readonly isLinked: boolean;
}

/** A place that a call may touch. */
export interface ApprovedPlace extends FilePlace {
  /** That what is written there starts something was said. */
  readonly starts?: StartKind;
}

export interface FileBoundary {
  readonly folder: string;
  /** False: nothing outside of the folder is looked up, not even whether it exists. */
  readonly mayLookOutside: boolean;
}

/** @param path as {@link readPath} returns it */
export async function locate(
  { folder, mayLookOutside }: FileBoundary,
  path: string,
): Promise<FilePlace> {
  const found = await pathInFolder(folder, path);
  if (found.kind === 'inside') {
    const root = await pathInFolder(folder, folder);
    const below = relative(folder, path);
    const plain = root.kind === 'inside' ? resolve(root.path, below) : path;
    const isLinked = found.path !== plain && found.path !== path;
    return { path: await pathOnDisk(found.path), isInside: true, isLinked };
  }
  if (!mayLookOutside) {
    return { path: resolve(folder, found.target), isInside: false, isLinked: false };
  }
  const anywhere = await pathInFolder(parse(path).root, path);
  const real = anywhere.kind === 'inside' ? anywhere.path : resolve(anywhere.target);
  return { path: await pathOnDisk(real), isInside: false, isLinked: real !== path };
}

/** The absolute path that Pi's tools make of what a model wrote. @throws for a file URL that is none */
export function readPath({ folder }: FileBoundary, written: string): string {
  const text = written.replace(/[\u00A0\u2000-\u200A\u202F\u205F\u3000]/g, ' ').replace(/^@/, '');
  if (text === '~' || text.startsWith('~/') || text.startsWith(`~${sep}`)) {
    return resolve(homedir(), text.slice(2));
  }
  return resolve(folder, text.startsWith('file://') ? fileURLToPath(text) : text);
}

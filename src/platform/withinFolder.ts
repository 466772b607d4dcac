import { isAbsolute, relative, sep } from 'node:path';

/** The path is the folder, or below it. Compares absolute paths as texts: nothing is looked up, links are not followed. */
export function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return !isAbsolute(way) && way.split(sep)[0] !== '..';
}

/** As {@link isWithin}, for a file system that makes no difference between cases. */
export function isWithinAnyCase(folder: string, path: string): boolean {
  return isWithin(folder.toLowerCase(), path.toLowerCase());
}

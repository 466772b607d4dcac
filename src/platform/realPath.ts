/** Where links lead. */
import { realpathSync } from 'node:fs';
import { realpath } from 'node:fs/promises';

/** The path itself where that is not known: nothing is there, or it may not be seen. */
export function realPath(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}

/** {@link realPath} for what must be answered at once. */
export function realPathNow(path: string): string {
  try {
    // the other one keeps the letters of the path as they are written, where either case names one file
    return realpathSync.native(path);
  } catch {
    // deleted, or not to be seen
    return path;
  }
}

/**
 * The path in the letters that the disk has for it, where letters of either case name one file; links stay as written. It
 * is the path itself where nothing is there. Never rejects.
 */
export async function pathOnDisk(
  path: string,
  platform: NodeJS.Platform = process.platform,
  find: (path: string) => Promise<string> = realPath,
): Promise<string> {
  if (platform !== 'win32' && platform !== 'darwin') {
    return path;
  }
  const real = await find(path).catch(() => path);
  return real.toLowerCase() === path.toLowerCase() ? real : path;
}

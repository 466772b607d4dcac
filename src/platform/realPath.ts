/** Where links lead. */
import { realpathSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { basename, dirname, join, posix, win32 } from 'node:path';

/** The path itself where that is not known: nothing is there, or it may not be seen. */
export function realPath(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}

/** {@link realPath} at once. Where nothing is there, what is nearest above it counts. */
export function realPathNow(path: string): string {
  try {
    // the other one keeps the letters of the path as they are written, where either case names one file
    return realpathSync.native(path);
  } catch {
    // deleted, or not to be seen
    const parent = dirname(path);
    return parent === path ? path : join(realPathNow(parent), basename(path));
  }
}

/**
 * The path in the letters that the disk has for it, where letters of either case name one file; links stay as written, as
 * does what is not there. Never rejects.
 */
export async function pathOnDisk(
  path: string,
  platform: NodeJS.Platform = process.platform,
  find: (path: string) => Promise<string> = (one) => realpath(one),
): Promise<string> {
  if (platform !== 'win32' && platform !== 'darwin') {
    return path;
  }
  const real = await find(path).catch(() => undefined);
  if (real !== undefined) {
    return real.toLowerCase() === path.toLowerCase() ? real : path;
  }
  const api = platform === 'win32' ? win32 : posix;
  const parent = api.dirname(path);
  return parent === path
    ? path
    : api.join(await pathOnDisk(parent, platform, find), api.basename(path));
}

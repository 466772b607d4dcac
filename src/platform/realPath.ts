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
    return realpathSync(path);
  } catch {
    // deleted, or not to be seen
    return path;
  }
}

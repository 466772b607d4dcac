import { readdirSync, rmdirSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';

const limitMs = 60_000;

/**
 * Takes the lock of a file from whoever holds it, as a process that waited ten seconds for one that stands still. Looks in
 * every turn of the event loop, since the moment may be short. @param isTime default: as soon as it is held
 */
export async function takeLock(lock: string, isTime: () => boolean = () => true): Promise<void> {
  const deadline = performance.now() + limitMs;
  while (!(isTime() && isTaken(lock))) {
    if (performance.now() > deadline) {
      throw new Error(`Nobody held ${lock}`);
    }
    await new Promise(setImmediate);
  }
}

function isTaken(lock: string): boolean {
  try {
    for (const holder of readdirSync(lock)) {
      unlinkSync(join(lock, holder));
    }
    rmdirSync(lock);
    return true;
  } catch {
    // not held yet, or no more
    return false;
  }
}

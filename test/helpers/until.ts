/** Looks again and again; how long it may take is the test's own limit. For what tells nobody that it has changed. */
import { setTimeout as pause } from 'node:timers/promises';

const lookMs = 5;

export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) {
    await pause(lookMs);
  }
}

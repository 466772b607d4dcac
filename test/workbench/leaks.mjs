// @ts-check
/** Finds processes that a test suite left behind. */
import { readdirSync, readFileSync } from 'node:fs';

/**
 * Processes whose environment names a suite's own temporary folder. Children inherit it through HOME and TMPDIR, also
 * detached ones whose parent is gone. Needs /proc; elsewhere nothing is found.
 * @param {string} suiteDir
 */
export function findLeaks(suiteDir) {
  return listPids().flatMap((pid) => {
    try {
      const environment = readFileSync(`/proc/${pid}/environ`, 'utf8');
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
      return environment.includes(suiteDir) && command ? [{ pid, command }] : [];
    } catch {
      // ended meanwhile, or somebody else's
      return [];
    }
  });
}

function listPids() {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
      .filter((pid) => pid !== process.pid);
  } catch {
    // no /proc on this system
    return [];
  }
}

/**
 * Ends what {@link findLeaks} found.
 * @param {readonly { pid: number }[]} leaks
 */
export function killLeaks(leaks) {
  for (const { pid } of leaks) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // ended meanwhile
    }
  }
}

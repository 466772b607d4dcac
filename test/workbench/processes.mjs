// @ts-check
/** Finds processes by the temporary folder that they were given. */
import { readdirSync, readFileSync } from 'node:fs';

/**
 * Processes whose environment names a folder, as that of every child does whose HOME or TMPDIR is in there; also of
 * detached ones whose parent is gone. Needs /proc; elsewhere nothing is found.
 * @param {string} dir
 */
export function findProcesses(dir) {
  return listPids().flatMap((pid) => {
    try {
      const environment = readFileSync(`/proc/${pid}/environ`, 'utf8');
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
      return environment.includes(dir) && command ? [{ pid, command }] : [];
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
 * @param {readonly { pid: number }[]} processes
 */
export function killProcesses(processes) {
  for (const { pid } of processes) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // ended meanwhile
    }
  }
}

import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { nextTurn } from '../../base/nextTurn.js';
import { readTextFileSync } from '../boundedFile.js';

/** A process that cannot be mistaken for a later one of the same pid. */
export interface ProcessIdentity {
  readonly pid: number;
  /** When it started, in the platform's own words. */
  readonly start: string;
}

/** What Linux says about one process; the numbers as its documentation counts them, from 1. */
export interface ProcStat {
  readonly pid: number;
  readonly state: string;
  readonly parent: number;
  readonly group: number;
  readonly start: string;
  readonly rssPages: number;
}

/** What is read at once before others get their turn. */
const procBatch = 64;

/** Every process that Linux knows, zombies left out; empty where there is no /proc. Never rejects. */
export async function readProcStats(): Promise<readonly ProcStat[]> {
  const names = listProc();
  const stats: ProcStat[] = [];
  for (const [index, name] of names.filter((item) => /^\d+$/.test(item)).entries()) {
    if (index % procBatch === procBatch - 1) {
      await nextTurn();
    }
    const stat = readProcStat(name);
    if (stat) {
      stats.push(stat);
    }
  }
  return stats;
}

function listProc(): readonly string[] {
  try {
    return readdirSync('/proc');
  } catch {
    // another system
    return [];
  }
}

/**
 * Undefined for zombies and the departed. Synchronous, since the kernel answers from memory at once, while a hundred
 * reads in the background would keep everybody else's files waiting.
 */
export function readProcStat(pid: number | string): ProcStat | undefined {
  try {
    const stat = readTextFileSync(`/proc/${pid}/stat`);
    // the name in parentheses may hold anything, so fields count from its end: state is the 3rd
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state = '', parent, group] = fields;
    return state === 'Z' || state === 'X'
      ? undefined
      : {
          pid: Number(pid),
          state,
          parent: Number(parent),
          group: Number(group),
          start: fields[19] ?? '',
          rssPages: Number(fields[21]),
        };
  } catch {
    // gone between listing and reading, or never there
    return undefined;
  }
}

/** When a running process started; undefined when there is none of that pid. Never rejects. */
export async function readStartTime(pid: number): Promise<string | undefined> {
  if (process.platform === 'linux') {
    return readProcStat(pid)?.start;
  }
  const [file, args] =
    process.platform === 'win32'
      ? ['powershell', ['-NoProfile', '-Command', `(Get-Process -Id ${pid}).StartTime.Ticks`]]
      : ['ps', ['-o', 'lstart=', '-p', String(pid)]];
  return new Promise((resolve) => {
    execFile(file as string, args as string[], { windowsHide: true, timeout: 5000 }, (error, out) =>
      resolve(error ? undefined : out.trim() || undefined),
    );
  });
}

import { readdirSync, statSync } from 'node:fs';
import { readKernelFileSync } from '../boundedFile.js';

/** A process that cannot be mistaken for a later one of the same pid. */
export interface ProcessIdentity {
  readonly pid: number;
  /** When it started, as a number in the platform's own unit. */
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
  /** Where its environment lies: another place after another program was loaded. `0`: there is none. */
  readonly environment: string;
}

/** Every process that Linux knows, zombies left out; empty where there is no /proc. Never rejects. */
export function readProcStats(): readonly ProcStat[] {
  return listProc().flatMap((name) => readProcStat(name) ?? []);
}

function listProc(): readonly string[] {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
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
    const stat = readKernelFileSync(`/proc/${pid}/stat`);
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
          environment: fields[47] ?? '0',
        };
  } catch {
    // gone between listing and reading, or never there
    return undefined;
  }
}

/** Program and arguments of a process of Linux; empty when it is gone. */
export function readProcArguments(pid: number): readonly string[] {
  try {
    // a program that writes its own title leaves the rest of the place empty
    return readKernelFileSync(`/proc/${pid}/cmdline`).replace(/\0+$/, '').split('\0');
  } catch {
    // gone since it was listed
    return [];
  }
}

/** The variables of a process of Linux; undefined when it is another user's, none while they cannot be read. */
export function readProcEnvironment(pid: number): readonly string[] | undefined {
  const folder = `/proc/${pid}`;
  try {
    return statSync(folder).uid === process.getuid?.()
      ? readKernelFileSync(`${folder}/environ`).split('\0')
      : undefined;
  } catch {
    // gone between listing and reading, or there is no free file
    return [];
  }
}

/**
 * A mark that a process cannot leave behind by clearing its environment, leaving its session or losing its parents:
 * Linux hands the limit of file locks, which it has not obeyed since 2.4.25, on to whatever a process starts. A number
 * that nobody else draws stands for one run of one server.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readKernelFileSync } from '../boundedFile.js';

const programs = ['/usr/bin/prlimit', '/bin/prlimit'];
/** What is drawn lies between this and twice as much: nobody sets such a limit for its own sake. */
const least = 1n << 60n;

/** The limit that stands for a run, as Linux writes it. */
export function limitOf(marker: string): string {
  const drawn = BigInt(`0x${createHash('sha256').update(marker).digest('hex').slice(0, 15)}`);
  return String(least + drawn);
}

/** Returns at once. No effect where the system has no such limit, or a program to set it. */
export function setInheritedLimit(pid: number, marker: string): void {
  const program =
    process.platform === 'linux' ? programs.find((file) => existsSync(file)) : undefined;
  if (program !== undefined) {
    setLimit(program, pid, limitOf(marker));
  }
}

/** Also of what the process had started by then, such as the server behind a script. */
function setLimit(program: string, pid: number, limit: string): void {
  // it may be gone before it gets the mark
  spawn(program, [`--pid=${pid}`, `--locks=${limit}:${limit}`], { env: {}, stdio: 'ignore' })
    .on('error', () => undefined)
    .on('exit', () => {
      for (const child of readChildren(pid)) {
        if (readInheritedLimit(child) !== limit) {
          setLimit(program, child, limit);
        }
      }
    })
    .unref();
}

function readChildren(pid: number): readonly number[] {
  try {
    const list = readKernelFileSync(`/proc/${pid}/task/${pid}/children`);
    return list.split(' ').filter(Boolean).map(Number);
  } catch {
    // gone, or a kernel without such lists
    return [];
  }
}

/** The limit that a process has, when it may be one of ours. */
export function readInheritedLimit(pid: number): string | undefined {
  try {
    const limits = readKernelFileSync(`/proc/${pid}/limits`);
    const limit = /^Max file locks +\d+ +(\d+) /m.exec(limits)?.[1];
    return limit !== undefined && BigInt(limit) >= least ? limit : undefined;
  } catch {
    // gone between listing and reading, or of another user
    return undefined;
  }
}

import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { errorCode } from '../../base/errors.js';

/** A spawned process with everything it started, addressed by the pid of the first one. */
export interface ProcessTree {
  /** Whether the first process must be spawned as the leader of its own group. */
  readonly detached: boolean;
  /** True while any member runs; zombies do not count. Never rejects. */
  isAlive(pid: number): Promise<boolean>;
  /** Asks every member to end, or ends it. Never rejects: members may be gone already. */
  signal(pid: number, signal: 'SIGTERM' | 'SIGKILL'): Promise<void>;
}

/** What the tree needs from the operating system; tests of the Windows variant replace it. */
export interface ProcessSystem {
  /** As `process.kill`. @throws a system error such as `ESRCH`. */
  kill(pid: number, signal: NodeJS.Signals | 0): void;
  /** Runs a program to its end, whatever its exit code. Never rejects. */
  run(file: string, args: readonly string[]): Promise<void>;
}

export const nodeProcessSystem: ProcessSystem = {
  kill: (pid, signal) => void process.kill(pid, signal),
  run: (file, args) =>
    new Promise((resolve) => {
      execFile(file, [...args], { windowsHide: true, timeout: 5000 }, () => resolve());
    }),
};

export function createProcessTree(
  platform: NodeJS.Platform,
  system: ProcessSystem = nodeProcessSystem,
): ProcessTree {
  return platform === 'win32' ? windowsTree(system) : groupTree(platform, system);
}

function groupTree(platform: NodeJS.Platform, system: ProcessSystem): ProcessTree {
  return {
    detached: true,
    async isAlive(pid) {
      if (!exists(system, -pid)) {
        return false;
      }
      return platform === 'linux' ? hasRunningMember(pid) : true;
    },
    async signal(pid, signal) {
      try {
        system.kill(-pid, signal);
      } catch {
        // the group is gone
      }
    },
  };
}

function windowsTree(system: ProcessSystem): ProcessTree {
  return {
    detached: false,
    isAlive: async (pid) => exists(system, pid),
    // console programs have no polite signal on Windows, and the tree must be walked while its root is alive
    signal: (pid) => system.run('taskkill', ['/pid', String(pid), '/T', '/F']),
  };
}

function exists(system: ProcessSystem, pid: number): boolean {
  try {
    system.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

/** A group of zombies that nobody reaps answers to `kill`, so the members' states decide. */
async function hasRunningMember(group: number): Promise<boolean> {
  let names: string[];
  try {
    names = await readdir('/proc');
  } catch {
    // no /proc: believe `kill`
    return true;
  }
  const states = await Promise.all(
    names.filter((name) => /^\d+$/.test(name)).map((name) => runningGroup(name)),
  );
  return states.includes(group);
}

/** The process's group; undefined for zombies and the departed. */
async function runningGroup(pid: string): Promise<number | undefined> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'latin1');
    // the name in parentheses may hold anything, so fields count from its end: state, ppid, pgrp
    const [state, , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return state === 'Z' || state === 'X' ? undefined : Number(group);
  } catch {
    // gone between listing and reading
    return undefined;
  }
}

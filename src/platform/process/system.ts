/** Processes as each operating system shows them. */
import { uptime } from 'node:os';
import { systemClock } from '../clock.js';
import { readProcArguments, readProcStat, readProcStats } from './identity.js';
import { findMarker, groupByMarker, type MarkedByMarker, MarkedProcesses } from './marker.js';
import { nodeOperatingSystem, type OperatingSystem, windowsProgram } from './operatingSystem.js';
import {
  type ProcessRow,
  parsePsTable,
  parseWindowsTable,
  parseWmicTable,
  psArguments,
  windowsEpochTicks,
  windowsTableEnd,
  windowsTableScript,
  wmicArguments,
} from './table.js';

export interface ProcessSystem {
  readonly platform: NodeJS.Platform;
  /** Whether every process of this user shows its environment, so that a marker in it is always found. */
  readonly showsEnvironments: boolean;
  /** As `process.kill`. @throws a system error such as `ESRCH`. */
  kill(pid: number, signal: NodeJS.Signals | 0): void;
  /**
   * Ends a process and what it started, where that is one request. Never rejects.
   * @returns false where it is none, or it failed or was not answered soon.
   */
  endTree(pid: number): Promise<boolean>;
  /** Every process except zombies; undefined when it cannot be known now. Never rejects. */
  table(): Promise<readonly ProcessRow[] | undefined>;
  /** By the markers in the environments that can be seen. Never rejects. */
  marked(): Promise<MarkedByMarker>;
  /** Undefined when there is no such process, or nobody says. Never rejects. */
  startTime(pid: number): Promise<string | undefined>;
  /** The `start` of a process in milliseconds since 1970. */
  startedAt(start: string): number;
  /**
   * Program and arguments of a process of the table, as they are; apart only as far as the system tells, and empty when
   * it does not say.
   */
  argumentsOf(row: ProcessRow): readonly string[];
  /** False where that is not known. */
  isSuspended(pid: number): boolean;
}

const linuxPageBytes = 4096;
/** Milliseconds; Linux counts starts in hundredths of a second since the machine was started. */
const linuxTickMs = 10;

export function createProcessSystem(os: OperatingSystem = nodeOperatingSystem): ProcessSystem {
  switch (os.platform) {
    case 'linux':
      return linuxSystem(os);
    case 'win32':
      return windowsSystem(os);
    default:
      return psSystem(os);
  }
}

/** Without a thread or another process, since those are what is missing on a busy machine. */
function linuxSystem(os: OperatingSystem): ProcessSystem {
  const marked = new MarkedProcesses();
  return {
    platform: os.platform,
    showsEnvironments: true,
    kill: (pid, signal) => os.kill(pid, signal),
    endTree: async () => false,
    table: async () => {
      const rows = readProcStats().map(({ pid, parent, group, start, rssPages }) => ({
        pid,
        parent,
        group,
        start,
        rssBytes: rssPages * linuxPageBytes,
      }));
      return rows.length > 0 ? rows : undefined;
    },
    marked: async () => marked.read(),
    startTime: async (pid) => readProcStat(pid)?.start,
    startedAt: (start) => systemClock.now() - uptime() * 1000 + Number(start) * linuxTickMs,
    argumentsOf: ({ pid, start }) => {
      const argv = readProcArguments(pid);
      // asked again behind it, since the pid may be another's by then
      return readProcStat(pid)?.start === start ? argv : [];
    },
    isSuspended: (pid) => readProcStat(pid)?.state === 'T',
  };
}

/** macOS and other relatives of BSD. */
function psSystem(os: OperatingSystem): ProcessSystem {
  const table = async (...options: readonly string[]) => {
    const text = await os.run('/bin/ps', [...options, ...psArguments]);
    return text === undefined ? undefined : parsePsTable(text);
  };
  return {
    platform: os.platform,
    // not of programs that the system protects
    showsEnvironments: false,
    kill: (pid, signal) => os.kill(pid, signal),
    endTree: async () => false,
    table,
    // `-E` writes the environment behind the command line
    marked: async () =>
      groupByMarker(
        ((await table('-E')) ?? []).map(({ pid, start, group = 0, commandLine = '' }) => [
          findMarker(commandLine.split(' ')),
          { pid, start, group },
        ]),
      ),
    startTime: async (pid) => {
      const text = await os.run('/bin/ps', ['-p', String(pid), ...psArguments.slice(1)]);
      return parsePsTable(text ?? '').find((row) => row.pid === pid)?.start;
    },
    startedAt: (start) => Number(start) * 1000,
    argumentsOf,
    isSuspended: () => false,
  };
}

/** Milliseconds for `taskkill`, which ends a tree at once or not at all. */
const endTreeMs = 2000;

function windowsSystem(os: OperatingSystem): ProcessSystem {
  let hasCim = true;
  let hasWmic = true;
  /** Undefined where PowerShell is missing, may not be run or is too slow. */
  const cim = async (pid?: number) => {
    const script = ['-NoProfile', '-NonInteractive', '-Command', windowsTableScript(pid)];
    const text = hasCim ? await os.run(windowsProgram('powershell'), script) : undefined;
    const isListed = text?.trimEnd().endsWith(windowsTableEnd);
    // one that runs and lists nothing will not do so later
    hasCim &&= text === undefined || isListed === true;
    return text !== undefined && isListed ? parseWindowsTable(text) : undefined;
  };
  const wmic = async () => {
    const text = hasWmic ? await os.run(windowsProgram('wmic'), wmicArguments) : undefined;
    hasWmic &&= hasCim || text !== undefined;
    const rows = parseWmicTable(text ?? '');
    // somebody always runs: who asks
    return rows.length > 0 ? rows : undefined;
  };
  return {
    platform: os.platform,
    showsEnvironments: false,
    kill: (pid, signal) => os.kill(pid, signal),
    endTree: async (pid) => {
      const args = ['/pid', String(pid), '/T', '/F'];
      return (await os.run(windowsProgram('taskkill'), args, endTreeMs)) !== undefined;
    },
    table: async () => {
      const rows = await cim();
      return rows === undefined || rows.length === 0 ? wmic() : rows;
    },
    marked: async () => new Map(),
    startTime: async (pid) => {
      const rows = (await cim(pid)) ?? (await wmic()) ?? [];
      return rows.find((row) => row.pid === pid)?.start;
    },
    startedAt: (start) => (Number(start) - Number(windowsEpochTicks)) / 10_000,
    argumentsOf,
    isSuspended: () => false,
  };
}

/** Cut at its blanks, since the system lists one line. */
function argumentsOf({ commandLine = '' }: ProcessRow): readonly string[] {
  return commandLine.split(/\s+/).filter((word) => word !== '');
}

/** Every process except zombies; empty when it cannot be known. Never rejects. */
export async function readProcessTable(): Promise<readonly ProcessRow[]> {
  return (await createProcessSystem().table()) ?? [];
}

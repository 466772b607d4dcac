/** Which processes run, to which group each belongs and what memory it holds. */
import { execFile } from 'node:child_process';
import { readProcStats } from './processIdentity.js';

export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  /** On Windows, which has no groups, always undefined. */
  readonly group: number | undefined;
  /** Resident memory; pages that processes share count for each. */
  readonly rssBytes: number;
}

const linuxPageBytes = 4096;
const outputBytes = 8 * 1024 * 1024;

/** Every process except zombies. Never rejects: what cannot be read is missing. */
export function readProcessTable(platform: NodeJS.Platform): Promise<readonly ProcessRow[]> {
  switch (platform) {
    case 'linux':
      return readProc();
    case 'win32':
      return run('powershell', [
        '-NoProfile',
        '-Command',
        'Get-CimInstance Win32_Process | ForEach-Object { "$($_.ProcessId) $($_.ParentProcessId) $($_.WorkingSetSize)" }',
      ]).then(parseWindowsTable);
    default:
      return run('ps', ['-axo', 'pid=,ppid=,pgid=,rss=,state=']).then(parsePsTable);
  }
}

/** Rows of `ps -axo pid=,ppid=,pgid=,rss=,state=`. */
export function parsePsTable(text: string): readonly ProcessRow[] {
  return text.split('\n').flatMap((line) => {
    const [pid, parent, group, kilobytes, state] = line.trim().split(/\s+/);
    return state === undefined || state.startsWith('Z')
      ? []
      : [
          {
            pid: Number(pid),
            parent: Number(parent),
            group: Number(group),
            rssBytes: Number(kilobytes) * 1024,
          },
        ];
  });
}

/** Rows of pid, parent and working set. */
export function parseWindowsTable(text: string): readonly ProcessRow[] {
  return text.split(/\r?\n/).flatMap((line) => {
    const [pid, parent, bytes] = line.trim().split(' ');
    return bytes === undefined
      ? []
      : [{ pid: Number(pid), parent: Number(parent), group: undefined, rssBytes: Number(bytes) }];
  });
}

/** The process that was spawned as `leader`, and everything it started. */
export function treeOf(leader: number, table: readonly ProcessRow[]): readonly ProcessRow[] {
  const members = new Set([leader]);
  // parents may stand behind their children
  for (let size = 0; size !== members.size; ) {
    size = members.size;
    for (const { pid, parent, group } of table) {
      if (group === leader || members.has(parent)) {
        members.add(pid);
      }
    }
  }
  return table.filter(({ pid }) => members.has(pid));
}

async function readProc(): Promise<readonly ProcessRow[]> {
  return (await readProcStats()).map(({ pid, parent, group, rssPages }) => ({
    ...{ pid, parent, group },
    rssBytes: rssPages * linuxPageBytes,
  }));
}

function run(file: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    const options = { windowsHide: true, timeout: 5000, maxBuffer: outputBytes };
    execFile(file, [...args], options, (error, stdout) => resolve(error ? '' : stdout));
  });
}

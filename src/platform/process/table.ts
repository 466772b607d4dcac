/** Which processes run, to which group each belongs and what memory it holds. */
import type { ProcessIdentity } from './identity.js';

export interface ProcessRow extends ProcessIdentity {
  readonly parent: number;
  /** On Windows, which has no groups, always undefined. */
  readonly group: number | undefined;
  /** Resident memory; pages that processes share count for each. */
  readonly rssBytes: number;
  /** Where the system lists it. */
  readonly commandLine?: string;
}

/** Arguments of `ps` for {@link parsePsTable}. Elsewhere than on Linux the times need `LC_ALL=C` and `TZ=UTC`. */
export const psArguments = ['-axww', '-o', 'pid=,ppid=,pgid=,rss=,state=,lstart=,command='];

/** pid, parent, group, kilobytes, state, a time such as `Sat Nov 21 22:05:20 2026`, and the command line. */
const psRow =
  /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+\S+\s+(\S+\s+\d+\s+[\d:]+\s+\d+)\s?(.*)$/;

/** What `ps` says, without zombies. Times become seconds since 1970. */
export function parsePsTable(text: string): readonly ProcessRow[] {
  return text.split('\n').flatMap((line) => {
    const [, pid, parent, group, kilobytes, state = 'Z', started, commandLine = ''] =
      psRow.exec(line) ?? [];
    const seconds = Date.parse(`${started} UTC`) / 1000;
    return state.startsWith('Z') || Number.isNaN(seconds)
      ? []
      : [
          {
            pid: Number(pid),
            start: String(seconds),
            parent: Number(parent),
            group: Number(group),
            rssBytes: Number(kilobytes) * 1024,
            commandLine,
          },
        ];
  });
}

/** The last line of {@link windowsTableScript}: without it, nobody listed anything. */
export const windowsTableEnd = 'listed';

/**
 * What PowerShell runs for {@link parseWindowsTable}. The two idle processes have no time and are left out.
 * @param pid Default: all.
 */
export function windowsTableScript(pid?: number): string {
  const filter = pid === undefined ? '' : ` -Filter ProcessId=${pid}`;
  const row =
    '"$($_.ProcessId) $($_.ParentProcessId) $($_.WorkingSetSize) $($_.CreationDate.ToUniversalTime().Ticks) $($_.CommandLine -replace "[\\r\\n]", " ")"';
  return `Get-CimInstance Win32_Process${filter} | Where-Object { $_.CreationDate } | ForEach-Object { ${row} }; '${windowsTableEnd}'`;
}

const windowsRow = /^(\d+) (\d+) (\d+) (\d+) ?(.*)$/;

/** Rows of pid, parent, working set, time in ticks of 100 ns, and the command line where it may be seen. */
export function parseWindowsTable(text: string): readonly ProcessRow[] {
  return text.split(/\r?\n/).flatMap((line) => {
    const [, pid, parent, bytes, start, commandLine = ''] = windowsRow.exec(line) ?? [];
    return start === undefined
      ? []
      : [
          {
            pid: Number(pid),
            start,
            parent: Number(parent),
            group: undefined,
            rssBytes: Number(bytes),
            commandLine,
          },
        ];
  });
}

/** Arguments of `wmic` for {@link parseWmicTable}. Without command lines, whose own lines could be taken for rows. */
export const wmicArguments = [
  'process',
  'get',
  'CreationDate,ParentProcessId,ProcessId,WorkingSetSize',
  '/format:list',
];

/** Such as `20261121080000.123456+060`: local time, and the minutes that it is ahead of UTC. */
const wmicTime = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)\.(\d{6})([+-]\d{3})$/;

/** What `wmic` says: one `Name=Value` in a line, in the order of the alphabet. Times become those of PowerShell. */
export function parseWmicTable(text: string): readonly ProcessRow[] {
  const values = new Map<string, string>();
  // into a file it writes UTF-16
  return text
    .replaceAll('\0', '')
    .split(/[\r\n]+/)
    .flatMap((line) => {
      const [name = '', value = ''] = line.split('=');
      values.set(name, value);
      const start = name === 'WorkingSetSize' ? wmicTicks(values.get('CreationDate')) : undefined;
      return start === undefined
        ? []
        : [
            {
              pid: Number(values.get('ProcessId')),
              start,
              parent: Number(values.get('ParentProcessId')),
              group: undefined,
              rssBytes: Number(value),
            },
          ];
    });
}

/** Ticks of 100 ns since the year 1. */
function wmicTicks(time = ''): string | undefined {
  const [, year, month, day, hour, minute, second, micros, ahead] = wmicTime.exec(time) ?? [];
  const ms = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(ms)
    ? undefined
    : String(
        windowsEpochTicks + BigInt(ms - Number(ahead) * 60_000) * 10_000n + BigInt(`${micros}0`),
      );
}

/** Ticks of 100 ns from the year 1 to 1970. */
export const windowsEpochTicks = 621_355_968_000_000_000n;

/** The process that was spawned as `leader`, and everything it started. */
export function treeOf<
  Row extends ProcessIdentity & { readonly parent: number; readonly group?: number | undefined },
>(leader: number, table: readonly Row[]): readonly Row[] {
  const starts = new Map(table.map(({ pid, start }) => [pid, Number(start)]));
  const members = new Set([leader]);
  // parents may stand behind their children
  for (let size = 0; size !== members.size; ) {
    size = members.size;
    for (const { pid, parent, group, start } of table) {
      // Windows keeps the pid of a parent that is gone, which a later process may have
      const isChild = members.has(parent) && (starts.get(parent) ?? 0) <= Number(start);
      if (group === leader || isChild) {
        members.add(pid);
      }
    }
  }
  return table.filter(({ pid }) => members.has(pid));
}

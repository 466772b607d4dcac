import { execFile } from 'node:child_process';
import { errorCode } from '../../base/errors.js';
import { SharedRun } from '../../base/sharedRun.js';
import { type ProcessIdentity, readProcStat, readStartTime } from './processIdentity.js';
import { type MarkedProcess, MarkedProcesses } from './processMarker.js';
import { type ProcessRow, readProcessTable, treeOf } from './processTable.js';

/** A spawned process with everything it started. One object stands for one run. */
export interface TreeRoot {
  /** Of the first process. */
  readonly pid: number;
  /** What its environment holds as `markerVariable`. Default: who leaves the group belongs to it no more. */
  readonly marker?: string | undefined;
  /** Members known from before that are not in its group. Default: none. */
  readonly strays?: readonly ProcessIdentity[];
  /** False when another process may have its pid and group by now. Default true. */
  readonly hasGroup?: boolean;
}

/** Sees and signals whole trees of processes. Nothing but their members is ever signalled. */
export interface ProcessTree {
  /** Whether the first process must be spawned as the leader of its own group. */
  readonly detached: boolean;
  /** True while any member runs; zombies do not count. Never rejects. */
  isAlive(root: TreeRoot): Promise<boolean>;
  /** The first process is suspended, so that it notices nothing. False where that is not known. Never rejects. */
  isSuspended(root: TreeRoot): Promise<boolean>;
  /** Members outside the group by their parents, which must be alive. Never rejects. */
  findStrays(root: TreeRoot): Promise<readonly ProcessIdentity[]>;
  /** Asks every member to end, or ends it. Never rejects: members may be gone already. */
  signal(root: TreeRoot, signal: 'SIGTERM' | 'SIGKILL'): Promise<void>;
}

/** What the tree needs from the operating system; tests replace it. */
export interface ProcessSystem {
  /** As `process.kill`. @throws a system error such as `ESRCH`. */
  kill(pid: number, signal: NodeJS.Signals | 0): void;
  /** Runs a program to its end, whatever its exit code. Never rejects. */
  run(file: string, args: readonly string[]): Promise<void>;
  /** Never rejects. */
  table(platform: NodeJS.Platform): Promise<readonly ProcessRow[]>;
  /** Never rejects. */
  marked(): Promise<ReadonlyMap</* marker */ string, readonly MarkedProcess[]>>;
  /** Undefined when there is no such process. Never rejects. */
  startTime(pid: number): Promise<string | undefined>;
}

function createNodeProcessSystem(): ProcessSystem {
  const marked = new MarkedProcesses();
  return {
    kill: (pid, signal) => void process.kill(pid, signal),
    run: (file, args) =>
      new Promise((resolve) => {
        execFile(file, [...args], { windowsHide: true, timeout: 5000 }, () => resolve());
      }),
    table: readProcessTable,
    marked: () => marked.read(),
    startTime: readStartTime,
  };
}

export function createProcessTree(
  platform: NodeJS.Platform,
  system: ProcessSystem = createNodeProcessSystem(),
): ProcessTree {
  return platform === 'win32' ? windowsTree(system) : new GroupTree(platform, system);
}

/** POSIX: the group of the first process, and who left it. */
class GroupTree implements ProcessTree {
  readonly detached = true;
  private readonly groupsGone = new WeakSet<TreeRoot>();
  private readonly tables: SharedRun<readonly ProcessRow[]>;
  private readonly scans: SharedRun<ReadonlyMap<string, readonly MarkedProcess[]>>;

  constructor(
    private readonly platform: NodeJS.Platform,
    private readonly system: ProcessSystem,
  ) {
    this.tables = new SharedRun(() => system.table(platform));
    this.scans = new SharedRun(() => system.marked());
  }

  async isAlive(root: TreeRoot): Promise<boolean> {
    return (await this.isGroupAlive(root)) || (await this.runningStrays(root)).length > 0;
  }

  async isSuspended({ pid }: TreeRoot): Promise<boolean> {
    return this.platform === 'linux' && readProcStat(pid)?.state === 'T';
  }

  async findStrays({ pid, marker }: TreeRoot): Promise<readonly ProcessIdentity[]> {
    if (marker === undefined) {
      return [];
    }
    const rows = treeOf(pid, await this.tables.run());
    const outside = rows.filter((row) => row.pid !== pid && row.group !== pid);
    const found = await Promise.all(
      outside.map(async (row) => ({ pid: row.pid, start: await this.system.startTime(row.pid) })),
    );
    return found.filter((item): item is ProcessIdentity => item.start !== undefined);
  }

  async signal(root: TreeRoot, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    if (await this.isGroupAlive(root)) {
      this.send(-root.pid, signal);
    }
    for (const stray of await this.runningStrays(root)) {
      // asked again right before, since a signal must never hit a stranger
      if ((await this.system.startTime(stray.pid)) === stray.start) {
        this.send(stray.pid, signal);
      }
    }
  }

  private send(target: number, signal: 'SIGTERM' | 'SIGKILL'): void {
    try {
      this.system.kill(target, signal);
      if (signal === 'SIGTERM') {
        // a suspended process gets a signal only when it goes on
        this.system.kill(target, 'SIGCONT');
      }
    } catch {
      // gone
    }
  }

  /** Once gone, a group of that number would be a stranger's. */
  private async isGroupAlive(root: TreeRoot): Promise<boolean> {
    const { pid, hasGroup = true } = root;
    if (!hasGroup || this.groupsGone.has(root)) {
      return false;
    }
    if (!exists(this.system, -pid)) {
      this.groupsGone.add(root);
      return false;
    }
    // a group of zombies that nobody reaps answers to `kill`, so the members' states decide
    return this.platform !== 'linux' || this.hasMember(pid);
  }

  private async hasMember(group: number): Promise<boolean> {
    const table = await this.tables.run();
    // no /proc: believe `kill`
    return table.length === 0 || table.some((row) => row.group === group);
  }

  private async runningStrays(root: TreeRoot): Promise<readonly ProcessIdentity[]> {
    const { pid, marker, strays = [] } = root;
    const marked = marker === undefined ? [] : ((await this.scans.run()).get(marker) ?? []);
    const starts = await Promise.all(strays.map((stray) => this.system.startTime(stray.pid)));
    const remembered = strays.filter(
      (stray, index) =>
        starts[index] === stray.start && !marked.some((other) => other.pid === stray.pid),
    );
    // the members of the group get the signal of the group
    const hasOwnGroup = root.hasGroup !== false && !this.groupsGone.has(root);
    return [...marked.filter(({ group }) => !hasOwnGroup || group !== pid), ...remembered];
  }
}

function windowsTree(system: ProcessSystem): ProcessTree {
  return {
    detached: false,
    isAlive: async ({ pid }) => exists(system, pid),
    isSuspended: async () => false,
    findStrays: async () => [],
    // console programs have no polite signal on Windows, and the tree must be walked while its root is alive
    signal: ({ pid }) => system.run('taskkill', ['/pid', String(pid), '/T', '/F']),
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

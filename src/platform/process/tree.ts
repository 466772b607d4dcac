import { SharedRun } from '../../base/async/sharedRun.js';
import { errorCode } from '../../base/errors.js';
import type { ProcessIdentity } from './identity.js';
import { type MarkedByMarker, markedBy } from './marker.js';
import { createProcessSystem, type ProcessSystem } from './system.js';
import { type ProcessRow, treeOf } from './table.js';

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
  /** The first process has been seen to exit, so its pid may be another's. Default: it has not. */
  readonly hasExited?: () => boolean;
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
  /**
   * Asks every member to end, or ends it. Who was asked to end is not asked again, so that this may be called until
   * nobody is left. Never rejects: members may be gone already.
   */
  signal(root: TreeRoot, signal: 'SIGTERM' | 'SIGKILL'): Promise<void>;
}

export function createProcessTree(system: ProcessSystem = createProcessSystem()): ProcessTree {
  return system.platform === 'win32' ? new WindowsTree(system) : new GroupTree(system);
}

/** POSIX: the group of the first process, and who left it. */
class GroupTree implements ProcessTree {
  readonly detached = true;
  private readonly groupsGone = new WeakSet<TreeRoot>();
  private readonly asked = new WeakMap<TreeRoot, Set</* process */ string>>();
  private readonly tables: SharedRun<readonly ProcessRow[] | undefined>;
  private readonly scans: SharedRun<MarkedByMarker>;

  constructor(private readonly system: ProcessSystem) {
    this.tables = new SharedRun(() => system.table());
    this.scans = new SharedRun(() => system.marked());
  }

  async isAlive(root: TreeRoot): Promise<boolean> {
    return (await this.isGroupAlive(root)) || (await this.runningStrays(root)).length > 0;
  }

  async isSuspended({ pid }: TreeRoot): Promise<boolean> {
    return this.system.isSuspended(pid);
  }

  async findStrays({ pid, marker }: TreeRoot): Promise<readonly ProcessIdentity[]> {
    const rows = marker === undefined ? undefined : await this.tables.run();
    return treeOf(pid, rows ?? [])
      .filter((row) => row.pid !== pid && row.group !== pid)
      .map((row) => ({ pid: row.pid, start: row.start }));
  }

  async signal(root: TreeRoot, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    if (await this.isGroupAlive(root)) {
      this.send(root, `-${root.pid}`, signal);
      if ((root.strays ?? []).length === 0) {
        // who left it without a trace is looked for when the group is gone
        return;
      }
    }
    for (const stray of await this.runningStrays(root)) {
      // asked again right before, since a signal must never hit a stranger
      if ((await this.system.startTime(stray.pid)) === stray.start) {
        this.send(root, `${stray.pid} ${stray.start}`, signal);
      }
    }
  }

  /** @param who starts with what `kill` is told: a pid, or a group as a negative number */
  private send(root: TreeRoot, who: string, signal: 'SIGTERM' | 'SIGKILL'): void {
    const asked = this.asked.get(root) ?? new Set();
    if (signal === 'SIGTERM' && asked.has(who)) {
      return;
    }
    this.asked.set(root, asked.add(who));
    try {
      const target = Number.parseInt(who, 10);
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
    return this.system.platform !== 'linux' || this.hasMember(pid);
  }

  private async hasMember(group: number): Promise<boolean> {
    const table = await this.tables.run();
    // no /proc: believe `kill`
    return table === undefined || table.some((row) => row.group === group);
  }

  private async runningStrays(root: TreeRoot): Promise<readonly ProcessIdentity[]> {
    const { pid, marker, strays = [] } = root;
    const marked = marker === undefined ? [] : markedBy(marker, await this.scans.run());
    const remembered = await running(
      this.system,
      strays.filter((stray) => !marked.some((other) => other.pid === stray.pid)),
    );
    // the members of the group get the signal of the group
    const hasOwnGroup = root.hasGroup !== false && !this.groupsGone.has(root);
    return [...marked.filter(({ group }) => !hasOwnGroup || group !== pid), ...remembered];
  }
}

/** Windows: the first process, whose children name it as their parent for as long as they run. */
class WindowsTree implements ProcessTree {
  readonly detached = false;

  constructor(private readonly system: ProcessSystem) {}

  async isAlive(root: TreeRoot): Promise<boolean> {
    return this.isRootAlive(root) || (await running(this.system, root.strays ?? [])).length > 0;
  }

  async isSuspended(): Promise<boolean> {
    return false;
  }

  async findStrays({ pid, marker }: TreeRoot): Promise<readonly ProcessIdentity[]> {
    const rows = marker === undefined ? undefined : await this.system.table();
    return treeOf(pid, rows ?? [])
      .filter((row) => row.pid !== pid)
      .map((row) => ({ pid: row.pid, start: row.start }));
  }

  /** Console programs have no polite signal on Windows. The tree must be walked while its root is alive. */
  async signal(root: TreeRoot): Promise<void> {
    if (this.isRootAlive(root)) {
      await this.system.endTree(root.pid);
    }
    for (const { pid } of await running(this.system, root.strays ?? [])) {
      await this.system.endTree(pid);
    }
  }

  /** What has exited is asked no more: the pid may be a stranger's. */
  private isRootAlive({ pid, hasGroup = true, hasExited = () => false }: TreeRoot): boolean {
    return hasGroup && !hasExited() && exists(this.system, pid);
  }
}

/** Those that are still the same processes. */
async function running(
  system: ProcessSystem,
  processes: readonly ProcessIdentity[],
): Promise<readonly ProcessIdentity[]> {
  if (processes.length === 0 || system.platform === 'linux') {
    const starts = await Promise.all(processes.map(({ pid }) => system.startTime(pid)));
    return processes.filter(({ start }, index) => starts[index] === start);
  }
  // one program that lists all costs less than one for each
  const rows = (await system.table()) ?? [];
  return processes.filter((one) =>
    rows.some((row) => row.pid === one.pid && row.start === one.start),
  );
}

function exists(system: ProcessSystem, pid: number): boolean {
  try {
    system.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

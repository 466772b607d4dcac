import { delay } from '../../base/async/cancellation.js';
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
  /** Set by who spawned the first process. Default: it has not been seen to exit. */
  readonly span?: TreeSpan;
}

/** When the first process ran, in milliseconds since 1970: whoever names its pid as its parent was born then. */
interface TreeSpan {
  /** Just before it was spawned. */
  readonly from: number;
  /** Just after it has exited, when its pid may be another's; undefined until then. */
  until(): number | undefined;
}

/** `walked`: the system's way to end a tree did not work, so each process was ended by itself. */
type SignalWay = 'sent' | 'walked';

/** Sees and signals whole trees of processes. Nothing but their members is ever signalled. */
export interface ProcessTree {
  /** Whether the first process must be spawned as the leader of its own group. */
  readonly detached: boolean;
  /**
   * There is no polite signal, and children are found behind their parents too: who stops a tree need not look first,
   * nor ask twice.
   */
  readonly endsAtOnce: boolean;
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
  signal(root: TreeRoot, signal: 'SIGTERM' | 'SIGKILL'): Promise<SignalWay>;
}

export function createProcessTree(system: ProcessSystem = createProcessSystem()): ProcessTree {
  return system.platform === 'win32' ? new WindowsTree(system) : new GroupTree(system);
}

/** POSIX: the group of the first process, and who left it. */
class GroupTree implements ProcessTree {
  readonly detached = true;
  readonly endsAtOnce = false;
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

  async signal(root: TreeRoot, signal: 'SIGTERM' | 'SIGKILL'): Promise<SignalWay> {
    if (await this.isGroupAlive(root)) {
      this.send(root, `-${root.pid}`, signal);
      if ((root.strays ?? []).length === 0) {
        // who left it without a trace is looked for when the group is gone
        return 'sent';
      }
    }
    for (const stray of await this.runningStrays(root)) {
      // asked again right before, since a signal must never hit a stranger
      if ((await this.system.startTime(stray.pid)) === stray.start) {
        this.send(root, `${stray.pid} ${stray.start}`, signal);
      }
    }
    return 'sent';
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

/** Milliseconds. Who asks does not wait longer for a system that is too busy to say who runs. */
const lookMs = 2000;
/** Milliseconds by which a time may be rounded. */
const roundedMs = 2;
/** Milliseconds that a process takes to vanish when it was ended. */
const vanishMs = 500;

/** Windows: the first process, and who names it, or one that it started, as the parent. */
class WindowsTree implements ProcessTree {
  readonly detached = false;
  readonly endsAtOnce = true;
  private readonly tables: SharedRun<readonly ProcessRow[] | undefined>;
  /** Beside the first process; what it held when it was last looked. */
  private readonly known = new WeakMap<TreeRoot, readonly ProcessIdentity[]>();
  /** When the system said that it had ended it; as `performance.now()`. */
  private readonly endedAt = new WeakMap<TreeRoot, number>();
  /** Looked at since their first process exited: it starts nobody any more. */
  private readonly settled = new WeakSet<TreeRoot>();

  constructor(private readonly system: ProcessSystem) {
    this.tables = new SharedRun(() => system.table());
  }

  async isAlive(root: TreeRoot): Promise<boolean> {
    return this.isRootAlive(root) || (await this.others(root)).length > 0;
  }

  async isSuspended(): Promise<boolean> {
    return false;
  }

  async findStrays(root: TreeRoot): Promise<readonly ProcessIdentity[]> {
    return root.marker === undefined ? [] : (await this.look(root)).map(identity);
  }

  /** Console programs have no polite signal on Windows. */
  async signal(root: TreeRoot): Promise<SignalWay> {
    if (performance.now() - (this.endedAt.get(root) ?? -Infinity) < vanishMs) {
      return 'sent';
    }
    // at the same time, since both may take long
    const looking = this.others(root);
    if (this.isRootAlive(root) && (await this.endTree(root))) {
      return 'sent';
    }
    // who was started last first, so that no parent learns of its child's end
    const others = [...(await looking)].sort((a, b) =>
      BigInt(a.start) < BigInt(b.start) ? 1 : -1,
    );
    for (const { pid } of others) {
      this.end(pid);
    }
    if (!this.isRootAlive(root)) {
      return 'sent';
    }
    this.end(root.pid);
    return 'walked';
  }

  private async endTree(root: TreeRoot): Promise<boolean> {
    const isEnded = await this.system.endTree(root.pid);
    if (isEnded) {
      this.endedAt.set(root, performance.now());
    }
    return isEnded;
  }

  private end(pid: number): void {
    try {
      this.system.kill(pid, 'SIGKILL');
    } catch {
      // gone, or not ours to end
    }
  }

  /** What has exited is asked no more: the pid may be a stranger's. */
  private isRootAlive({ pid, hasGroup = true, span }: TreeRoot): boolean {
    return hasGroup && span?.until() === undefined && exists(this.system, pid);
  }

  /** Who runs beside the first process. A look costs a program, so that it is only taken when there may be somebody. */
  private async others(root: TreeRoot): Promise<readonly ProcessRow[]> {
    const known = this.known.get(root) ?? root.strays ?? [];
    const mayBeMore = this.isRootAlive(root) || (root.span && !this.settled.has(root));
    return mayBeMore || known.some(({ pid }) => exists(this.system, pid)) ? this.look(root) : [];
  }

  private async look(root: TreeRoot): Promise<readonly ProcessRow[]> {
    const { pid, span, hasGroup = true } = root;
    const isSettled = span?.until() !== undefined;
    const waiting = new AbortController();
    const rows = await Promise.race([
      this.tables.run(),
      delay(lookMs, waiting.signal).then(() => undefined),
    ]);
    waiting.abort();
    if (rows === undefined) {
      return [];
    }
    const known = this.known.get(root) ?? root.strays ?? [];
    // asked now, since the pid may have become another's while the system listed them
    const until = span?.until();
    const isChild = ({ parent, start }: ProcessRow) => {
      const bornAt = this.system.startedAt(start);
      return (
        parent === pid &&
        bornAt > (span?.from ?? 0) - roundedMs &&
        bornAt < (until ?? Infinity) + roundedMs
      );
    };
    const isFirst = hasGroup && until === undefined && rows.some((row) => row.pid === pid);
    const eldest = [
      ...(isFirst ? treeOf(pid, rows).filter((row) => row.pid !== pid) : []),
      ...(span && !isFirst ? rows.filter(isChild) : []),
      ...rows.filter((row) => known.some((one) => one.pid === row.pid && one.start === row.start)),
    ];
    const found = new Map(
      eldest.flatMap((row) => treeOf(row.pid, rows)).map((row) => [row.pid, row]),
    );
    this.known.set(root, [...found.values()].map(identity));
    if (isSettled) {
      this.settled.add(root);
    }
    return [...found.values()];
  }
}

function identity({ pid, start }: ProcessIdentity): ProcessIdentity {
  return { pid, start };
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

import { mkdir, readdir, readlink, rename, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import * as path from 'node:path';
import { isJsonObject } from '../../base/json.js';
import { SharedRun } from '../../base/sharedRun.js';
import { readTextFile } from '../boundedFile.js';
import { type ProcessIdentity, readStartTime } from './processIdentity.js';
import { readProcessTable, treeOf } from './processTable.js';
import type { ProcessTree, TreeRoot } from './processTree.js';
import { stopTree } from './stopTree.js';

/** A server: the process that leads its group, and whom else it had started when it was last looked at. */
interface LedgerChild extends ProcessIdentity {
  /** What its environment holds as `markerVariable`. */
  readonly marker?: string;
  readonly members?: readonly ProcessIdentity[];
}

/** What one owner has on record. */
interface LedgerFile {
  /** Host and, where known, boot; pids of another one mean nothing here. */
  readonly machine: string;
  readonly owner: ProcessIdentity;
  readonly children: readonly LedgerChild[];
}

export interface ProcessLedgerOptions {
  /** Absolute; holds one small file per owner. Created when needed. */
  readonly directory: string;
  readonly tree: ProcessTree;
  /** Default: this process. */
  readonly ownerPid?: number;
  /** Default: asks the operating system. */
  readonly identify?: (pid: number) => Promise<string | undefined>;
  readonly onError?: (error: unknown) => void;
}

/**
 * Keeps on disk which processes this owner runs, so that after a crash the next activation ends what was left
 * behind. A process is only ever signalled when both its pid and its start time are the recorded ones.
 */
export class ProcessLedger {
  private readonly children = new Map</* pid */ number, LedgerChild>();
  /** Who is to be on record, by an object per run, since pids come again. */
  private readonly runs = new Map</* pid */ number, object>();
  private readonly pending = new Set<Promise<void>>();
  private readonly writes = new SharedRun(() => this.write());
  private readonly tables = new SharedRun(() => readProcessTable(process.platform));
  private readonly machine = machineId();
  private readonly ownerPid: number;
  private readonly identify: (pid: number) => Promise<string | undefined>;

  constructor(private readonly options: ProcessLedgerOptions) {
    this.ownerPid = options.ownerPid ?? process.pid;
    this.identify = options.identify ?? readStartTime;
  }

  /** Returns at once; {@link flush} waits. */
  record(pid: number, marker?: string): void {
    const run = {};
    this.runs.set(pid, run);
    this.track(async () => {
      const child = await this.identity(pid);
      if (child && this.runs.get(pid) === run) {
        this.children.set(pid, { ...child, ...(marker === undefined ? {} : { marker }) });
        await this.writes.run();
      }
    });
  }

  /**
   * Looks what a recorded process has started, so that it is known for ours although the process may die first.
   * Returns at once; {@link flush} waits.
   */
  recordMembers(pid: number): void {
    const run = this.runs.get(pid);
    this.track(async () => {
      const rows = treeOf(pid, await this.tables.run());
      const isFree = (group: number | undefined) =>
        this.children.get(pid)?.marker === undefined && group !== pid;
      const others = rows.filter((row) => row.pid !== pid && !isFree(row.group));
      const members = await Promise.all(others.map((row) => this.identity(row.pid)));
      const child = this.children.get(pid);
      if (child && this.runs.get(pid) === run && members.length > 0) {
        this.children.set(pid, { ...child, members: members.filter((item) => item !== undefined) });
        await this.writes.run();
      }
    });
  }

  /** Returns at once; {@link flush} waits. */
  forget(pid: number): void {
    this.runs.delete(pid);
    if (this.children.delete(pid)) {
      this.track(() => this.writes.run());
    }
  }

  /** Resolves when everything recorded or forgotten so far is on disk. */
  async flush(): Promise<void> {
    while (this.pending.size > 0) {
      await Promise.all(this.pending);
    }
  }

  /** Ends what dead owners left behind and removes their files. Never rejects. @returns the pids that were ended. */
  async sweep(): Promise<readonly number[]> {
    const names = await readdir(this.options.directory).catch(() => []);
    const ended = await Promise.all(
      names
        .filter((name) => name.endsWith('.json'))
        .map((name) => this.sweepFile(path.join(this.options.directory, name))),
    );
    return ended.flat();
  }

  private async sweepFile(file: string): Promise<readonly number[]> {
    const content = await readLedger(file);
    if (
      !content ||
      content.machine !== (await this.machine) ||
      (await this.isSame(content.owner))
    ) {
      return [];
    }
    const roots = await Promise.all(content.children.map((child) => this.rootOf(child)));
    const alive = await Promise.all(roots.map((root) => this.options.tree.isAlive(root)));
    const left = roots.filter((_root, index) => alive[index]);
    await Promise.all(left.map((root) => stopTree(root, this.options.tree, { graceMs: () => 0 })));
    await rm(file, { force: true }).catch((error) => this.options.onError?.(error));
    return left.map(({ pid }) => pid);
  }

  /** The group is ours when its leader runs, or a member that was seen in it does and is still in it. */
  private async rootOf(child: LedgerChild): Promise<TreeRoot> {
    const { pid, marker, members = [] } = child;
    const isSame = await Promise.all(members.map((member) => this.isSame(member)));
    const running = members.filter((_member, index) => isSame[index]);
    const table = running.length > 0 ? await readProcessTable(process.platform) : [];
    const isInGroup = (member: ProcessIdentity) =>
      table.some((row) => row.pid === member.pid && row.group === pid);
    const hasGroup = (await this.isSame(child)) || running.some(isInGroup);
    return { pid, marker, hasGroup, strays: running.filter((member) => !isInGroup(member)) };
  }

  private async identity(pid: number): Promise<ProcessIdentity | undefined> {
    const start = await this.identify(pid);
    return start === undefined ? undefined : { pid, start };
  }

  private async isSame({ pid, start }: ProcessIdentity): Promise<boolean> {
    return (await this.identify(pid)) === start;
  }

  private track(task: () => Promise<void>): void {
    const tracked = task()
      .catch((error) => this.options.onError?.(error))
      .finally(() => this.pending.delete(tracked));
    this.pending.add(tracked);
  }

  private async write(): Promise<void> {
    const { directory } = this.options;
    const file = path.join(directory, `${hostname()}-${this.ownerPid}.json`);
    if (this.children.size === 0) {
      await rm(file, { force: true });
      return;
    }
    const content: LedgerFile = {
      machine: await this.machine,
      owner: { pid: this.ownerPid, start: (await this.identify(this.ownerPid)) ?? '' },
      children: [...this.children.values()],
    };
    await mkdir(directory, { recursive: true });
    const draft = `${file}.tmp`;
    await writeFile(draft, JSON.stringify(content), { mode: 0o600 });
    await rename(draft, file);
  }
}

async function readLedger(file: string): Promise<LedgerFile | undefined> {
  try {
    const value: unknown = JSON.parse(await readTextFile(file));
    return isLedgerFile(value) ? value : undefined;
  } catch {
    // unreadable or removed by another window's sweep
    return undefined;
  }
}

function isLedgerFile(value: unknown): value is LedgerFile {
  return (
    isJsonObject(value) &&
    typeof value.machine === 'string' &&
    isIdentity(value.owner) &&
    Array.isArray(value.children) &&
    value.children.every(isChild)
  );
}

function isChild(value: unknown): value is LedgerChild {
  const { members = [], marker = '' } = isJsonObject(value) ? value : {};
  const isKnown = isIdentity(value) && typeof marker === 'string';
  return isKnown && Array.isArray(members) && members.every(isIdentity);
}

/** Pids 0 and 1 address everything or the system; they are never a child of ours. */
function isIdentity(value: unknown): value is ProcessIdentity {
  return (
    isJsonObject(value) &&
    Number.isSafeInteger(value.pid) &&
    (value.pid as number) > 1 &&
    typeof value.start === 'string' &&
    value.start !== ''
  );
}

async function machineId(): Promise<string> {
  const boot = await readTextFile('/proc/sys/kernel/random/boot_id').catch(() => '');
  const namespace = await readlink('/proc/self/ns/pid').catch(() => '');
  return [hostname(), boot.trim(), namespace].filter((part) => part !== '').join(' ');
}

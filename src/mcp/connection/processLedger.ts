import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, readlink, rename, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import * as path from 'node:path';
import { isJsonObject } from '../../base/json.js';
import { Sequencer } from '../../base/sequencer.js';
import { readProcessTable, treeOf } from './processTable.js';
import type { ProcessTree } from './processTree.js';
import { stopTree } from './stopTree.js';

/** A process that cannot be mistaken for a later one of the same pid. */
interface ProcessIdentity {
  readonly pid: number;
  /** When it started, in the platform's own words. */
  readonly start: string;
}

/** A server: the process that leads its group, and who belonged to the group when it was last looked at. */
interface LedgerChild extends ProcessIdentity {
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
  private readonly writes = new Sequencer();
  private readonly children = new Map</* pid */ number, LedgerChild>();
  private readonly ownerPid: number;
  private readonly identify: (pid: number) => Promise<string | undefined>;

  constructor(private readonly options: ProcessLedgerOptions) {
    this.ownerPid = options.ownerPid ?? process.pid;
    this.identify = options.identify ?? readStartTime;
  }

  /** Returns at once; {@link flush} waits. */
  record(pid: number): void {
    this.queue(async () => {
      const child = await this.identity(pid);
      if (child) {
        this.children.set(pid, child);
        await this.write();
      }
    });
  }

  /**
   * Looks who belongs to the group of a recorded process, so that the group is known for ours although its leader may
   * die first. Returns at once; {@link flush} waits.
   */
  recordMembers(pid: number): void {
    this.queue(async () => {
      const child = this.children.get(pid);
      const rows = child ? treeOf(pid, await readProcessTable(process.platform)) : [];
      const others = rows.filter((row) => row.pid !== pid && row.group === pid);
      const members = await Promise.all(others.map((row) => this.identity(row.pid)));
      if (child && this.children.has(pid) && members.length > 0) {
        this.children.set(pid, { ...child, members: members.filter((item) => item !== undefined) });
        await this.write();
      }
    });
  }

  /** Returns at once; {@link flush} waits. */
  forget(pid: number): void {
    this.queue(async () => {
      if (this.children.delete(pid)) {
        await this.write();
      }
    });
  }

  /** Resolves when everything recorded or forgotten so far is on disk. */
  flush(): Promise<void> {
    return this.writes.queue(async () => undefined);
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
    if (!content || content.machine !== (await machineId()) || (await this.isSame(content.owner))) {
      return [];
    }
    const left: number[] = [];
    for (const child of content.children) {
      if (await this.isLeft(child)) {
        left.push(child.pid);
      }
    }
    await Promise.all(left.map((pid) => stopTree(pid, this.options.tree, { graceMs: 0 })));
    await rm(file, { force: true }).catch((error) => this.options.onError?.(error));
    return left;
  }

  /** The leader runs, or a member that was seen in its group does and is still in it. */
  private async isLeft(child: LedgerChild): Promise<boolean> {
    if (await this.isSame(child)) {
      return true;
    }
    const { members = [] } = child;
    if (members.length === 0) {
      return false;
    }
    const group = treeOf(child.pid, await readProcessTable(process.platform));
    const known = members.filter(({ pid }) =>
      group.some((row) => row.pid === pid && row.group === child.pid),
    );
    return (await Promise.all(known.map((member) => this.isSame(member)))).includes(true);
  }

  private async identity(pid: number): Promise<ProcessIdentity | undefined> {
    const start = await this.identify(pid);
    return start === undefined ? undefined : { pid, start };
  }

  private async isSame({ pid, start }: ProcessIdentity): Promise<boolean> {
    return (await this.identify(pid)) === start;
  }

  private queue(task: () => Promise<void>): void {
    void this.writes.queue(task).catch((error) => this.options.onError?.(error));
  }

  private async write(): Promise<void> {
    const { directory } = this.options;
    const file = path.join(directory, `${hostname()}-${this.ownerPid}.json`);
    if (this.children.size === 0) {
      await rm(file, { force: true });
      return;
    }
    const content: LedgerFile = {
      machine: await machineId(),
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
    const value: unknown = JSON.parse(await readFile(file, 'utf8'));
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
  const { members = [] } = isJsonObject(value) ? value : {};
  return isIdentity(value) && Array.isArray(members) && members.every(isIdentity);
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

/** When a running process started; undefined when there is none of that pid. Never rejects. */
export async function readStartTime(pid: number): Promise<string | undefined> {
  if (process.platform === 'linux') {
    try {
      const stat = await readFile(`/proc/${pid}/stat`, 'latin1');
      // fields count from the end of the name in parentheses: state is the 3rd, the start time the 22nd
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return fields[0] === 'Z' ? undefined : fields[19];
    } catch {
      // no such process
      return undefined;
    }
  }
  const [file, args] =
    process.platform === 'win32'
      ? ['powershell', ['-NoProfile', '-Command', `(Get-Process -Id ${pid}).StartTime.Ticks`]]
      : ['ps', ['-o', 'lstart=', '-p', String(pid)]];
  return new Promise((resolve) => {
    execFile(file as string, args as string[], { windowsHide: true, timeout: 5000 }, (error, out) =>
      resolve(error ? undefined : out.trim() || undefined),
    );
  });
}

async function machineId(): Promise<string> {
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '');
  const namespace = await readlink('/proc/self/ns/pid').catch(() => '');
  return [hostname(), boot.trim(), namespace].filter((part) => part !== '').join(' ');
}

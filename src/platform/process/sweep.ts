/** Ends what dead windows left behind. A process is only ever signalled when it is known to be the one they started. */
import { createHash } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import * as path from 'node:path';
import { bootSession } from '../bootSession.js';
import type { ProcessIdentity } from './identity.js';
import { type LedgerFile, type LedgerIntent, readLedgerFile } from './ledgerFile.js';
import { type MarkedByMarker, type MarkedProcess, markerOwner } from './marker.js';
import { stopTree } from './stopTree.js';
import type { ProcessSystem } from './system.js';
import type { ProcessRow } from './table.js';
import type { ProcessTree, TreeRoot } from './tree.js';

export interface SweepOptions {
  /** Absolute; the ledgers of all windows. */
  readonly directory: string;
  readonly tree: ProcessTree;
  readonly system: ProcessSystem;
  readonly onError: (error: unknown) => void;
}

/** Never rejects. @returns the first processes of the servers that were ended. */
export async function sweepProcesses(options: SweepOptions): Promise<readonly number[]> {
  const { directory, system, tree } = options;
  const files = await readLedgers(directory);
  const marked = await system.marked();
  // after everything that names an owner, so that one who runs is in it
  const rows = await system.table();
  if (rows === undefined) {
    // who runs is not known, so nobody is known to be gone
    return [];
  }
  const table = new Table(rows);
  const left = [...files].filter(([, { owner }]) => !table.has(owner));
  const recorded = left.flatMap(([, file]) => rootsOf(file, table));
  const roots = [
    ...recorded,
    ...orphans(marked, table, { recorded, scope: sweepScope(directory) }),
  ];
  const alive = await Promise.all(roots.map((root) => tree.isAlive(root)));
  const ended = roots.filter((_root, index) => alive[index]);
  await Promise.all(ended.map((root) => stopTree(root, tree, { graceMs: () => 0 })));
  for (const [file] of left) {
    await rm(file, { force: true }).catch(options.onError);
  }
  return ended.map(({ pid }) => pid);
}

/** The windows that keep their ledgers in one place sweep behind each other. */
export function sweepScope(directory: string): string {
  return createHash('sha256').update(`${bootSession()} ${directory}`).digest('hex').slice(0, 16);
}

class Table {
  private readonly byPid: ReadonlyMap<number, ProcessRow>;

  constructor(readonly rows: readonly ProcessRow[]) {
    this.byPid = new Map(rows.map((row) => [row.pid, row]));
  }

  has({ pid, start }: ProcessIdentity): boolean {
    return this.byPid.get(pid)?.start === start;
  }

  groupOf(pid: number): number | undefined {
    return this.byPid.get(pid)?.group;
  }
}

async function readLedgers(directory: string): Promise<ReadonlyMap<string, LedgerFile>> {
  const names = await readdir(directory).catch(() => []);
  const files = new Map<string, LedgerFile>();
  for (const name of names.filter((item) => item.endsWith('.json'))) {
    const file = path.join(directory, name);
    const content = await readLedgerFile(file);
    if (content?.session === bootSession()) {
      files.set(file, content);
    }
  }
  return files;
}

function rootsOf({ owner, children, intents }: LedgerFile, table: Table): readonly TreeRoot[] {
  const roots = children.map((child): TreeRoot => {
    const { pid, marker, members = [] } = child;
    const running = members.filter((member) => table.has(member));
    const isInGroup = (member: ProcessIdentity) => table.groupOf(member.pid) === pid;
    // the group is ours when its leader runs, or a member that was seen in it does and is still in it
    const hasGroup = table.has(child) || running.some(isInGroup);
    return { pid, marker, hasGroup, strays: running.filter((member) => !isInGroup(member)) };
  });
  const known = new Set(children.map(({ pid }) => pid));
  const started = intents.flatMap((intent) => startedFor(intent, owner, table.rows));
  return [...roots, ...started.filter(({ pid }) => !known.has(pid))];
}

/** Ticks of 100 ns from the year 1 to 1970. */
const windowsEpochTicks = 621_355_968_000_000_000;
/** Milliseconds between what is written down and the start; `ps` knows whole seconds only. */
const intentBounds = { before: 1000, after: 10_000 };

/** What runs as was intended, began then, and has lost its parent. */
function startedFor(
  { marker, executable, at }: LedgerIntent,
  owner: ProcessIdentity,
  rows: readonly ProcessRow[],
): readonly TreeRoot[] {
  return rows
    .filter(({ parent, group, pid, start, commandLine = '' }) => {
      // Windows keeps the parent's pid; elsewhere the first process adopts it, and it leads its group
      const isOrphan = group === undefined ? parent === owner.pid : parent === 1 && group === pid;
      const startedAt =
        group === undefined ? (Number(start) - windowsEpochTicks) / 10_000 : Number(start) * 1000;
      return (
        isOrphan &&
        startedAt >= at - intentBounds.before &&
        startedAt <= at + intentBounds.after &&
        commandLine.toLowerCase().includes(executable.toLowerCase())
      );
    })
    .map(({ pid }) => ({ pid, marker }));
}

/** What carries the marker of a window that is gone and is on nobody's record. */
function orphans(
  marked: MarkedByMarker,
  table: Table,
  { recorded, scope }: { readonly recorded: readonly TreeRoot[]; readonly scope: string },
): readonly TreeRoot[] {
  const known = new Set(recorded.map(({ marker }) => marker));
  return [...marked].flatMap(([marker, processes]) => {
    const owner = markerOwner(marker);
    const isOrphan = owner && owner.scope === scope && !table.has(owner);
    return isOrphan && !known.has(marker) ? [orphanRoot(marker, processes)] : [];
  });
}

function orphanRoot(marker: string, processes: readonly MarkedProcess[]): TreeRoot {
  // the oldest that leads a group is the one that we started
  const [leader] = processes
    .filter(({ pid, group }) => pid === group)
    .sort((a, b) => Number(a.start) - Number(b.start));
  return leader
    ? { pid: leader.pid, marker }
    : { pid: processes[0]?.pid ?? 0, marker, hasGroup: false };
}

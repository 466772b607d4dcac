/** What dead windows left behind. A process is only ever signalled when it is known to be the one they started. */
import { createHash } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import * as path from 'node:path';
import { bootSession } from '../bootSession.js';
import type { ProcessIdentity } from './identity.js';
import { type LedgerFile, type LedgerIntent, readLedgerFile } from './ledgerFile.js';
import { type MarkedByMarker, type MarkedProcess, markedBy, markerOwner } from './marker.js';
import { stopTree } from './stopTree.js';
import type { ProcessSystem } from './system.js';
import { type ProcessRow, treeOf } from './table.js';
import type { ProcessTree, TreeRoot } from './tree.js';

export interface LeftoverSearch {
  /** Absolute; the ledgers of all windows. */
  readonly directory: string;
  readonly tree: ProcessTree;
  readonly system: ProcessSystem;
  readonly onError: (error: unknown) => void;
}

/** A server that runs on although its window is gone. */
export interface Leftover {
  /** The same for as long as it is this run of this server, and of no other. */
  readonly key: string;
  /** Of its first process that runs. */
  readonly pid: number;
  /** Program and arguments of that process as they are: to be redacted. Empty when the system does not say. */
  readonly argv: readonly string[];
  /** When that process started, in milliseconds since 1970. */
  readonly startedAt: number;
  /** How many processes it has. */
  readonly processCount: number;
  /** The window that started it. */
  readonly window: {
    readonly pid: number;
    /** Milliseconds since 1970. */
    readonly startedAt: number;
    /** Paths of the folders that were open in it; empty when it did not say. */
    readonly folders: readonly string[];
  };
}

/** What became of a {@link Leftover}; `gone`: it ran no more, or its pid is another's by now; `alive`: it withstood. */
export type LeftoverOutcome = 'ended' | 'gone' | 'alive';

/** Looks and ends nothing. Never rejects. @returns undefined while the system does not say who runs. */
export async function listLeftovers(
  search: LeftoverSearch,
): Promise<readonly Leftover[] | undefined> {
  const { system } = search;
  const found = await findLeftovers(search);
  return found?.running.map((run) => describe(run, found, system));
}

/**
 * Ends what is still the leftover that the key stands for, which is found out anew.
 * Never rejects. @returns what became of each, in the order of the keys.
 */
export async function endLeftovers(
  keys: readonly string[],
  search: LeftoverSearch,
): Promise<readonly LeftoverOutcome[]> {
  const found = await findLeftovers(search);
  if (found === undefined) {
    return keys.map(() => 'alive');
  }
  const chosen = found.running.filter(({ key }) => keys.includes(key));
  const withstood = await endAll(chosen, search);
  const left = found.running.filter((run) => !chosen.includes(run) || withstood.includes(run));
  const done = found.files.filter((file) => left.every((run) => run.file !== file));
  await removeFiles(done, search);
  return keys.map((key) => {
    const run = chosen.find((one) => one.key === key);
    return run === undefined ? 'gone' : withstood.includes(run) ? 'alive' : 'ended';
  });
}

/** Ends all. Never rejects. @returns the first processes of the servers that were ended. */
export async function sweepLeftovers(search: LeftoverSearch): Promise<readonly number[]> {
  const found = await findLeftovers(search);
  if (found === undefined) {
    return [];
  }
  await endAll(found.running, search);
  await removeFiles(found.files, search);
  return found.running.map(({ root }) => root.pid);
}

/** The windows that keep their ledgers in one place sweep behind each other. */
export function sweepScope(directory: string): string {
  return createHash('sha256').update(`${bootSession()} ${directory}`).digest('hex').slice(0, 16);
}

/** One run of one server without its window. */
interface LeftRun {
  readonly key: string;
  readonly root: TreeRoot;
  readonly owner: ProcessIdentity;
  readonly folders: readonly string[];
  /** The ledger that it is recorded in. */
  readonly file?: string;
}

interface FoundRuns {
  /** Some process of each runs. */
  readonly running: readonly LeftRun[];
  /** Ledgers of windows that are gone. */
  readonly files: readonly string[];
  readonly table: Table;
  readonly marked: MarkedByMarker;
}

/** Undefined: who runs is not known, so nobody is known to be gone. */
async function findLeftovers({
  directory,
  system,
  tree,
}: LeftoverSearch): Promise<FoundRuns | undefined> {
  const files = await readLedgers(directory);
  const marked = await system.marked();
  const isEmpty = files.size === 0 && marked.size === 0;
  // after everything that names an owner, so that one who runs is in it; a program of its own on some systems
  const rows = isEmpty ? [] : await system.table();
  if (rows === undefined) {
    return undefined;
  }
  const table = new Table(rows);
  const left = [...files].filter(([, { owner }]) => !table.has(owner));
  const recorded = left.flatMap(([file, content]) => runsOf(file, content, table, system));
  const runs = [...recorded, ...orphans(marked, table, { recorded, scope: sweepScope(directory) })];
  const alive = await Promise.all(runs.map(({ root }) => tree.isAlive(root)));
  return {
    running: runs.filter((_run, index) => alive[index]),
    files: left.map(([file]) => file),
    table,
    marked,
  };
}

function describe(
  { key, root, owner, folders }: LeftRun,
  { table, marked }: FoundRuns,
  system: ProcessSystem,
): Leftover {
  const { pid, marker, strays = [], hasGroup = true } = root;
  const others = [...strays, ...(marker === undefined ? [] : markedBy(marker, marked))];
  const members = new Set(others.map((one) => one.pid));
  for (const row of hasGroup ? treeOf(pid, table.rows) : []) {
    members.add(row.pid);
  }
  const rows = table.rows.filter((row) => members.has(row.pid));
  const [oldest] = [...rows].sort((a, b) => Number(a.start) - Number(b.start));
  const first = rows.find((row) => row.pid === pid) ?? oldest;
  return {
    key,
    pid: first?.pid ?? pid,
    argv: first ? system.argumentsOf(first) : [],
    startedAt: system.startedAt(first?.start ?? owner.start),
    processCount: Math.max(1, rows.length),
    window: { pid: owner.pid, startedAt: system.startedAt(owner.start), folders },
  };
}

/** @returns those that withstood. */
async function endAll(
  runs: readonly LeftRun[],
  { tree }: LeftoverSearch,
): Promise<readonly LeftRun[]> {
  const outcomes = await Promise.all(
    runs.map(({ root }) => stopTree(root, tree, { graceMs: () => 0 })),
  );
  return runs.filter((_run, index) => outcomes[index] === 'alive');
}

async function removeFiles(
  files: readonly string[],
  { onError }: Pick<LeftoverSearch, 'onError'>,
): Promise<void> {
  for (const file of files) {
    await rm(file, { force: true }).catch(onError);
  }
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

function runsOf(
  file: string,
  { owner, children, intents, folders = [] }: LedgerFile,
  table: Table,
  system: ProcessSystem,
): readonly LeftRun[] {
  const run = (root: TreeRoot, start: string): LeftRun => ({
    key: keyOf(root, start),
    root,
    owner,
    folders,
    file,
  });
  const runs = children.map((child) => {
    const { pid, marker, members = [] } = child;
    const running = members.filter((member) => table.has(member));
    const isInGroup = (member: ProcessIdentity) => table.groupOf(member.pid) === pid;
    // the group is ours when its leader runs, or a member that was seen in it does and is still in it
    const hasGroup = table.has(child) || running.some(isInGroup);
    const strays = running.filter((member) => !isInGroup(member));
    return run({ pid, marker, hasGroup, strays }, child.start);
  });
  const known = new Set(children.map(({ pid }) => pid));
  const started = intents
    .flatMap((intent) => startedFor(intent, owner, table, system))
    .filter(({ pid }) => !known.has(pid))
    .map(({ pid, marker, start }) => run({ pid, marker }, start));
  return [...runs, ...started];
}

/** A marker names one run of one server; without it, pid and start of its first process do. */
function keyOf({ pid, marker }: TreeRoot, start: string): string {
  return marker ?? `${pid} ${start}`;
}

/** Milliseconds between what is written down and the start; `ps` knows whole seconds only. */
const intentBounds = { before: 1000, after: 10_000 };

/** What runs as was intended, began then, and has lost its parent. */
function startedFor(
  { marker, executable, at }: LedgerIntent,
  owner: ProcessIdentity,
  { rows }: Table,
  system: ProcessSystem,
): readonly (ProcessIdentity & { readonly marker: string })[] {
  return rows
    .filter(({ parent, group, pid, start, commandLine = '' }) => {
      // Windows keeps the parent's pid; elsewhere the first process adopts it, and it leads its group
      const isOrphan = group === undefined ? parent === owner.pid : parent === 1 && group === pid;
      const startedAt = system.startedAt(start);
      return (
        isOrphan &&
        startedAt >= at - intentBounds.before &&
        startedAt <= at + intentBounds.after &&
        commandLine.toLowerCase().includes(executable.toLowerCase())
      );
    })
    .map(({ pid, start }) => ({ pid, start, marker }));
}

/** What carries the marker of a window that is gone and is on nobody's record. */
function orphans(
  marked: MarkedByMarker,
  table: Table,
  { recorded, scope }: { readonly recorded: readonly LeftRun[]; readonly scope: string },
): readonly LeftRun[] {
  const known = new Set(recorded.map(({ root }) => root.marker));
  return [...marked].flatMap(([marker, processes]) => {
    const owner = markerOwner(marker);
    const isOrphan = owner && owner.scope === scope && !table.has(owner);
    return isOrphan && !known.has(marker)
      ? [{ key: marker, root: orphanRoot(marker, processes), owner, folders: [] }]
      : [];
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

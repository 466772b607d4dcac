/** What files held, one write after the other, and the moments to which they can be taken back. Pure. */
import { ChunkedList } from '../../base/chunkedList.js';
import { unread, type Version } from './version.js';

/** A stretch in which nobody but the agent changed a file. */
export interface Link {
  readonly before: Version;
  readonly after: Version;
  readonly runs: readonly number[];
  /** Others wrote in what counts as the agent's: an undo asks. */
  readonly isMixed?: true;
}

export type Links = readonly Link[];

export type OtherCall = 'command' | 'server';
export type OtherCounts = Readonly<Record<OtherCall, number>>;

/** By a call of the agent, or by an undo, redo or restore. */
export interface HistoryWrite {
  readonly path: string;
  readonly before: Version;
  readonly after: Version;
  /** Absent for what the user asked for. */
  readonly run?: number;
  readonly isMixed?: true;
}

/** A moment: before a message of the user was taken up, or before the user took something back. */
export interface Checkpoint {
  readonly kind: 'message' | 'restore' | 'undo' | 'redo';
  /** Milliseconds since the epoch. */
  readonly time: number;
  /** Writes before it. */
  readonly writes: number;
  /** Calls before it whose changes nobody recorded. */
  readonly others: OtherCounts;
}

interface NamedCheckpoint extends Checkpoint {
  /** Of a message: that of its entry in Pi's session. */
  readonly id: string;
}

export interface History {
  readonly writes: ChunkedList<HistoryWrite>;
  readonly others: OtherCounts;
  /** Oldest first. */
  readonly checkpoints: ChunkedList<NamedCheckpoint>;
}

export const noHistory: History = {
  writes: ChunkedList.empty(),
  others: { command: 0, server: 0 },
  checkpoints: ChunkedList.empty(),
};

export function addWrite(history: History, write: HistoryWrite): History {
  return { ...history, writes: history.writes.append(write) };
}

export function addCheckpoint(
  history: History,
  id: string,
  { kind, time }: Pick<Checkpoint, 'kind' | 'time'>,
): History {
  const { writes, others } = history;
  const checkpoint = { id, kind, time, writes: writes.length, others };
  return { ...history, checkpoints: history.checkpoints.append(checkpoint) };
}

/** A file that the user moves takes its history along. */
export function moveInHistory(history: History, from: string, to: string): History {
  const move = (write: HistoryWrite) => (write.path === from ? { ...write, path: to } : write);
  return { ...history, writes: history.writes.update(move) };
}

/** What was written since, by file, without the runs in which that was. */
export function linksSince(
  { writes }: History,
  checkpoint: Checkpoint,
): ReadonlyMap</* path */ string, Links> {
  const found = new Map<string, Links>();
  for (const { path, before, after, isMixed } of writes.slice(checkpoint.writes)) {
    found.set(path, addLink(found.get(path) ?? [], { before, after, runs: [], isMixed }));
  }
  return new Map([...found].filter(([, links]) => links.length > 0));
}

/** Runs of the agent that had written the file by then. */
export function runsUntil({ writes }: History, { writes: end }: Checkpoint, path: string) {
  const runs = writes.slice(0, end).flatMap((write) => (write.path === path ? write.run : []));
  return new Set(runs.filter((run) => run !== undefined));
}

/** Runs of the agent in these links. */
export function linkedRuns(links: Links): readonly number[] {
  return [...new Set(links.flatMap((link) => link.runs))];
}

export function addLink(links: Links, link: Link): Links {
  const last = links.at(-1);
  if (!last || last.after !== link.before || link.before === unread) {
    return link.before === link.after && link.before !== unread ? links : [...links, link];
  }
  const runs = [...new Set([...last.runs, ...link.runs])];
  const isMixed = last.isMixed ?? link.isMixed;
  const joined = { before: last.before, after: link.after, runs, isMixed };
  const kept = links.slice(0, -1);
  return joined.before === joined.after ? kept : [...kept, joined];
}

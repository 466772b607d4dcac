/** What the agent changed and nobody has kept or undone yet, as a pure function of what happened. */
import { asString } from '../../base/json.js';
import { asNumber, kindsOf, listOf, objectOf, oneOf, optional } from '../reading/readers.js';
import {
  addCheckpoint,
  addLink,
  addWrite,
  type History,
  type Link,
  type Links,
  moveInHistory,
  noHistory,
  type OtherCall,
  type OtherCounts,
} from './history.js';
import type { Version } from './version.js';

/** A file that an undo or a restore wrote. */
export interface UndoneFile {
  readonly path: string;
  readonly from: Version;
  readonly to: Version;
  /** What was under review before. */
  readonly links: Links;
}

export type ChangeEntry =
  /** Before a call writes. */
  | {
      readonly type: 'begin';
      readonly call: string;
      readonly run: number;
      readonly path: string;
      readonly before: Version;
    }
  | {
      readonly type: 'end';
      readonly call: string;
      readonly after: Version;
      readonly isMixed?: true;
    }
  /** What is under review of these files from now on. */
  | { readonly type: 'files'; readonly files: readonly FileLinks[] }
  /** Of an earlier version, which noted an undo once it was done. */
  | {
      readonly type: 'undo';
      readonly undone: readonly UndoneFile[];
      readonly files: readonly FileLinks[];
    }
  /** `undone`: what is still to be brought back; default: nothing is. */
  | {
      readonly type: 'redo';
      readonly files?: readonly FileLinks[];
      readonly writes?: readonly FileWrite[];
      readonly undone?: readonly UndoneFile[];
    }
  /** A message of the user, by the id of its entry in Pi's session, is taken up. */
  | { readonly type: 'message'; readonly id: string; readonly time: number }
  /** What is about to be written, and what is there instead: what the files hold is safe by now. */
  | {
      readonly type: 'restore';
      /** Default: a restore. */
      readonly by?: 'undo' | 'redo' | 'restore';
      readonly id: string;
      readonly time: number;
      readonly files: readonly UndoneFile[];
    }
  /** What of it was written. `writes`: default: what was undone. */
  | {
      readonly type: 'restored';
      readonly undone: readonly UndoneFile[];
      readonly files: readonly FileLinks[];
      readonly writes?: readonly FileWrite[];
    }
  /** The conversation went back. */
  | { readonly type: 'left'; readonly place: LeftPlace }
  | { readonly type: 'moved'; readonly from: string; readonly to: string }
  /** Another conversation, of that title, wrote a file that is under review in this one. */
  | { readonly type: 'shared'; readonly path: string; readonly by: string }
  /** A call that may have changed files that nobody recorded. */
  | { readonly type: 'other'; readonly by: OtherCall };

export interface FileLinks {
  readonly path: string;
  readonly links: Links;
}

/** Where a conversation was: an entry in Pi's session, `null` before the first one. */
type LeftPlace = string | null;

/** What a file held before and after. */
export interface FileWrite {
  readonly path: string;
  readonly from: Version;
  readonly to: Version;
  readonly isMixed?: true;
}

interface RecordedCall {
  readonly path: string;
  readonly run: number;
  readonly before: Version;
  /** Absent while it writes, or when nobody knows how that ended. */
  readonly after?: Version;
}

export interface ChangeState {
  readonly files: ReadonlyMap</* path */ string, Links>;
  readonly runs: ReadonlyMap<number, ReadonlyMap</* path */ string, Links>>;
  readonly calls: ReadonlyMap</* call id */ string, RecordedCall>;
  /** Files that another conversation has written since this one did, with its title. */
  readonly shared: ReadonlyMap</* path */ string, string>;
  /** What a redo would bring back. */
  readonly undone: readonly UndoneFile[];
  /** Where a redo would take the conversation. */
  readonly left?: LeftPlace | undefined;
  /** A restore of which nobody knows yet how it ended. */
  readonly restoring?: readonly UndoneFile[] | undefined;
  /** Since there is something under review. */
  readonly others: OtherCounts;
  readonly history: History;
}

export const noChanges: ChangeState = {
  files: new Map(),
  runs: new Map(),
  calls: new Map(),
  shared: new Map(),
  undone: [],
  others: noHistory.others,
  history: noHistory,
};

export function reduceChanges(state: ChangeState, entry: ChangeEntry): ChangeState {
  switch (entry.type) {
    case 'begin': {
      const { call, path, run, before } = entry;
      return { ...state, calls: new Map(state.calls).set(call, { path, run, before }) };
    }
    case 'end':
      return endCall(state, entry);
    case 'files':
      return forgetOthers({ ...state, files: withLinks(state.files, entry.files) });
    case 'undo': {
      const { undone, files } = entry;
      // it lists what was undone with it so far
      const fresh = undone.filter(({ path }) => files.some((file) => file.path === path));
      return forgetOthers({
        ...written(state, fresh),
        files: withLinks(state.files, files),
        undone,
      });
    }
    case 'redo': {
      const { files = state.undone, writes = [], undone = [] } = entry;
      const redone = { ...written(state, writes), files: withLinks(state.files, files), undone };
      return { ...redone, left: undefined, restoring: undefined };
    }
    case 'message':
      return {
        ...state,
        left: undefined,
        history: addCheckpoint(state.history, entry.id, { kind: 'message', time: entry.time }),
      };
    case 'restore':
      return {
        ...state,
        restoring: entry.files,
        history: addCheckpoint(state.history, entry.id, {
          kind: entry.by ?? 'restore',
          time: entry.time,
        }),
      };
    case 'restored': {
      const { undone, files, writes = undone } = entry;
      const restored = { ...written(state, writes), files: withLinks(state.files, files), undone };
      return forgetOthers({ ...restored, restoring: undefined });
    }
    case 'left':
      return { ...state, left: entry.place };
    case 'moved':
      return moveFile(state, entry.from, entry.to);
    case 'shared':
      return state.files.has(entry.path)
        ? { ...state, shared: new Map(state.shared).set(entry.path, entry.by) }
        : state;
    case 'other': {
      const count = (others: OtherCounts) => ({ ...others, [entry.by]: others[entry.by] + 1 });
      const { others, history } = state;
      return {
        ...state,
        others: count(others),
        history: { ...history, others: count(history.others) },
      };
    }
  }
}

/** What an undo and a redo need; the rest is for older moments alone. */
export function neededVersions(state: ChangeState): ReadonlySet<Version> {
  const { files, undone, restoring = [], calls } = state;
  const links = [...files.values(), ...undone.map((file) => file.links)].flat();
  const open = [...calls.values()].filter(({ after }) => after === undefined);
  return new Set([
    ...links.flatMap(({ before, after }) => [before, after]),
    ...[...undone, ...restoring].flatMap(({ from, to }) => [from, to]),
    ...open.map(({ before }) => before),
  ]);
}

const isMixed = optional(oneOf([true] as const));
const readLinks = listOf(
  objectOf<Link>({ before: asString, after: asString, runs: listOf(asNumber), isMixed }),
);
const readFiles = listOf(objectOf<FileLinks>({ path: asString, links: readLinks }));
const readWrites = listOf(
  objectOf<FileWrite>({ path: asString, from: asString, to: asString, isMixed }),
);
const readUndone = listOf(
  objectOf<UndoneFile>({ path: asString, from: asString, to: asString, links: readLinks }),
);

const readWhole = kindsOf<ChangeEntry, 'type'>('type', {
  begin: { call: asString, run: asNumber, path: asString, before: asString },
  end: { call: asString, after: asString, isMixed },
  files: { files: readFiles },
  undo: { undone: readUndone, files: readFiles },
  redo: {
    files: optional(readFiles),
    writes: optional(readWrites),
    undone: optional(readUndone),
  },
  message: { id: asString, time: asNumber },
  restore: {
    by: optional(oneOf(['undo', 'redo', 'restore'] as const)),
    id: asString,
    time: asNumber,
    files: readUndone,
  },
  restored: { undone: readUndone, files: readFiles, writes: optional(readWrites) },
  left: { place: (value) => (value === null ? null : asString(value)) },
  moved: { from: asString, to: asString },
  shared: { path: asString, by: asString },
  other: { by: oneOf(['command', 'server'] as const) },
});

/** `undefined` for a line that no version of us wrote. */
export function readEntry(value: unknown): ChangeEntry | undefined {
  const entry = readWhole(value);
  const isPart = entry?.type === 'redo' && !(entry.files && entry.writes && entry.undone);
  // of the first version, or written in part: what was undone comes back
  return isPart ? { type: 'redo' } : entry;
}

function endCall(
  state: ChangeState,
  { call, after, isMixed }: Extract<ChangeEntry, { type: 'end' }>,
): ChangeState {
  const begun = state.calls.get(call);
  if (!begun || begun.after !== undefined) {
    return state;
  }
  const { path, run, before } = begun;
  const link: Link = { before, after, runs: [run], isMixed };
  const ofRun = new Map(state.runs.get(run));
  ofRun.set(path, addLink(ofRun.get(path) ?? [], link));
  return {
    ...state,
    calls: new Map(state.calls).set(call, { ...begun, after }),
    files: withLinks(state.files, [{ path, links: addLink(state.files.get(path) ?? [], link) }]),
    runs: new Map(state.runs).set(run, ofRun),
    shared: new Map([...state.shared].filter(([shared]) => shared !== path)),
    // what was undone is history once the agent has gone on
    undone: [],
    history: addWrite(state.history, { path, before, after, run, isMixed }),
  };
}

/** By the user's own choice. */
function written(state: ChangeState, files: readonly FileWrite[]): ChangeState {
  const add = (history: History, { path, from, to, isMixed }: FileWrite) =>
    addWrite(history, { path, before: from, after: to, isMixed });
  return { ...state, history: files.reduce(add, state.history) };
}

function moveFile(state: ChangeState, from: string, to: string): ChangeState {
  const links = state.files.get(from) ?? [];
  const moved = [{ path: from, links: [] }, ...(links.length > 0 ? [{ path: to, links }] : [])];
  const undone = state.undone.map((file) => (file.path === from ? { ...file, path: to } : file));
  const history = moveInHistory(state.history, from, to);
  return { ...state, files: withLinks(state.files, moved), undone, history };
}

function withLinks(
  files: ReadonlyMap<string, Links>,
  changed: readonly FileLinks[],
): ReadonlyMap<string, Links> {
  const next = new Map(files);
  for (const { path, links } of changed) {
    if (links.length > 0) {
      next.set(path, links);
    } else {
      next.delete(path);
    }
  }
  return next;
}

/** Nothing is left for which it would matter. */
function forgetOthers(state: ChangeState): ChangeState {
  return state.files.size > 0 ? state : { ...state, others: noChanges.others };
}

/** What the agent changed and nobody has kept or undone yet, as a pure function of what happened. */
import { isJsonObject } from '../../base/json.js';
import { unread, type Version } from './version.js';

/** A stretch in which nobody but the agent changed a file. */
export interface Link {
  readonly before: Version;
  readonly after: Version;
  readonly runs: readonly number[];
  /** Others wrote in what counts as the agent's: an undo asks. */
  readonly isMixed?: true;
}

type Links = readonly Link[];

/** A file that an undo wrote. */
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
  | {
      readonly type: 'undo';
      readonly undone: readonly UndoneFile[];
      readonly files: readonly FileLinks[];
    }
  | { readonly type: 'redo' }
  | { readonly type: 'moved'; readonly from: string; readonly to: string }
  /** A call that may have changed files that nobody recorded. */
  | { readonly type: 'other'; readonly by: OtherCall };

export type OtherCall = 'command' | 'server';

interface FileLinks {
  readonly path: string;
  readonly links: Links;
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
  /** What a redo would bring back. */
  readonly undone: readonly UndoneFile[];
  readonly others: Readonly<Record<OtherCall, number>>;
}

export const noChanges: ChangeState = {
  files: new Map(),
  runs: new Map(),
  calls: new Map(),
  undone: [],
  others: { command: 0, server: 0 },
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
    case 'undo':
      return forgetOthers({
        ...state,
        files: withLinks(state.files, entry.files),
        undone: entry.undone,
      });
    case 'redo':
      return { ...state, files: withLinks(state.files, state.undone), undone: [] };
    case 'moved': {
      const links = state.files.get(entry.from);
      return links
        ? {
            ...state,
            files: withLinks(state.files, [
              { path: entry.from, links: [] },
              { path: entry.to, links },
            ]),
          }
        : state;
    }
    case 'other': {
      const others = { ...state.others, [entry.by]: state.others[entry.by] + 1 };
      return { ...state, others };
    }
  }
}

/** `undefined` for a line that no version of us wrote. */
export function readEntry(value: unknown): ChangeEntry | undefined {
  if (!isJsonObject(value)) {
    return undefined;
  }
  const { type, call, run, path, before, after, from, to, by, files, undone } = value;
  const areTexts = (...values: unknown[]) => values.every((one) => typeof one === 'string');
  switch (type) {
    case 'begin':
      return areTexts(call, path, before) && typeof run === 'number' ? (value as never) : undefined;
    case 'end':
      return areTexts(call, after) ? (value as never) : undefined;
    case 'files':
      return areFiles(files) ? (value as never) : undefined;
    case 'undo':
      return areFiles(files) &&
        areFiles(undone) &&
        undone.every((one) => areTexts(one.from, one.to))
        ? (value as never)
        : undefined;
    case 'redo':
      return { type };
    case 'moved':
      return areTexts(from, to) ? (value as never) : undefined;
    case 'other':
      return by === 'command' || by === 'server' ? { type, by } : undefined;
    default:
      return undefined;
  }
}

function areFiles(value: unknown): value is { readonly [key: string]: unknown }[] {
  return (
    Array.isArray(value) &&
    value.every(
      (file) =>
        isJsonObject(file) &&
        typeof file.path === 'string' &&
        Array.isArray(file.links) &&
        file.links.every(
          (link) =>
            isJsonObject(link) &&
            typeof link.before === 'string' &&
            typeof link.after === 'string' &&
            Array.isArray(link.runs),
        ),
    )
  );
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
  const link: Link = { before, after, runs: [run], ...(isMixed && { isMixed }) };
  const ofRun = new Map(state.runs.get(run));
  ofRun.set(path, addLink(ofRun.get(path) ?? [], link));
  return {
    ...state,
    calls: new Map(state.calls).set(call, { ...begun, after }),
    files: withLinks(state.files, [{ path, links: addLink(state.files.get(path) ?? [], link) }]),
    runs: new Map(state.runs).set(run, ofRun),
    // what was undone is history once the agent has gone on
    undone: [],
  };
}

function addLink(links: Links, link: Link): Links {
  const last = links.at(-1);
  if (!last || last.after !== link.before || link.before === unread) {
    return link.before === link.after && link.before !== unread ? links : [...links, link];
  }
  const runs = [...new Set([...last.runs, ...link.runs])];
  const isMixed = last.isMixed ?? link.isMixed;
  const joined = { before: last.before, after: link.after, runs, ...(isMixed && { isMixed }) };
  const kept = links.slice(0, -1);
  return joined.before === joined.after ? kept : [...kept, joined];
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

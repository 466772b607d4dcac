/** The change of a file as the page shows it, with bounds. */
import * as l10n from '@vscode/l10n';
import { asString, isJsonObject, parseJson } from '../../base/json.js';
import { showHidden, showHiddenInLine } from '../../base/text/showHidden.js';
import { changedRegions, type Region, splitLines } from '../../config/edit/changedRegions.js';
import type { DiffLine, FileChangeView } from '../../protocol/fileChanges.js';
import { asNumber, itemsOf, listOf, objectOf, oneOf, optional } from '../reading/readers.js';

/** Lines around each part that differs. */
const contextLines = 3;
/** Lines of one change on the page; the whole is shown in an editor. */
const maxLines = 400;
/** Characters of all those lines. */
const maxCharacters = 40_000;
/** Characters. */
const maxLineLength = 500;
const maxPathLength = 500;
/** Characters of one of the texts beyond which they are not compared. */
const maxComparedLength = 1024 * 1024;

/** A text before and after; `undefined` where there was no file. */
export interface TextChange {
  readonly before: string | undefined;
  readonly after: string;
}

export function changeView(
  path: string,
  kind: FileChangeView['kind'],
  { before = '', after }: TextChange,
): FileChangeView {
  const shownPath = showPath(path);
  if (before.length > maxComparedLength || after.length > maxComparedLength) {
    const notes = [l10n.t('The file is too large to be compared here.')];
    return { path: shownPath, kind, added: 0, removed: 0, hunks: [], omitted: 0, notes };
  }
  const a = bareLines(before);
  const b = bareLines(after);
  const regions = changedRegions(a, b);
  const added = sum(regions, ({ bStart, bEnd }) => bEnd - bStart);
  const removed = sum(regions, ({ aStart, aEnd }) => aEnd - aStart);
  const { hunks, omitted } = bounded(hunksOf(a, b, regions));
  const notes = kind === 'edit' || kind === 'overwrite' ? notesOf(before, after) : [];
  return { path: shownPath, kind, added, removed, hunks, omitted, notes };
}

/** What the arguments of a call that has not run yet tell of its change; `undefined` for what is none. */
export function wantedChange(tool: string, args: unknown): FileChangeView | undefined {
  if (!isJsonObject(args) || typeof args.path !== 'string') {
    return undefined;
  }
  const { path, content } = args;
  if (tool === 'write') {
    return typeof content === 'string'
      ? changeView(path, 'write', { before: undefined, after: content })
      : undefined;
  }
  const edits = tool === 'edit' ? editsOf(args) : undefined;
  return edits && joined(edits.map((edit) => changeView(path, 'edit', edit)));
}

const readLine = objectOf<DiffLine>({
  kind: oneOf(['same', 'added', 'removed'] as const),
  text: asString,
  number: optional(asNumber),
});

/** What {@link changeView} made, read from a result; `undefined` for anything else. */
export const readChangeView = objectOf<Omit<FileChangeView, 'callId'>>({
  path: asString,
  kind: oneOf(['edit', 'create', 'overwrite', 'write'] as const),
  added: asNumber,
  removed: asNumber,
  hunks: listOf(itemsOf(readLine)),
  omitted: asNumber,
  notes: itemsOf(asString),
});

/** Pi takes the edits as a list, one edit alone, as JSON text, and as members of the call itself. */
function editsOf(args: { readonly [key: string]: unknown }): readonly TextChange[] | undefined {
  const given = typeof args.edits === 'string' ? parseJson(args.edits) : args.edits;
  const list: readonly unknown[] = Array.isArray(given) ? given : [given];
  const edits = [...list, args].flatMap((edit) =>
    isJsonObject(edit) && typeof edit.oldText === 'string' && typeof edit.newText === 'string'
      ? [{ before: edit.oldText, after: edit.newText }]
      : [],
  );
  return edits.length > 0 ? edits : undefined;
}

/** Where the parts stand in the file is not known. */
function joined(changes: readonly FileChangeView[]): FileChangeView | undefined {
  const [first] = changes;
  const hunks = changes.flatMap((change) => change.hunks);
  const bare = hunks.map((hunk) => hunk.map(({ kind, text }) => ({ kind, text })));
  const { hunks: shown, omitted } = bounded(bare);
  return (
    first && {
      ...first,
      added: sum(changes, ({ added }) => added),
      removed: sum(changes, ({ removed }) => removed),
      hunks: shown,
      omitted: omitted + sum(changes, (change) => change.omitted),
      notes: [],
    }
  );
}

function hunksOf(
  a: readonly string[],
  b: readonly string[],
  regions: readonly Region[],
): readonly (readonly DiffLine[])[] {
  const hunks: DiffLine[][] = [];
  const same = (from: number, to: number): DiffLine[] =>
    b.slice(from, to).map((text, index) => line('same', text, from + index + 1));
  regions.forEach(({ aStart, aEnd, bStart, bEnd }, index) => {
    const previous = regions[index - 1];
    const next = regions[index + 1];
    const from = Math.max(previous?.bEnd ?? 0, bStart - contextLines);
    const isJoined = previous !== undefined && bStart - previous.bEnd <= 2 * contextLines;
    const hunk = isJoined ? (hunks.pop() ?? []) : [];
    const removed = a.slice(aStart, aEnd).map((text, at) => line('removed', text, aStart + at + 1));
    const added = b.slice(bStart, bEnd).map((text, at) => line('added', text, bStart + at + 1));
    const joinsNext = next !== undefined && next.bStart - bEnd <= 2 * contextLines;
    const to = joinsNext ? next.bStart : Math.min(b.length, bEnd + contextLines);
    const above = isJoined ? [] : same(from, bStart);
    hunks.push(hunk.concat(above, removed, added, same(bEnd, to)));
  });
  return hunks;
}

/** Bounded. @param start number of the line before the first */
export function diffLines(
  kind: DiffLine['kind'],
  lines: readonly string[],
  start: number,
): readonly DiffLine[] {
  const all = lines
    .slice(0, maxLines)
    .map((text, index) => line(kind, text.replace(/\r?\n$/, ''), start + index + 1));
  return bounded([all]).hunks.flat();
}

function line(kind: DiffLine['kind'], text: string, number: number): DiffLine {
  const isLong = text.length > maxLineLength;
  const short = isLong ? `${text.slice(0, maxLineLength).replace(/[\uD800-\uDBFF]$/, '')}…` : text;
  // tabs are as good as blanks in a text
  return { kind, number, text: short.split('\t').map(showHidden).join('\t') };
}

function bounded(hunks: readonly (readonly DiffLine[])[]) {
  let lines = maxLines;
  let characters = maxCharacters;
  const shown = hunks.flatMap((hunk) => {
    const kept = hunk.filter(({ text }) => {
      lines--;
      characters -= text.length;
      return lines >= 0 && characters >= 0;
    });
    return kept.length > 0 ? [kept] : [];
  });
  const count = (list: readonly (readonly DiffLine[])[]) => sum(list, ({ length }) => length);
  return { hunks: shown, omitted: count(hunks) - count(shown) };
}

/** Without line breaks and byte order mark. */
function bareLines(text: string): string[] {
  return splitLines(text.replace(/^\uFEFF/, '')).map((one) => one.replace(/\r?\n$/, ''));
}

function notesOf(before: string, after: string): readonly string[] {
  const isShown = before !== '' && after !== '';
  const notes: string[] = [];
  if (isShown && lineEnd(before) !== lineEnd(after) && splitLines(before).length > 1) {
    notes.push(l10n.t('Line ends change from {0} to {1}.', lineEnd(before), lineEnd(after)));
  }
  if (isShown && before.startsWith('\uFEFF') !== after.startsWith('\uFEFF')) {
    notes.push(
      after.startsWith('\uFEFF')
        ? l10n.t('A byte order mark is added.')
        : l10n.t('The byte order mark is removed.'),
    );
  }
  if (isShown && before.endsWith('\n') !== after.endsWith('\n')) {
    notes.push(
      after.endsWith('\n')
        ? l10n.t('The last line gets a line break.')
        : l10n.t('The last line loses its line break.'),
    );
  }
  return notes;
}

function lineEnd(text: string): string {
  const crlf = text.split('\r\n').length - 1;
  const all = text.split('\n').length - 1;
  return crlf === 0 ? 'LF' : crlf === all ? 'CRLF' : l10n.t('CRLF and LF');
}

function showPath(path: string): string {
  return showHiddenInLine(path).slice(0, maxPathLength);
}

function sum<T>(items: readonly T[], value: (item: T) => number): number {
  return items.reduce((total, item) => total + value(item), 0);
}

/** The parts of a file that the agent changed, each of which can be kept or undone by itself. */
import { createHash } from 'node:crypto';
import { changedRegions, type Region, splitLines } from '../../config/edit/changedRegions.js';
import { baselineOf, type LoadedLink } from './undo.js';
import { type Content, textOfBytes } from './version.js';

export interface FileHunk {
  /** Of this part in this text: another text has other ids. */
  readonly id: string;
  readonly region: Region;
  /** Lines without the agent's changes, and as they are now; with their line breaks. */
  readonly before: readonly string[];
  readonly now: readonly string[];
  /** Others wrote in these lines as well. */
  readonly isMixed: boolean;
}

/** None for what is no text. */
export function fileHunks(links: readonly LoadedLink[], now: Content): readonly FileHunk[] {
  const nowText = textOfBytes(now);
  const baseline = textOf(baselineOf(links, now));
  if (nowText === undefined || baseline === undefined) {
    return [];
  }
  const nowLines = splitLines(nowText);
  const found = hunksBetween(baseline, nowLines);
  const pure = textOf(baselineOf(links, now, 'theirs'));
  const ofAgentAlone = new Set(
    pure === undefined ? [] : hunksBetween(pure, nowLines).map(contentKey),
  );
  const isMixed = links.some((link) => link.isMixed);
  return found.map((hunk) => ({
    ...hunk,
    id: createHash('sha256')
      .update(`${contentKey(hunk)}\n${nowText}`)
      .digest('hex')
      .slice(0, 16),
    isMixed: isMixed || !ofAgentAlone.has(contentKey(hunk)),
  }));
}

/** The line, counted from 0, at which a part is shown in a text of so many lines: of what was taken out at its end, the last. */
export function lineOfHunk({ region }: FileHunk, lines: number): number {
  return Math.max(0, Math.min(region.bStart, lines - 1));
}

/** The parts that an editor shows at lines `from` to `to`, counted from 0, both included. What was taken out touches the lines on both sides. */
export function hunksAt(hunks: readonly FileHunk[], from: number, to: number): readonly FileHunk[] {
  return hunks.filter(({ region: { bStart, bEnd } }) =>
    bStart === bEnd ? bStart >= from && bStart <= to + 1 : bStart <= to && bEnd > from,
  );
}

/** @param side what the text is: the file without the agent's changes, or as it is now */
export function withoutHunk(content: Content, hunk: FileHunk, side: 'baseline' | 'now'): Buffer {
  const lines = splitLines(textOf(content) ?? '');
  const { aStart, aEnd, bStart, bEnd } = hunk.region;
  const [start, end, instead] =
    side === 'baseline' ? [aStart, aEnd, hunk.now] : [bStart, bEnd, hunk.before];
  return Buffer.from([...lines.slice(0, start), ...instead, ...lines.slice(end)].join(''));
}

function hunksBetween(baseline: string, now: readonly string[]) {
  const lines = splitLines(baseline);
  return changedRegions(lines, now).map((region) => ({
    region,
    before: lines.slice(region.aStart, region.aEnd),
    now: now.slice(region.bStart, region.bEnd),
  }));
}

function contentKey({ region, before }: Pick<FileHunk, 'region' | 'before'>): string {
  return JSON.stringify([region.bStart, region.bEnd, before]);
}

/** A file that is not there has no lines. */
function textOf(content: Content): string | undefined {
  return content === 'absent' ? '' : textOfBytes(content);
}

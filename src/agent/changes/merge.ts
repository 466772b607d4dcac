/** Three texts into one, line by line. */
import { changedRegions, type Region, splitLines } from '../../config/edit/changedRegions.js';

export interface Merge {
  readonly text: string;
  /** Places that both sides changed, each in another way. */
  readonly conflicts: number;
}

/**
 * What changed from `base` to `ours`, done to `theirs`. Where both changed the same lines, the preferred side wins.
 * Lines beside each other are not the same lines.
 */
export function mergeTexts(
  base: string,
  ours: string,
  theirs: string,
  preferred: 'ours' | 'theirs',
): Merge {
  const [baseLines, oursLines, theirsLines] = [
    splitLines(base),
    splitLines(ours),
    splitLines(theirs),
  ];
  const left = new Side(changedRegions(baseLines, oursLines), oursLines);
  const right = new Side(changedRegions(baseLines, theirsLines), theirsLines);
  const merged: string[] = [];
  let at = 0;
  let conflicts = 0;
  for (let group = nextGroup(left, right); group; group = nextGroup(left, right)) {
    const { start, end } = group;
    merged.push(baseLines.slice(at, start).join(''));
    const fromOurs = left.take(start, end);
    const fromTheirs = right.take(start, end);
    const isSame = fromOurs.text === fromTheirs.text;
    if (fromOurs.isChanged && fromTheirs.isChanged && !isSame) {
      conflicts++;
      merged.push((preferred === 'ours' ? fromOurs : fromTheirs).text);
    } else {
      merged.push((fromOurs.isChanged ? fromOurs : fromTheirs).text);
    }
    at = end;
  }
  merged.push(baseLines.slice(at).join(''));
  return { text: merged.join(''), conflicts };
}

interface Group {
  readonly start: number;
  readonly end: number;
}

/** How one side differs from the base, taken from the beginning. */
class Side {
  private next = 0;
  /** Lines that this side has more than the base, up to the next region. */
  private shift = 0;

  constructor(
    private readonly regions: readonly Region[],
    private readonly lines: readonly string[],
  ) {}

  peek(index = 0): Region | undefined {
    return this.regions[this.next + index];
  }

  /** What stands for these lines of the base, which no region crosses the borders of. */
  take(start: number, end: number) {
    const from = start + this.shift;
    let isChanged = false;
    for (let region = this.peek(); region && isInside(region, start, end); region = this.peek()) {
      isChanged = true;
      this.shift += region.bEnd - region.bStart - (region.aEnd - region.aStart);
      this.next++;
    }
    return { isChanged, text: this.lines.slice(from, end + this.shift).join('') };
  }
}

/** The next lines of the base that a side changed, with all that overlap them. */
function nextGroup(left: Side, right: Side): Group | undefined {
  const first = [left.peek(), right.peek()].filter((one) => one !== undefined).sort(byStart)[0];
  if (!first) {
    return undefined;
  }
  const start = first.aStart;
  let end = first.aEnd;
  const indexes = { left: 0, right: 0 };
  for (;;) {
    const inLeft = left.peek(indexes.left);
    const inRight = right.peek(indexes.right);
    if (inLeft && joins(inLeft, start, end)) {
      end = Math.max(end, inLeft.aEnd);
      indexes.left++;
    } else if (inRight && joins(inRight, start, end)) {
      end = Math.max(end, inRight.aEnd);
      indexes.right++;
    } else {
      return { start, end };
    }
  }
}

/** What is inserted at a place comes before what is changed there. */
function byStart(a: Region, b: Region): number {
  return a.aStart - b.aStart || a.aEnd - b.aEnd;
}

function joins({ aStart, aEnd }: Region, start: number, end: number): boolean {
  const isInsertionAtSamePlace = aStart === aEnd && start === end && aStart === start;
  return aStart < end || isInsertionAtSamePlace;
}

function isInside({ aStart, aEnd }: Region, start: number, end: number): boolean {
  return aStart >= start && aEnd <= end && (start === end || aStart < end);
}

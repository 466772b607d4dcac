/** Which items differ between two lists, such as the lines of two texts. */
import { diffArrays } from 'diff';

/** Items `aStart` to `aEnd` of the one stand for items `bStart` to `bEnd` of the other; ends are exclusive. */
export interface Region {
  readonly aStart: number;
  readonly aEnd: number;
  readonly bStart: number;
  readonly bEnd: number;
}

/** Lists that differ in more items are one region: to look longer would stop the extension host. */
const maxEditLength = 2_000;
/** Milliseconds. */
const timeout = 300;

/** Each line with its line break, so that the lines together are the text. */
export function splitLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+/g) ?? [];
}

/** In order; between two regions there is at least one equal item. */
export function changedRegions(a: readonly string[], b: readonly string[]): readonly Region[] {
  const start = sameStart(a, b);
  const end = sameEnd(a, b, start);
  const aMiddle = a.slice(start, a.length - end);
  const bMiddle = b.slice(start, b.length - end);
  const whole = { aStart: start, aEnd: a.length - end, bStart: start, bEnd: b.length - end };
  if (aMiddle.length === 0 || bMiddle.length === 0) {
    return aMiddle.length + bMiddle.length === 0 ? [] : [whole];
  }
  const changes = diffArrays(aMiddle, bMiddle, { maxEditLength, timeout });
  if (!changes) {
    return [whole];
  }
  const regions: Region[] = [];
  let [aAt, bAt] = [start, start];
  for (const { added, removed, count } of changes) {
    const [aStart, bStart] = [aAt, bAt];
    aAt += added ? 0 : count;
    bAt += removed ? 0 : count;
    if (!added && !removed) {
      continue;
    }
    const last = regions.at(-1);
    if (last?.aEnd === aStart && last.bEnd === bStart) {
      regions.splice(-1, 1, { ...last, aEnd: aAt, bEnd: bAt });
    } else {
      regions.push({ aStart, aEnd: aAt, bStart, bEnd: bAt });
    }
  }
  return regions;
}

/** How many items both begin with. */
export function sameStart(a: ArrayLike<string>, b: ArrayLike<string>): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) {
    length++;
  }
  return length;
}

/** How many items both end with. @param start behind which they lie */
export function sameEnd(a: ArrayLike<string>, b: ArrayLike<string>, start: number): number {
  const most = Math.min(a.length, b.length) - start;
  let length = 0;
  while (length < most && a[a.length - 1 - length] === b[b.length - 1 - length]) {
    length++;
  }
  return length;
}

import { stableStringify } from '../../base/json.js';

/** One step from one array to another; steps are to be taken in order. */
export type ArrayChange =
  | { readonly kind: 'replace'; readonly index: number; readonly item: unknown }
  | { readonly kind: 'insert'; readonly index: number; readonly item: unknown }
  | { readonly kind: 'remove'; readonly index: number };

/** Beyond this many the arrays have little in common, and each step reads the whole text. */
const maxChanges = 100;
/** Pairs of items that are compared to find what both arrays have. */
const maxComparisons = 10_000;

/**
 * The steps that keep every item that both arrays have in the same order; the last items come first, so that the
 * others keep their places. `undefined` when the array is better written anew.
 */
export function arrayChanges(
  from: readonly unknown[],
  to: readonly unknown[],
): readonly ArrayChange[] | undefined {
  if (from.length === 0) {
    return undefined;
  }
  const changes = gaps(from.map(stableStringify), to.map(stableStringify))
    .reverse()
    .flatMap((gap) => changesOf(gap, to));
  return changes.length <= maxChanges ? changes : undefined;
}

/** Items between two that both arrays have. */
interface Gap {
  readonly fromStart: number;
  readonly fromEnd: number;
  readonly toStart: number;
  readonly toEnd: number;
}

function changesOf({ fromStart, fromEnd, toStart, toEnd }: Gap, to: readonly unknown[]) {
  const changes: ArrayChange[] = [];
  const shared = Math.min(fromEnd - fromStart, toEnd - toStart);
  for (let index = fromEnd - 1; index >= fromStart + shared; index--) {
    changes.push({ kind: 'remove', index });
  }
  for (let index = shared; index < toEnd - toStart; index++) {
    changes.push({ kind: 'insert', index: fromStart + index, item: to[toStart + index] });
  }
  for (let index = 0; index < shared; index++) {
    changes.push({ kind: 'replace', index: fromStart + index, item: to[toStart + index] });
  }
  return changes;
}

function gaps(from: readonly string[], to: readonly string[]): Gap[] {
  let start = 0;
  while (start < from.length && start < to.length && from[start] === to[start]) {
    start++;
  }
  let tail = 0;
  const longest = Math.min(from.length, to.length) - start;
  while (tail < longest && from.at(-1 - tail) === to.at(-1 - tail)) {
    tail++;
  }
  const end = { from: from.length - tail, to: to.length - tail };
  const kept = commonItems(from.slice(start, end.from), to.slice(start, end.to));
  const anchors = [
    ...kept.map(([a, b]) => [a + start, b + start] as const),
    [end.from, end.to] as const,
  ];
  let [fromStart, toStart] = [start, start];
  return anchors.flatMap(([fromEnd, toEnd]) => {
    const gap = { fromStart, fromEnd, toStart, toEnd };
    [fromStart, toStart] = [fromEnd + 1, toEnd + 1];
    return fromEnd > gap.fromStart || toEnd > gap.toStart ? [gap] : [];
  });
}

/** Index pairs of a longest common subsequence; none when the arrays are too long to compare. */
function commonItems(
  a: readonly string[],
  b: readonly string[],
): readonly (readonly [number, number])[] {
  if (a.length * b.length > maxComparisons) {
    return [];
  }
  const width = b.length + 1;
  const lengths = new Uint32Array((a.length + 1) * width);
  const lengthAt = (i: number, j: number) => lengths[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      lengths[i * width + j] =
        a[i] === b[j]
          ? lengthAt(i + 1, j + 1) + 1
          : Math.max(lengthAt(i + 1, j), lengthAt(i, j + 1));
    }
  }
  const pairs: (readonly [number, number])[] = [];
  let [i, j] = [0, 0];
  while (i < a.length && j < b.length) {
    if (a[i] === b[j]) {
      pairs.push([i, j]);
      i++;
      j++;
    } else if (lengthAt(i + 1, j) >= lengthAt(i, j + 1)) {
      i++;
    } else {
      j++;
    }
  }
  return pairs;
}

import { stableStringify } from '../../base/json.js';
import { changedRegions, type Region } from './changedRegions.js';

/** One step from one array to another; steps are to be taken in order. */
export type ArrayChange =
  | { readonly kind: 'replace'; readonly index: number; readonly item: unknown }
  | { readonly kind: 'insert'; readonly index: number; readonly item: unknown }
  | { readonly kind: 'remove'; readonly index: number };

/** Beyond this many the arrays have little in common, and each step reads the whole text. */
const maxChanges = 100;

/**
 * The steps that keep as many items as can be kept in the same order; the last items come first, so that the others
 * keep their places. `undefined` when the array is better written anew.
 */
export function arrayChanges(
  from: readonly unknown[],
  to: readonly unknown[],
): readonly ArrayChange[] | undefined {
  if (from.length === 0) {
    return undefined;
  }
  const changes = changedRegions(from.map(stableStringify), to.map(stableStringify))
    .toReversed()
    .flatMap((region) => changesOf(region, to));
  return changes.length <= maxChanges ? changes : undefined;
}

function changesOf({ aStart, aEnd, bStart, bEnd }: Region, to: readonly unknown[]) {
  const changes: ArrayChange[] = [];
  const shared = Math.min(aEnd - aStart, bEnd - bStart);
  for (let index = aEnd - 1; index >= aStart + shared; index--) {
    changes.push({ kind: 'remove', index });
  }
  for (let index = shared; index < bEnd - bStart; index++) {
    changes.push({ kind: 'insert', index: aStart + index, item: to[bStart + index] });
  }
  for (let index = 0; index < shared; index++) {
    changes.push({ kind: 'replace', index: aStart + index, item: to[bStart + index] });
  }
  return changes;
}

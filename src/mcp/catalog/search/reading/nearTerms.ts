/** Finds known stems for a word that no text holds. */
import { smallest } from '../../../../base/lists.js';

const maxNear = 6;

export interface NearTerm {
  readonly term: number;
  /** 0 to 1. */
  readonly likeness: number;
}

/** Stems that begin like the word, hold it, or differ by a slip of the keyboard; likest first. */
export function nearTerms(stem: string, stems: readonly string[]): readonly NearTerm[] {
  const found: NearTerm[] = [];
  if (stem.length < 3) {
    return [];
  }
  for (let term = 0; term < stems.length; term++) {
    const likeness = likenessOf(stem, stems[term] as string);
    if (likeness > 0) {
      found.push({ term, likeness });
    }
  }
  found.sort((a, b) => b.likeness - a.likeness || a.term - b.term);
  return found.slice(0, maxNear);
}

function likenessOf(word: string, known: string): number {
  const difference = known.length - word.length;
  if (known.startsWith(word)) {
    return 1 - difference / 20;
  }
  if (known.length >= 5 && word.startsWith(known)) {
    return 0.7 + difference / 20;
  }
  // what differs in its first letter is another word: rain is no drain
  const allowed = word[0] !== known[0] ? 0 : word.length >= 8 ? 2 : word.length >= 4 ? 1 : 0;
  if (Math.abs(difference) > allowed || allowed === 0) {
    return 0;
  }
  const edits = editDistance(word, known, allowed);
  return edits <= allowed ? 1 - (1.5 * edits) / word.length : 0;
}

/** Insertions, deletions, replacements and swaps of neighbours; more than `limit` reads as `limit + 1`. */
function editDistance(a: string, b: string, limit: number): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      let cost = Math.min(
        (last[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (last[j - 1] ?? 0) + (isSame ? 0 : 1),
      );
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, (beforeLast[j - 2] ?? 0) + 1);
      }
      row.push(cost);
    }
    if (smallest(row) > limit) {
      return limit + 1;
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length] ?? limit + 1;
}

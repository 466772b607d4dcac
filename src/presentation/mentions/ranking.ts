/** Which of the things that may be mentioned the typed letters name, the best first. */
import { type FuzzyText, fuzzyQuery, fuzzyScore } from '../../base/text/fuzzy.js';

export interface Rankable {
  readonly search: FuzzyText;
  /** Added to its score. Default: 0. */
  readonly bonus?: number;
}

/** Rows that a menu shows. */
export const maxRows = 50;
/** What an open file has ahead of others; each one before it in the order of use has a little more. */
const recentBonus = 20;

/** In time linear to the candidates. Of equals the earlier one is first. */
export function rank<T extends Rankable>(typed: string, candidates: Iterable<T>): readonly T[] {
  const query = fuzzyQuery(typed);
  const best: { readonly one: T; readonly score: number }[] = [];
  for (const one of candidates) {
    const score = fuzzyScore(query, one.search);
    const points = score === undefined ? undefined : score + (one.bonus ?? 0);
    const last = best.at(-1);
    if (points === undefined || (best.length === maxRows && last && points <= last.score)) {
      continue;
    }
    const at = best.findIndex((other) => other.score < points);
    best.splice(at === -1 ? best.length : at, 0, { one, score: points });
    best.length = Math.min(best.length, maxRows);
  }
  return best.map(({ one }) => one);
}

/** @param place among the files in the order of their use, the latest first */
export function bonusOfRecent(place: number | undefined): number {
  return place === undefined ? 0 : recentBonus - Math.min(place, recentBonus - 1) / 2;
}

/** What the user looks for in the conversation, as values. */
import type { FoundText } from '../../../protocol/conversationFind.js';

export interface FindState {
  readonly query: string;
  /** Absent until the extension has looked. */
  readonly found?: FoundText;
  /** Number of the place that is shown, from 0. */
  readonly at: number;
}

/** One of the places. */
export interface FoundPlace {
  readonly entryId: string;
  readonly part: string;
  /** Which of those in the part. */
  readonly nth: number;
}

export function countOf({ parts }: FoundText): number {
  return parts.reduce((sum, { count }) => sum + count, 0);
}

export function foundPlaceAt({ parts }: FoundText, at: number): FoundPlace | undefined {
  let before = 0;
  for (const { entryId, part, count } of parts) {
    if (at < before + count) {
      return { entryId, part, nth: at - before };
    }
    before += count;
  }
  return undefined;
}

/**
 * Where to go in a new result: to the place that was shown, else to the first one from an entry on, else to the last.
 * @param isBefore whether an entry stands before those that the user sees
 */
export function nearestPlace(
  found: FoundText,
  shown: FoundPlace | undefined,
  isBefore: (entryId: string) => boolean,
): number {
  let before = 0;
  let next: number | undefined;
  for (const { entryId, part, count } of found.parts) {
    if (shown && entryId === shown.entryId && part === shown.part) {
      return before + Math.min(shown.nth, count - 1);
    }
    next ??= isBefore(entryId) ? undefined : before;
    before += count;
  }
  return next ?? Math.max(0, before - 1);
}

/** The next or the one before, round the ends. */
export function stepFrom(at: number, by: 1 | -1, count: number): number {
  return count === 0 ? 0 : (at + by + count) % count;
}

/** Entries of one side that overlap, in lines below each other. Pure. */
import type { InspectorRow } from '../../../protocol/inspector/inspectorProtocol.js';
import { endOf, type Lane, laneOf, lanes, type TimeRange } from './timeScale.js';

/** Of one side; what finds no place in them shares one more. */
export const maxLines = 4;

export interface Stack {
  /** By id, from 0; `maxLines` for what finds no place. */
  readonly lines: ReadonlyMap<number, number>;
  /** How many lines a side has. */
  readonly depths: Readonly<Record<Lane, number>>;
}

/** Each goes to the first line that is free at its beginning, whatever is in sight: so it stays in its line. */
export function stackOf(rows: readonly InspectorRow[], extent: TimeRange): Stack {
  const lines = new Map<number, number>();
  const depths = { sent: 1, received: 1, other: 1 };
  const ends = new Map<Lane, number[]>(lanes.map((lane) => [lane, []]));
  for (const row of rows.toSorted((a, b) => a.t - b.t)) {
    const lane = laneOf(row);
    const taken = ends.get(lane) ?? [];
    const free = taken.findIndex((end) => end <= row.t);
    const line = free >= 0 ? free : Math.min(taken.length, maxLines);
    if (line < maxLines) {
      taken[line] = endOf(row, extent);
    }
    lines.set(row.id, line);
    depths[lane] = Math.max(depths[lane], line + 1);
  }
  return { lines, depths };
}

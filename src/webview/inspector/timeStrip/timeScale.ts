/** Entries laid out over time. Pure. */
import type { InspectorRow } from '../../../protocol/inspector/inspectorProtocol.js';

/** Milliseconds since the epoch; `to` is later than `from`. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

/** From top to bottom. */
export const lanes = ['sent', 'received', 'other'] as const;
export type Lane = (typeof lanes)[number];

/** Milliseconds. */
const shortest = 1;

/** `undefined`: there are none. Requests without an answer last until the last that is known. */
export function extentOf(rows: readonly InspectorRow[]): TimeRange | undefined {
  let from = Number.POSITIVE_INFINITY;
  let to = Number.NEGATIVE_INFINITY;
  for (const { t, ms = 0 } of rows) {
    from = Math.min(from, t);
    to = Math.max(to, t + ms);
  }
  return from <= to ? { from, to: Math.max(to, from + shortest) } : undefined;
}

export function laneOf({ dir, kind }: InspectorRow): Lane {
  return kind === 'life' || kind === 'stderr' ? 'other' : (dir ?? 'other');
}

export function endOf({ t, ms, status }: InspectorRow, { to }: TimeRange): number {
  return status === 'open' ? Math.max(t, to) : t + (ms ?? 0);
}

/** @param extent of all rows */
export function overlaps(row: InspectorRow, range: TimeRange, extent: TimeRange): boolean {
  return row.t <= range.to && endOf(row, extent) >= range.from;
}

/** A part of what there is; `undefined` when that has gone since. */
export function stillIn(range: TimeRange | undefined, extent: TimeRange | undefined) {
  return range && extent && range.from <= extent.to && range.to >= extent.from ? range : undefined;
}

export function xOf(t: number, { from, to }: TimeRange, width: number): number {
  return ((t - from) / (to - from)) * width;
}

export function timeAt(x: number, { from, to }: TimeRange, width: number): number {
  return from + (Math.min(width, Math.max(0, x)) / width) * (to - from);
}

/** @param factor below 1 comes closer @param at stays in its place @returns `undefined` when that is everything */
export function zoomed(
  sight: TimeRange,
  extent: TimeRange,
  factor: number,
  at = (sight.from + sight.to) / 2,
): TimeRange | undefined {
  const span = Math.max(shortest, (sight.to - sight.from) * factor);
  if (span >= extent.to - extent.from) {
    return undefined;
  }
  const share = (at - sight.from) / (sight.to - sight.from);
  return within({ from: at - share * span, to: at + (1 - share) * span }, extent);
}

/** @param share of what is in sight; below 0 goes back */
export function panned(sight: TimeRange, extent: TimeRange, share: number): TimeRange {
  const by = share * (sight.to - sight.from);
  return within({ from: sight.from + by, to: sight.to + by }, extent);
}

function within({ from, to }: TimeRange, extent: TimeRange): TimeRange {
  const by = Math.max(0, extent.from - from) - Math.max(0, to - extent.to);
  return { from: from + by, to: to + by };
}

const steps = [1, 2, 5];
/** Pixels between two marks, at least. */
const minGap = 90;

/** Where marks stand, milliseconds after the first entry: at 1, 2 or 5 times a power of ten. */
export function marksOf(sight: TimeRange, extent: TimeRange, width: number): readonly number[] {
  const perMark = ((sight.to - sight.from) * minGap) / Math.max(width, 1);
  const power = 10 ** Math.floor(Math.log10(Math.max(perMark, 0.001)));
  const step = ([...steps, 10].find((one) => one * power >= perMark) ?? 10) * power;
  const first = Math.ceil((sight.from - extent.from) / step);
  const last = Math.floor((sight.to - extent.from) / step);
  return Array.from(
    { length: Math.max(0, last - first + 1) },
    (_one, index) => (first + index) * step,
  );
}

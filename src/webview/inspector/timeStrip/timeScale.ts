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

/** `trouble`: neither a success nor a failure of the server. */
export type Tone = 'plain' | 'open' | 'trouble' | 'error';

/** What is drawn for one or more entries that share their pixels. */
export interface Bar {
  readonly lane: Lane;
  /** Pixels. */
  readonly x: number;
  readonly width: number;
  readonly tone: Tone;
}

/** Milliseconds. */
const shortest = 1;
const minBar = 2;

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

function laneOf({ dir, kind }: InspectorRow): Lane {
  return kind === 'life' || kind === 'stderr' ? 'other' : (dir ?? 'other');
}

function toneOf({ status }: InspectorRow): Tone {
  switch (status) {
    case 'error':
      return 'error';
    case 'faulty':
    case 'cancelled':
    case 'lost':
      return 'trouble';
    case 'open':
      return 'open';
    default:
      return 'plain';
  }
}

function endOf({ t, ms, status }: InspectorRow, { to }: TimeRange): number {
  return status === 'open' ? Math.max(t, to) : t + (ms ?? 0);
}

/** @param extent of all rows */
export function overlaps(row: InspectorRow, range: TimeRange, extent: TimeRange): boolean {
  return row.t <= range.to && endOf(row, extent) >= range.from;
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

const severities: readonly Tone[] = ['plain', 'open', 'trouble', 'error'];

function severityOf(tone: Tone): number {
  return severities.indexOf(tone);
}

/**
 * What is in sight, in the order of drawing: what still waits first, then short ones over long ones. What has the same
 * pixels is one, as the worst of it.
 */
export function barsOf(
  rows: readonly InspectorRow[],
  sight: TimeRange,
  extent: TimeRange,
  width: number,
): readonly Bar[] {
  const found = new Map<string, Bar>();
  for (const row of rows) {
    if (!overlaps(row, sight, extent)) {
      continue;
    }
    const lane = laneOf(row);
    const x = Math.max(0, Math.floor(xOf(row.t, sight, width)));
    const end = Math.min(width, Math.ceil(xOf(endOf(row, extent), sight, width)));
    const bar = { lane, x, width: Math.max(minBar, end - x), tone: toneOf(row) };
    const key = `${lane} ${x} ${bar.width}`;
    const known = found.get(key);
    if (!known || severityOf(known.tone) < severityOf(bar.tone)) {
      found.set(key, bar);
    }
  }
  return [...found.values()].sort(
    (a, b) =>
      Number(b.tone === 'open') - Number(a.tone === 'open') ||
      b.width - a.width ||
      severityOf(a.tone) - severityOf(b.tone),
  );
}

/** The entry whose bar is nearest, within a few pixels; of those that are equally near the one that is drawn last. */
export function rowAt(
  rows: readonly InspectorRow[],
  { sight, extent, width }: { sight: TimeRange; extent: TimeRange; width: number },
  x: number,
  lane: Lane,
): InspectorRow | undefined {
  let best: { row: InspectorRow; distance: number; waits: number; length: number } | undefined;
  for (const row of rows) {
    if (laneOf(row) !== lane) {
      continue;
    }
    const start = xOf(row.t, sight, width);
    const end = Math.max(start + minBar, xOf(endOf(row, extent), sight, width));
    const distance = Math.max(0, start - x, x - end);
    const length = end - start;
    const waits = Number(row.status === 'open');
    const order = best
      ? distance - best.distance || waits - best.waits || length - best.length
      : -1;
    if (distance <= reach && order < 0) {
      best = { row, distance, waits, length };
    }
  }
  return best?.row;
}

/** Pixels beside a bar that still mean it. */
const reach = 6;

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

/** What the strip draws of entries, and which of them is met. Pure. */
import type { InspectorRow } from '../../../protocol/inspector/inspectorProtocol.js';
import { maxLines, type Stack } from './stack.js';
import { endOf, type Lane, laneOf, overlaps, type TimeRange, xOf } from './timeScale.js';

/** `trouble`: neither a success nor a failure of the server. */
export type Tone = 'plain' | 'open' | 'trouble' | 'error';

/** What is drawn for one or more entries that share their pixels. */
export interface Bar {
  readonly lane: Lane;
  /** Of its lane, from the top; `maxLines` is that of entries which find no place in the others. */
  readonly line: number;
  /** Pixels. */
  readonly x: number;
  readonly width: number;
  readonly tone: Tone;
  /** Of entries without a place: how many are one here. */
  readonly more?: number;
}

interface Place {
  readonly sight: TimeRange;
  readonly extent: TimeRange;
  readonly width: number;
  readonly stack: Stack;
}

const minBar = 2;
/** Pixels beside a bar that still mean it. */
const reach = 6;

const severities: readonly Tone[] = ['plain', 'open', 'trouble', 'error'];

function severityOf(tone: Tone): number {
  return severities.indexOf(tone);
}

function worse(a: Tone, b: Tone): Tone {
  return severityOf(a) < severityOf(b) ? b : a;
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

/**
 * What is in sight, in the order of drawing: what still waits first, then short ones over long ones. What has the same
 * pixels is one, as the worst of it.
 */
export function barsOf(
  rows: readonly InspectorRow[],
  { sight, extent, width, stack }: Place,
): readonly Bar[] {
  const found = new Map<string, Bar>();
  const rest: Bar[] = [];
  for (const row of rows) {
    if (!overlaps(row, sight, extent)) {
      continue;
    }
    const lane = laneOf(row);
    const line = stack.lines.get(row.id) ?? 0;
    const x = Math.max(0, Math.floor(xOf(row.t, sight, width)));
    const end = Math.min(width, Math.ceil(xOf(endOf(row, extent), sight, width)));
    const bar = { lane, line, x, width: Math.max(minBar, end - x), tone: toneOf(row) };
    if (line === maxLines) {
      rest.push({ ...bar, more: 1 });
      continue;
    }
    const key = `${lane} ${line} ${x} ${bar.width}`;
    const known = found.get(key);
    if (!known || severityOf(known.tone) < severityOf(bar.tone)) {
      found.set(key, bar);
    }
  }
  const bars = [...found.values()].sort(
    (a, b) =>
      Number(b.tone === 'open') - Number(a.tone === 'open') ||
      b.width - a.width ||
      severityOf(a.tone) - severityOf(b.tone),
  );
  return [...bars, ...joined(rest)];
}

/** Those that touch are one. */
function joined(rest: readonly Bar[]): readonly Bar[] {
  const all: Bar[] = [];
  const last = new Map<Lane, number>();
  for (const bar of rest.toSorted((a, b) => a.x - b.x)) {
    const index = last.get(bar.lane) ?? -1;
    const known = all[index];
    if (known && bar.x <= known.x + known.width) {
      all[index] = {
        ...known,
        width: Math.max(known.width, bar.x + bar.width - known.x),
        tone: worse(known.tone, bar.tone),
        more: (known.more ?? 1) + 1,
      };
    } else {
      last.set(bar.lane, all.push(bar) - 1);
    }
  }
  return all;
}

/** The entry whose bar is nearest, within a few pixels; of those that are equally near the one that is drawn last. */
export function rowAt(
  rows: readonly InspectorRow[],
  { sight, extent, width, stack }: Place,
  x: number,
  { lane, line }: { readonly lane: Lane; readonly line: number },
): InspectorRow | undefined {
  let best: { row: InspectorRow; distance: number; waits: number; length: number } | undefined;
  for (const row of rows) {
    if (laneOf(row) !== lane || (stack.lines.get(row.id) ?? 0) !== line) {
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

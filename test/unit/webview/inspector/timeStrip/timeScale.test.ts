import { describe, expect, it } from 'vitest';
import type { InspectorRow } from '../../../../../src/protocol/inspector/inspectorProtocol.js';
import { barsOf, rowAt } from '../../../../../src/webview/inspector/timeStrip/bars.js';
import { maxLines, stackOf } from '../../../../../src/webview/inspector/timeStrip/stack.js';
import {
  extentOf,
  marksOf,
  overlaps,
  panned,
  timeAt,
  xOf,
  zoomed,
} from '../../../../../src/webview/inspector/timeStrip/timeScale.js';

const row = (id: number, t: number, rest: Partial<InspectorRow> = {}): InspectorRow => ({
  id,
  gen: 1,
  kind: 'request',
  dir: 'sent',
  method: 'tools/call',
  target: '',
  t,
  status: 'ok',
  ...rest,
});
const all = { from: 0, to: 1_000 };

const bars = (rows: readonly InspectorRow[], sight: typeof all, width: number) =>
  barsOf(rows, { sight, extent: all, width, stack: stackOf(rows, all) });

describe('the extent', () => {
  it('is from the first beginning to the last end, whatever their order', () => {
    expect(extentOf([row(1, 50, { ms: 10 }), row(2, 20, { ms: 500 }), row(3, 90)])).toEqual({
      from: 20,
      to: 520,
    });
    expect(extentOf([row(1, 50)])).toEqual({ from: 50, to: 51 });
    expect(extentOf([])).toBeUndefined();
  });
});

describe('what is in sight', () => {
  it('comes closer around a time that stays where it is', () => {
    const near = zoomed(all, all, 0.5, 200);
    expect(near).toEqual({ from: 100, to: 600 });
    expect(xOf(200, near ?? all, 100)).toBeCloseTo(xOf(200, all, 100));
    expect(zoomed(near ?? all, all, 2, 200)).toBeUndefined();
  });

  it('is never less than a millisecond, and never outside', () => {
    const least = zoomed({ from: 10, to: 11.5 }, all, 0.01);
    expect((least?.to ?? 0) - (least?.from ?? 0)).toBeCloseTo(1);
    expect(panned({ from: 900, to: 950 }, all, 5)).toEqual({ from: 950, to: 1_000 });
    expect(panned({ from: 20, to: 70 }, all, -1)).toEqual({ from: 0, to: 50 });
    expect(timeAt(-5, all, 100)).toBe(0);
    expect(timeAt(500, all, 100)).toBe(1_000);
  });
});

describe('bars', () => {
  it('are drawn of what overlaps, in the lane of who began', () => {
    const rows = [
      row(1, 0, { ms: 100 }),
      row(2, 500, { dir: 'received', status: 'error', ms: 100 }),
      row(3, 600, { kind: 'stderr', dir: 'received', status: 'none' }),
      row(4, 900, { ms: 50, status: 'lost' }),
    ];
    const sight = { from: 50, to: 800 };
    expect(bars(rows, sight, 750)).toEqual([
      { lane: 'received', line: 0, x: 450, width: 100, tone: 'error' },
      { lane: 'sent', line: 0, x: 0, width: 50, tone: 'plain' },
      { lane: 'other', line: 0, x: 550, width: 2, tone: 'plain' },
    ]);
    expect(overlaps(rows[3] ?? row(0, 0), sight, all)).toBe(false);
  });

  it('last until now for what has no answer yet', () => {
    const waiting = row(1, 200, { status: 'open' });
    expect(bars([waiting], all, 100)).toEqual([
      { lane: 'sent', line: 0, x: 20, width: 80, tone: 'open' },
    ]);
  });

  it('are as many as there is room for, and a failure is never covered', () => {
    const many = Array.from({ length: 10_000 }, (_one, id) =>
      row(id, id / 10, { status: id === 5_003 ? 'error' : 'ok', ms: 0.01 }),
    );
    const drawn = bars(many, all, 300);
    expect(drawn.length).toBeLessThan(700);
    expect(drawn.filter(({ tone }) => tone === 'error')).toHaveLength(1);
  });

  it('are met a few pixels beside them, the shortest first, and last what still waits', () => {
    const rows = [
      row(1, 0, { ms: 1_000 }),
      row(2, 500, { ms: 10 }),
      row(3, 700, { ms: 200, status: 'error' }),
      row(4, 750, { status: 'open' }),
    ];
    // where none has a line of its own
    const stack = { lines: new Map(), depths: { sent: 1, received: 1, other: 1 } };
    const place = { sight: all, extent: all, width: 500, stack };
    expect(rowAt(rows, place, 253, { lane: 'sent', line: 0 })?.id).toBe(2);
    expect(rowAt(rows, place, 100, { lane: 'sent', line: 0 })?.id).toBe(1);
    expect(rowAt(rows, place, 385, { lane: 'sent', line: 0 })?.id).toBe(3);
    expect(rowAt(rows, place, 100, { lane: 'received', line: 0 })).toBeUndefined();
  });
});

describe('lines', () => {
  it('keep what overlaps apart, and are free again at its end', () => {
    const rows = [
      row(3, 150, { ms: 10 }),
      row(1, 0, { ms: 200 }),
      row(2, 100, { ms: 100 }),
      row(4, 200, { ms: 5 }),
      row(5, 120, { dir: 'received', ms: 10 }),
      row(6, 203),
    ];
    const { lines, depths } = stackOf(rows, all);
    expect([...lines].toSorted()).toEqual([
      [1, 0],
      [2, 1],
      [3, 2],
      [4, 0],
      [5, 0],
      [6, 1],
    ]);
    expect(depths).toEqual({ sent: 3, received: 1, other: 1 });
  });

  it('are one for moments that nothing lasts over', () => {
    const rows = [row(1, 10), row(2, 10), row(3, 11)];
    expect(stackOf(rows, all).depths.sent).toBe(1);
  });

  it('are a few, and one more for the rest, which says how many it stands for', () => {
    const rows = [
      ...Array.from({ length: 10 }, (_one, id) =>
        row(id, 100 + id, { ms: 500, status: id === 7 ? 'error' : 'ok' }),
      ),
      row(10, 900, { ms: 10 }),
    ];
    const stack = stackOf(rows, all);
    expect(stack.depths.sent).toBe(maxLines + 1);
    expect(stack.lines.get(10)).toBe(0);
    const drawn = bars(rows, all, 1_000);
    expect(drawn.filter(({ more }) => more !== undefined)).toEqual([
      { lane: 'sent', line: maxLines, x: 104, width: 505, tone: 'error', more: 6 },
    ]);
    const place = { sight: all, extent: all, width: 1_000, stack };
    expect(rowAt(rows, place, 300, { lane: 'sent', line: 1 })?.id).toBe(1);
    expect(rowAt(rows, place, 300, { lane: 'sent', line: maxLines })?.id).toBeGreaterThanOrEqual(4);
  });

  it('stay where they are when the sight is another one', () => {
    const rows = [row(1, 0, { ms: 500 }), row(2, 300, { ms: 500 })];
    const near = bars(rows, { from: 550, to: 700 }, 100);
    expect(near.map(({ line }) => line)).toEqual([1]);
  });
});

it.each([
  [1_000, 900, [0, 100, 200, 300, 400, 500, 600, 700, 800, 900, 1_000]],
  [1_000, 280, [0, 500, 1_000]],
  [0.5, 500, [0, 0.1, 0.2, 0.3, 0.4, 0.5]],
])('has marks at round times: %d ms in %d pixels', (to, width, marks) => {
  const found = marksOf({ from: 0, to }, { from: 0, to }, width);
  expect(found.map((one) => Number(one.toFixed(6)))).toEqual(marks);
});

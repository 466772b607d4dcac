import { describe, expect, it } from 'vitest';
import type { InspectorRow } from '../../../../../src/protocol/inspector/inspectorProtocol.js';
import {
  barsOf,
  extentOf,
  marksOf,
  overlaps,
  panned,
  rowAt,
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
    expect(barsOf(rows, sight, all, 750)).toEqual([
      { lane: 'received', x: 450, width: 100, tone: 'error' },
      { lane: 'sent', x: 0, width: 50, tone: 'plain' },
      { lane: 'other', x: 550, width: 2, tone: 'plain' },
    ]);
    expect(overlaps(rows[3] ?? row(0, 0), sight, all)).toBe(false);
  });

  it('last until now for what has no answer yet', () => {
    const waiting = row(1, 200, { status: 'open' });
    expect(barsOf([waiting], all, all, 100)).toEqual([
      { lane: 'sent', x: 20, width: 80, tone: 'open' },
    ]);
  });

  it('are as many as there is room for, and a failure is never covered', () => {
    const many = Array.from({ length: 10_000 }, (_one, id) =>
      row(id, id / 10, { status: id === 5_003 ? 'error' : 'ok', ms: 0.01 }),
    );
    const bars = barsOf(many, all, all, 300);
    expect(bars.length).toBeLessThan(700);
    expect(bars.filter(({ tone }) => tone === 'error')).toHaveLength(1);
  });

  it('are met a few pixels beside them, the shortest first, and last what still waits', () => {
    const rows = [
      row(1, 0, { ms: 1_000 }),
      row(2, 500, { ms: 10 }),
      row(3, 700, { ms: 200, status: 'error' }),
      row(4, 750, { status: 'open' }),
    ];
    const place = { sight: all, extent: all, width: 500 };
    expect(rowAt(rows, place, 253, 'sent')?.id).toBe(2);
    expect(rowAt(rows, place, 100, 'sent')?.id).toBe(1);
    expect(rowAt(rows, place, 385, 'sent')?.id).toBe(3);
    expect(rowAt(rows, place, 100, 'received')).toBeUndefined();
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

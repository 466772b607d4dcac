import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { ListPace } from '../../../../src/mcp/server/listPace.js';
import { createDeferred } from '../../../helpers/fakes/deferred.js';
import { FakeClock } from '../../../helpers/fakes/fakeClock.js';

const minuteMs = 60_000;

let clock: FakeClock;
let readAt: number[];
let pauses: number[];
let isChanging: boolean;
/** The server announces the next change while it is asked. */
let isLoop: boolean;
let pace: ListPace;

beforeEach(() => {
  clock = new FakeClock();
  readAt = [];
  pauses = [];
  isChanging = false;
  isLoop = false;
  pace = new ListPace({
    clock,
    read: async () => {
      readAt.push(clock.elapsed());
      if (isLoop) {
        pace.request();
      }
      return isChanging;
    },
    onDidChangePause: (pauseMs) => pauses.push(pauseMs),
  });
});

afterEach(() => pace.dispose());

async function pass(ms: number): Promise<void> {
  const end = clock.elapsed() + ms;
  await settle();
  while (clock.pending.some((wait) => clock.elapsed() + wait <= end)) {
    clock.advance(Math.min(...clock.pending));
    await settle();
  }
  clock.advance(end - clock.elapsed());
  await settle();
}

/** Lets readings come to their end, those too that follow at once. */
const settle = () => new Promise(setImmediate);

describe('a list that comes back unchanged whenever it was announced', () => {
  beforeEach(() => {
    isLoop = true;
  });

  it('is read more and more rarely, at least every five minutes', async () => {
    pace.request();
    await pass(30 * minuteMs);
    const gaps = readAt.slice(1).map((at, index) => at - (readAt[index] ?? 0));
    expect(gaps.slice(0, 9)).toEqual([
      0, 0, 5000, 10_000, 20_000, 40_000, 80_000, 160_000, 300_000,
    ]);
    expect(new Set(gaps.slice(8))).toEqual(new Set([300_000]));
    expect(pauses).toEqual([5000, 10_000, 20_000, 40_000, 80_000, 160_000, 300_000]);
  });

  it('is read soon again when it has really changed, which is said', async () => {
    pace.request();
    await pass(30 * minuteMs);
    isChanging = true;
    await pass(5 * minuteMs);
    isChanging = false;
    const before = readAt.length;
    expect(pauses.at(-1)).toBe(5000);
    await pass(5000);
    expect(readAt).toHaveLength(before + 1);
  });

  it('is read at once again after a quiet time', async () => {
    pace.request();
    await pass(minuteMs);
    isLoop = false;
    await pass(10 * minuteMs);
    expect(pauses.at(-1)).toBe(0);
    const before = readAt.length;
    for (let round = 0; round < 3; round++) {
      pace.request();
      await settle();
    }
    expect(readAt).toHaveLength(before + 3);
  });

  it('is not read any more after the end', async () => {
    pace.request();
    await pass(minuteMs);
    pace.dispose();
    const before = readAt.length;
    pace.request();
    await pass(30 * minuteMs);
    expect(readAt).toHaveLength(before);
  });
});

describe('a pause', () => {
  it('is said once an announcement waits, and that it is over once the list has changed', async () => {
    for (let round = 0; round < 3; round++) {
      pace.request();
      await settle();
    }
    expect(pauses).toEqual([]);
    pace.request();
    expect([readAt.length, pauses]).toEqual([3, [5000]]);
    isChanging = true;
    await pass(5000);
    expect([readAt.length, pauses]).toEqual([4, [5000, 0]]);
  });

  it('is neither made nor said after the end, whatever is read meanwhile', async () => {
    const reading = createDeferred<boolean>();
    const slow = new ListPace({
      clock,
      read: () => reading.promise,
      onDidChangePause: (pauseMs) => pauses.push(pauseMs),
    });
    slow.request();
    slow.request();
    slow.dispose();
    reading.resolve(false);
    await settle();
    expect([clock.pending, pauses]).toEqual([[], []]);
  });
});

describe('a list that is announced slowly, and unchanged', () => {
  it('is read more and more rarely too', async () => {
    for (let passed = 0; passed < 60 * minuteMs; passed += 12_000) {
      pace.request();
      await pass(12_000);
    }
    expect(readAt.length).toBeLessThan(25);
    expect(pauses.at(-1)).toBe(300_000);
  });
});

describe('a list that changes without end', () => {
  it('is read slowly after a while, and the last change is not lost', async () => {
    isChanging = true;
    for (let passed = 0; passed < minuteMs; passed += 50) {
      pace.request();
      await pass(50);
    }
    expect(readAt.length).toBeGreaterThan(15);
    expect(readAt.length).toBeLessThan(25);
    expect(pauses).toEqual([5000]);
    const before = readAt.length;
    pace.request();
    await pass(5000);
    expect(readAt).toHaveLength(before + 1);
    await pass(minuteMs);
    expect(pauses).toEqual([5000, 0]);
  });

  it('is read at once where a quiet time comes between', async () => {
    isChanging = true;
    for (let round = 0; round < 30; round++) {
      pace.request();
      await pass(1000);
      pace.request();
      await pass(11_000);
    }
    expect([readAt.length, pauses]).toEqual([60, []]);
  });
});

describe('a list that is used', () => {
  it('is read at once, also while announcements wait, and counts as none', async () => {
    for (let use = 0; use < 20; use++) {
      await pace.refresh();
    }
    expect([readAt.length, pauses]).toEqual([20, []]);
    pace.request();
    await settle();
    expect(readAt).toHaveLength(21);
  });

  it('is not read while it is being read', async () => {
    await Promise.all([pace.refresh(), pace.refresh(), pace.refresh()]);
    expect(readAt).toHaveLength(1);
  });

  it('has whoever uses it wait until it was read', async () => {
    const reading = createDeferred<boolean>();
    const slow = new ListPace({
      clock,
      read: () => reading.promise,
      onDidChangePause: () => undefined,
    });
    onTestFinished(() => slow.dispose());
    const ended: string[] = [];
    const uses = ['first', 'second'].map((use) => slow.refresh().then(() => ended.push(use)));
    await settle();
    expect(ended).toEqual([]);
    reading.resolve(false);
    await Promise.all(uses);
  });

  it('is not read when its connection is over', async () => {
    pace.dispose();
    pace.request();
    await pace.refresh();
    expect(readAt).toEqual([]);
  });

  it('keeps an announcement that comes meanwhile', async () => {
    const reading = pace.refresh();
    pace.request();
    await reading;
    await settle();
    expect(readAt).toHaveLength(2);
  });
});

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HumanError } from '../../../../../src/base/errors.js';
import type { JsonObject } from '../../../../../src/base/json.js';
import {
  durationPercentile,
  errorCount,
} from '../../../../../src/mcp/catalog/records/statisticFigures.js';
import {
  type CallOutcome,
  statisticsPlace,
  sumStatistics,
  type ToolCallRecord,
  ToolStatistics,
} from '../../../../../src/mcp/catalog/records/toolStatistics.js';
import { nullLogger } from '../../../../../src/platform/ports.js';

let dir: string;
const opened: ToolStatistics[] = [];
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'pi-mcp-stats-'));
});
afterEach(async () => {
  for (const statistics of opened.splice(0)) {
    await statistics.flush();
    statistics.dispose();
  }
  await rm(dir, { recursive: true, force: true });
});

function create(): ToolStatistics {
  const watcher = { watch: () => ({ dispose: () => undefined }) };
  const statistics = new ToolStatistics({ watcher, logger: nullLogger });
  opened.push(statistics);
  return statistics;
}

function call(change: Partial<ToolCallRecord> = {}): ToolCallRecord {
  return { server: 's', tool: 'a', durationMs: 10, bytes: 100, tokens: 20, ...change };
}

describe('ToolStatistics', () => {
  it('adds up calls, errors by code, bytes and tokens', () => {
    const statistics = create();
    statistics.record(call());
    statistics.record(call({ durationMs: 30, errorCode: 'timeout' }));
    statistics.record(call({ durationMs: 20, errorCode: 'timeout' }));
    statistics.record(call({ tool: 'b' }));
    const [a] = statistics.all;
    expect(a).toEqual({
      server: 's',
      tool: 'a',
      calls: 3,
      bytes: 300,
      tokens: 60,
      errors: { timeout: 2 },
      durations: [10, 30, 20],
    });
    expect(a && [durationPercentile(a, 50), durationPercentile(a, 95)]).toEqual([20, 30]);
    const server = sumStatistics('s', statistics.all);
    expect(server).toMatchObject({ calls: 4, bytes: 400 });
    expect(server && errorCount(server)).toBe(2);
    expect(sumStatistics('other', statistics.all)).toBeUndefined();
  });

  it('counts what a call came to before it writes, and long texts by their beginning', async () => {
    const statistics = create();
    const finish = (tool: string, outcome: CallOutcome) =>
      statistics.count({ server: 's', tool, durationMs: 1, outcome });
    const text = (words: number) => ({ type: 'text', text: 'word '.repeat(words) });
    const outcomeOf = (isError: boolean, ...content: readonly JsonObject[]): CallOutcome => ({
      result: { content, isError },
      content,
    });
    finish('short', outcomeOf(false, text(100), { type: 'image', text: 'no text' }));
    finish('long', outcomeOf(true, text(60_000)));
    finish('lost', { error: new HumanError('timeout', 'Too late.') });
    expect(statistics.all).toEqual([]);
    await statistics.flush();
    const [long, lost, short] = statistics.all.toSorted((a, b) => (a.tool < b.tool ? -1 : 1));
    expect(short).toMatchObject({ tool: 'short', errors: {} });
    expect(Math.abs((short?.tokens ?? 0) - 101)).toBeLessThan(3);
    expect(long).toMatchObject({ tool: 'long', errors: { tool_error: 1 } });
    expect((long?.tokens ?? 0) / (short?.tokens ?? 0)).toBeCloseTo(600, -2);
    expect(lost).toMatchObject({ tool: 'lost', errors: { timeout: 1 }, bytes: 0, tokens: 0 });
  });

  it('counts the calls of two windows together', async () => {
    const path = join(dir, 'stats.json');
    const windows = [create(), create()];
    for (const statistics of windows) {
      await statistics.keepIn({ path, flushDelayMs: 50 });
      statistics.record(call());
    }
    await Promise.all(windows.map((statistics) => statistics.flush()));
    const later = create();
    await later.keepIn({ path, flushDelayMs: 50 });
    expect(later.all).toMatchObject([{ calls: 2, durations: [10, 10] }]);
  });

  it('writes nothing until it is told where, and leaves out what it does not understand', async () => {
    const path = join(dir, 'stats.json');
    await writeFile(path, JSON.stringify([{ server: 's' }, 7]));
    const statistics = create();
    statistics.record(call());
    await statistics.flush();
    expect(await readFile(path, 'utf8')).toContain('7');
    await statistics.keepIn({ path, flushDelayMs: 50 });
    expect(statistics.all).toEqual([]);
  });

  it('keeps the latest 200 durations', () => {
    const statistics = create();
    for (let durationMs = 0; durationMs < 210; durationMs++) {
      statistics.record(call({ durationMs }));
    }
    expect(statistics.all[0]?.durations).toHaveLength(200);
    expect(statistics.all[0]?.durations[0]).toBe(10);
  });
});

describe('statisticsPlace', () => {
  const usual = { path: '/default', homeDir: '/home/me' };

  it.each<[unknown, unknown, string | undefined]>([
    [undefined, undefined, undefined],
    [false, false, undefined],
    [true, true, '/default'],
    [{ path: '/mine' }, { path: '/mine' }, '/mine'],
    [{ path: '~/mine' }, { path: '~/mine' }, '/home/me/mine'],
    [{ path: 'mine' }, { path: 'mine' }, '/home/me/mine'],
    [{ path: ' ' }, { path: ' ' }, '/default'],
    [{ path: '/project/chose/this' }, undefined, '/default'],
  ])('for captureStats %j, of which the user wrote %j: %s', (setting, own, path) => {
    expect(statisticsPlace(setting, own, usual).path).toBe(path);
  });

  it('waits as long as asked for, but not too short', () => {
    expect(statisticsPlace({ flushDelayMs: 5 }, true, usual).flushDelayMs).toBe(50);
    expect(statisticsPlace({ flushDelayMs: 500 }, true, usual).flushDelayMs).toBe(500);
    expect(statisticsPlace(true, true, usual).flushDelayMs).toBe(750);
  });
});

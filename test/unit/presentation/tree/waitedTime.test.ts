import { expect, it } from 'vitest';
import type { McpServerState } from '../../../../src/mcp/mcpTypes.js';
import { untilNextStep, waitedSeconds } from '../../../../src/presentation/tree/waitedTime.js';

const since = 1_000_000;
const waiting: McpServerState = { kind: 'connecting', note: 'starting', since };

it.each([
  [0, undefined],
  [4999, undefined],
  [5000, 5],
  [9999, 5],
  [23_000, 20],
  // the clock was set back
  [-10_000, undefined],
])('after %s ms it says %s s', (waitedMs, seconds) => {
  expect(waitedSeconds(waiting, since + waitedMs)).toBe(seconds);
});

it('says nothing of whoever does not wait, or where the time is not known', () => {
  expect(waitedSeconds({ kind: 'idle' }, since)).toBeUndefined();
  expect(waitedSeconds({ kind: 'connecting' }, since)).toBeUndefined();
  expect(waitedSeconds(waiting, undefined)).toBeUndefined();
});

it('knows when the next row says something else', () => {
  const other: McpServerState = { kind: 'connecting', note: 'listing', since: since - 1500 };
  expect(untilNextStep([waiting, other], since + 1000)).toBe(2500);
  expect(untilNextStep([waiting], since + 5000)).toBe(5000);
  expect(untilNextStep([{ kind: 'idle' }, { kind: 'connecting' }], since)).toBeUndefined();
});

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { lookLater } from '../../../src/platform/lookLater.js';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it('looks at each time, also behind a look that failed, and no more once it is disposed', async () => {
  let looks = 0;
  const look = async () => {
    looks++;
    throw new Error('not readable');
  };
  const looking = lookLater(look, [1000, 4000, 15_000]);
  const seen: number[] = [];
  for (const ms of [999, 1, 2999, 1]) {
    await vi.advanceTimersByTimeAsync(ms);
    seen.push(looks);
  }
  expect(seen).toEqual([0, 1, 1, 2]);
  looking.dispose();
  await vi.advanceTimersByTimeAsync(60_000);
  expect([looks, vi.getTimerCount()]).toEqual([2, 0]);
});

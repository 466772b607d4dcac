import { expect, it } from 'vitest';
import { TokenBucket } from '../../../src/base/tokenBucket.js';

it('lets a burst through, then as much as time has brought, and never more than a burst', () => {
  let now = 0;
  const bucket = new TokenBucket({ burst: 3, perSecond: 2, now: () => now });
  const taken = () => [1, 2, 3, 4].filter(() => bucket.take()).length;
  expect(taken()).toBe(3);
  now = 1000;
  expect(taken()).toBe(2);
  now = 60_000;
  expect(taken()).toBe(3);
});

it('waits for several where that is wanted, and takes one of them', () => {
  let now = 0;
  const bucket = new TokenBucket({ burst: 2, perSecond: 1, now: () => now });
  expect([bucket.take(2), bucket.take(2)]).toEqual([true, false]);
  now = 1000;
  expect([bucket.take(2), bucket.take(2)]).toEqual([true, false]);
});

import { expect, it } from 'vitest';
import { possibleDelay } from '../../../../src/base/async/possibleDelay.js';

it.each([
  [9_999_999_999, 2_147_483_647],
  [Number.POSITIVE_INFINITY, 2_147_483_647],
  [60_000, 60_000],
  [-5, 0],
])('makes of %d what a timer can wait for', (ms, expected) => {
  expect(possibleDelay(ms)).toBe(expected);
});

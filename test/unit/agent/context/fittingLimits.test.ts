import { expect, it } from 'vitest';
import { fittingLimits } from '../../../../src/agent/context/fittingLimits.js';

const fixed = 8_500;

it.each([
  [16_384, 12_288, 2_000],
  [32_768, 26_214, 5_314],
  [65_536, 52_429, 13_179],
  [131_072, 114_688, 20_000],
  [200_000, 183_616, 20_000],
])('fits a window of %i: summarizes above %i and keeps %i', (window, above, keeps) => {
  const { reserveTokens, keepRecentTokens } = fittingLimits(window, fixed, {});
  expect(Math.abs(window - reserveTokens - above)).toBeLessThanOrEqual(1);
  expect(Math.abs(keepRecentTokens - keeps)).toBeLessThanOrEqual(2);
});

it('takes what the user has set, and never keeps more than a summary can make room beside', () => {
  expect(fittingLimits(200_000, fixed, { reserveTokens: 50_000 })).toEqual({
    reserveTokens: 50_000,
    keepRecentTokens: 20_000,
  });
  const own = { reserveTokens: 16_384, keepRecentTokens: 20_000 };
  expect(fittingLimits(32_768, fixed, own)).toEqual({
    reserveTokens: 16_384,
    keepRecentTokens: 9_830,
  });
});

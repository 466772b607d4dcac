import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  afterIntent,
  afterNews,
  afterScroll,
  following,
  isAtEnd,
  reading,
} from '../../../../../src/webview/agent/transcript/following.js';

const at = (top: number) => ({ top, height: 500, total: 2_000 });

it.each([1, 3, 10, 400])('is left by a scroll of %i pixels up', (pixels) => {
  expect(afterIntent(following, 'up', at(1_500))).toEqual(reading);
  expect(afterScroll(following, 1_500, at(1_500 - pixels - 2))).toEqual(reading);
});

it('stays left while a smooth scroll has moved by less than can be told', () => {
  const left = afterIntent(following, 'up', at(1_500));
  expect(afterScroll(left, 1_500, at(1_499))).toEqual(reading);
});

it('is entered at the end alone, not near it', () => {
  expect(afterScroll(reading, 1_000, at(1_490))).toEqual(reading);
  expect(afterScroll(reading, 1_490, at(1_499))).toEqual(following);
  expect(afterIntent(reading, 'down', at(1_500))).toEqual(following);
  expect(afterIntent(reading, 'down', at(1_480))).toEqual(reading);
});

it('is not left where there is nowhere to go, or where the content gets shorter', () => {
  expect(afterIntent(following, 'up', { top: 0, height: 500, total: 300 })).toEqual(following);
  expect(afterScroll(following, 1_500, { top: 900, height: 500, total: 1_400 })).toEqual(following);
});

it('counts what a reader has missed until the end is seen', () => {
  const missed = afterNews(afterNews(reading, 2), 1);
  expect(missed).toEqual({ isFollowing: false, missed: 3 });
  expect(afterNews(following, 5)).toBe(following);
  expect(afterScroll(missed, 1_000, at(1_500))).toEqual(following);
});

it('never takes a reader to the end but by a movement down that arrives there', () => {
  const place = fc.record({ top: fc.nat(3_000), height: fc.constant(500), total: fc.nat(4_000) });
  fc.assert(
    fc.property(fc.nat(3_000), place, (before, after) => {
      const next = afterScroll(reading, before, after);
      expect(next.isFollowing).toBe(after.top >= before && isAtEnd(after));
    }),
  );
});

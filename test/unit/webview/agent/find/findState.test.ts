import { expect, it } from 'vitest';
import {
  countOf,
  foundPlaceAt,
  nearestPlace,
  stepFrom,
} from '../../../../../src/webview/agent/find/findState.js';

const found = {
  parts: [
    { entryId: 'entry-1', part: 'text', count: 1 },
    { entryId: 'entry-2', part: 'thinking', count: 2 },
    { entryId: 'entry-2', part: 'answer', count: 3 },
  ],
  isCut: false,
};
const nothing = { parts: [], isCut: false };

it('counts the places and knows each by its number', () => {
  expect(countOf(found)).toBe(6);
  expect([0, 1, 2, 3, 5, 6].map((at) => foundPlaceAt(found, at))).toEqual([
    { entryId: 'entry-1', part: 'text', nth: 0 },
    { entryId: 'entry-2', part: 'thinking', nth: 0 },
    { entryId: 'entry-2', part: 'thinking', nth: 1 },
    { entryId: 'entry-2', part: 'answer', nth: 0 },
    { entryId: 'entry-2', part: 'answer', nth: 2 },
    undefined,
  ]);
});

it('goes round the ends', () => {
  expect([stepFrom(5, 1, 6), stepFrom(0, -1, 6), stepFrom(2, 1, 6), stepFrom(0, 1, 0)]).toEqual([
    0, 5, 3, 0,
  ]);
});

it('begins where the user is, and stays at the place that is shown', () => {
  expect(nearestPlace(found, undefined, () => false)).toBe(0);
  expect(nearestPlace(found, undefined, (id) => id === 'entry-1')).toBe(1);
  expect(nearestPlace(found, undefined, () => true)).toBe(5);
  expect(nearestPlace(nothing, undefined, () => false)).toBe(0);
  const shown = { entryId: 'entry-2', part: 'answer', nth: 7 };
  expect(nearestPlace(found, shown, () => false)).toBe(5);
});

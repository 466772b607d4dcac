import { expect, it } from 'vitest';
import { addAll, largest, smallest } from '../../../src/base/lists.js';
import { markdownText } from '../../../src/base/text/plainText.js';

/** More than the stack holds as arguments. */
const many = Array.from({ length: 300_000 }, (_none, index) => index);

it('takes more items than a call takes arguments', () => {
  expect(() => Math.max(...many)).toThrow(RangeError);
  const list: number[] = [-1];
  addAll(list, many);
  expect([list.length, largest(many), smallest(many)]).toEqual([300_001, 299_999, 0]);
});

it('knows what it is without any', () => {
  expect([largest([]), largest([], 0), largest([-1], 0), smallest([])]).toEqual([
    Number.NEGATIVE_INFINITY,
    0,
    0,
    Number.POSITIVE_INFINITY,
  ]);
});

it('fences a text of any number of backticks', () => {
  expect(markdownText('`a'.repeat(300_000)).startsWith('`` `a`a')).toBe(true);
});

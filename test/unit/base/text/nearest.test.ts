import { expect, it } from 'vitest';
import { nearest } from '../../../../src/base/text/nearest.js';

const words = ['new', 'compact', 'model', 'mcp', 'help', 'tools'];

it.each([
  ['modle', ['model']],
  ['comp', ['compact']],
  ['hlep', ['help']],
  ['Tool', ['tools']],
  ['xyzzy', []],
])('takes %s for %j', (word, near) => {
  expect(nearest(word, words)).toEqual(near);
});

it('compares words without end in no time', () => {
  expect(nearest('x'.repeat(1_000_000), ['y'.repeat(1_000_000)])).toEqual([]);
});

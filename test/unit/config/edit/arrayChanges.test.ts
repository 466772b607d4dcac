import { expect, it } from 'vitest';
import { type ArrayChange, arrayChanges } from '../../../../src/config/edit/arrayChanges.js';

function shown(change: ArrayChange): string {
  return change.kind === 'remove'
    ? `-${change.index}`
    : `${signs[change.kind]}${change.index} ${change.item}`;
}

const signs = { replace: '=', insert: '+' };

it.each([
  ['nothing', 'a b c', 'a b c', []],
  ['adds at the end', 'a', 'a b c', ['+1 b', '+2 c']],
  ['adds in front', 'c', 'a b c', ['+0 a', '+1 b']],
  ['replaces one for one', 'a b c', 'a x c', ['=1 x']],
  ['replaces two for two', 'a b c d', 'a x y d', ['=1 x', '=2 y']],
  ['replaces, then adds what is more', 'a b c', 'a x y c', ['+2 y', '=1 x']],
  ['drops what is fewer, then replaces', 'a b c d', 'a x d', ['-2', '=1 x']],
  ['begins at the end, since that moves nothing', 'a b c d e', 'b c x d', ['-4', '+3 x', '-0']],
  ['keeps what has only changed places with one', 'a b c', 'b c a', ['+3 a', '-0']],
  ['keeps the most, not the first', 'x a b c y', 'a b c x z', ['+5 z', '=4 x', '-0']],
  ['drops all', 'a b', '', ['-1', '-0']],
])('%s', (_what, from, to, steps) => {
  const list = (text: string) => text.split(' ').filter(Boolean);
  expect(arrayChanges(list(from), list(to))?.map(shown)).toEqual(steps);
});

it('compares objects by what they hold', () => {
  expect(arrayChanges([{ a: 1, b: [2] }, 3], [{ b: [2], a: 1 }])).toEqual([
    { kind: 'remove', index: 1 },
  ]);
});

const numbers = Array.from({ length: 500 }, (_, index) => index);

it.each([
  ['without an item', [], ['a']],
  ['with little in common', numbers, numbers.map((number) => -number)],
  ['that becomes far longer', ['a'], numbers],
])('writes an array anew %s', (_what, from, to) => {
  expect(arrayChanges(from, to)).toBeUndefined();
});

it('takes few steps in a long array', () => {
  const changed = numbers.with(400, -1).toSpliced(3, 1);
  expect(arrayChanges(numbers, changed)).toEqual([
    { kind: 'replace', index: 400, item: -1 },
    { kind: 'remove', index: 3 },
  ]);
});

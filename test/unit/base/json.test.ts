import { describe, expect, it } from 'vitest';
import { isDeeperThan, jsonLength, parseJsonObject } from '../../../src/base/json.js';

function nested(depth: number): unknown {
  let value: unknown = {};
  for (let level = 1; level < depth; level++) {
    value = level % 2 === 0 ? { value } : [value];
  }
  return value;
}

describe('the depth of a value', () => {
  it.each([
    ['a text', 'x', 0, false],
    ['null', null, 0, false],
    ['three levels within three', nested(3), 3, false],
    ['four levels within three', nested(4), 3, true],
    ['a hundred thousand levels', nested(100_000), 200, true],
  ] as const)('of %s', (_title, value, depth, expected) => {
    expect(isDeeperThan(value, depth)).toBe(expected);
  });
});

it.each([
  ['an object', '{"a":1}', { a: 1 }],
  ['a list', '[1]', undefined],
  ['null', 'null', undefined],
  ['half of an object', '{"a":', undefined],
  ['nothing', '', undefined],
] as const)('reads %s as an object, or as none', (_title, text, expected) => {
  expect(parseJsonObject(text)).toEqual(expected);
});

it('finds a list too long without listing its places, of which there may be millions', () => {
  const list = new Proxy(['a', 'b'], {
    ownKeys: () => {
      throw new Error('all places were asked for');
    },
  });
  expect(jsonLength({ list }, 100)).toBe(20);
  expect(jsonLength({ list }, 5)).toBeGreaterThan(5);
});

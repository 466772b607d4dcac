import { describe, expect, it } from 'vitest';
import {
  asTexts,
  isDeeperThan,
  jsonLength,
  mapTexts,
  mapValues,
  parseJsonObject,
} from '../../../src/base/json.js';

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

it('asks for other texts in one order, with the name of what holds them', () => {
  const asked: string[] = [];
  const value = { a: 'x', b: ['y', { c: 'z' }], d: [['w']], e: [1, null, true] };
  const changed = mapTexts(value, (text, name) => asked.push(`${name} ${text}`));
  expect(asked).toEqual(['a x', 'b y', 'c z', 'd w']);
  expect(changed).toEqual({ a: 1, b: [2, { c: 3 }], d: [[4]], e: [1, null, true] });
});

it('changes values under any name, also one that objects have from elsewhere', () => {
  const value = JSON.parse('{"__proto__":1,"a":2}');
  expect(JSON.stringify(mapValues(value, (item, key) => `${key} ${item}`))).toBe(
    '{"__proto__":"__proto__ 1","a":"a 2"}',
  );
});

it.each([
  ['a list', ['a', 1, null, ['b'], 'c'], ['a', 'c']],
  ['a text', 'a', []],
  ['nothing', undefined, []],
] as const)('reads the texts of %s', (_title, value, expected) => {
  expect(asTexts(value)).toEqual(expected);
});

import { expect, it } from 'vitest';
import { pruneDeeper } from '../../../../../src/mcp/connection/reading/nesting.js';

it('leaves out what is nested more deeply, in objects and in lists', () => {
  const message = { a: [[1, [2]], { b: { c: 3 } }], d: 4 };
  expect(pruneDeeper(message, 3)).toBe(true);
  expect(message).toEqual({ a: [[1, null], { b: null }], d: 4 });
  expect(pruneDeeper(message, 3)).toBe(false);
});

it('makes no text of the places of a list, which may be long', () => {
  const items = new Proxy<unknown[]>([1, [2]], {
    ownKeys: () => {
      throw new Error('all places were asked for');
    },
  });
  expect(pruneDeeper({ items }, 2)).toBe(true);
  expect(items[1]).toBe(null);
});

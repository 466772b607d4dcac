import fc from 'fast-check';
import { expect, it } from 'vitest';
import { jsonChange, mergedJsonChange, withJsonChange } from '../../../src/base/jsonChange.js';

const leaf = fc.oneof(fc.integer(), fc.string(), fc.array(fc.integer(), { maxLength: 2 }));
const key = fc.constantFrom('a', 'b', 'c', '__proto__');
const record = fc.dictionary(key, fc.oneof(leaf, fc.dictionary(key, leaf)));
const depth = fc.constantFrom(1, 2, 3);

it('leads from any record to any other', () => {
  fc.assert(
    fc.property(record, record, depth, (before, after, levels) => {
      expect(withJsonChange(before, jsonChange(before, after, levels))).toEqual(after);
    }),
  );
});

it('merged does what both do, whatever they are made to', () => {
  fc.assert(
    fc.property(record, record, record, record, depth, (a, b, c, elsewhere, levels) => {
      const first = jsonChange(a, b, levels);
      const second = jsonChange(b, c, levels);
      expect(withJsonChange(a, mergedJsonChange(first, second))).toEqual(c);
      expect(withJsonChange(elsewhere, mergedJsonChange(first, second))).toEqual(
        withJsonChange(withJsonChange(elsewhere, first), second),
      );
    }),
  );
});

it('touches only the keys that differ', () => {
  const change = jsonChange({ a: { x: 1, y: 1 } }, { a: { x: 2, y: 1 } }, 2);
  expect(withJsonChange({ a: { x: 1, z: 3 }, b: 1 }, change)).toEqual({
    b: 1,
    a: { x: 2, z: 3 },
  });
});

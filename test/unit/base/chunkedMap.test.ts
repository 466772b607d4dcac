import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ChunkedMap } from '../../../src/base/chunkedMap.js';

const names = ['', 'a', 'b', '__proto__', 'constructor', 'call_1', '\ud800'];
const key = fc.oneof(fc.constantFrom(...names), fc.string());

it('holds what a map would hold, and never changes an older one', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(key, fc.nat())), key, (changes, other) => {
      let map = ChunkedMap.empty<number>();
      const model = new Map<string, number>();
      const history = [{ map, model: new Map(model) }];
      for (const [name, value] of changes) {
        map = map.with(name, value);
        history.push({ map, model: new Map(model.set(name, value)) });
      }
      for (const { map, model } of history) {
        expect(new Map(map)).toEqual(model);
        expect(map.get(other)).toBe(model.get(other));
      }
    }),
  );
});

it('spreads keys that differ in one letter', () => {
  const keys = Array.from({ length: 2000 }, (_, index) => `call_${index}`);
  const map = keys.reduce((all, name, index) => all.with(name, index), ChunkedMap.empty<number>());
  expect(keys.every((name, index) => map.get(name) === index)).toBe(true);
  expect([...map]).toHaveLength(2000);
});

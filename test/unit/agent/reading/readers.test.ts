import { expect, it } from 'vitest';
import {
  asNumber,
  itemsOf,
  kindsOf,
  listOf,
  objectOf,
  oneOf,
  optional,
} from '../../../../src/agent/reading/readers.js';
import { asString } from '../../../../src/base/json.js';

interface Row {
  readonly name: string;
  readonly count?: number;
}
const readRow = objectOf<Row>({ name: asString, count: optional(asNumber) });

it.each([
  ['an object', { name: 'a', count: 1 }, { name: 'a', count: 1 }],
  ['one without what may be absent', { name: 'a' }, { name: 'a' }],
  ['one whose optional member is none', { name: 'a', count: '1' }, { name: 'a' }],
  ['members of other versions', { name: 'a', later: true }, { name: 'a' }],
  ['one without what must be there', { count: 1 }, undefined],
  ['a list', [{ name: 'a' }], undefined],
  ['nothing', null, undefined],
])('reads %s', (_, value, read) => {
  expect(readRow(value)).toStrictEqual(read);
});

it('reads lists whole, or what can be read of them', () => {
  const rows = [{ name: 'a' }, 7];
  expect(listOf(readRow)(rows)).toBeUndefined();
  expect(listOf(readRow)(rows.slice(0, 1))).toEqual([{ name: 'a' }]);
  expect(listOf(readRow)({})).toBeUndefined();
  expect(itemsOf(readRow)(rows)).toEqual([{ name: 'a' }]);
  expect(itemsOf(readRow)('rows')).toEqual([]);
});

it('reads what one member says, and no kind that is not in the table', () => {
  type Step = { readonly kind: 'go'; readonly by: 1 | -1 } | { readonly kind: 'stay' };
  const read = kindsOf<Step, 'kind'>('kind', { go: { by: oneOf([1, -1]) }, stay: {} });
  expect(read({ kind: 'go', by: -1 })).toEqual({ kind: 'go', by: -1 });
  expect(read({ kind: 'stay', by: 1 })).toStrictEqual({ kind: 'stay' });
  for (const value of [{ kind: 'go', by: 2 }, { kind: 'toString' }, {}, 'stay', undefined]) {
    expect(read(value)).toBeUndefined();
  }
});

import { expect, it } from 'vitest';
import type { Field } from '../../../../src/base/form/field.js';
import { FieldDraft, readDraft } from '../../../../src/base/form/fieldDraft.js';
import {
  type HeldField,
  holdFields,
  readHeldFields,
  restoreFields,
} from '../../../../src/base/form/heldFields.js';

const options = ['a', 'b', 'c'].map((value) => ({ value, label: value }));
const fields: readonly Field[] = [
  { kind: 'text', name: '__proto__', title: 'Name', isRequired: true },
  { kind: 'number', name: 'seats', title: 'Seats', isRequired: true, isInteger: true },
  { kind: 'boolean', name: 'quiet', title: 'Quiet', isRequired: false, defaultValue: true },
  { kind: 'choice', name: 'class', title: 'Class', isRequired: false, options },
  { kind: 'choices', name: 'extras', title: 'Extras', isRequired: false, options },
];

const form = () =>
  new FieldDraft({
    kind: 'object',
    name: '',
    title: '',
    isRequired: true,
    properties: () => fields,
    others: undefined,
    invitesOthers: false,
  });

/** As a message between windows has it. */
const sent = (root: FieldDraft) => readHeldFields(JSON.parse(JSON.stringify(holdFields(root))));

it('comes back as it was left, also what is no value yet and what was cleared', () => {
  const root = form();
  const [name, seats, quiet, level, extras] = root.children;
  name?.type('Ada');
  seats?.type('two');
  quiet?.choose(undefined);
  level?.choose(1);
  extras?.pick([2, 0]);
  const next = form();
  restoreFields(next, sent(root) ?? []);
  expect(holdFields(next)).toEqual(holdFields(root));
  expect(next.children.map(({ text }) => text)).toEqual(['Ada', 'two', '', 'b', '']);
  const { value, problems } = readDraft(next);
  expect(problems.map(({ kind, draft }) => [kind, draft.field.name])).toEqual([
    ['notNumber', 'seats'],
  ]);
  expect(value).not.toHaveProperty('quiet');
  expect(value).toMatchObject({ class: 'b', extras: ['a', 'c'] });
});

it('leaves a field alone that it is not told of', () => {
  const root = form();
  restoreFields(root, []);
  restoreFields(root, [{ name: 'gone', state: 'set', text: 'x', isRaw: false, picked: [] }]);
  expect(holdFields(root)).toEqual(holdFields(form()));
});

const one: HeldField = { name: 'a', state: 'set', text: 'x', isRaw: false, picked: [] };

it.each<readonly [string, unknown]>([
  ['no list', {}],
  ['no field', [null]],
  ['a field without a name', [{ ...one, name: 1 }]],
  ['a state that there is not', [{ ...one, state: 'open' }]],
  ['no text', [{ ...one, text: undefined }]],
  ['a half place', [{ ...one, chosen: 0.5 }]],
  ['places that are none', [{ ...one, picked: ['a'] }]],
  ['too many fields', Array.from({ length: 101 }, () => one)],
  ['too much text', [{ ...one, text: 'x'.repeat(500_001) }]],
])('refuses %s', (_title, value) => {
  expect(readHeldFields(value)).toBeUndefined();
  expect(readHeldFields([one])).toEqual([one]);
});

it('takes as many fields, and as much text, as it says', () => {
  const all = Array.from({ length: 100 }, () => one);
  expect(readHeldFields(all)).toEqual(all);
  const long = { ...one, text: 'x'.repeat(500_000 - 'a'.length - 2), picked: [0, 1] };
  expect(readHeldFields([long])).toEqual([long]);
  expect(readHeldFields([{ ...long, text: `${long.text}x` }])).toBeUndefined();
});

import { describe, expect, it } from 'vitest';
import type { Field } from '../../../../src/base/form/field.js';
import { formField } from '../../../../src/base/form/fieldModel.js';
import type { JsonObject } from '../../../../src/base/json.js';

/** The one property of a form. */
function fieldOf(schema: unknown, defs: JsonObject = {}): Field {
  const [field] = propertiesOf(formField({ $defs: defs, properties: { f: schema } }));
  if (!field) {
    throw new Error('no field');
  }
  return field;
}

function propertiesOf(field: Field | undefined): readonly Field[] {
  return field?.kind === 'object' ? field.properties() : [];
}

const list = <T>(length: number, item: (at: number) => T): T[] =>
  Array.from({ length }, (_, at) => item(at));

describe('a field', () => {
  it.each([
    [{ type: 'string' }, { kind: 'text' }],
    [{ anyOf: [{ type: 'string' }] }, { kind: 'text' }],
    [{ oneOf: [{ type: 'string' }, { type: 'null' }] }, { kind: 'text', isNullable: true }],
    [{ oneOf: [{ type: 'string' }, { enum: [null] }] }, { kind: 'text', isNullable: true }],
    [{ anyOf: [true, { type: 'string' }] }, { kind: 'union', branches: [{}, {}] }],
    [{ oneOf: [{ const: 1, title: 'One' }] }, { kind: 'choice', options: [{ label: 'One' }] }],
    [
      { oneOf: [{ enum: ['a'] }, { enum: ['b'] }] },
      { kind: 'choice', options: [{ value: 'a' }, { value: 'b' }] },
    ],
    [{ oneOf: [{ const: 1 }, { type: 'string' }] }, { kind: 'union' }],
    [{ oneOf: [{ const: {}, properties: {} }, { const: 1 }] }, { kind: 'union' }],
    [{ oneOf: [null, { const: 1 }] }, { kind: 'union' }],
    [{ anyOf: [] }, { kind: 'json' }],
    [
      { const: { a: 1 }, default: { a: 1 } },
      { kind: 'fixed', defaultValue: { a: 1 } },
    ],
    [
      { enum: [['a'], 'a'], default: ['a'] },
      { kind: 'choice', defaultValue: ['a'] },
    ],
    [{ type: 'string', format: 'byte' }, { isBinary: true }],
    [{ type: 'string', examples: [1, 2, 3, 4] }, { examples: [1, 2, 3] }],
    [
      { items: [{ type: 'string' }], additionalItems: false },
      { kind: 'array', item: undefined },
    ],
    [
      { type: 'integer', maximum: 3 },
      { kind: 'number', isInteger: true, maximum: 3 },
    ],
    [
      { type: 'boolean', default: false },
      { kind: 'boolean', defaultValue: false },
    ],
    [{ type: 'null' }, { kind: 'fixed', value: null }],
    [
      { const: 'x', type: 'string' },
      { kind: 'fixed', value: 'x' },
    ],
    [{ enum: [1, 2.5, 'a'] }, { kind: 'choice', options: [{ value: 1 }, { value: 2.5 }, {}] }],
    [{ type: ['string', 'null'] }, { kind: 'text', isNullable: true }],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, { kind: 'text', isNullable: true }],
    [{ enum: ['a', null] }, { kind: 'choice', isNullable: true, options: [{ value: 'a' }] }],
    [{ oneOf: [{ const: 1, title: 'One' }, { const: 2 }] }, { kind: 'choice' }],
    [{ type: ['string', 'number'] }, { kind: 'union', branches: [{ label: 'string' }, {}] }],
    [{ type: 'array', items: { enum: ['a', 'b'] } }, { kind: 'choices' }],
    [{ type: 'array', items: { type: 'array', items: { type: 'number' } } }, { kind: 'array' }],
    [
      { prefixItems: [{ type: 'string' }], items: false },
      { kind: 'array', item: undefined },
    ],
    [{ type: 'array', items: [{ type: 'string' }] }, { kind: 'array' }],
    [{ type: 'object', additionalProperties: { type: 'number' } }, { kind: 'object' }],
    [{}, { kind: 'json' }],
    [true, { kind: 'json' }],
    [7, { kind: 'json' }],
    [{ type: 'wrong' }, { kind: 'json' }],
    [
      { type: 'string', format: 'password' },
      { kind: 'text', isSecret: true },
    ],
    [
      { type: 'string', writeOnly: true },
      { kind: 'text', isSecret: true },
    ],
    [
      { type: 'string', contentEncoding: 'base64' },
      { kind: 'text', isBinary: true },
    ],
    [
      { type: 'string', deprecated: true, readOnly: true },
      { isDeprecated: true, isReadOnly: true },
    ],
    [{ type: 'string', 'x-mcp-header': 'X-A' }, { header: 'X-A' }],
    [{ type: 'number', default: 'five' }, { kind: 'number' }],
  ])('of %j', (schema, expected) => {
    expect(fieldOf(schema)).toMatchObject(expected);
  });

  it('has no default that it could not hold', () => {
    expect(fieldOf({ type: 'number', default: 'five' })).not.toHaveProperty('defaultValue');
    expect(fieldOf({ enum: ['a'], default: 'b' })).not.toHaveProperty('defaultValue');
    expect(fieldOf({ const: { a: 1 }, default: { a: 2 } })).not.toHaveProperty('defaultValue');
    for (const value of [['a', 'a'], ['c'], 'ab', 2]) {
      const schema = { type: 'array', items: { enum: ['a', 'b'] }, default: value };
      expect(fieldOf(schema)).not.toHaveProperty('defaultValue');
    }
  });

  it('knows a secret by its name', () => {
    const fields = propertiesOf(
      formField({ properties: { apiKey: { type: 'string' }, path: { type: 'string' } } }),
    );
    expect(fields.map(({ isSecret }) => isSecret)).toEqual([true, undefined]);
  });

  it('is read through references and null before its kind is chosen', () => {
    const defs = { Color: { type: 'string', enum: ['red', 'blue'], title: 'Colour' } };
    expect(
      fieldOf({ anyOf: [{ $ref: '#/$defs/Color' }, { type: 'null' }], default: null }, defs),
    ).toMatchObject({ kind: 'choice', isNullable: true, defaultValue: null, title: 'Colour' });
    expect(fieldOf({ $ref: '#/$defs/Color', description: 'Mine.' }, defs)).toMatchObject({
      kind: 'choice',
      description: 'Mine.',
    });
    expect(fieldOf({ $ref: '#/$defs/Gone' }, defs).kind).toBe('json');
    const none = { None: { type: 'null' } };
    expect(fieldOf({ anyOf: [{ type: 'string' }, { $ref: '#/$defs/None' }] }, none)).toMatchObject({
      kind: 'text',
      isNullable: true,
    });
  });

  it('that refers to itself ends, at once or in its depth', () => {
    expect(fieldOf({ $ref: '#/$defs/A' }, { A: { $ref: '#/$defs/A' } }).kind).toBe('json');
    const node = { type: 'object', properties: { next: { $ref: '#/$defs/Node' } } };
    let field: Field | undefined = fieldOf({ $ref: '#/$defs/Node' }, { Node: node });
    let levels = 0;
    while (field?.kind === 'object') {
      [field] = propertiesOf(field);
      levels++;
    }
    expect(field?.kind).toBe('json');
    expect(levels).toBeLessThan(20);
  });

  it('combines what allOf says, property by property', () => {
    const field = fieldOf({
      allOf: [
        { properties: { a: { type: 'string' }, b: { type: 'string' } }, required: ['a'] },
        { properties: { b: { maxLength: 3 } }, required: ['b'] },
      ],
    });
    expect(propertiesOf(field)).toMatchObject([
      { name: 'a', kind: 'text', isRequired: true },
      { name: 'b', kind: 'text', isRequired: true, maxLength: 3 },
    ]);
  });

  it('gives each branch of a union what the object around it says', () => {
    const field = formField({
      type: 'object',
      properties: { id: { type: 'string' }, name: { type: 'string' } },
      oneOf: [
        { required: ['id'] },
        { title: 'By Name', required: ['name'] },
        { properties: { kind: { const: 'all' } } },
      ],
    });
    const branches = field.kind === 'union' ? field.branches : [];
    expect(branches.map(({ label }) => label)).toEqual(['id', 'By Name', 'kind: all']);
    const needs = branches.map((branch) =>
      propertiesOf(branch.field()).map(({ name, isRequired }) => [name, isRequired]),
    );
    expect(needs[0]).toEqual([
      ['id', true],
      ['name', false],
    ]);
    expect(needs[2]?.map(([name]) => name)).toEqual(['id', 'name', 'kind']);
  });

  it('has branches of the type around them, with names of where they lead and of what is fixed', () => {
    const branchesOf = (schema: unknown, defs?: JsonObject) => {
      const field = fieldOf(schema, defs);
      return field.kind === 'union' ? field.branches : [];
    };
    const texts = branchesOf({ type: 'string', anyOf: [{ maxLength: 3 }, { pattern: 'a' }] });
    expect(texts.map((branch) => branch.field().kind)).toEqual(['text', 'text']);
    const named = branchesOf(
      {
        anyOf: [
          { $ref: '#/$defs/Circle' },
          { type: 'number' },
          { properties: { id: {}, kind: { const: 'all' } } },
        ],
      },
      { Circle: { type: 'object' } },
    );
    expect(named.map(({ label }) => label)).toEqual(['Circle', 'number', 'kind: all']);
  });

  it.each([
    [{ type: 'object' }, true, true],
    [{ properties: { a: {} } }, true, false],
    [{ properties: { a: {} }, additionalProperties: true }, true, true],
    [{ properties: { a: {} }, additionalProperties: { type: 'string' } }, true, true],
    [{ properties: { a: {} }, additionalProperties: false }, false, false],
    [{ properties: { a: {} }, additionalProperties: false, patternProperties: {} }, true, true],
  ])('of %j has room for others: %s, and says so: %s', (schema, hasRoom, invitesOthers) => {
    const field = fieldOf(schema);
    const others = field.kind === 'object' && field.others !== undefined;
    expect([others, field]).toMatchObject([hasRoom, { invitesOthers }]);
  });

  it.each<[what: string, within: object, kind: string, beyond: object, otherKind: string]>([
    [
      'properties',
      { properties: Object.fromEntries(list(300, (at) => [`p${at}`, {}])) },
      'object',
      { properties: Object.fromEntries(list(301, (at) => [`p${at}`, {}])) },
      'json',
    ],
    [
      'first items',
      { prefixItems: list(300, () => ({})) },
      'array',
      { prefixItems: list(301, () => ({})) },
      'json',
    ],
    [
      'picked values',
      { type: 'array', items: { enum: list(500, String) } },
      'choices',
      { type: 'array', items: { enum: list(501, String) } },
      'array',
    ],
    ['options', { enum: list(50_000, Number) }, 'choice', { enum: list(50_001, Number) }, 'json'],
    [
      'branches',
      { anyOf: list(100, () => ({ type: 'string' })) },
      'union',
      { anyOf: list(101, () => ({ type: 'string' })) },
      'json',
    ],
    [
      'combined parts',
      { allOf: list(199, () => ({ type: 'string' })) },
      'text',
      { allOf: list(200, () => ({ type: 'string' })) },
      'json',
    ],
  ])('has at most so many %s', (_, within, kind, beyond, otherKind) => {
    expect([formField(within).kind, formField(beyond).kind]).toEqual([kind, otherKind]);
  });

  it('looks for null in as many branches as it reads', () => {
    const branches = (count: number) => [
      ...list(count, () => ({ type: 'string' })),
      { type: 'null' },
    ];
    expect(fieldOf({ anyOf: branches(199) })).toHaveProperty('isNullable');
    expect(fieldOf({ anyOf: branches(200) })).not.toHaveProperty('isNullable');
  });

  it('tells two options apart that look alike', () => {
    const field = fieldOf({
      oneOf: [
        { const: 'x', title: 'Same' },
        { const: 'y', title: 'Same' },
      ],
    });
    expect(field.kind === 'choice' && field.options.map(({ value }) => value)).toEqual(['x', 'y']);
  });

  it('of a schema beyond the bounds is JSON as a whole', () => {
    const wide = { properties: { a: { type: 'string', description: 'x'.repeat(600_000) } } };
    let deep: unknown = { type: 'string' };
    for (let level = 0; level < 300; level++) {
      deep = { type: 'array', items: deep };
    }
    const many = Object.fromEntries(Array.from({ length: 400 }, (_, at) => [`p${at}`, {}]));
    expect([formField(wide).kind, formField(deep).kind]).toEqual(['json', 'json']);
    expect(formField({ properties: many }).kind).toBe('json');
    expect(formField(undefined)).toMatchObject({ kind: 'json', name: '', title: '' });
  });
});

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

describe('a field', () => {
  it.each([
    [{ type: 'string' }, { kind: 'text' }],
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
    expect(formField(undefined).kind).toBe('json');
  });
});

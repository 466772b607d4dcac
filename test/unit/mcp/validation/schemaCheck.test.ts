import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compilePattern } from '../../../../src/mcp/validation/patterns.js';
import { checkSchema } from '../../../../src/mcp/validation/schemaCheck.js';

const check = (schema: unknown, value: unknown) => checkSchema(schema, value, compilePattern);
const kind = (schema: unknown, value: unknown) => check(schema, value).kind;

// biome takes an object with `then` for a promise
const conditional = JSON.parse(
  '{"if":{"type":"string"},"then":{"minLength":1},"else":{"minimum":1}}',
);

describe('a schema of a server', () => {
  it.each<[schema: object, fitting: unknown, other: unknown]>([
    [{ type: 'string', pattern: '^\\d+$' }, '12', 'x'],
    [{ type: ['integer', 'null'] }, null, 1.5],
    [{ enum: [1, { a: [1] }] }, { a: [1] }, { a: [2] }],
    [{ const: { a: 1, b: 2 } }, { b: 2, a: 1 }, { a: 1 }],
    [{ minLength: 2, maxLength: 3 }, '😀😀', '😀'],
    [{ format: 'date-time' }, '2026-01-31T12:00:00Z', 'yesterday'],
    [{ minimum: 1, exclusiveMaximum: 3 }, 1, 3],
    [{ minimum: 1, exclusiveMinimum: true }, 2, 1],
    [{ multipleOf: 2 }, 4, 5],
    [{ multipleOf: 0.01 }, 0.07, 0.075],
    [{ items: { type: 'number' }, maxItems: 2 }, [1, 2], [1, 'x']],
    [{ prefixItems: [{ type: 'string' }], items: false }, ['a'], ['a', 1]],
    [{ items: [{ type: 'string' }], additionalItems: { type: 'number' } }, ['a', 1], ['a', 'b']],
    [
      { uniqueItems: true },
      [{ a: 1 }, { a: 2 }],
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
    ],
    [{ contains: { type: 'string' }, maxContains: 1 }, [1, 'a'], ['a', 'b']],
    [{ required: ['a'] }, { a: undefined }, {}],
    [{ properties: { a: { type: 'string' } }, additionalProperties: false }, { a: 'x' }, { b: 1 }],
    [{ patternProperties: { '^x-': { type: 'number' } } }, { 'x-a': 1, y: 'b' }, { 'x-a': 'b' }],
    [{ propertyNames: { maxLength: 2 } }, { ab: 1 }, { abc: 1 }],
    [{ dependentRequired: { a: ['b'] } }, { b: 1 }, { a: 1 }],
    [{ dependencies: { a: { required: ['b'] } } }, { a: 1, b: 1 }, { a: 1 }],
    [{ allOf: [{ minimum: 1 }, { maximum: 2 }] }, 2, 3],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, null, 1],
    [{ oneOf: [{ minimum: 1 }, { maximum: 2 }] }, 3, 1],
    [{ not: { type: 'string' } }, 1, 'x'],
    [conditional, 1, ''],
    [{ $ref: '#/$defs/a~1b', $defs: { 'a/b': { type: 'string' } } }, 'x', 1],
    [{ properties: { next: { $ref: '#' } }, additionalProperties: false }, { next: {} }, { x: 1 }],
  ])('%j', (schema, fitting, other) => {
    expect([kind(schema, fitting), kind(schema, other)]).toEqual(['fits', 'mismatch']);
  });

  it('says where and why', () => {
    const schema = { properties: { list: { items: { type: 'string' } } } };
    expect(check(schema, { list: ['a', 1] })).toEqual({
      kind: 'mismatch',
      detail: 'data/list/1 must be string',
      at: 'data/list/1',
    });
  });

  it.each<[object, string]>([
    [{ $ref: '#/$defs/missing' }, '$ref #/$defs/missing'],
    [{ type: 'text' }, 'type text'],
    [{ allOf: [1] }, '1'],
  ])('that is none is no verdict on the value: %j', (schema, part) => {
    const reason = `"${part}" is missing, or not what it should be`;
    expect(check(schema, 'x')).toEqual({ kind: 'invalid', reason });
  });
});

describe('no schema takes long:', () => {
  const many = Array.from({ length: 200_000 }, (_, index) => index);
  const doubling = Object.fromEntries(
    many
      .slice(0, 60)
      .map((n) => [`d${n}`, { anyOf: [1, 2].map(() => ({ $ref: `#/$defs/d${n + 1}` })) }]),
  );
  const nested = many.slice(0, 60).reduce<unknown>((inner) => ({ a: inner }), 'x');

  it.each<[string, object, unknown, 'mismatch' | 'unjudged']>([
    ['a pattern of exponential time', { pattern: '^(a|a)*$' }, `${'a'.repeat(50)}!`, 'mismatch'],
    ['a pattern of quadratic time', { pattern: '\\s+$' }, `${' '.repeat(99_999)}x`, 'mismatch'],
    ['a look-ahead', { pattern: '^(?=(a+)+$)' }, 'a'.repeat(50), 'unjudged'],
    ['a pattern without end', { pattern: 'a'.repeat(10_000) }, 'a', 'unjudged'],
    [
      'a thousand patterns',
      { allOf: many.slice(0, 1000).map((n) => ({ pattern: `^(\\p{L}|\\p{N}){${n}}${n}` })) },
      'x',
      'mismatch',
    ],
    [
      'a pattern of names',
      { patternProperties: { '^(a|a)*$': false } },
      { [`${'a'.repeat(50)}!`]: 1, aa: 1 },
      'mismatch',
    ],
    [
      'references that double',
      { $ref: '#/$defs/d0', $defs: { ...doubling, d60: false } },
      1,
      'unjudged',
    ],
    [
      'alternatives that both go deeper',
      { anyOf: [1, 2].map(() => ({ type: 'object', properties: { a: { $ref: '#' } } })) },
      nested,
      'unjudged',
    ],
    ['a reference to itself', { $ref: '#' }, 1, 'unjudged'],
    ['many items that may not repeat', { uniqueItems: true }, [...many, 1], 'mismatch'],
    ['many values in a list of many', { items: { enum: many } }, many, 'unjudged'],
  ])('%s', (_what, schema, value, expected) => {
    expect(kind(schema, value)).toBe(expected);
  });
});

it('agrees with another validator', () => {
  const name = fc.constantFrom('a', 'b', 'c');
  const leaf = fc.oneof(fc.integer({ min: -3, max: 3 }), name, fc.boolean(), fc.constant(null));
  const { value, schema } = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      leaf,
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(name, tie('value'), { maxKeys: 3, noNullPrototype: true }),
    ),
    schema: fc.oneof(
      { depthSize: 'small' },
      fc.boolean(),
      fc.record({ type: fc.constantFrom('string', 'integer', 'object', 'array', 'null') }),
      fc.record({ enum: fc.uniqueArray(leaf, { minLength: 1, maxLength: 4 }) }),
      fc.record({
        minimum: fc.integer({ min: -2, max: 2 }),
        pattern: fc.constantFrom('^a', 'b|c'),
      }),
      fc.record(
        {
          properties: fc.dictionary(name, tie('schema')),
          required: fc.uniqueArray(name),
          additionalProperties: tie('schema'),
        },
        { requiredKeys: [] },
      ),
      fc.record(
        { items: tie('schema'), contains: tie('schema'), uniqueItems: fc.boolean() },
        { requiredKeys: [] },
      ),
      fc.record(
        Object.fromEntries(
          ['allOf', 'anyOf', 'oneOf'].map((key) => [
            key,
            fc.array(tie('schema'), { minLength: 1, maxLength: 3 }),
          ]),
        ),
        { requiredKeys: [] },
      ),
      fc.record(
        { not: tie('schema'), if: tie('schema'), else: tie('schema') },
        { requiredKeys: ['if'] },
      ),
    ),
  }));
  const validator = new AjvJsonSchemaValidator();
  fc.assert(
    fc.property(schema, value, (made, given) => {
      // a root that is a boolean is not taken there
      const whole = { allOf: [made] };
      const { valid } = validator.getValidator(whole as object)(given);
      expect(kind(whole, given)).toBe(valid ? 'fits' : 'mismatch');
    }),
    { numRuns: 150 },
  );
});

import { expect, it } from 'vitest';
import { makeSound } from '../../../../../src/mcp/catalog/schema/soundSchema.js';
import { parseStringifiedArguments } from '../../../../../src/mcp/catalog/schema/toolArguments.js';

it.each([
  ['no schema', undefined, { type: 'object' }],
  ['a root that is no object', { type: 'string' }, { type: 'object' }],
  [
    'a dialect and an id',
    { $schema: 'x', $id: 'y', type: 'object', properties: { $id: { type: 'string' } } },
    { type: 'object', properties: { $id: { type: 'string' } } },
  ],
  [
    'a pattern that does not compile',
    { properties: { a: { pattern: '[' }, b: { pattern: '^\\p{L}$' } } },
    { type: 'object', properties: { a: {}, b: { pattern: '^\\p{L}$' } } },
  ],
  [
    'references that lead nowhere',
    {
      properties: {
        here: { $ref: '#/$defs/a' },
        nowhere: { $ref: '#/$defs/b' },
        outside: { $ref: 'https://example.com/x.json', description: 'kept' },
        hidden: { $ref: '#/x-hidden' },
        example: { $ref: '#/properties/here/default' },
      },
      $defs: { a: { type: 'string' } },
      'x-hidden': { pattern: '^(a|a)*$' },
    },
    {
      type: 'object',
      properties: {
        here: { $ref: '#/$defs/a' },
        nowhere: {},
        outside: { description: 'kept' },
        hidden: {},
        example: {},
      },
      $defs: { a: { type: 'string' } },
      'x-hidden': { pattern: '^(a|a)*$' },
    },
  ],
  [
    'nonsense',
    {
      type: 'object',
      required: 'a',
      properties: { a: { type: 'any', enum: [], minimum: '1', title: 2 }, b: 7 },
    },
    { type: 'object', properties: { a: {}, b: {} } },
  ],
])('leaves out what says nothing: %s', (_what, input, expected) => {
  expect(makeSound(input)).toEqual(expected);
});

it('leaves a good schema alone', () => {
  const schema = {
    type: 'object',
    properties: { a: { type: 'string', enum: ['$ref'] }, pattern: { type: 'string' } },
    required: ['a'],
    oneOf: [{ required: ['pattern'] }, { const: { a: 'x' } }],
    additionalProperties: false,
  };
  expect(makeSound(schema)).toEqual(schema);
});

it('bounds the depth', () => {
  let schema: object = {};
  for (let depth = 0; depth < 500; depth++) {
    schema = { type: 'object', properties: { a: schema } };
  }
  expect(JSON.stringify(makeSound(schema)).length).toBeLessThan(5_000);
});

it('parses JSON text only where an object or array is wanted', () => {
  const schema = {
    properties: { list: { type: 'array' }, map: { type: 'object' }, text: { type: 'string' } },
  };
  expect(
    parseStringifiedArguments(schema, { list: '[1]', map: '{"a":1}', text: '[1]', other: '[1]' }),
  ).toEqual({ list: [1], map: { a: 1 }, text: '[1]', other: '[1]' });
  expect(parseStringifiedArguments(schema, { list: '{}', map: 'x' })).toEqual({
    list: '{}',
    map: 'x',
  });
  expect(parseStringifiedArguments(schema, 'x')).toEqual({});
});

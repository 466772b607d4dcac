import { expect, it } from 'vitest';
import { parseStringifiedArguments } from '../../../../../src/mcp/catalog/schema/toolArguments.js';
import { makeSchemaSafe } from '../../../../../src/mcp/catalog/schema/toolSchema.js';

it.each([
  ['no schema', undefined, { type: 'object', properties: {} }],
  ['an empty schema', {}, { type: 'object', properties: {} }],
  [
    'a dialect and an id',
    { $schema: 'x', $id: 'y', type: 'object', properties: { $id: { type: 'string' } } },
    { type: 'object', properties: { $id: { type: 'string' } } },
  ],
  [
    'a pattern that does not compile',
    {
      type: 'object',
      properties: { a: { type: 'string', pattern: '[' }, b: { pattern: '^\\p{L}$' } },
    },
    {
      type: 'object',
      properties: { a: { type: 'string' }, b: { description: 'Pattern: ^\\p{L}$' } },
    },
  ],
  [
    'patterns that only narrow',
    {
      type: 'object',
      properties: {
        a: { type: 'string', pattern: '^(a|a)*$', description: 'A.' },
        b: { type: 'object', patternProperties: { '^(b|b)*$': {} }, additionalProperties: false },
        c: { items: { anyOf: [{ pattern: 'c' }, { type: 'null' }] }, type: 'array' },
      },
    },
    {
      type: 'object',
      properties: {
        a: { type: 'string', description: 'A.\nPattern: ^(a|a)*$' },
        b: { type: 'object' },
        c: { items: { anyOf: [{ description: 'Pattern: c' }, { type: 'null' }] }, type: 'array' },
      },
    },
  ],
  [
    'patterns that widen',
    {
      type: 'object',
      properties: {
        a: { not: { pattern: 'a' }, type: 'string' },
        b: { if: { $ref: '#/$defs/p' }, else: false },
        c: { oneOf: [{ pattern: 'c' }, { type: 'string' }] },
        d: { contains: { properties: { x: { pattern: 'd' } } }, maxContains: 1 },
        e: { $ref: '#/properties/a/not' },
      },
      $defs: { p: { pattern: 'p' } },
    },
    {
      type: 'object',
      properties: {
        a: { type: 'string' },
        b: {},
        c: { anyOf: [{ description: 'Pattern: c' }, { type: 'string' }] },
        d: { contains: { properties: { x: { description: 'Pattern: d' } } } },
        e: {},
      },
      $defs: { p: { description: 'Pattern: p' } },
    },
  ],
  [
    'patterns behind references, and words that TypeBox takes for its own',
    {
      type: 'object',
      properties: {
        a: { $ref: '#/x-hidden' },
        b: { $ref: '#/properties/c/default' },
        c: { default: { pattern: '^(a|a)*$' } },
      },
      'x-hidden': { pattern: '^(a|a)*$' },
      '~kind': 'Object',
      dependencies: { a: { pattern: '^(a|a)*$' } },
    },
    {
      type: 'object',
      properties: { a: {}, b: {}, c: { default: { pattern: '^(a|a)*$' } } },
      'x-hidden': { pattern: '^(a|a)*$' },
    },
  ],
  [
    'references',
    {
      type: 'object',
      properties: {
        here: { $ref: '#/$defs/a' },
        nowhere: { $ref: '#/$defs/b' },
        outside: { $ref: 'https://example.com/x.json', description: 'kept' },
      },
      $defs: { a: { type: 'string' } },
    },
    {
      type: 'object',
      properties: { here: { $ref: '#/$defs/a' }, nowhere: {}, outside: { description: 'kept' } },
      $defs: { a: { type: 'string' } },
    },
  ],
  [
    'a reference at the root',
    { $ref: '#/definitions/In', definitions: { In: { type: 'object', properties: { a: {} } } } },
    {
      type: 'object',
      properties: { a: {} },
      definitions: { In: { type: 'object', properties: { a: {} } } },
    },
  ],
  [
    'alternatives at the root',
    {
      type: 'object',
      properties: { kind: { type: 'string' } },
      required: ['kind'],
      anyOf: [
        { properties: { a: { type: 'string' } }, required: ['a', 'c'] },
        { properties: { b: { type: 'string' } }, required: ['b', 'c'] },
      ],
    },
    {
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'string' }, kind: { type: 'string' } },
      required: ['kind', 'c'],
    },
  ],
  ['a root that is no object', { type: 'string' }, { type: 'object', properties: {} }],
  [
    'arrays',
    {
      type: 'object',
      properties: {
        open: { type: 'array' },
        pair: { type: 'array', items: [{ type: 'string' }, {}] },
      },
    },
    {
      type: 'object',
      properties: {
        open: { type: 'array', items: {} },
        pair: { type: 'array', prefixItems: [{ type: 'string' }, {}], items: {} },
      },
    },
  ],
  [
    'nonsense',
    { type: 'object', required: 'a', properties: { a: { type: 'any', enum: [] }, b: 7 } },
    { type: 'object', properties: { a: {}, b: {} } },
  ],
])('makes %s safe', (_what, input, expected) => {
  expect(makeSchemaSafe(input).schema).toEqual(expected);
});

it('leaves a good schema alone and says so', () => {
  const schema = {
    type: 'object',
    properties: { a: { type: 'string', enum: ['$ref'] }, pattern: { type: 'string' } },
    required: ['a'],
    additionalProperties: false,
  };
  expect(makeSchemaSafe(schema)).toEqual({ schema, changes: [] });
});

it('says what it changed and where', () => {
  const { changes } = makeSchemaSafe({
    type: 'object',
    properties: { 'a/b': { pattern: '(' } },
  });
  expect(changes).toEqual([expect.stringMatching(/^\/properties\/a~1b\/pattern: dropped/)]);
});

it('follows references from the root to their end, and not in circles', () => {
  const chain = {
    $ref: '#/definitions/A',
    definitions: { A: { $ref: '#/definitions/B' }, B: { type: 'object', required: ['b'] } },
  };
  expect(makeSchemaSafe(chain).schema).toMatchObject({ type: 'object', required: ['b'] });
  expect(makeSchemaSafe(chain).schema).not.toHaveProperty('$ref');
  const circle = {
    $ref: '#/definitions/A',
    definitions: { A: { $ref: '#/definitions/B' }, B: { $ref: '#/definitions/A' } },
  };
  expect(makeSchemaSafe(circle).schema.type).toBe('object');
});

it('opens references that multiply', () => {
  const twice = (name: string) => ({ anyOf: [{ $ref: name }, { $ref: name }] });
  const names = Array.from({ length: 40 }, (_, index) => index);
  const doubling = names.map((n) => [`d${n}`, twice(`#/$defs/d${n + 1}`)]);
  const { schema, changes } = makeSchemaSafe({
    type: 'object',
    properties: { a: { $ref: '#/$defs/d0' } },
    $defs: { ...Object.fromEntries(doubling), d40: false },
  });
  expect(schema.properties).toEqual({ a: {} });
  expect(JSON.stringify(schema)).not.toContain('$ref');
  expect(changes).toEqual(['/: references opened, they multiply']);
});

it('keeps references of trees', () => {
  const node = { properties: { left: { $ref: '#/$defs/n' }, right: { $ref: '#/$defs/n' } } };
  const tree = { type: 'object', properties: { root: { $ref: '#/$defs/n' } }, $defs: { n: node } };
  expect(makeSchemaSafe(tree)).toEqual({ schema: tree, changes: [] });
});

it('bounds the depth', () => {
  let schema: object = {};
  for (let depth = 0; depth < 500; depth++) {
    schema = { type: 'object', properties: { a: schema } };
  }
  expect(JSON.stringify(makeSchemaSafe(schema).schema).length).toBeLessThan(5_000);
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

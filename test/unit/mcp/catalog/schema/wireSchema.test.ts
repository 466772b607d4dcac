import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../../src/base/json.js';
import { ParameterNames } from '../../../../../src/mcp/catalog/schema/parameterNames.js';
import { makeSound } from '../../../../../src/mcp/catalog/schema/soundSchema.js';
import { wireRules } from '../../../../../src/mcp/catalog/schema/wireRules.js';
import { describeTool, makeWireSchema } from '../../../../../src/mcp/catalog/schema/wireSchema.js';

function wire(schema: JsonObject) {
  return makeWireSchema(makeSound(schema));
}

/** What becomes of one parameter. */
function parameter(schema: unknown, definitions: object = {}): unknown {
  const { properties } = wire({ properties: { a: schema }, ...definitions }).schema;
  return (properties as JsonObject).a;
}

const text = { type: 'string' };

type Rule = keyof typeof wireRules;
type Case = readonly [before: unknown, after: unknown];

/** One parameter before and after. */
const parameters: Partial<Record<Rule, readonly Case[]>> = {
  keywords: [
    [
      { type: 'array', items: text, uniqueItems: true, description: 'Tags.' },
      { type: 'array', items: text, description: 'Tags.\nAlso: {"uniqueItems":true}' },
    ],
    [
      { type: 'string', pattern: '^a', nullable: true, 'x-order': 1 },
      { type: 'string', description: 'Pattern: ^a\nAlso: {"nullable":true}' },
    ],
    [
      { type: 'object', patternProperties: { '^x': text }, additionalProperties: false },
      {
        type: 'object',
        additionalProperties: text,
        description: 'Also: {"patternProperties":{"^x":{"type":"string"}}}',
      },
    ],
    [
      { type: 'object', properties: { b: text }, additionalProperties: true, uniqueItems: false },
      { type: 'object', properties: { b: text } },
    ],
    [{ minLength: 2 }, { description: 'Also: {"minLength":2}' }],
  ],
  oneOf: [
    [
      {
        oneOf: [
          { type: 'string', minLength: 1 },
          { type: 'string', maxLength: 3 },
        ],
      },
      {
        anyOf: [
          { type: 'string', minLength: 1 },
          { type: 'string', maxLength: 3 },
        ],
        description: 'Exactly one of these fits.',
      },
    ],
    [{ oneOf: [text, { type: 'null' }] }, { anyOf: [text, { type: 'null' }] }],
    [{ oneOf: [text] }, text],
    [
      { type: 'string', anyOf: [{ minLength: 2 }, { enum: ['x'] }], description: 'D' },
      {
        anyOf: [
          { type: 'string', minLength: 2 },
          { type: 'string', enum: ['x'] },
        ],
        description: 'D',
      },
    ],
  ],
  allOf: [
    [
      {
        allOf: [
          { type: 'object', properties: { b: text }, required: ['b'] },
          { properties: { b: { maxLength: 3 }, c: {} }, required: ['c'] },
        ],
      },
      {
        type: 'object',
        properties: { b: { type: 'string', maxLength: 3 }, c: {} },
        required: ['b', 'c'],
      },
    ],
    [
      {
        allOf: [{ type: 'integer', minimum: 1 }, { minimum: 3, multipleOf: 2 }, { multipleOf: 5 }],
      },
      {
        type: 'integer',
        minimum: 3,
        description: 'Also: {"multipleOf":2}\nAlso: {"multipleOf":5}',
      },
    ],
    [{ allOf: [{ enum: ['x', 'y'] }, { enum: ['y', 'z'] }] }, { type: 'string', enum: ['y'] }],
  ],
  constants: [
    [{ const: 'x' }, { type: 'string', enum: ['x'] }],
    [
      { const: 1, title: 'One' },
      { type: 'number', enum: [1], title: 'One' },
    ],
    [{ const: null }, { type: 'null' }],
    [
      { oneOf: [{ const: 'asc', title: 'Up' }, { const: 'desc' }] },
      { type: 'string', enum: ['asc', 'desc'], description: 'asc: Up' },
    ],
  ],
  typeLists: [
    [
      { type: ['string', 'null'], minLength: 1, description: 'D', default: null },
      {
        anyOf: [{ type: 'string', minLength: 1 }, { type: 'null' }],
        description: 'D',
        default: null,
      },
    ],
    [{ type: ['string'] }, text],
    [
      { type: ['string', 'null'], enum: ['x', null] },
      { anyOf: [{ type: 'string', enum: ['x'] }, { type: 'null' }] },
    ],
  ],
  missingTypes: [
    [{ properties: { b: text } }, { type: 'object', properties: { b: text } }],
    [{ items: text }, { type: 'array', items: text }],
    [
      { enum: ['x', 1] },
      {
        anyOf: [
          { type: 'string', enum: ['x'] },
          { type: 'number', enum: [1] },
        ],
      },
    ],
  ],
  emptyEnums: [[{ type: 'string', enum: [] }, text]],
  enumValues: [
    [{ enum: [true, false] }, { type: 'boolean' }],
    [{ const: true }, { type: 'boolean', description: 'Only these values: [true]' }],
    [{ enum: [{ x: 1 }] }, { type: 'object', description: 'Only these values: [{"x":1}]' }],
  ],
  items: [[{ type: 'array' }, { type: 'array', items: {} }]],
  tuples: [
    [
      { type: 'array', prefixItems: [text, { type: 'null' }], items: false },
      {
        type: 'array',
        items: { anyOf: [text, { type: 'null' }] },
        maxItems: 2,
        description: 'Items in this order: [{"type":"string"},{"type":"null"}]',
      },
    ],
    [
      { type: 'array', items: [text], additionalItems: { type: 'null' } },
      {
        type: 'array',
        items: { anyOf: [text, { type: 'null' }] },
        description: 'Items in this order: [{"type":"string"}]',
      },
    ],
    [
      { type: 'array', items: false },
      { type: 'array', items: {}, maxItems: 0 },
    ],
  ],
  exclusiveBounds: [
    [
      { type: 'integer', exclusiveMinimum: 0, exclusiveMaximum: 9.5 },
      { type: 'integer', minimum: 1, maximum: 9 },
    ],
    [
      { type: 'integer', minimum: 5, exclusiveMinimum: true },
      { type: 'integer', minimum: 6 },
    ],
    [
      { type: 'number', exclusiveMinimum: 0 },
      { type: 'number', minimum: 0, description: 'Also: {"exclusiveMinimum":0}' },
    ],
  ],
  formats: [
    [
      { type: 'string', format: 'uri', description: 'Where' },
      { type: 'string', description: 'Where\nFormat: uri' },
    ],
    [
      { type: 'string', format: 'date-time' },
      { type: 'string', format: 'date-time' },
    ],
    [
      { type: 'integer', format: 'int64' },
      { type: 'integer', format: 'int64' },
    ],
  ],
  required: [
    [
      { type: 'object', required: ['b'] },
      { type: 'object', properties: { b: {} }, required: ['b'] },
    ],
    [
      { type: 'object', properties: { b: text }, required: ['b', 'b'] },
      { type: 'object', properties: { b: text }, required: ['b'] },
    ],
  ],
  booleans: [
    [true, {}],
    [
      { type: 'object', properties: { b: true, c: false } },
      { type: 'object', properties: { b: {} }, description: 'Not allowed: c' },
    ],
    [{ anyOf: [text, false] }, text],
  ],
};

/** A whole schema, and what is told of it beside. */
const roots: Partial<
  Record<Rule, readonly (readonly [JsonObject, JsonObject, readonly string[]])[]>
> = {
  rootKeywords: [
    [
      {
        title: 'In',
        description: 'What to do.',
        properties: { b: text },
        minProperties: 1,
        additionalProperties: text,
        $defs: {},
      },
      { type: 'object', properties: { b: text } },
      ['What to do.', 'Also: {"minProperties":1,"additionalProperties":{"type":"string"}}'],
    ],
    [
      { properties: { b: text }, additionalProperties: false },
      { type: 'object', properties: { b: text } },
      [],
    ],
  ],
  rootType: [[{ type: 'string' }, { type: 'object', properties: {} }, []]],
  rootAlternatives: [
    [
      { properties: { b: text, c: text }, anyOf: [{ required: ['b'] }, { required: ['c'] }] },
      { type: 'object', properties: { b: text, c: text } },
      ['At least one of: (with b) or (with c)'],
    ],
    [
      {
        oneOf: [
          { properties: { kind: { const: 'x' }, b: text }, required: ['kind', 'b'] },
          { properties: { kind: { const: 'y' }, b: { type: 'null' }, c: {} }, required: ['kind'] },
        ],
      },
      {
        type: 'object',
        properties: {
          kind: { type: 'string', enum: ['x', 'y'] },
          b: { anyOf: [text, { type: 'null' }] },
          c: {},
        },
        required: ['kind'],
      },
      ['Exactly one of: (kind is "x"; with b) or (kind is "y"; may have b, c)'],
    ],
    [
      {
        allOf: [{ properties: { b: text }, required: ['b'] }, { $ref: '#/$defs/C' }],
        $defs: { C: { properties: { c: {} } } },
      },
      { type: 'object', properties: { b: text, c: {} }, required: ['b'] },
      [],
    ],
  ],
  parameterNames: [
    [
      { properties: { 'b<': text, 'c d': {}, 'e.f-G_1': {} }, required: ['b<'] },
      {
        type: 'object',
        properties: {
          b_: { type: 'string', description: 'The server calls it "b<".' },
          c_d: { description: 'The server calls it "c d".' },
          'e.f-G_1': {},
        },
        required: ['b_'],
      },
      [],
    ],
  ],
};

const node = { type: 'object', properties: { next: { $ref: '#/$defs/Node' } } };

const others: Partial<Record<Rule, () => void>> = {
  references: () => {
    const rest = { type: 'object', description: 'The same again as Node above; left open here.' };
    const inner = { type: 'object', properties: { next: rest } };
    expect(
      parameter({ $ref: '#/$defs/Node', description: 'The list' }, { $defs: { Node: node } }),
    ).toEqual({
      type: 'object',
      properties: { next: inner },
      description: 'The list',
    });
  },
  depth: () => {
    let schema: object = text;
    for (let depth = 0; depth < 30; depth++) {
      schema = { type: 'object', properties: { a: schema } };
    }
    const told = JSON.stringify(parameter(schema));
    expect(told).toContain('"Left open here: the schema of the server goes deeper."');
    expect(told.match(/properties/g)).toHaveLength(20);
  },
  size: () => {
    const wide = (depth: number): JsonObject => ({
      type: 'object',
      properties: Object.fromEntries(
        ['b', 'c', 'd', 'e'].map((name) => [name, { $ref: `#/$defs/d${depth}` }]),
      ),
    });
    const $defs = Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`d${n}`, wide(n + 1)]));
    const { schema } = wire({ ...wide(0), $defs: { ...$defs, d12: text } });
    const sent = JSON.stringify(schema);
    expect(sent.length).toBeLessThan(40_000);
    expect(sent).toContain('"e":{');
    expect(sent).toContain('Left open here');
  },
};

describe('a rule of the wires', () => {
  it.each(Object.keys(wireRules) as Rule[])('is tried: %s', (rule) => {
    expect(parameters[rule] ?? roots[rule] ?? others[rule]).toBeDefined();
    for (const [before, after] of parameters[rule] ?? []) {
      expect(parameter(before)).toEqual(after);
    }
    for (const [before, after, told] of roots[rule] ?? []) {
      const made = wire(before);
      expect([made.schema, made.told]).toEqual([after, told]);
    }
    others[rule]?.();
  });
});

it('leaves a schema alone that every wire takes', () => {
  const schema = {
    type: 'object',
    properties: {
      a: {
        type: 'string',
        description: 'A',
        title: 'A',
        minLength: 1,
        enum: ['x', 'y'],
        default: 'x',
      },
      b: { type: 'array', items: { type: 'integer', minimum: 1 }, minItems: 1 },
      c: { type: 'object', properties: { d: {} }, required: ['d'], additionalProperties: false },
      e: { anyOf: [{ type: 'boolean' }, { type: 'null' }] },
    },
    required: ['a'],
  };
  const made = wire(schema);
  expect([made.schema, made.told]).toEqual([schema, []]);
});

it('tells what the root cannot say with the tool, or with a parameter where the tool is told enough', () => {
  const made = wire({ description: 'More.', properties: { a: text, b: text }, minProperties: 1 });
  const told = 'More.\nAlso: {"minProperties":1}';
  expect(describeTool('Does it.', made)).toEqual({
    description: `Does it.\n${told}`,
    schema: made.schema,
  });
  const full = 'x'.repeat(1_020);
  expect(describeTool(full, made)).toEqual({
    description: full,
    schema: {
      type: 'object',
      properties: { a: { type: 'string', description: `Of all parameters:\n${told}` }, b: text },
    },
  });
  const long = 'x'.repeat(2_000);
  expect(describeTool(long, made).description).toBe(`${long}\n${told}`);
});

it('gives no name twice, and the same ones whatever the order', () => {
  const odd = ['b<', 'b>', 'b_', '', '名', '数', 'n'.repeat(65), 'n'.repeat(66)];
  const names = new ParameterNames(odd);
  const given = odd.map((name) => names.given(name));
  expect(new Set(given).size).toBe(odd.length);
  expect(given[2]).toBe('b_');
  expect(given.filter((name) => !/^[a-zA-Z0-9_.-]{1,64}$/.test(name))).toEqual([]);
  const reversed = new ParameterNames([...odd].reverse());
  expect(odd.map((name) => reversed.given(name))).toEqual(given);
});

it.each(['__proto__', '__defineGetter__', 'toString'])(
  'takes a keyword called %s for one that nobody knows',
  (key) => {
    const schema: unknown = JSON.parse(`{"allOf": [{"${key}": 1}, {"${key}": 2}]}`);
    expect(parameter(schema)).toEqual({ description: `Also: {"${key}":1}\nAlso: {"${key}":2}` });
  },
);

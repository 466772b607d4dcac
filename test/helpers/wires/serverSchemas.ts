/** Schemas in the shapes that servers have, each with arguments that its server takes. */
import type { JsonObject } from '../../../src/base/json.js';

export interface ServerSchema {
  readonly schema: JsonObject;
  readonly args?: JsonObject;
}

const text = { type: 'string' };
const count = { type: 'integer' };

function object(properties: object, more: object = {}): JsonObject {
  return { type: 'object', properties, ...more };
}

/** One parameter `a`. */
function one(schema: unknown, value?: unknown): ServerSchema {
  return { schema: object({ a: schema }), ...(value !== undefined && { args: { a: value } }) };
}

function nested(depth: number): JsonObject {
  return depth === 0 ? text : object({ a: nested(depth - 1) });
}

function nestedValue(depth: number): unknown {
  return depth === 0 ? 'x' : { a: nestedValue(depth - 1) };
}

const range = {
  'StartTime<': { type: 'string', format: 'date-time' },
  'StartTime>': { type: 'string', format: 'date-time' },
  StartTime: text,
};

const page = {
  ...object({ page_id: text, children: { type: 'array', items: { $ref: '#/$defs/block' } } }),
  $defs: {
    block: {
      oneOf: [{ $ref: '#/$defs/paragraph' }, { $ref: '#/$defs/list' }],
    },
    paragraph: object(
      { type: { const: 'paragraph' }, text: { $ref: '#/$defs/rich' } },
      { required: ['type', 'text'], additionalProperties: false },
    ),
    list: object(
      {
        type: { const: 'list' },
        items: { type: 'array', items: { $ref: '#/$defs/rich' } },
        children: { type: 'array', items: { $ref: '#/$defs/block' } },
      },
      { required: ['type'], additionalProperties: false },
    ),
    rich: { type: 'array', items: object({ content: text, link: { type: ['object', 'null'] } }) },
  },
};

const filter = {
  ...object({ where: { $ref: '#/definitions/Filter' } }, { required: ['where'] }),
  definitions: {
    Filter: {
      anyOf: [
        object(
          { and: { type: 'array', items: { $ref: '#/definitions/Filter' } } },
          required('and'),
        ),
        object({ not: { $ref: '#/definitions/Filter' } }, required('not')),
        object({ field: text, equals: {} }, required('field', 'equals')),
      ],
    },
  },
};

function required(...names: string[]) {
  return { required: names, additionalProperties: false };
}

const kinds = ['file', 'url', 'text'].map((kind) =>
  object({ kind: { const: kind }, [kind]: text }, required('kind', kind)),
);

export const serverSchemas: Readonly<Record<string, ServerSchema>> = {
  'no schema at all': { schema: {}, args: {} },
  'no properties': { schema: { type: 'object' }, args: { any: 1 } },
  'a root without a type': { schema: { properties: { a: text } }, args: { a: 'x' } },
  'a root with words of its own': {
    schema: {
      $schema: 'http://json-schema.org/draft-07/schema#',
      $id: 'https://example.com/in',
      title: 'In',
      description: 'What to do.',
      ...object({ a: text }, { additionalProperties: false }),
    },
    args: { a: 'x' },
  },
  'operators in names': {
    schema: object(range, { required: ['StartTime<'] }),
    args: { 'StartTime<': '2026-01-31T12:00:00Z' },
  },
  'brackets in names': {
    schema: object({ 'filter[id]': text, 'filter[name]': text, 'exists[parent]': count }),
    args: { 'filter[id]': '1', 'exists[parent]': 2 },
  },
  'dollars and ats in names': {
    schema: object({ $top: count, '@odata.type': text, 'projects.any': text }),
    args: { $top: 1, '@odata.type': 'x', 'projects.any': 'y' },
  },
  'names of other scripts': {
    schema: object({ 名前: text, 数: count }),
    args: { 名前: 'x', 数: 1 },
  },
  'a name that is too long': {
    schema: object({ ['n'.repeat(70)]: text, ['n'.repeat(71)]: text }),
    args: { ['n'.repeat(71)]: 'x' },
  },
  'an empty name': { schema: object({ '': text }), args: { '': 'x' } },
  'names that meet when they change': {
    schema: object({ 'a b': text, 'a/b': text, a_b: text }),
    args: { 'a b': '1', 'a/b': '2', a_b: '3' },
  },
  'odd names further inside': one(object({ 'x<': text }), { 'x<': 'y' }),
  'blocks of a page in $defs': {
    schema: page,
    args: { page_id: 'p', children: [{ type: 'paragraph', text: [{ content: 'c', link: null }] }] },
  },
  'filters in filters': {
    schema: filter,
    args: { where: { and: [{ field: 'f', equals: 1 }, { not: { field: 'g', equals: 2 } }] } },
  },
  'a root behind a reference': {
    schema: { $ref: '#/definitions/In', definitions: { In: object({ a: text }) } },
    args: { a: 'x' },
  },
  'a reference into another property': {
    schema: object({ a: { enum: ['x', 'y'] }, b: { $ref: '#/properties/a' } }),
    args: { b: 'y' },
  },
  'a reference with words beside it': {
    schema: {
      ...object({ a: { $ref: '#/$defs/Id', description: 'Of the page' } }),
      $defs: { Id: { type: 'string', description: 'A number in text', minLength: 1 } },
    },
    args: { a: '1' },
  },
  'a name with a slash in a pointer': {
    schema: { ...object({ a: { $ref: '#/$defs/x~1y' } }), $defs: { 'x/y': text } },
    args: { a: 'x' },
  },
  'a reference to the root': {
    schema: object({ children: { type: 'array', items: { $ref: '#' } }, name: text }),
    args: { name: 'a', children: [{ name: 'b', children: [{ name: 'c' }] }] },
  },
  'a reference that leads nowhere': one({ $ref: '#/$defs/lost' }, 'x'),
  'a reference to another document': one({ $ref: 'https://example.com/x.json' }, 'x'),
  'one of two parameters': {
    schema: object(
      { route: text, file: text },
      { anyOf: [{ required: ['route'] }, { required: ['file'] }] },
    ),
    args: { file: 'x' },
  },
  'kinds at the root': { schema: { oneOf: kinds }, args: { kind: 'url', url: 'x' } },
  'kinds at the root, of a discriminator': {
    schema: { type: 'object', oneOf: kinds, discriminator: { propertyName: 'kind' } },
    args: { kind: 'text', text: 'x' },
  },
  'parts at the root': {
    schema: { allOf: [object({ a: text }, { required: ['a'] }), object({ b: count })] },
    args: { a: 'x', b: 1 },
  },
  'a root with everything': {
    schema: { allOf: [object({ a: text })], anyOf: kinds, oneOf: [{ required: ['kind'] }] },
    args: { kind: 'file', file: 'x' },
  },
  'kinds in a parameter': one({ oneOf: kinds }, { kind: 'file', file: 'x' }),
  'kinds that share properties': one(
    {
      ...object({ id: text, by: text, at: text }, { required: ['id'] }),
      oneOf: [{ required: ['by'] }, { required: ['at'] }],
    },
    { id: '1', at: 'x' },
  ),
  'text or null': one({ anyOf: [text, { type: 'null' }], default: null }, null),
  'a list of types': one({ type: ['string', 'number', 'null'], minLength: 2 }, 5),
  'a list of one type': one({ type: ['string'] }, 'x'),
  'an array or text in a list of types': one({ type: ['array', 'string'], items: text }, ['x']),
  'any of all types': one(
    { type: ['string', 'number', 'boolean', 'object', 'array', 'null'] },
    true,
  ),
  'one number or many': one({ anyOf: [count, { type: 'array', items: count }] }, [1, 2]),
  'a constant': one({ const: 'x' }, 'x'),
  'a constant that is true': one({ const: true }, true),
  'a constant that is null': one({ const: null }, null),
  'constants with titles': one(
    {
      oneOf: [
        { const: 'asc', title: 'Up' },
        { const: 'desc', title: 'Down' },
      ],
    },
    'desc',
  ),
  'values without a type': one({ enum: ['x', 'y'] }, 'y'),
  'values of many types': one({ enum: ['x', 1, true, null] }, null),
  'values that are objects': one({ enum: [{ x: 1 }, { x: 2 }] }, { x: 2 }),
  'text or null among values': one({ type: ['string', 'null'], enum: ['x', null] }, null),
  'numbers as values': one({ type: 'number', enum: [1, 2.5] }, 2.5),
  'no values': one({ type: 'string', enum: [] }, 'x'),
  'a tuple': one({ type: 'array', prefixItems: [text, count], items: false }, ['x', 1]),
  'a tuple of draft 7': one({ type: 'array', items: [text, count], minItems: 2, maxItems: 2 }, [
    'x',
    1,
  ]),
  'a tuple of draft 7 that goes on': one({ type: 'array', items: [text], additionalItems: count }, [
    'x',
    1,
    2,
  ]),
  'an array without items': one({ type: 'array' }, [1, 'x']),
  'an array of anything': one({ type: 'array', items: true }, [1, 'x']),
  'an array of nothing': one({ type: 'array', items: false }, []),
  'items without a type': one({ items: text }, ['x']),
  'exclusive bounds': one({ type: 'integer', exclusiveMinimum: 0, exclusiveMaximum: 10 }, 1),
  'exclusive bounds of draft 4': one({ type: 'number', minimum: 0, exclusiveMinimum: true }, 0.5),
  'formats of all kinds': {
    schema: object({
      uri: { type: 'string', format: 'uri' },
      mail: { type: 'string', format: 'email' },
      date: { type: 'string', format: 'date' },
      size: { type: 'integer', format: 'uint32' },
    }),
    args: { uri: 'https://example.com', mail: 'a@example.com', date: '2026-01-31', size: 3 },
  },
  patterns: {
    schema: object(
      { a: { type: 'string', pattern: '^\\d+$' } },
      { patternProperties: { '^x-': text }, additionalProperties: false },
    ),
    args: { a: '1', 'x-b': 'c' },
  },
  'a pattern that does not compile': one({ type: 'string', pattern: '(?<' }, 'x'),
  'names of a pattern': one(
    { type: 'object', patternProperties: { '^(.*)$': count }, additionalProperties: false },
    { b: 1 },
  ),
  'a map of text': one({ type: 'object', additionalProperties: text }, { b: 'c' }),
  'a closed object': one(object({ b: text }, { additionalProperties: false }), { b: 'c' }),
  'required, but not listed': { schema: object({}, { required: ['a'] }), args: { a: 1 } },
  'required of draft 3': {
    schema: object({ a: { type: 'string', required: true } }),
    args: { a: 'x' },
  },
  'properties that are true and false': {
    schema: object({ a: true, b: false }),
    args: { a: 1 },
  },
  'what only words can say': {
    schema: object(
      {
        a: { type: 'array', items: text, uniqueItems: true, contains: { const: 'x' } },
        b: { type: 'number', multipleOf: 5 },
        c: { not: { type: 'null' } },
        d: { type: 'object', propertyNames: { maxLength: 3 }, minProperties: 1 },
        e: { type: 'string', contentEncoding: 'base64' },
      },
      { dependentRequired: { a: ['b'] }, if: { required: ['c'] }, maxProperties: 9 },
    ),
    args: { a: ['x'], b: 10, c: 1, d: { abc: 1 }, e: 'eA==' },
  },
  'words of OpenAPI': one({ type: 'string', nullable: true, example: 'x', 'x-order': 1 }, 'x'),
  'an unknown type': one({ type: 'any' }, 'x'),
  'a type in words': one({ type: 'string | number' }, 'x'),
  'words instead of a schema': one('a string', 'x'),
  'null instead of a schema': one(null, 'x'),
  'twelve levels': {
    schema: object({ a: nested(12) }),
    args: { a: nestedValue(12) } as JsonObject,
  },
  'forty levels': { schema: object({ a: nested(40) }) },
  'three hundred parameters': {
    schema: object(
      Object.fromEntries(
        Array.from({ length: 300 }, (_, n) => [`p${n}`, { ...text, description: `Part ${n}` }]),
      ),
    ),
    args: { p299: 'x' },
  },
  'references that multiply': {
    schema: {
      ...object({ a: { $ref: '#/$defs/d0' } }),
      $defs: Object.fromEntries(
        Array.from({ length: 41 }, (_, n) => [
          `d${n}`,
          n === 40
            ? text
            : { anyOf: [{ $ref: `#/$defs/d${n + 1}` }, { $ref: `#/$defs/d${n + 1}` }] },
        ]),
      ),
    },
  },
  'parts that multiply': {
    schema: {
      ...object({ a: { $ref: '#/$defs/d0' } }),
      $defs: Object.fromEntries(
        Array.from({ length: 41 }, (_, n) => [
          `d${n}`,
          n === 40
            ? text
            : { allOf: [{ $ref: `#/$defs/d${n + 1}` }, { $ref: `#/$defs/d${n + 1}` }] },
        ]),
      ),
    },
  },
  'a circle of references': {
    schema: {
      ...object({ a: { $ref: '#/$defs/x' } }),
      $defs: { x: { $ref: '#/$defs/y' }, y: { $ref: '#/$defs/x' } },
    },
  },
};

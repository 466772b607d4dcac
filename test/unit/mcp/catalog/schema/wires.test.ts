/** Tools as each kind of API of Pi sends them, against what its providers publish to take. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../../src/base/json.js';
import { wireRules, wires } from '../../../../../src/mcp/catalog/schema/wireRules.js';
import { ModelToolDefinition } from '../../../../../src/mcp/catalog/toolCatalog.js';
import { checkSchema } from '../../../../../src/mcp/validation/schemaCheck.js';
import { readCapturedServers } from '../../../../helpers/capturedTools.js';
import { holds } from '../../../../helpers/fuzz.js';
import { refusals, type SentTool } from '../../../../helpers/wires/limits.js';
import { apiNames, apis, toolsOnWire } from '../../../../helpers/wires/requests.js';
import { serverSchemas } from '../../../../helpers/wires/serverSchemas.js';

function define(inputSchema: JsonObject): ModelToolDefinition {
  return new ModelToolDefinition('s__t', 's', { name: 't', inputSchema });
}

function offer({ name, description, schema }: ModelToolDefinition): SentTool {
  return { name, description, schema };
}

const shapes = Object.entries(serverSchemas);
const shaped = shapes.map(([, { schema }], index) => ({
  ...offer(define(schema)),
  name: `s__t${index}`,
}));
const captured = readCapturedServers().flatMap(({ name, tools }) =>
  tools.map((tool) => new ModelToolDefinition(`${name}__${tool.name}`, name, tool)),
);

describe.each(apiNames)('%s', (api) => {
  const { wire } = apis[api];

  it('takes the tools of every kind of server', async () => {
    expect(shapes.length).toBeGreaterThan(50);
    const offered = [...shaped, ...captured.map(offer)];
    const sent = await toolsOnWire(api, offered);
    expect(sent).toHaveLength(offered.length);
    const refused = sent.flatMap((tool, index) => {
      const ownLength = captured[index - shapes.length]?.description.length ?? 0;
      // a description that is too long as its server wrote it
      const told = ownLength > 1_024 ? { ...tool, description: '' } : tool;
      const name = shapes[index]?.[0] ?? tool.name;
      return refusals(wire, told).map((why) => `${name}: ${why}`);
    });
    expect(refused).toEqual([]);
  });

  it('loses nothing of them on the way', async () => {
    const sent = await toolsOnWire(api, shaped);
    const empty = wire === 'anthropic' ? { required: [] } : {};
    expect(sent).toEqual(
      shaped.map(({ schema, ...tool }) => ({ ...tool, schema: { ...empty, ...schema } })),
    );
  });

  it('would refuse some of them as their servers wrote them', async () => {
    const raw = shapes.map(([name, { schema }]) => ({ name, description: name, schema }));
    const sent = await toolsOnWire(api, raw);
    const refused = sent.filter((tool) => refusals(wire, tool).length > 0);
    expect(refused.length).toBeGreaterThan(5);
  });
});

it.each(
  shapes.flatMap(([name, { schema, args }]) => (args ? [[name, schema, args] as const] : [])),
)('takes the arguments that the server takes: %s', async (_name, schema, args) => {
  const tool = define(schema);
  expect(await tool.check(args)).toEqual({ kind: 'fits' });
  const given = tool.names.toModel(args);
  expect(checkSchema(tool.schema, given, undefined)).toEqual({ kind: 'fits' });
  expect(tool.names.toServer(given)).toEqual(args);
  expect(tool.names.toServer(args)).toEqual(args);
});

it('has a source for each rule, and a rule for each wire', () => {
  const rules = Object.values(wireRules);
  expect(rules.filter(({ source }) => !source.startsWith('https://'))).toEqual([]);
  for (const wire of wires) {
    expect(rules.some((rule) => rule.wires.some((one) => one === wire))).toBe(true);
  }
});

const names = fc.oneof(
  fc.constantFrom('a', 'b', 'c', 'a<', 'a>', 'x y', 'x_y', 'ä', '$ref', 'type'),
  fc.string({ maxLength: 80 }),
);

/** A schema, a value that fits it, and the definitions that it needs. */
interface Sample {
  readonly schema: unknown;
  readonly value: unknown;
}

const { sample } = fc.letrec<{ sample: Sample }>((tie) => ({
  sample: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom<Sample>(
      { schema: { type: 'string', minLength: 1, pattern: '^x' }, value: 'x' },
      { schema: { type: 'string', format: 'uri' }, value: 'https://example.com' },
      { schema: { type: 'integer', exclusiveMinimum: 1, maximum: 5 }, value: 2 },
      { schema: { type: 'number', minimum: 1, exclusiveMaximum: 2.5 }, value: 2.25 },
      { schema: { type: ['boolean', 'null'] }, value: null },
      { schema: { type: ['string', 'array'], maxLength: 2, maxItems: 1 }, value: [1] },
      { schema: { const: { x: 1 } }, value: { x: 1 } },
      { schema: { enum: ['x', 2, null, true] }, value: true },
      { schema: true, value: 'anything' },
      { schema: {}, value: [{}] },
      { schema: { not: { type: 'string' } }, value: 1 },
    ),
    fc
      .tuple(fc.dictionary(names, tie('sample'), { maxKeys: 4 }), fc.boolean(), fc.boolean())
      .map(([parts, isClosed, areRequired]) => objectOf(parts, isClosed, areRequired)),
    fc.array(tie('sample'), { maxLength: 3 }).map((parts) => ({
      schema: { type: 'array', prefixItems: [{}, ...parts.map(({ schema }) => schema)] },
      value: [0, ...parts.map(({ value }) => value)],
    })),
    tie('sample').map(({ schema, value }) => ({
      schema: { type: 'array', items: schema, uniqueItems: true },
      value: [value],
    })),
    fc
      .array(tie('sample'), { minLength: 1, maxLength: 3 })
      .map((parts) => ({ schema: { anyOf: schemasOf(parts) }, value: parts[0]?.value })),
    fc.tuple(tie('sample'), fc.constantFrom('d1', 'd 2')).map(([{ schema, value }, name]) => ({
      schema: { $defs: { [name]: schema }, allOf: [schema, {}] },
      value,
    })),
    tie('sample').map(({ schema, value }) => ({
      schema: { type: 'object', additionalProperties: schema, minProperties: 1 },
      value: { k: value },
    })),
  ),
}));

function objectOf(
  parts: Readonly<Record<string, Sample>>,
  isClosed: boolean,
  areRequired: boolean,
): Sample {
  const entries = Object.entries(parts);
  return {
    schema: {
      type: 'object',
      properties: Object.fromEntries(entries.map(([name, { schema }]) => [name, schema])),
      ...(isClosed && { additionalProperties: false }),
      ...(areRequired && { required: Object.keys(parts) }),
    },
    value: Object.fromEntries(entries.map(([name, { value }]) => [name, value])),
  };
}

function schemasOf(parts: readonly Sample[]): readonly unknown[] {
  return parts.map(({ schema }) => schema);
}

it('allows whatever the schema of the server allows', () => {
  holds(
    fc.property(fc.dictionary(names, sample, { maxKeys: 4 }), fc.boolean(), (parts, isClosed) => {
      const { schema, value } = objectOf(parts, isClosed, true);
      const args = value as JsonObject;
      const tool = define(schema as JsonObject);
      fc.pre(checkSchema(schema, args, undefined).kind === 'fits');
      const given = tool.names.toModel(args);
      expect(checkSchema(tool.schema, given, undefined)).toEqual({ kind: 'fits' });
      expect(tool.names.toServer(given)).toEqual(args);
    }),
  );
});

const keywords = [
  ...['type', 'properties', 'required', 'items', 'enum', 'const', 'anyOf', 'oneOf', 'allOf'],
  ...['$ref', '$defs', 'format', 'pattern', 'minimum', 'maxLength', 'exclusiveMinimum', 'not'],
  ...['additionalProperties', 'prefixItems', 'title', 'description', 'default', 'x-y', '~kind'],
];
const leaves = fc.oneof(
  fc.constantFrom('object', 'array', 'string', '#', '#/$defs/a', '#/properties/a', '^(', -1, 1.5),
  fc.jsonValue({ maxDepth: 1 }),
);
const { mess } = fc.letrec<{ mess: unknown }>((tie) => ({
  mess: fc.oneof(
    { maxDepth: 5 },
    leaves,
    fc.array(tie('mess'), { maxLength: 3 }),
    fc.dictionary(fc.oneof(fc.constantFrom(...keywords), names), tie('mess'), { maxKeys: 5 }),
  ),
}));

it('keeps to every limit, whatever a server sends', () => {
  holds(
    fc.property(fc.dictionary(fc.constantFrom(...keywords), mess, { maxKeys: 6 }), (schema) => {
      const tool = offer(define(schema));
      for (const wire of wires) {
        expect(refusals(wire, tool)).toEqual([]);
      }
    }),
  );
});

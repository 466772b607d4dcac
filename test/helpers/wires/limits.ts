/** What each provider publishes, or is known, to refuse of a tool. `wireRules.ts` names the sources. */
import { isJsonObject, type JsonObject } from '../../../src/base/json.js';
import type { Wire } from '../../../src/mcp/catalog/schema/wireRules.js';

export interface SentTool {
  readonly name: string;
  readonly description: string;
  readonly schema: JsonObject;
}

type Check = (schema: JsonObject, at: string) => readonly string[];

const types = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'];
const parameterName = /^[a-zA-Z0-9_.-]{1,64}$/;

/** Of the fields of both of Gemini's ways to write a schema. */
const geminiKeywords = [
  ...['type', 'format', 'title', 'description', 'enum', 'default', 'anyOf'],
  ...['items', 'minItems', 'maxItems', 'minimum', 'maximum', 'minLength', 'maxLength'],
  ...['properties', 'required', 'additionalProperties'],
];

/** @returns why the provider would refuse the request. */
export function refusals(wire: Wire, { description, schema }: SentTool): readonly string[] {
  const everywhere: Readonly<Record<Wire, readonly Check[]>> = {
    anthropic: [draft2020, noReferences],
    openai: [draft2020, openAi],
    gemini: [draft2020, noReferences, gemini],
    bedrock: [draft2020, noReferences],
    mistral: [draft2020, noIds],
  };
  return [
    ...everywhere[wire].flatMap((check) => visit(schema, '#', check)),
    ...roots[wire](schema),
    ...(wire === 'openai' && description.length > 1_024 ? ['description: longer than 1024'] : []),
  ];
}

const roots: Readonly<Record<Wire, (schema: JsonObject) => readonly string[]>> = {
  anthropic: (schema) => [...objectRoot(schema), ...parameterNames(schema)],
  openai: (schema) => objectRoot(schema),
  gemini: (schema) => objectRoot(schema),
  bedrock: (schema) => [
    ...objectRoot(schema),
    ...parameterNames(schema),
    ...Object.keys(schema)
      .filter((key) => !['type', 'properties', 'required'].includes(key))
      .map((key) => `#: extraneous key [${key}] is not permitted`),
  ],
  mistral: (schema) => objectRoot(schema),
};

function objectRoot(schema: JsonObject): readonly string[] {
  const combined = ['anyOf', 'oneOf', 'allOf', 'not', 'enum'].filter((key) => key in schema);
  return [
    ...(schema.type === 'object' ? [] : ['#: the type must be object']),
    ...combined.map((key) => `#: ${key} at the top level`),
  ];
}

function parameterNames({ properties }: JsonObject): readonly string[] {
  return Object.keys(isJsonObject(properties) ? properties : {})
    .filter((name) => !parameterName.test(name))
    .map((name) => `#: property key ${name} should match pattern`);
}

/** The shapes of values that the meta schema of 2020-12 demands. */
function draft2020(schema: JsonObject, at: string): readonly string[] {
  return Object.entries(schema).flatMap(([key, value]) =>
    isValid(key, value) ? [] : [`${at}: ${key} is not valid`],
  );
}

function isValid(key: string, value: unknown): boolean {
  switch (key) {
    case 'type':
      return [value].flat().every((name) => types.includes(String(name)));
    case 'required':
      return (
        Array.isArray(value) &&
        value.every((name) => typeof name === 'string') &&
        new Set(value).size === value.length
      );
    case 'enum':
      return Array.isArray(value);
    case 'anyOf':
    case 'oneOf':
    case 'allOf':
    case 'prefixItems':
      return Array.isArray(value) && value.length > 0 && value.every(isSchema);
    case 'items':
    case 'additionalProperties':
    case 'not':
      return isSchema(value);
    case 'properties':
    case 'patternProperties':
    case '$defs':
      return isJsonObject(value) && Object.values(value).every(isSchema);
    case 'minLength':
    case 'maxLength':
    case 'minItems':
    case 'maxItems':
      return Number.isInteger(value) && Number(value) >= 0;
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      return typeof value === 'number';
    case 'title':
    case 'description':
    case 'format':
    case '$ref':
      return typeof value === 'string';
    default:
      return true;
  }
}

function isSchema(value: unknown): boolean {
  return typeof value === 'boolean' || isJsonObject(value);
}

function noReferences(schema: JsonObject, at: string): readonly string[] {
  return '$ref' in schema ? [`${at}: $ref`] : [];
}

/** Mistral stopped taking them. */
function noIds(schema: JsonObject, at: string): readonly string[] {
  return ['$id', '$schema'].filter((key) => key in schema).map((key) => `${at}: ${key}`);
}

function openAi(schema: JsonObject, at: string): readonly string[] {
  const isArray = [schema.type].flat().includes('array');
  return [
    ...(isArray && !isJsonObject(schema.items) ? [`${at}: array schema missing items`] : []),
    ...(Array.isArray(schema.enum) && schema.enum.length === 0 ? [`${at}: empty enum`] : []),
  ];
}

function gemini(schema: JsonObject, at: string): readonly string[] {
  const { type, enum: values, properties, required, items, format, anyOf } = schema;
  const known = Object.keys(isJsonObject(properties) ? properties : {});
  const formats = ['date-time', 'int32', 'int64', 'float', 'double'];
  const parts = [...Object.values(isJsonObject(properties) ? properties : {}), items];
  const problems: readonly (readonly [boolean, string])[] = [
    [Array.isArray(type), 'type is not repeating'],
    [properties !== undefined && type !== 'object', 'properties without the type object'],
    [items !== undefined && type !== 'array', 'items without the type array'],
    [type === 'array' && !isJsonObject(items), 'items: missing field'],
    [values !== undefined && type === undefined, 'enum without a type'],
    [Array.isArray(values) && values.length === 0, 'enum should be non-empty'],
    [
      Array.isArray(values) && !values.every((one) => ['string', 'number'].includes(typeof one)),
      'enum holds other values than strings and numbers',
    ],
    [format !== undefined && !formats.includes(String(format)), `format ${format}`],
    [
      Array.isArray(required) && !required.every((name) => known.includes(String(name))),
      'required: property is not defined',
    ],
    [parts.some((part) => typeof part === 'boolean'), 'a boolean as a schema'],
    [Array.isArray(anyOf) && anyOf.some((part) => typeof part === 'boolean'), 'a boolean in anyOf'],
    [Number(at.match(/\//g)?.length) > 64, 'nested too deeply'],
  ];
  return [
    ...Object.keys(schema)
      .filter((key) => !geminiKeywords.includes(key))
      .map((key) => `${at}: Unknown name "${key}"`),
    ...problems.flatMap(([isWrong, problem]) => (isWrong ? [`${at}: ${problem}`] : [])),
  ];
}

function visit(schema: unknown, at: string, check: Check): readonly string[] {
  if (!isJsonObject(schema)) {
    return [];
  }
  const maps = ['properties', 'patternProperties', '$defs', 'definitions'];
  const lists = ['anyOf', 'oneOf', 'allOf', 'prefixItems'];
  const inner = Object.entries(schema).flatMap(([key, value]) => {
    if (maps.includes(key) && isJsonObject(value)) {
      return Object.entries(value).flatMap(([name, part]) => visit(part, `${at}/${name}`, check));
    }
    if (lists.includes(key) && Array.isArray(value)) {
      return value.flatMap((part, index) => visit(part, `${at}/${key}/${index}`, check));
    }
    return ['items', 'additionalProperties', 'not'].includes(key)
      ? visit(value, `${at}/${key}`, check)
      : [];
  });
  return [...check(schema, at), ...inner];
}

/** Reads fields from a JSON Schema, draft 7 to 2020-12. What no kind fits is written as JSON; nothing is left out. */
import { lazy } from '../async/once.js';
import { asString, isDeeperThan, isJsonObject, type JsonObject, jsonLength } from '../json.js';
import type { ArrayField, Field, FieldBranch, FieldOption } from './field.js';
import { mergeSchemas, plainSchema } from './plainSchema.js';

/** Characters and levels of a schema, above which the whole form is JSON. */
const maxSchemaLength = 512 * 1024;
const maxSchemaDepth = 200;
/** Levels of fields; a schema may refer to itself. */
const maxLevels = 12;
const maxProperties = 300;
const maxBranches = 100;
/** More of them are items of a list. */
const maxPicked = 500;
const maxOptions = 50_000;
const maxExamples = 3;
const maxLabel = 80;

/** Fields that are masked on the screen. */
const maskedName = /(?:token|secret|passw(?:or)?d|api[_-]?key)s?$/i;
/** More than those: what is called so is not kept. */
const secretName = /token|key|secret|passw/i;
const numericBounds = ['minimum', 'maximum'] as const;

/** Where a field stands. */
export interface FieldPlace {
  readonly name: string;
  readonly isRequired: boolean;
  readonly level: number;
}

/** The fields of one schema: of the arguments of a tool, or of what a server asks for. */
export function formField(schema: unknown): Field {
  const place = { name: '', isRequired: true, level: 0 };
  const isReadable =
    !isDeeperThan(schema, maxSchemaDepth) && jsonLength(schema, maxSchemaLength) <= maxSchemaLength;
  return isReadable ? readField(schema, schema, place) : { ...baseOf({}, place), kind: 'json' };
}

/** @param root where references lead */
export function readField(root: unknown, schema: unknown, place: FieldPlace): Field {
  const plain = place.level <= maxLevels ? plainSchema(root, schema) : undefined;
  if (!plain) {
    const claims = isJsonObject(schema) ? schema : {};
    return withDefault({ ...baseOf(claims, place), kind: 'json' }, claims);
  }
  const field = new FieldReader(root, plain.schema, place).read();
  const marked = plain.isNullable ? { ...field, isNullable: true as const } : field;
  return withDefault(marked, plain.schema);
}

class FieldReader {
  private readonly base: ReturnType<typeof baseOf>;

  constructor(
    private readonly root: unknown,
    private readonly schema: JsonObject,
    private readonly place: FieldPlace,
  ) {
    this.base = baseOf(schema, place);
  }

  read(): Field {
    const { schema, base } = this;
    if (Object.hasOwn(schema, 'const')) {
      return { ...base, kind: 'fixed', value: schema.const };
    }
    const options = optionsOf(schema);
    if (options) {
      return { ...base, kind: 'choice', options };
    }
    const branches = this.branches();
    return branches ? { ...base, kind: 'union', branches } : this.readType();
  }

  private readType(): Field {
    const { schema, base } = this;
    switch (schema.type ?? impliedType(schema)) {
      case 'string':
        return {
          ...base,
          kind: 'text',
          ...textOf(schema, 'format'),
          ...textOf(schema, 'pattern'),
          ...numbersOf(schema, ['minLength', 'maxLength']),
          isBinary: isBinary(schema) || undefined,
        };
      case 'number':
      case 'integer':
        return {
          ...base,
          kind: 'number',
          isInteger: schema.type === 'integer',
          ...numbersOf(schema, numericBounds),
        };
      case 'boolean':
        return { ...base, kind: 'boolean' };
      case 'null':
        return { ...base, kind: 'fixed', value: null };
      case 'array':
        return this.readArray();
      case 'object':
        return this.readObject();
      default:
        return { ...base, kind: 'json' };
    }
  }

  private readArray(): Field {
    const { schema, base } = this;
    const isOldTuple = Array.isArray(schema.items);
    const tuple = isOldTuple ? schema.items : schema.prefixItems;
    const leading: readonly unknown[] = Array.isArray(tuple) ? tuple : [];
    const rest = isOldTuple ? schema.additionalItems : schema.items;
    const single = leading.length === 0 ? plainSchema(this.root, rest) : undefined;
    const options = single && !single.isNullable ? optionsOf(single.schema) : undefined;
    if (options && options.length <= maxPicked) {
      const bounds = numbersOf(schema, ['minItems', 'maxItems']);
      return { ...base, kind: 'choices', options, ...bounds };
    }
    const { minItems } = schema;
    const needed = typeof minItems === 'number' ? minItems : 0;
    const item: ArrayField['item'] =
      rest === false ? undefined : () => this.inner(rest ?? {}, '', true);
    return leading.length > maxProperties
      ? { ...base, kind: 'json' }
      : {
          ...base,
          kind: 'array',
          leading: lazy(() => leading.map((part, at) => this.inner(part, '', at < needed))),
          item,
        };
  }

  private readObject(): Field {
    const { schema, base } = this;
    const properties = isJsonObject(schema.properties) ? Object.entries(schema.properties) : [];
    if (properties.length > maxProperties) {
      return { ...base, kind: 'json' };
    }
    const required = new Set<unknown>(Array.isArray(schema.required) ? schema.required : []);
    const { additionalProperties: others, patternProperties } = schema;
    return {
      ...base,
      kind: 'object',
      properties: lazy(() =>
        properties.map(([name, part]) => this.inner(part, name, required.has(name))),
      ),
      others:
        others === false && !isJsonObject(patternProperties)
          ? undefined
          : (name) => this.inner(isJsonObject(others) ? others : {}, name, true),
      invitesOthers:
        properties.length === 0 ||
        others === true ||
        isJsonObject(others) ||
        isJsonObject(patternProperties),
    };
  }

  /** What the object says itself counts in each of its branches. */
  private branches(): readonly FieldBranch[] | undefined {
    const { type, anyOf, oneOf, ...rest } = this.schema;
    const listed = Array.isArray(anyOf) ? anyOf : oneOf;
    const types = Array.isArray(type) ? type : [];
    const schemas: readonly unknown[] = Array.isArray(listed)
      ? listed
      : types.map((one) => ({ ...rest, type: one }));
    if (schemas.length < 2 || schemas.length > maxBranches) {
      return undefined;
    }
    const { title: _, description: __, default: ___, examples: ____, ...shared } = rest;
    const own = { ...shared, ...(typeof type === 'string' && { type }) };
    return schemas.map((branch) => {
      const field = lazy(() => {
        const plain = plainSchema(this.root, branch);
        const merged = plain ? mergeSchemas(own, plain.schema) : branch;
        return this.inner(merged, this.place.name, true);
      });
      const label = lazy(() => branchLabel(this.root, branch));
      return {
        get label() {
          return label();
        },
        field,
      };
    });
  }

  private inner(schema: unknown, name: string, isRequired: boolean): Field {
    return readField(this.root, schema, { name, isRequired, level: this.place.level + 1 });
  }
}

function baseOf(schema: JsonObject, { name, isRequired }: FieldPlace) {
  const { examples, title } = schema;
  const isSecret =
    schema.format === 'password' || schema.writeOnly === true || maskedName.test(name);
  return {
    name,
    title: typeof title === 'string' && title !== '' ? title : name,
    isRequired,
    ...textOf(schema, 'description'),
    examples: Array.isArray(examples) ? (examples.slice(0, maxExamples) as unknown[]) : undefined,
    isReadOnly: schema.readOnly === true || undefined,
    isDeprecated: schema.deprecated === true || undefined,
    isSecret: isSecret || undefined,
    header: asString(schema['x-mcp-header']),
  };
}

export function isSecretField(name: string): boolean {
  return secretName.test(name);
}

/** A default that the field cannot hold is none. */
function withDefault(field: Field, schema: JsonObject): Field {
  const { default: value } = schema;
  return value === undefined || !canHold(field, value) ? field : { ...field, defaultValue: value };
}

/** Whether a value has the form of the field; what is in it is not looked at. */
export function canHold(field: Field, value: unknown): boolean {
  if (value === null && field.isNullable) {
    return true;
  }
  switch (field.kind) {
    case 'text':
      return typeof value === 'string';
    case 'number':
    case 'boolean':
      return typeof value === field.kind;
    case 'choice':
      return optionIndex(field.options, value) >= 0;
    case 'choices':
      return (
        Array.isArray(value) &&
        new Set<unknown>(value).size === value.length &&
        value.every((item) => optionIndex(field.options, item) >= 0)
      );
    case 'fixed':
      return isSame(field.value, value);
    case 'object':
      return isJsonObject(value);
    case 'array':
      return Array.isArray(value);
    case 'union':
    case 'json':
      return true;
  }
}

export function optionIndex(options: readonly FieldOption[], value: unknown): number {
  return options.findIndex((option) => isSame(option.value, value));
}

function isSame(one: unknown, other: unknown): boolean {
  const isPlain = typeof one !== 'object' || typeof other !== 'object';
  return one === other || (!isPlain && JSON.stringify(one) === JSON.stringify(other));
}

/** Values with titles, plain values, or plain values with the older `enumNames`. */
function optionsOf(schema: JsonObject): readonly FieldOption[] | undefined {
  const titled = schema.oneOf ?? schema.anyOf;
  if (Array.isArray(titled)) {
    const options = titled.map(titledOption);
    const known = options.filter((option) => option !== undefined);
    return known.length === titled.length && known.length > 0 ? known : undefined;
  }
  const { enum: values, enumNames } = schema;
  if (!Array.isArray(values) || values.length === 0 || values.length > maxOptions) {
    return undefined;
  }
  const names: readonly unknown[] = Array.isArray(enumNames) ? enumNames : [];
  return values.map((value: unknown, index) => {
    const name = names[index];
    return { value, label: typeof name === 'string' ? name : valueLabel(value) };
  });
}

function titledOption(schema: unknown): FieldOption | undefined {
  if (!isJsonObject(schema) || schema.properties !== undefined) {
    return undefined;
  }
  const { enum: values, title } = schema;
  const isOnly = Array.isArray(values) && values.length === 1;
  if (!Object.hasOwn(schema, 'const') && !isOnly) {
    return undefined;
  }
  const value: unknown = isOnly ? values[0] : schema.const;
  return { value, label: typeof title === 'string' ? title : valueLabel(value) };
}

function valueLabel(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function branchLabel(root: unknown, branch: unknown): string {
  const schema = plainSchema(root, branch)?.schema ?? {};
  if (typeof schema.title === 'string' && schema.title !== '') {
    return schema.title.slice(0, maxLabel);
  }
  const { properties, required } = schema;
  const fixed = Object.entries(isJsonObject(properties) ? properties : {}).find(
    ([, part]) => isJsonObject(part) && Object.hasOwn(part, 'const'),
  );
  if (fixed) {
    return `${fixed[0]}: ${valueLabel((fixed[1] as JsonObject).const)}`.slice(0, maxLabel);
  }
  const reference = isJsonObject(branch) && typeof branch.$ref === 'string' ? branch.$ref : '';
  const named = /^#\/(?:\$defs|definitions)\/([^/]+)$/.exec(reference)?.[1];
  const needs = Array.isArray(required) ? required.join(', ') : '';
  const type = typeof schema.type === 'string' ? schema.type : '';
  return (named ?? (needs || type)).slice(0, maxLabel);
}

function impliedType(schema: JsonObject): string | undefined {
  const { properties, additionalProperties, items, prefixItems } = schema;
  return isJsonObject(properties) || isJsonObject(additionalProperties)
    ? 'object'
    : items !== undefined || prefixItems !== undefined
      ? 'array'
      : undefined;
}

function isBinary({ contentEncoding, format }: JsonObject): boolean {
  return contentEncoding === 'base64' || format === 'byte';
}

function textOf<K extends string>(schema: JsonObject, key: K): { [key in K]?: string } {
  const value = schema[key];
  return typeof value === 'string' ? ({ [key]: value } as { [key in K]: string }) : {};
}

function numbersOf<K extends string>(
  schema: JsonObject,
  keys: readonly K[],
): { [key in K]?: number } {
  const found = keys.filter((key) => typeof schema[key] === 'number');
  return Object.fromEntries(found.map((key) => [key, schema[key]])) as { [key in K]?: number };
}

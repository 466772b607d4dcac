/** A part of a schema with its references followed, what it combines merged, and `null` taken out. Bounded in time. */
import { asList, isJsonObject, type JsonObject } from '../json.js';
import { resolvePointer } from '../pointer.js';

/** Schemas that are looked at for one field. */
const maxSteps = 200;

export interface PlainSchema {
  readonly schema: JsonObject;
  readonly isNullable: boolean;
}

/** `undefined`: it is no object, refers to itself alone, or is too entangled to be read. */
export function plainSchema(root: unknown, schema: unknown): PlainSchema | undefined {
  return new Plainer(root).plain(schema);
}

/** Both say something about the same value. */
export function mergeSchemas(one: JsonObject, other: JsonObject): JsonObject {
  return {
    ...one,
    ...other,
    ...mergedProperties(one.properties, other.properties),
    ...(Array.isArray(one.required) &&
      Array.isArray(other.required) && {
        required: [...new Set<unknown>([...one.required, ...other.required])],
      }),
  };
}

function mergedProperties(one: unknown, other: unknown): { readonly properties?: JsonObject } {
  if (!isJsonObject(one) || !isJsonObject(other)) {
    return {};
  }
  const both = Object.entries(other).map(([name, part]): [string, unknown] => [
    name,
    Object.hasOwn(one, name) ? { allOf: [one[name], part] } : part,
  ]);
  return { properties: Object.fromEntries([...Object.entries(one), ...both]) };
}

class Plainer {
  private steps = 0;

  constructor(private readonly root: unknown) {}

  plain(schema: unknown): PlainSchema | undefined {
    const combined = this.combined(schema);
    return combined && this.withoutNull(combined);
  }

  private combined(schema: unknown): JsonObject | undefined {
    if (!isJsonObject(schema) || ++this.steps > maxSteps) {
      return undefined;
    }
    const { $ref, allOf, ...own } = schema;
    const parts = [
      ...($ref === undefined ? [] : [resolvePointer(this.root, String($ref))]),
      ...asList(allOf),
    ];
    let merged: JsonObject | undefined;
    for (const part of parts) {
      // a part that allows everything
      const plain = part === true ? {} : this.combined(part);
      if (!plain) {
        return undefined;
      }
      merged = merged ? mergeSchemas(merged, plain) : plain;
    }
    return merged ? mergeSchemas(merged, own) : own;
  }

  private withoutNull(schema: JsonObject): PlainSchema | undefined {
    const { type, enum: values } = schema;
    if (Array.isArray(type) && type.includes('null')) {
      const others = type.filter((one) => one !== 'null');
      return others.length === 0
        ? { schema: { ...schema, type: 'null' }, isNullable: false }
        : this.nullable({ ...schema, type: others.length === 1 ? others[0] : others });
    }
    if (Array.isArray(values) && values.includes(null) && values.length > 1) {
      return this.nullable({ ...schema, enum: values.filter((value) => value !== null) });
    }
    for (const keyword of ['anyOf', 'oneOf']) {
      const branches = schema[keyword];
      if (Array.isArray(branches)) {
        return this.unionWithoutNull(schema, keyword, branches);
      }
    }
    return { schema, isNullable: false };
  }

  private nullable(schema: JsonObject): PlainSchema | undefined {
    const rest = this.withoutNull(schema);
    return rest && { ...rest, isNullable: true };
  }

  private unionWithoutNull(
    schema: JsonObject,
    keyword: string,
    branches: readonly unknown[],
  ): PlainSchema | undefined {
    if (branches.length > maxSteps) {
      return { schema, isNullable: false };
    }
    const others = branches.filter((branch) => !isNull(this.peek(branch)));
    const hasNull = others.length < branches.length;
    const { [keyword]: _, ...rest } = schema;
    const isOption = !hasNull && isJsonObject(others[0]) && Object.hasOwn(others[0], 'const');
    if (others.length === 1 && !isOption) {
      const only = this.combined(others[0]);
      const inner = only && this.withoutNull(mergeSchemas(only, rest));
      return inner && { ...inner, isNullable: inner.isNullable || hasNull };
    }
    return { schema: { ...rest, [keyword]: others }, isNullable: hasNull };
  }

  /** What a branch is, as far as one reference leads. */
  private peek(branch: unknown): unknown {
    return isJsonObject(branch) && typeof branch.$ref === 'string'
      ? resolvePointer(this.root, branch.$ref)
      : branch;
  }
}

function isNull(schema: unknown): boolean {
  if (!isJsonObject(schema)) {
    return false;
  }
  const { type, enum: values } = schema;
  const isOnly = Array.isArray(values) && values.length === 1 && values[0] === null;
  return type === 'null' || schema.const === null || isOnly;
}

/** One schema for values that fit several. Where one cannot say it all, it allows more. */
import { asObject, type JsonObject, stableStringify } from '../../../base/json.js';

export interface Combined {
  readonly schema: JsonObject;
  /** What it leaves out, by keyword. */
  readonly lost: JsonObject;
}

type Join = (one: unknown, other: unknown) => unknown;

/** `undefined` as a result: the first stays, the other is lost. */
const joins: Readonly<Record<string, Join>> = {
  type: (one, other) => nonEmpty(sharedTypes(listOf(one), listOf(other))),
  enum: (one, other) => nonEmpty(sharedValues(listOf(one), listOf(other))),
  required: (one, other) => [...new Set([...listOf(one), ...listOf(other)])],
  properties: joinProperties,
  description: (one, other) => (String(one).includes(String(other)) ? one : `${one}\n${other}`),
  title: (one) => one,
  default: (one) => one,
  minimum: larger,
  minLength: larger,
  minItems: larger,
  maximum: smaller,
  maxLength: smaller,
  maxItems: smaller,
  additionalProperties: (one, other) => joinOpenness(one, other),
};

export function combine(schemas: readonly JsonObject[]): Combined {
  const result = new Map<string, unknown>();
  const lost = new Map<string, unknown>();
  for (const [key, value] of schemas.flatMap((schema) => Object.entries(schema))) {
    const known = result.get(key);
    if (known === undefined || isEqual(known, value)) {
      result.set(key, value);
      continue;
    }
    const joined = Object.hasOwn(joins, key) ? joins[key]?.(known, value) : undefined;
    result.set(key, joined ?? known);
    if (joined === undefined) {
      lost.set(key, lost.has(key) ? [lost.get(key), value] : value);
    }
  }
  return { schema: Object.fromEntries(result), lost: Object.fromEntries(lost) };
}

function isEqual(one: unknown, other: unknown): boolean {
  return one === other || stableStringify(one) === stableStringify(other);
}

function joinProperties(one: unknown, other: unknown): unknown {
  const joined = new Map(Object.entries(asObject(one)));
  for (const [name, schema] of Object.entries(asObject(other))) {
    const known = joined.get(name);
    const isSame = known === undefined || isEqual(known, schema);
    joined.set(name, isSame ? schema : { allOf: [known, schema] });
  }
  return Object.fromEntries(joined);
}

function joinOpenness(one: unknown, other: unknown): unknown {
  if (one === false || other === false) {
    return false;
  }
  return one === true ? other : other === true ? one : { allOf: [one, other] };
}

function sharedTypes(some: readonly unknown[], others: readonly unknown[]): readonly unknown[] {
  const fits = (type: unknown, types: readonly unknown[]) =>
    types.includes(type) || (type === 'integer' && types.includes('number'));
  const shared = [
    ...some.filter((type) => fits(type, others)),
    ...others.filter((type) => fits(type, some)),
  ];
  return [...new Set(shared)];
}

function sharedValues(some: readonly unknown[], others: readonly unknown[]): readonly unknown[] {
  const texts = new Set(others.map(stableStringify));
  return some.filter((value) => texts.has(stableStringify(value)));
}

function larger(one: unknown, other: unknown): unknown {
  return typeof one === 'number' && typeof other === 'number' ? Math.max(one, other) : undefined;
}

function smaller(one: unknown, other: unknown): unknown {
  return typeof one === 'number' && typeof other === 'number' ? Math.min(one, other) : undefined;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}

function nonEmpty<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length > 0 ? list : undefined;
}

/** The keywords that every wire takes, by the type of value that they are about. */
import type { JsonObject } from '../../../base/json.js';

/** They say nothing about which values fit. */
export const annotations = ['title', 'description', 'default'];
/** With a value that is not taken as it is, {@link boundsOf} says what becomes of it. */
export const textKeywords = ['minLength', 'maxLength'];
export const numberKeywords = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'];
export const arrayKeywords = ['items', 'prefixItems', 'additionalItems', 'minItems', 'maxItems'];
export const objectKeywords = ['properties', 'required'];

const implied = [
  [['properties', 'required', 'additionalProperties', 'patternProperties'], 'object'],
  [['items', 'prefixItems'], 'array'],
] as const;

/** The types that values may have; none when they may have any. */
export function typesOf({ type, ...rules }: JsonObject): readonly string[] {
  const named = [type].flat().filter((name) => typeof name === 'string');
  if (named.length > 0) {
    const types = [...new Set(named)];
    return types.includes('number') ? types.filter((name) => name !== 'integer') : types;
  }
  const values = valuesOf(rules);
  if (values) {
    return [...new Set(values.map(typeOf))];
  }
  return implied.flatMap(([keywords, name]) =>
    keywords.some((keyword) => rules[keyword] !== undefined) ? [name] : [],
  );
}

/** The only values that fit; `undefined` when others do. */
export function valuesOf(rules: JsonObject): readonly unknown[] | undefined {
  if (rules.const !== undefined) {
    return [rules.const];
  }
  return Array.isArray(rules.enum) ? rules.enum : undefined;
}

/** Bounds that can be said, and those that can only be told. */
export function boundsOf(rules: JsonObject, keywords: readonly string[], type?: string) {
  const schema = new Map<string, unknown>();
  const told = new Map<string, unknown>();
  for (const keyword of keywords) {
    const value = rules[keyword];
    const bound = exclusive[keyword];
    if (value === undefined || value === false) {
      continue;
    }
    if (!bound) {
      (isBound(keyword, value) ? schema : told).set(keyword, value);
      continue;
    }
    // draft 4 says with a boolean that the bound itself does not fit
    const limit = value === true ? rules[bound.keyword] : value;
    const isExact = type === 'integer' && typeof limit === 'number';
    const nearest = isExact ? bound.next(limit) : limit;
    const known = schema.get(bound.keyword);
    if (typeof nearest === 'number') {
      schema.set(
        bound.keyword,
        typeof known === 'number' ? bound.narrower(nearest, known) : nearest,
      );
    }
    if (!isExact) {
      told.set(keyword, value);
    }
  }
  return { schema: Object.fromEntries(schema), told: Object.fromEntries(told) };
}

function isBound(keyword: string, value: unknown): boolean {
  const isCount = /(Length|Items)$/.test(keyword);
  return isCount ? Number.isInteger(value) && Number(value) >= 0 : typeof value === 'number';
}

/** For integers the next one is the bound; else the bound itself, and that it does not fit is told. */
const exclusive: Readonly<
  Record<
    string,
    {
      readonly keyword: string;
      readonly next: (value: number) => number;
      readonly narrower: (one: number, other: number) => number;
    }
  >
> = {
  exclusiveMinimum: {
    keyword: 'minimum',
    next: (value) => Math.floor(value) + 1,
    narrower: Math.max,
  },
  exclusiveMaximum: {
    keyword: 'maximum',
    next: (value) => Math.ceil(value) - 1,
    narrower: Math.min,
  },
};

/** @param known formats that every wire takes */
export function formatOf({ format }: JsonObject, known: readonly string[]) {
  const isKnown = typeof format === 'string' && known.includes(format);
  return { schema: isKnown ? { format } : {}, told: isKnown ? {} : { format } };
}

function typeOf(value: unknown): string {
  if (value === null) {
    return 'null';
  }
  if (Array.isArray(value)) {
    return 'array';
  }
  return typeof value;
}

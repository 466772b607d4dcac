/** The difference between two states of a record, as data: it can be merged with later ones and applied to another state. */
import { asObject, isJsonObject, stableStringify } from './json.js';

type Json = { readonly [key: string]: unknown };

/** By key: set to a value, removed, or changed inside. Its size grows with the number of keys, not of changes. */
export type JsonChange = ReadonlyMap<string, KeyChange>;

type KeyChange =
  | { readonly kind: 'set'; readonly value: unknown }
  | { readonly kind: 'removed' }
  | { readonly kind: 'inside'; readonly change: JsonChange };

/** What leads from `before` to `after`. Records are compared by key `depth` levels deep, everything below as a whole. */
export function jsonChange(before: Json, after: Json, depth: number): JsonChange {
  const change = new Map<string, KeyChange>();
  for (const key of Object.keys(before)) {
    if (!Object.hasOwn(after, key)) {
      change.set(key, { kind: 'removed' });
    }
  }
  for (const [key, value] of Object.entries(after)) {
    const old = Object.hasOwn(before, key) ? before[key] : undefined;
    if (stableStringify(old) === stableStringify(value)) {
      continue;
    }
    change.set(
      key,
      depth > 1 && isJsonObject(old) && isJsonObject(value)
        ? { kind: 'inside', change: jsonChange(old, value, depth - 1) }
        : { kind: 'set', value },
    );
  }
  return change;
}

/** A key that is set moves to the end of its record. */
export function withJsonChange(value: Json, change: JsonChange): Json {
  const next = new Map(Object.entries(value));
  for (const [key, item] of change) {
    const old = next.get(key);
    next.delete(key);
    if (item.kind === 'set') {
      next.set(key, item.value);
    } else if (item.kind === 'inside') {
      next.set(key, withJsonChange(asObject(old), item.change));
    }
  }
  return Object.fromEntries(next);
}

/** What both have, by key `depth` levels deep; what is not the same below that is in neither. */
export function commonJson(one: Json, other: Json, depth: number): Json {
  return Object.fromEntries(
    Object.entries(one).flatMap(([key, value]) => {
      const second = Object.hasOwn(other, key) ? other[key] : undefined;
      if (depth > 1 && isJsonObject(value) && isJsonObject(second)) {
        return [[key, commonJson(value, second, depth - 1)]];
      }
      return stableStringify(value) === stableStringify(second) ? [[key, value]] : [];
    }),
  );
}

/** The change that does what one and then the other would do. */
export function mergedJsonChange(earlier: JsonChange, later: JsonChange): JsonChange {
  const merged = new Map(earlier);
  for (const [key, item] of later) {
    merged.set(key, item.kind === 'inside' ? mergedInside(earlier.get(key), item.change) : item);
  }
  return merged;
}

function mergedInside(earlier: KeyChange | undefined, later: JsonChange): KeyChange {
  switch (earlier?.kind) {
    case 'inside':
      return { kind: 'inside', change: mergedJsonChange(earlier.change, later) };
    case 'set':
    case 'removed': {
      const value = earlier.kind === 'set' && isJsonObject(earlier.value) ? earlier.value : {};
      return { kind: 'set', value: withJsonChange(value, later) };
    }
    case undefined:
      return { kind: 'inside', change: later };
  }
}

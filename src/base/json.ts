export type JsonObject = { readonly [key: string]: unknown };

/** A plain JSON object: not null, not an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

/** `undefined` for a text that is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** `undefined` for a text that is not JSON, or JSON of another kind. */
export function parseJsonObject(text: string): JsonObject | undefined {
  const value = parseJson(text);
  return isJsonObject(value) ? value : undefined;
}

/** JSON text with object keys sorted at every level, so that equal data gives equal text. */
export function stableStringify(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) =>
    isJsonObject(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  );
}

/** Whether arrays and objects are nested in more than `depth` levels; looks no deeper than that. */
export function isDeeperThan(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) {
    return false;
  }
  return depth <= 0 || Object.values(value).some((item) => isDeeperThan(item, depth - 1));
}

/**
 * About the number of characters of the JSON text of `value`; more than `max` when it has more, without looking at
 * the rest, or listing it. The nesting must be bounded.
 */
export function jsonLength(value: unknown, max: number): number {
  if (typeof value === 'string') {
    return value.length + 2;
  }
  if (typeof value !== 'object' || value === null) {
    return 5;
  }
  let length = 2;
  for (const key of Array.isArray(value) ? value.keys() : Object.keys(value)) {
    length += typeof key === 'number' ? 1 : key.length + 4;
    length += jsonLength(value[key as keyof typeof value], max - length);
    if (length > max) {
      break;
    }
  }
  return length;
}

/** What can be read of an object's values, by their keys; nothing of anything else. */
export function readEntries<T>(
  value: unknown,
  read: (item: unknown) => T | undefined,
): Readonly<Record<string, T>> {
  return Object.fromEntries(
    Object.entries(asObject(value)).flatMap(([key, item]) => {
      const known = read(item);
      return known === undefined ? [] : [[key, known] as const];
    }),
  );
}

export function mapValues<T, R>(
  values: Readonly<Record<string, T>>,
  change: (value: T, key: string) => R,
): Record<string, R> {
  return Object.fromEntries(Object.entries(values).map(([key, item]) => [key, change(item, key)]));
}

/** With other texts, asked for in one order. The nesting must be bounded. @param name of the member, or of the list, that holds a text */
export function mapTexts(
  value: unknown,
  change: (text: string, name: string) => unknown,
  name = '',
): unknown {
  if (typeof value === 'string') {
    return change(value, name);
  }
  if (Array.isArray(value)) {
    return value.map((item) => mapTexts(item, change, name));
  }
  return isJsonObject(value) ? mapValues(value, (item, key) => mapTexts(item, change, key)) : value;
}

/** Without keys for what is none. */
export function asObject(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** Without items for what is none. */
export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The texts of a list. */
export function asTexts(value: unknown): readonly string[] {
  return asList(value).filter((item) => typeof item === 'string');
}

export function asString(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Without the keys that have no value, for where keys are seen. */
export function defined<T extends object>(value: T): T {
  return Object.fromEntries(
    Object.entries(value).filter(([, item]) => item !== undefined),
  ) as unknown as T;
}

export function definedValues<T>(
  value: Readonly<Record<string, T | undefined>>,
): Record<string, T> {
  return defined(value) as Record<string, T>;
}

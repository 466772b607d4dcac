/** Readers of what may be anything, such as a file that another version or a hand wrote: a value as its type says, or `undefined`. */
import { asList, asObject, isJsonObject } from '../../base/json.js';

type Reader<T> = (value: unknown) => T | undefined;

interface Optional<T> {
  readonly optional: Reader<T>;
}

/** One for each member. */
type Members<T> = { readonly [K in keyof T]-?: Reader<T[K]> | Optional<T[K]> };

/** A member that may be absent; what cannot be read counts as absent. */
export function optional<T>(read: Reader<T>): Optional<T> {
  return { optional: read };
}

export function anything(value: unknown): unknown {
  return value;
}

export function asNumber(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

/** Absent is false. */
export function isTrue(value: unknown): boolean {
  return value === true;
}

export function oneOf<T>(values: readonly T[]): Reader<T> {
  return (value) => values.find((one) => one === value);
}

/** Nothing when one of the items cannot be read. */
export function listOf<T>(read: Reader<T>): Reader<readonly T[]> {
  const items = itemsOf(read);
  return (value) => {
    const all = items(value);
    return Array.isArray(value) && all.length === value.length ? all : undefined;
  };
}

/** What can be read of the items; none of what is no list. */
export function itemsOf<T>(read: Reader<T>): (value: unknown) => readonly T[] {
  return (value) =>
    asList(value)
      .map(read)
      .filter((item) => item !== undefined);
}

/** Members that the type does not have are left out. */
export function objectOf<T>(members: Members<T>): Reader<T> {
  const readers = Object.entries<Reader<unknown> | Optional<unknown>>(members);
  return (value) => {
    if (!isJsonObject(value)) {
      return undefined;
    }
    const whole: Record<string, unknown> = {};
    for (const [name, reader] of readers) {
      const member = 'optional' in reader ? readOptional(reader, value[name]) : reader(value[name]);
      if (member !== undefined) {
        whole[name] = member;
      } else if (!('optional' in reader)) {
        return undefined;
      }
    }
    return whole as T;
  };
}

function readOptional<T>({ optional: read }: Optional<T>, value: unknown): T | undefined {
  return value === undefined ? undefined : read(value);
}

type Kinds<T, K extends keyof T> = {
  readonly [V in T[K] & string]: Members<Omit<OfKind<T, K, V>, K>>;
};
type OfKind<T, K extends keyof T, V> = T extends unknown ? (V extends T[K] ? T : never) : never;

/** Objects of which one member says what the others are. */
export function kindsOf<T, K extends keyof T & string>(name: K, kinds: Kinds<T, K>): Reader<T> {
  const readers = new Map<unknown, Reader<unknown>>(
    Object.entries<object>(kinds).map(([kind, members]) => [
      kind,
      objectOf({ ...members, [name]: () => kind }),
    ]),
  );
  return (value) => readers.get(asObject(value)[name])?.(value) as T | undefined;
}

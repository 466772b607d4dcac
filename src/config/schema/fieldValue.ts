import { isJsonObject } from '../../base/json.js';
import type { ConfigField } from './field.js';

/** The value as it is used; `undefined` when it does not fit its field. */
export function readFieldValue(field: ConfigField, value: unknown): unknown {
  switch (field.type) {
    case 'string':
      return typeof value === 'string' ? value : undefined;
    case 'boolean':
      return typeof value === 'boolean' ? value : undefined;
    case 'number':
      return isInRange(field, value) ? value : undefined;
    case 'strings':
      return isStrings(value) ? value : undefined;
    case 'string-or-strings':
      return isStrings(value) ? value.join(' ') : typeof value === 'string' ? value : undefined;
    case 'boolean-or-strings':
      return typeof value === 'boolean' || isStrings(value) ? value : allowedValue(field, value);
    case 'boolean-or-object':
      return typeof value === 'boolean' || isJsonObject(value) ? value : undefined;
    case 'map':
      return isJsonObject(value) ? value : undefined;
    case 'enum':
      return allowedValue(field, value);
    case 'object':
      return fitsObject(field, value) ? value : undefined;
    case 'any':
      return value;
  }
}

export function allowedValue({ values }: ConfigField, value: unknown): unknown {
  return values?.find((allowed) => allowed === value);
}

export function isInRange(field: ConfigField, value: unknown): value is number {
  const { minimum = 0, maximum = Number.POSITIVE_INFINITY, isInteger } = field;
  return (
    typeof value === 'number' &&
    value >= minimum &&
    value <= maximum &&
    (!isInteger || Number.isInteger(value))
  );
}

/** What is used instead of a number above the largest: the largest. */
export function cappedNumber({ type, maximum }: ConfigField, value: unknown): number | undefined {
  return type === 'number' && typeof value === 'number' && maximum !== undefined && value > maximum
    ? maximum
    : undefined;
}

function fitsObject({ fields = [] }: ConfigField, value: unknown): boolean {
  return (
    isJsonObject(value) &&
    fields.every(
      (item) =>
        value[item.name] === undefined || readFieldValue(item, value[item.name]) !== undefined,
    )
  );
}

function isStrings(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

import { isJsonObject, isTexts } from '../../base/json.js';
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
      return isTexts(value) ? value : undefined;
    case 'string-or-strings':
      return isTexts(value) ? value.join(' ') : typeof value === 'string' ? value : undefined;
    case 'boolean-or-strings':
      return typeof value === 'boolean' || isTexts(value) ? value : allowedValue(field, value);
    case 'enum-or-strings':
      return isTexts(value) ? value : allowedValue(field, value);
    case 'boolean-or-object':
      return typeof value === 'boolean' || isJsonObject(value) ? value : undefined;
    case 'map':
      return isJsonObject(value) ? value : undefined;
    case 'enum':
      return allowedValue(field, value);
    case 'object':
      return fitsObject(field, value) ? value : undefined;
    case 'named-objects':
      return isJsonObject(value) && Object.values(value).every((item) => fitsObject(field, item))
        ? value
        : undefined;
    case 'any':
      return value;
  }
}

function allowedValue({ values }: ConfigField, value: unknown): unknown {
  return values?.find((allowed) => allowed === value);
}

function isInRange(field: ConfigField, value: unknown): boolean {
  const { minimum = 0, maximum = Number.POSITIVE_INFINITY, isInteger } = field;
  return (
    typeof value === 'number' &&
    value >= minimum &&
    value <= maximum &&
    (!isInteger || Number.isInteger(value))
  );
}

/** What may stand there, as a type of TypeScript. */
export function expectedText(field: ConfigField): string {
  const { type, minimum = 0, maximum, values = [], fields = [] } = field;
  switch (type) {
    case 'string':
    case 'string-or-strings':
      return 'string';
    case 'boolean':
      return 'true | false';
    case 'number':
      return maximum === undefined ? `≥ ${minimum}` : `${minimum}–${maximum}`;
    case 'strings':
      return 'string[]';
    case 'boolean-or-strings':
      return 'true | false | string[]';
    case 'map':
      return '{ "…": string }';
    case 'enum':
      return anyOf(values);
    case 'enum-or-strings':
      return `${anyOf(values)} | string[]`;
    default: {
      const inner = fields.map((item) => `"${item.name}": ${expectedText(item)}`);
      return inner.length === 0 ? '{ … }' : `{ ${inner.join(', ')} }`;
    }
  }
}

function anyOf(values: NonNullable<ConfigField['values']>): string {
  return values.map((value) => JSON.stringify(value)).join(' | ');
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

import * as l10n from '@vscode/l10n';
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
    case 'enum-or-strings':
      return isStrings(value) ? value : allowedValue(field, value);
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

/** What may stand there, as the end of a sentence. */
export function expectedText(field: ConfigField): string {
  const { type, minimum = 0, maximum, values = [], fields = [] } = field;
  switch (type) {
    case 'string':
    case 'string-or-strings':
      return l10n.t('a string');
    case 'boolean':
      return l10n.t('true or false');
    case 'number':
      return maximum === undefined
        ? l10n.t('a number of at least {0}', minimum)
        : l10n.t('a number from {0} to {1}', minimum, maximum);
    case 'strings':
      return l10n.t('an array of strings');
    case 'boolean-or-strings':
      return l10n.t('true, false or an array of strings');
    case 'map':
      return l10n.t('an object of strings');
    case 'enum':
      return l10n.t('one of {0}', listOf(values));
    case 'enum-or-strings':
      return l10n.t('one of {0}, or an array of strings', listOf(values));
    default: {
      const inner = fields.map((item) => `"${item.name}": ${expectedText(item)}`);
      return inner.length === 0
        ? l10n.t('an object')
        : l10n.t('an object of {0}', inner.join(', '));
    }
  }
}

function listOf(values: NonNullable<ConfigField['values']>): string {
  return values.map((value) => JSON.stringify(value)).join(', ');
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

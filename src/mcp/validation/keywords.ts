/** The keywords of JSON Schema that look at one type of value each. */
import * as l10n from '@vscode/l10n';
import type { JsonObject } from '../../base/json.js';
import { hasFormat, isKnownFormat } from './formats.js';

/** What a keyword needs of the check that it is part of. Throws when no verdict can be given. */
export interface Checker {
  check(schema: unknown, value: unknown, at: string): string | undefined;
  fits(schema: unknown, value: unknown, at: string): boolean;
  first<T>(parts: Iterable<T>, check: (part: T) => string | undefined): string | undefined;
  matches(pattern: string, text: string): boolean;
  spend(steps: number): void;
  number(schema: JsonObject, key: string): number | undefined;
  list(schema: JsonObject, key: string): readonly unknown[] | undefined;
  map(schema: JsonObject, key: string): JsonObject | undefined;
  canonicalText(value: unknown): string;
}

export function checkText(
  checker: Checker,
  schema: JsonObject,
  value: string,
  at: string,
): string | undefined {
  const { format, pattern } = schema;
  const [minLength, maxLength] = [
    checker.number(schema, 'minLength'),
    checker.number(schema, 'maxLength'),
  ];
  checker.spend(value.length / 50);
  const isCounted = minLength !== undefined || maxLength !== undefined;
  const problem = isCounted ? checkCount([...value].length, minLength, maxLength, at) : undefined;
  if (problem !== undefined) {
    return problem;
  }
  if (typeof pattern === 'string' && !checker.matches(pattern, value)) {
    return l10n.t('{0} must match the pattern {1}', at, pattern);
  }
  return isKnownFormat(format) && !hasFormat(format, value) ? misfit(at, format) : undefined;
}

export function checkNumber(
  checker: Checker,
  schema: JsonObject,
  value: number,
  at: string,
): string | undefined {
  // draft 4 says with a boolean that the bound itself does not count
  const bound = (exclusive: string, inclusive: string) =>
    typeof schema[exclusive] === 'boolean'
      ? schema[exclusive] && checker.number(schema, inclusive)
      : checker.number(schema, exclusive);
  const above = bound('exclusiveMinimum', 'minimum');
  const below = bound('exclusiveMaximum', 'maximum');
  const minimum = checker.number(schema, 'minimum');
  const maximum = checker.number(schema, 'maximum');
  const isTooSmall =
    (typeof above === 'number' && value <= above) || (minimum !== undefined && value < minimum);
  if (isTooSmall) {
    return misfit(at, typeof above === 'number' ? `> ${above}` : `≥ ${minimum}`);
  }
  const isTooLarge =
    (typeof below === 'number' && value >= below) || (maximum !== undefined && value > maximum);
  if (isTooLarge) {
    return misfit(at, typeof below === 'number' ? `< ${below}` : `≤ ${maximum}`);
  }
  const step = checker.number(schema, 'multipleOf');
  return step !== undefined && step > 0 && !isMultiple(value, step)
    ? misfit(at, `n × ${step}`)
    : undefined;
}

/** With the rounding of decimal fractions, such as 0.07 in steps of 0.01. */
function isMultiple(value: number, step: number): boolean {
  const times = value / step;
  return Math.abs(times - Math.round(times)) <= Math.abs(times) * 1e-12;
}

export function checkArray(
  checker: Checker,
  schema: JsonObject,
  value: readonly unknown[],
  at: string,
): string | undefined {
  const count = checkCount(
    value.length,
    checker.number(schema, 'minItems'),
    checker.number(schema, 'maxItems'),
    at,
  );
  if (count !== undefined) {
    return count;
  }
  if (schema.uniqueItems === true) {
    const texts = new Set(value.map((item) => checker.canonicalText(item)));
    if (texts.size < value.length) {
      return l10n.t('{0} holds the same item twice', at);
    }
  }
  return checkItems(checker, schema, value, at) ?? checkContains(checker, schema, value, at);
}

/** Draft 7 has the leading items in `items` and the others in `additionalItems`. */
function checkItems(
  checker: Checker,
  schema: JsonObject,
  value: readonly unknown[],
  at: string,
): string | undefined {
  const isOldTuple = Array.isArray(schema.items);
  const leading = checker.list(schema, isOldTuple ? 'items' : 'prefixItems') ?? [];
  const rest = isOldTuple ? schema.additionalItems : schema.items;
  if (leading.length === 0 && rest === undefined) {
    return undefined;
  }
  return checker.first(value.entries(), ([index, item]) => {
    const part = index < leading.length ? leading[index] : rest;
    return part === undefined ? undefined : checker.check(part, item, `${at}/${index}`);
  });
}

function checkContains(
  checker: Checker,
  schema: JsonObject,
  value: readonly unknown[],
  at: string,
): string | undefined {
  const { contains } = schema;
  if (contains === undefined) {
    return undefined;
  }
  const { length } = value.filter((item) => checker.fits(contains, item, at));
  const min = checker.number(schema, 'minContains') ?? 1;
  return checkCount(length, min, checker.number(schema, 'maxContains'), at);
}

export function checkObject(
  checker: Checker,
  schema: JsonObject,
  value: JsonObject,
  at: string,
): string | undefined {
  const names = Object.keys(value);
  checker.spend(names.length);
  return (
    checkCount(
      names.length,
      checker.number(schema, 'minProperties'),
      checker.number(schema, 'maxProperties'),
      at,
    ) ??
    checkRequired(checker, checker.list(schema, 'required'), value, at) ??
    checkDependents(checker, schema, value, at) ??
    checkProperties(checker, schema, value, at)
  );
}

function checkRequired(
  checker: Checker,
  required: readonly unknown[] | undefined,
  value: JsonObject,
  at: string,
): string | undefined {
  return checker.first(required ?? [], (name) =>
    typeof name === 'string' && !Object.hasOwn(value, name)
      ? l10n.t('{0} lacks the property {1}', at, name)
      : undefined,
  );
}

/** Draft 7 has both kinds in `dependencies`. */
function checkDependents(
  checker: Checker,
  schema: JsonObject,
  value: JsonObject,
  at: string,
): string | undefined {
  const dependents = ['dependentRequired', 'dependentSchemas', 'dependencies'].flatMap((key) =>
    Object.entries(checker.map(schema, key) ?? {}),
  );
  return checker.first(dependents, ([name, dependent]) => {
    if (!Object.hasOwn(value, name)) {
      return undefined;
    }
    return Array.isArray(dependent)
      ? checkRequired(checker, dependent, value, at)
      : checker.check(dependent, value, at);
  });
}

function checkProperties(
  checker: Checker,
  schema: JsonObject,
  value: JsonObject,
  at: string,
): string | undefined {
  const { additionalProperties, propertyNames } = schema;
  const properties = checker.map(schema, 'properties') ?? {};
  const patterns = Object.entries(checker.map(schema, 'patternProperties') ?? {});
  return checker.first(Object.entries(value), ([name, item]) => {
    const place = `${at}/${name}`;
    const isNamed = Object.hasOwn(properties, name);
    const matching = patterns.filter(([pattern]) => checker.matches(pattern, name));
    const isAdditional = !isNamed && matching.length === 0 && additionalProperties !== undefined;
    return (
      (propertyNames === undefined ? undefined : checker.check(propertyNames, name, place)) ??
      (isNamed ? checker.check(properties[name], item, place) : undefined) ??
      checker.first(matching, ([, part]) => checker.check(part, item, place)) ??
      (isAdditional ? checker.check(additionalProperties, item, place) : undefined)
    );
  });
}

/** @param count of characters, items or properties */
export function checkCount(
  count: number,
  min: number | undefined,
  max: number | undefined,
  at: string,
): string | undefined {
  const isTooFew = min !== undefined && count < min;
  return isTooFew || (max !== undefined && count > max)
    ? l10n.t('{0} has {1}, and must have {2}', at, count, isTooFew ? `≥ ${min}` : `≤ ${max}`)
    : undefined;
}

/** @param what the name of a type or format, or a value as JSON has it */
export function misfit(at: string, what: string): string {
  return l10n.t('{0} must be {1}', at, what);
}

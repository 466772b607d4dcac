/** What a schema cannot say on every wire, in words for the model, so in English. */
import { isJsonObject, type JsonObject } from '../../../base/json.js';
import { resolvePointer } from '../../../base/pointer.js';

/** Characters of one such text. */
const maxTold = 300;
/** Levels of references that are shown by their targets. */
const maxShownLevels = 3;

/** They say nothing of values, or nothing that is left when references are written out. */
const silent = new Set([
  '$defs',
  'definitions',
  '$comment',
  'readOnly',
  'writeOnly',
  // the values that its property has in the alternatives say the same
  'discriminator',
]);
/** Values with which a keyword says nothing. */
const nothing: Readonly<Record<string, unknown>> = {
  additionalProperties: true,
  unevaluatedProperties: true,
  unevaluatedItems: true,
  uniqueItems: false,
  nullable: false,
  deprecated: false,
};

/** @param rules by keyword; those that say nothing are left out. @returns a line each. */
export function tellRules(rules: JsonObject, root: JsonObject): readonly string[] {
  const { pattern, format, ...others } = rules;
  const rest = Object.entries(others).filter(
    ([key, value]) => !isSilent(key) && nothing[key] !== value,
  );
  return [
    ...(pattern === undefined ? [] : [cut(`Pattern: ${[pattern].flat().join(' and ')}`)]),
    ...(format === undefined ? [] : [cut(`Format: ${[format].flat().join(', ')}`)]),
    ...(rest.length === 0 ? [] : [`Also: ${showJson(Object.fromEntries(rest), root)}`]),
  ];
}

/** JSON with what references lead to; cut. */
export function showJson(value: unknown, root: JsonObject): string {
  return cut(JSON.stringify(withTargets(value, root, maxShownLevels)) ?? '');
}

export function cut(text: string, max = maxTold): string {
  return text.length > max ? `${[...text.slice(0, max)].slice(0, -1).join('')}…` : text;
}

export function describeSchema(description: unknown, lines: readonly string[]): string {
  return [...(typeof description === 'string' ? [description] : []), ...lines]
    .filter((line) => line !== '')
    .join('\n');
}

function isSilent(key: string): boolean {
  return silent.has(key) || key.startsWith('x-') || key.startsWith('~');
}

/** @param budget what may still be shown; the rest is left out. */
function withTargets(
  value: unknown,
  root: JsonObject,
  levels: number,
  budget = { left: maxTold },
): unknown {
  if (budget.left-- <= 0) {
    return undefined;
  }
  if (Array.isArray(value)) {
    return value.slice(0, maxTold).map((item) => withTargets(item, root, levels, budget));
  }
  if (!isJsonObject(value)) {
    return value;
  }
  const { $ref } = value;
  const target = typeof $ref === 'string' ? resolvePointer(root, $ref) : undefined;
  if (target !== undefined && levels > 0) {
    return withTargets(target, root, levels - 1, budget);
  }
  const entries = Object.entries(value).slice(0, maxTold);
  return Object.fromEntries(
    entries.map(([key, item]) => [key, withTargets(item, root, levels, budget)]),
  );
}

/** Where in a schema other schemas stand. */
import { unescapePointer } from '../../../base/pointer.js';

const lists = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);
const maps = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
]);
const values = new Set([
  'items',
  'additionalProperties',
  'additionalItems',
  'unevaluatedItems',
  'unevaluatedProperties',
  'contains',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
]);

/** Its value is a list of schemas. */
export function isSchemaList(keyword: string): boolean {
  return lists.has(keyword);
}

/** Its value is an object of schemas. */
export function isSchemaMap(keyword: string): boolean {
  return maps.has(keyword);
}

/** Its value is a schema. */
export function isSchemaValue(keyword: string): boolean {
  return values.has(keyword);
}

/** Whether a reference leads to where a schema stands, not into an example or a word that nobody knows. */
export function isSchemaPlace(reference: string): boolean {
  const parts = reference.split('/').slice(1).map(unescapePointer);
  for (let index = 0; index < parts.length; index++) {
    const keyword = parts[index] ?? '';
    const next = parts[index + 1] ?? '';
    if (isSchemaMap(keyword) && index + 1 < parts.length) {
      index++;
    } else if ((isSchemaList(keyword) || keyword === 'items') && /^\d+$/.test(next)) {
      index++;
    } else if (!isSchemaValue(keyword)) {
      return false;
    }
  }
  return true;
}

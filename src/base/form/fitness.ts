import type { JsonObject } from '../json.js';
import { largest } from '../lists.js';
import type { Field, ObjectField } from './field.js';
import { canHold } from './fieldModel.js';

/** Levels that are compared; what is deeper fits. */
const maxLevels = 2;
const maxItems = 20;

/** How well a value suits a field: 0 for one that it cannot be, and more the more of it the field knows. */
export function fitness(field: Field, value: unknown, levels = maxLevels): number {
  if (!canHold(field, value)) {
    return 0;
  }
  if (value === null && field.isNullable) {
    return 1;
  }
  switch (field.kind) {
    case 'json':
      return 0.5;
    case 'fixed':
      return 4;
    case 'choice':
      return 3;
    case 'number':
      return field.isInteger && !Number.isInteger(value) ? 0 : 2;
    case 'object':
      return levels === 0 ? 1 : objectFitness(field, value as JsonObject, levels);
    case 'array': {
      const { item } = field;
      const known = item && levels > 0 ? item() : undefined;
      const items = (value as readonly unknown[]).slice(0, maxItems);
      return !known || items.every((one) => fitness(known, one, levels - 1) > 0) ? 2 : 0;
    }
    case 'union':
      return levels === 0
        ? 1
        : largest(field.branches.map((branch) => fitness(branch.field(), value, levels - 1)));
    default:
      return 2;
  }
}

function objectFitness(field: ObjectField, value: JsonObject, levels: number): number {
  let sum = 1;
  const known = new Set<string>();
  for (const property of field.properties()) {
    known.add(property.name);
    if (Object.hasOwn(value, property.name)) {
      const fits = fitness(property, value[property.name], levels - 1);
      if (fits === 0) {
        return 0;
      }
      sum += fits;
    } else if (property.isRequired) {
      return 0;
    }
  }
  const unknown = Object.keys(value).filter((name) => !known.has(name)).length;
  return unknown > 0 && !field.others ? 0 : sum;
}

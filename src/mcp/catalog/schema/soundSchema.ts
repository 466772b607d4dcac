/**
 * A server's schema as arguments are checked against it before a call: as the server wrote it, without the parts that
 * say nothing (a type that nobody knows, a reference that leads nowhere, an empty list of values).
 */
import { asObject, isJsonObject, isTexts, type JsonObject } from '../../../base/json.js';
import { resolvePointer } from '../../../base/pointer.js';
import { isSchemaList, isSchemaMap, isSchemaPlace, isSchemaValue } from './places.js';

const maxDepth = 48;
/** They name schemas for references that nobody here follows. */
const dropped = new Set([
  '$schema',
  '$id',
  'id',
  '$anchor',
  '$dynamicAnchor',
  '$dynamicRef',
  '$vocabulary',
  '$recursiveRef',
  '$recursiveAnchor',
]);
const counts = new Set([
  'minimum',
  'maximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minContains',
  'maxContains',
  'minProperties',
  'maxProperties',
]);
const typeNames = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']);

export function makeSound(inputSchema: unknown): JsonObject {
  return new Cleaner(asObject(inputSchema)).cleanRoot();
}

class Cleaner {
  constructor(private readonly root: JsonObject) {}

  /** Arguments are an object, whatever the root says of its type. */
  cleanRoot(): JsonObject {
    const { type, ...rest } = this.root;
    const cleaned = this.clean(rest, 0);
    return isJsonObject(cleaned) ? { type: 'object', ...cleaned } : { type: 'object' };
  }

  private clean(value: unknown, depth: number): unknown {
    if (typeof value === 'boolean') {
      return value;
    }
    if (!isJsonObject(value) || depth > maxDepth) {
      return {};
    }
    const entries = Object.entries(value).flatMap(([key, item]) => {
      const cleaned = this.cleanKeyword(key, item, depth);
      return cleaned === undefined ? [] : [[key, cleaned] as const];
    });
    return Object.fromEntries(entries);
  }

  /** `undefined` drops the keyword. */
  private cleanKeyword(key: string, value: unknown, depth: number): unknown {
    if (dropped.has(key) && typeof value === 'string') {
      return undefined;
    }
    if (isSchemaMap(key)) {
      return this.cleanMap(key, value, depth);
    }
    if (isSchemaList(key) || (key === 'items' && Array.isArray(value))) {
      return this.cleanList(value, depth);
    }
    if (isSchemaValue(key)) {
      return this.clean(value, depth + 1);
    }
    return isKeywordValid(key, value, (reference) => this.resolve(reference)) ? value : undefined;
  }

  private cleanMap(key: string, value: unknown, depth: number): unknown {
    if (!isJsonObject(value)) {
      return undefined;
    }
    const entries = Object.entries(value).filter(
      ([name]) => key !== 'patternProperties' || isUnicodePattern(name),
    );
    return Object.fromEntries(
      entries.map(([name, schema]) => [name, this.clean(schema, depth + 1)]),
    );
  }

  private cleanList(value: unknown, depth: number): unknown {
    if (!Array.isArray(value) || value.length === 0) {
      return undefined;
    }
    return value.map((item) => this.clean(item, depth + 1));
  }

  private resolve(reference: string): unknown {
    return isSchemaPlace(reference) ? resolvePointer(this.root, reference) : undefined;
  }
}

function isKeywordValid(
  key: string,
  value: unknown,
  resolve: (reference: string) => unknown,
): boolean {
  switch (key) {
    case 'pattern':
      return typeof value === 'string' && isUnicodePattern(value);
    case '$ref':
      return typeof value === 'string' && isSchema(resolve(value));
    case 'type':
      return (
        [value].flat().length > 0 &&
        [value].flat().every((name) => typeof name === 'string' && typeNames.has(name))
      );
    case 'title':
    case 'description':
    case 'format':
      return typeof value === 'string';
    case 'required':
      return isTexts(value);
    case 'enum':
      return Array.isArray(value) && value.length > 0;
    default:
      return !counts.has(key) || typeof value === 'number';
  }
}

function isSchema(value: unknown): boolean {
  return typeof value === 'boolean' || isJsonObject(value);
}

/** It is compiled, not run. */
function isUnicodePattern(pattern: string): boolean {
  try {
    new RegExp(pattern, 'u');
    return true;
  } catch {
    // a syntax error is the answer
    return false;
  }
}

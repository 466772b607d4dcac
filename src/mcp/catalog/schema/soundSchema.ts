/**
 * A server's schema as arguments are checked against it before a call: as the server wrote it, without the parts that
 * say nothing (a type that nobody knows, a reference that leads nowhere, an empty list of values).
 */
import { asObject, isJsonObject, isTexts, type JsonObject } from '../../../base/json.js';
import { escapePointer, resolvePointer } from '../../../base/pointer.js';
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

export interface SoundSchema {
  readonly schema: JsonObject;
  /** What was left out, one plain phrase with its JSON pointer each; empty when the schema was fine. */
  readonly changes: readonly string[];
}

export function makeSound(inputSchema: unknown): SoundSchema {
  const cleaner = new Cleaner(asObject(inputSchema));
  return { schema: cleaner.cleanRoot(), changes: cleaner.changes };
}

class Cleaner {
  readonly changes: string[] = [];

  constructor(private readonly root: JsonObject) {}

  /** Arguments are an object, whatever the root says of its type. */
  cleanRoot(): JsonObject {
    const { type, ...rest } = this.root;
    const cleaned = this.clean(rest, '', 0);
    if (type !== undefined && type !== 'object') {
      this.note('', 'root type is not "object"');
    }
    return isJsonObject(cleaned) ? { type: 'object', ...cleaned } : { type: 'object' };
  }

  private note(pointer: string, what: string): void {
    this.changes.push(`${pointer || '/'}: ${what}`);
  }

  private clean(value: unknown, pointer: string, depth: number): unknown {
    if (typeof value === 'boolean') {
      return value;
    }
    if (!isJsonObject(value)) {
      this.note(pointer, 'not a schema');
      return {};
    }
    if (depth > maxDepth) {
      this.note(pointer, 'nested too deeply');
      return {};
    }
    const entries = Object.entries(value).flatMap(([key, item]) => {
      const cleaned = this.cleanKeyword(key, item, `${pointer}/${escapePointer(key)}`, depth);
      return cleaned === undefined ? [] : [[key, cleaned] as const];
    });
    return Object.fromEntries(entries);
  }

  /** `undefined` drops the keyword. */
  private cleanKeyword(key: string, value: unknown, pointer: string, depth: number): unknown {
    if (dropped.has(key) && typeof value === 'string') {
      return undefined;
    }
    if (isSchemaMap(key)) {
      return this.cleanMap(key, value, pointer, depth);
    }
    if (isSchemaList(key) || (key === 'items' && Array.isArray(value))) {
      return this.cleanList(value, pointer, depth);
    }
    if (isSchemaValue(key)) {
      return this.clean(value, pointer, depth + 1);
    }
    if (!isKeywordValid(key, value, (reference) => this.resolve(reference))) {
      this.note(pointer, `dropped, ${JSON.stringify(value)?.slice(0, 80)} is not usable`);
      return undefined;
    }
    return value;
  }

  private cleanMap(key: string, value: unknown, pointer: string, depth: number): unknown {
    if (!isJsonObject(value)) {
      this.note(pointer, 'dropped, not an object');
      return undefined;
    }
    const entries = Object.entries(value).filter(
      ([name]) => key !== 'patternProperties' || this.keepPattern(name, pointer),
    );
    return Object.fromEntries(
      entries.map(([name, schema]) => [
        name,
        this.clean(schema, `${pointer}/${escapePointer(name)}`, depth + 1),
      ]),
    );
  }

  private keepPattern(pattern: string, pointer: string): boolean {
    const isValid = isUnicodePattern(pattern);
    if (!isValid) {
      this.note(`${pointer}/${escapePointer(pattern)}`, 'dropped, the pattern does not compile');
    }
    return isValid;
  }

  private cleanList(value: unknown, pointer: string, depth: number): unknown {
    if (!Array.isArray(value) || value.length === 0) {
      this.note(pointer, 'dropped, not a list of schemas');
      return undefined;
    }
    return value.map((item, index) => this.clean(item, `${pointer}/${index}`, depth + 1));
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

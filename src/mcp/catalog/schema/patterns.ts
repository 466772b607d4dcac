/**
 * Takes out of a schema what `RegExp` would run: Pi's validator has no other engine, and some patterns take it for ever.
 * What is left allows more than before, never less.
 */
import { isJsonObject, type JsonObject } from '../../../base/json.js';
import { escapePointer, resolvePointer } from '../../validation/pointer.js';
import { isSchemaList, isSchemaMap, isSchemaValue } from './places.js';

/** Characters; the model reads them. */
const maxShownPattern = 300;
/** Schemas that hold for one value, references followed; more than any real one has. */
const maxUnfolded = 10_000;

/** @param note is told the pointer and what was done there. */
export function withoutPatterns(
  schema: JsonObject,
  note: (pointer: string, what: string) => void,
): JsonObject {
  const open = new Opener(note).open(schema, '').schema;
  return isJsonObject(open) ? dropLostReferences(open, open) : {};
}

interface Opened {
  readonly schema: unknown;
  /** It may allow more than before. */
  readonly isWider: boolean;
}

class Opener {
  constructor(private readonly note: (pointer: string, what: string) => void) {}

  open(schema: unknown, pointer: string): Opened {
    if (!isJsonObject(schema)) {
      return { schema, isWider: false };
    }
    // what it leads to may be wider
    let isWider = schema.$ref !== undefined;
    const wider = new Set<string>();
    const entries = Object.entries(schema).map(([key, item]) => {
      const opened = this.openKeyword(key, item, `${pointer}/${escapePointer(key)}`);
      if (opened.isWider) {
        wider.add(key);
        isWider = true;
      }
      return [key, opened.schema] as const;
    });
    if (!isWider) {
      return { schema, isWider };
    }
    return { schema: this.widen(Object.fromEntries(entries), wider, pointer), isWider };
  }

  private openKeyword(key: string, value: unknown, pointer: string): Opened {
    if (key === 'pattern' || key === 'patternProperties') {
      this.note(pointer, 'left to the check before the call');
      return { schema: value, isWider: true };
    }
    if (isSchemaMap(key) && isJsonObject(value)) {
      const parts = Object.entries(value).map(
        ([name, part]) => [name, this.open(part, `${pointer}/${escapePointer(name)}`)] as const,
      );
      return {
        schema: Object.fromEntries(parts.map(([name, { schema }]) => [name, schema])),
        isWider: parts.some(([, part]) => part.isWider),
      };
    }
    if (isSchemaList(key) && Array.isArray(value)) {
      const parts = value.map((part, index) => this.open(part, `${pointer}/${index}`));
      return {
        schema: parts.map(({ schema }) => schema),
        isWider: parts.some((part) => part.isWider),
      };
    }
    return isSchemaValue(key) ? this.open(value, pointer) : { schema: value, isWider: false };
  }

  /** Where a wider part would narrow the whole, the whole is given up. */
  private widen(opened: JsonObject, wider: ReadonlySet<string>, pointer: string): JsonObject {
    const result: Record<string, unknown> = { ...opened };
    const drop = (...keys: readonly string[]) => {
      for (const key of keys) {
        if (result[key] !== undefined) {
          this.note(`${pointer}/${key}`, 'dropped, it depends on a pattern');
          delete result[key];
        }
      }
    };
    if (typeof result.pattern === 'string') {
      result.description = describe(result.description, result.pattern);
    }
    delete result.pattern;
    if (result.patternProperties !== undefined) {
      delete result.patternProperties;
      drop('additionalProperties');
    }
    drop('unevaluatedProperties', 'unevaluatedItems');
    if (wider.has('not')) {
      drop('not');
    }
    if (wider.has('if')) {
      drop('if', 'then', 'else');
    }
    if (wider.has('contains')) {
      drop('maxContains');
    }
    if (wider.has('oneOf')) {
      result.anyOf ??= result.oneOf;
      drop('oneOf');
    }
    return result;
  }
}

function describe(description: unknown, pattern: string): string {
  const shown =
    pattern.length > maxShownPattern ? `${pattern.slice(0, maxShownPattern)}…` : pattern;
  const before = typeof description === 'string' && description !== '' ? `${description}\n` : '';
  return `${before}Pattern: ${shown}`;
}

function dropLostReferences(schema: JsonObject, root: JsonObject): JsonObject {
  return mapReferences(schema, (reference) => resolvePointer(root, reference) !== undefined);
}

/** The same schema without the references that are not kept. */
export function mapReferences(
  schema: JsonObject,
  isKept: (reference: string) => boolean,
): JsonObject {
  const inner = (value: unknown): unknown =>
    isJsonObject(value) ? mapReferences(value, isKept) : value;
  const entries = Object.entries(schema).flatMap(([key, value]): [string, unknown][] => {
    if (key === '$ref' && typeof value === 'string' && !isKept(value)) {
      return [];
    }
    if (isSchemaMap(key) && isJsonObject(value)) {
      const parts = Object.entries(value).map(([name, part]) => [name, inner(part)] as const);
      return [[key, Object.fromEntries(parts)]];
    }
    if (isSchemaList(key) && Array.isArray(value)) {
      return [[key, value.map(inner)]];
    }
    return [[key, isSchemaValue(key) ? inner(value) : value]];
  });
  return Object.fromEntries(entries);
}

const inPlaceLists = ['allOf', 'anyOf', 'oneOf'];
const inPlaceValues = ['not', 'if', 'then', 'else'];

/** Whether references multiply until one value is checked against more schemas than anybody has time for. */
export function isBomb(root: JsonObject): boolean {
  const sizes = new Map<unknown, number>();
  const open = new Set<unknown>();
  const measure = (schema: unknown): number => {
    const known = sizes.get(schema);
    if (known !== undefined || !isJsonObject(schema)) {
      return known ?? 1;
    }
    if (open.has(schema)) {
      // for the same value again and again
      return Number.POSITIVE_INFINITY;
    }
    open.add(schema);
    const parts = [
      ...inPlaceLists.flatMap((key) => (Array.isArray(schema[key]) ? schema[key] : [])),
      ...inPlaceValues.map((key) => schema[key]),
      ...(isJsonObject(schema.dependentSchemas) ? Object.values(schema.dependentSchemas) : []),
      ...(typeof schema.$ref === 'string' ? [resolvePointer(root, schema.$ref)] : []),
    ];
    const size = parts.reduce<number>((sum, part) => sum + measure(part), 1);
    open.delete(schema);
    sizes.set(schema, size);
    return size;
  };
  let isTooLarge = false;
  const visit = (schema: JsonObject): JsonObject =>
    mapReferences(schema, (reference) => {
      isTooLarge ||= measure(resolvePointer(root, reference)) > maxUnfolded;
      return true;
    });
  visit(root);
  return isTooLarge;
}

/**
 * Makes a server's `inputSchema` safe for every model provider and for Pi's validator, which runs patterns without a
 * bound and fails a call on a reference that leads nowhere. What cannot be kept is opened up, never guessed.
 */
import { isJsonObject, type JsonObject } from '../../../base/json.js';
import { escapePointer, resolvePointer } from '../../validation/pointer.js';
import { hasPattern } from '../../validation/schemaCheck.js';
import { isBomb, mapReferences, withoutPatterns } from './patterns.js';
import { isSchemaList, isSchemaMap, isSchemaPlace, isSchemaValue } from './places.js';

export interface SafeSchema {
  readonly schema: JsonObject;
  /** The same with its patterns, for a check in bounded time; undefined when it has none. */
  readonly patterned?: JsonObject;
  /** What was changed, one plain phrase with its JSON pointer each; empty when the schema was fine. */
  readonly changes: readonly string[];
}

const maxDepth = 48;
const dropped = new Set([
  '$schema',
  '$id',
  '$anchor',
  '$dynamicAnchor',
  '$dynamicRef',
  '$vocabulary',
  '$recursiveRef',
  '$recursiveAnchor',
  // of draft 7, and looked at by nobody here
  'dependencies',
]);
const typeNames = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']);

export function makeSchemaSafe(inputSchema: unknown): SafeSchema {
  if (!isJsonObject(inputSchema)) {
    return { schema: { type: 'object', properties: {} }, changes: ['/: not a schema'] };
  }
  const cleaner = new Cleaner(inputSchema);
  const root = cleaner.cleanRoot();
  const { changes } = cleaner;
  const given: string[] = [];
  const schema = hasPattern(root)
    ? withoutPatterns(root, (pointer, what) => given.push(`${pointer}: ${what}`))
    : root;
  return given.length === 0
    ? { schema: root, changes }
    : { schema, patterned: root, changes: [...changes, ...given] };
}

class Cleaner {
  readonly changes: string[] = [];

  constructor(private readonly root: JsonObject) {}

  cleanRoot(): JsonObject {
    const cleaned = this.clean(this.inlineRootReference(), '', 0);
    const flat = this.flattenRoot(isJsonObject(cleaned) ? cleaned : {});
    if (flat.type !== undefined && flat.type !== 'object') {
      this.note('', 'root type is not "object"');
    }
    const properties = isJsonObject(flat.properties) ? flat.properties : {};
    return this.defuse({ ...flat, type: 'object', properties });
  }

  private defuse(schema: JsonObject): JsonObject {
    if (!isBomb(schema)) {
      return schema;
    }
    this.note('', 'references opened, they multiply');
    return mapReferences(schema, () => false);
  }

  private note(pointer: string, what: string): void {
    this.changes.push(`${pointer || '/'}: ${what}`);
  }

  private inlineRootReference(): JsonObject {
    let schema = this.root;
    const seen = new Set<unknown>([this.root]);
    while (typeof schema.$ref === 'string') {
      const target = this.resolve(schema.$ref);
      if (!isJsonObject(target) || seen.has(target)) {
        break;
      }
      seen.add(target);
      this.note('', `"$ref" ${schema.$ref} written out`);
      const { $ref: _, ...rest } = schema;
      schema = { ...target, ...rest };
    }
    return schema;
  }

  /** Providers refuse `anyOf`, `oneOf` and `allOf` at the root: offer the union of the branches' properties. */
  private flattenRoot(schema: JsonObject): JsonObject {
    let flat = schema;
    for (const keyword of ['allOf', 'anyOf', 'oneOf'] as const) {
      const { [keyword]: list, ...rest } = flat;
      if (!Array.isArray(list)) {
        continue;
      }
      this.note(`/${keyword}`, 'merged into the root');
      const branches = list.map((branch) => this.branchOf(branch));
      const properties = Object.assign({}, ...branches.map(propertiesOf), propertiesOf(rest));
      const required = combineRequired(branches, keyword === 'allOf');
      flat = { ...rest, properties };
      const all = [...new Set([...stringsOf(rest.required), ...required])];
      flat = all.length > 0 ? { ...flat, required: all } : flat;
    }
    return flat;
  }

  private branchOf(branch: unknown): JsonObject {
    const reference = isJsonObject(branch) ? branch.$ref : undefined;
    const target = typeof reference === 'string' ? this.resolve(reference) : branch;
    const cleaned = reference ? new Cleaner(this.root).clean(target, '', 0) : target;
    return isJsonObject(cleaned) ? cleaned : {};
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
    return this.completeArray(Object.fromEntries(entries), pointer);
  }

  /** `undefined` drops the keyword. */
  private cleanKeyword(key: string, value: unknown, pointer: string, depth: number): unknown {
    // TypeBox, which Pi checks with, takes words with a tilde for its own and property names for patterns then
    if (dropped.has(key) || key.startsWith('~')) {
      this.note(pointer, 'dropped');
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
    return this.keepIf(
      isKeywordValid(key, value, (reference) => this.resolve(reference)),
      {
        value,
        pointer,
      },
    );
  }

  private keepIf(isValid: boolean, at: { readonly value: unknown; readonly pointer: string }) {
    if (!isValid) {
      this.note(at.pointer, `dropped, ${JSON.stringify(at.value)?.slice(0, 80)} is not usable`);
    }
    return isValid ? at.value : undefined;
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

  /** Providers want `items` on every array, and the tuple form in its 2020-12 spelling. */
  private completeArray(schema: JsonObject, pointer: string): JsonObject {
    if (Array.isArray(schema.items)) {
      this.note(pointer, 'tuple written as "prefixItems"');
      const { additionalItems, ...rest } = schema;
      return { ...rest, prefixItems: schema.items, items: additionalItems ?? {} };
    }
    if (schema.type === 'array' && schema.items === undefined) {
      this.note(pointer, '"items" added');
      return { ...schema, items: {} };
    }
    return schema;
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
      return [value].flat().every((name) => typeof name === 'string' && typeNames.has(name));
    case 'required':
      return Array.isArray(value) && value.every((name) => typeof name === 'string');
    case 'enum':
      return Array.isArray(value) && value.length > 0;
    default:
      return true;
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

function propertiesOf(schema: JsonObject): JsonObject {
  return isJsonObject(schema.properties) ? schema.properties : {};
}

function combineRequired(branches: readonly JsonObject[], isEveryBranch: boolean): string[] {
  const lists = branches.map((branch) => stringsOf(branch.required));
  const names = [...new Set(lists.flat())];
  return isEveryBranch ? names : names.filter((name) => lists.every((list) => list.includes(name)));
}

function stringsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

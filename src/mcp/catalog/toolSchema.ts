/**
 * Makes a server's `inputSchema` safe for every model provider and for Pi's validator, which fails a call on a pattern
 * that does not compile or a reference that leads nowhere. What cannot be kept is opened up, never guessed.
 */
import { isJsonObject, type JsonObject } from '../../base/json.js';

export interface SafeSchema {
  readonly schema: JsonObject;
  /** What was changed, one plain phrase with its JSON pointer each; empty when the schema was fine. */
  readonly changes: readonly string[];
}

const maxDepth = 48;
const schemaLists = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);
const schemaMaps = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
]);
const schemaValues = new Set([
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
const dropped = new Set([
  '$schema',
  '$id',
  '$anchor',
  '$dynamicAnchor',
  '$dynamicRef',
  '$vocabulary',
]);
const typeNames = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']);

export function makeSchemaSafe(inputSchema: unknown): SafeSchema {
  if (!isJsonObject(inputSchema)) {
    return { schema: { type: 'object', properties: {} }, changes: ['/: not a schema'] };
  }
  const cleaner = new Cleaner(inputSchema);
  const root = cleaner.cleanRoot();
  return { schema: root, changes: cleaner.changes };
}

class Cleaner {
  readonly changes: string[] = [];

  constructor(private readonly root: JsonObject) {}

  cleanRoot(): JsonObject {
    const cleaned = this.clean(this.inlineRootReference(), '', 0);
    const flat = this.flattenRoot(isJsonObject(cleaned) ? cleaned : {});
    if (flat.type === 'object') {
      return { ...flat, properties: isJsonObject(flat.properties) ? flat.properties : {} };
    }
    if (flat.type !== undefined) {
      this.note('', 'root type is not "object"');
    }
    return { ...flat, type: 'object', properties: flat.properties ?? {} };
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
    if (dropped.has(key)) {
      this.note(pointer, 'dropped');
      return undefined;
    }
    if (schemaMaps.has(key)) {
      return this.cleanMap(key, value, pointer, depth);
    }
    if (schemaLists.has(key) || (key === 'items' && Array.isArray(value))) {
      return this.cleanList(value, pointer, depth);
    }
    if (schemaValues.has(key)) {
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

  /** Target of a reference inside this document; `undefined` for every other. */
  private resolve(reference: string): unknown {
    if (reference !== '#' && !reference.startsWith('#/')) {
      return undefined;
    }
    let target: unknown = this.root;
    for (const part of reference.split('/').slice(1)) {
      const key = unescapePointer(part);
      const isOwn = typeof target === 'object' && target !== null && Object.hasOwn(target, key);
      target = isOwn ? (target as JsonObject)[key] : undefined;
    }
    return target;
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

/** Pi's validator compiles patterns with the `u` flag. */
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

function escapePointer(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

function unescapePointer(part: string): string {
  let decoded = part;
  try {
    decoded = decodeURIComponent(part);
  } catch {
    // not percent-encoded
  }
  return decoded.replaceAll('~1', '/').replaceAll('~0', '~');
}

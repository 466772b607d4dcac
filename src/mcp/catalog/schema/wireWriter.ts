/** Writes a schema with the keywords alone that every wire takes. */
import { asList, asObject, defined, isJsonObject, type JsonObject } from '../../../base/json.js';
import {
  exactlyOne,
  hasUnion,
  isObjectWithUnion,
  joinUnion,
  mayOverlap,
  mergeUnion,
  takeUnion,
} from './alternatives.js';
import { type Expanded, type Followed, mostOf, References } from './references.js';
import { cut, describeSchema, showJson, tellRules } from './told.js';
import {
  annotations,
  arrayKeywords,
  boundsOf,
  formatOf,
  numberKeywords,
  objectKeywords,
  textKeywords,
  typesOf,
  valuesOf,
} from './wireKeywords.js';

export interface WireLimits {
  /** How often a reference may lead to itself. */
  readonly maxReturns: number;
  /** Levels of schemas. */
  readonly maxDepth: number;
  /** Schemas that are written or followed; further ones are left open. */
  readonly maxParts: number;
}

/** What stands beside alternatives and holds for each of them. */
const branchKeywords = [
  ...['type', 'enum', 'const', 'oneOf', 'additionalProperties', 'patternProperties'],
  ...['properties', 'required', 'items', 'prefixItems', 'additionalItems', 'minItems', 'maxItems'],
  ...['minLength', 'maxLength', 'pattern', 'format'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
];

interface Place {
  readonly depth: number;
  readonly followed: Followed;
}

/** What one type of value keeps of a schema. */
interface Typed {
  readonly schema: JsonObject;
  /** Rules that it leaves out, by keyword. */
  readonly told?: JsonObject;
  readonly lines?: readonly string[];
}

export class WireWriter {
  private readonly references: References;
  private parts = 0;

  constructor(
    private readonly root: JsonObject,
    private readonly limits: WireLimits,
  ) {
    this.references = new References(root, limits);
  }

  /** Nothing was left open for its size. */
  get isWhole(): boolean {
    return this.parts <= this.limits.maxParts && !this.references.isExhausted;
  }

  writeRoot(): { readonly schema: JsonObject; readonly told: readonly string[] } {
    const nowhere = { depth: 0, followed: new Map() };
    const expanded = this.references.expand(this.root, nowhere.followed);
    const { schema, lines, place } = this.withoutUnion(expanded ?? noSchema, nowhere);
    const { description, title: _, default: __, ...rules } = schema;
    const written = this.writeObject(rules, place);
    const { type, properties = {}, required } = written.schema;
    const others = without(rules, [...objectKeywords, 'type', 'additionalProperties']);
    const open = rules.additionalProperties;
    return {
      schema: defined({ type, properties, required }),
      told: [
        ...(typeof description === 'string' ? [cut(description)] : []),
        ...lines,
        ...tellRules(
          isJsonObject(open) ? { ...others, additionalProperties: open } : others,
          this.root,
        ),
        ...tellRules(expanded?.lost ?? {}, this.root),
        ...(written.lines ?? []),
      ],
    };
  }

  /** @returns `undefined` when no value fits. */
  private write(value: unknown, place: Place): JsonObject | undefined {
    if (value === false) {
      return undefined;
    }
    this.parts++;
    if (place.depth > this.limits.maxDepth || !this.isWhole) {
      return leftOpen(value);
    }
    const expanded = this.references.expand(value, place.followed);
    if (!expanded || !this.isWhole) {
      return expanded && leftOpen(value);
    }
    const { schema } = expanded;
    return isObjectWithUnion(schema) || !hasUnion(schema)
      ? this.writePlain(expanded, place)
      : this.writeUnion(expanded, place);
  }

  private inside(place: Place, followed = place.followed): Place {
    return { depth: place.depth + 1, followed };
  }

  // #region alternatives

  /** An object whose alternatives say more about its properties, as one object. */
  private withoutUnion({ schema, followed }: Expanded, place: Place) {
    const own = { ...place, followed };
    if (!hasUnion(schema)) {
      return { schema, lines: [], place: own };
    }
    const { union, isExclusive, rest } = takeUnion(schema);
    const branches = union.flatMap((branch) => this.references.expand(branch, followed) ?? []);
    const schemas = branches.map((branch) => branch.schema);
    const merged = mergeUnion(rest, schemas, isExclusive, this.root);
    const lost = branches.flatMap((branch) => tellRules(branch.lost, this.root));
    // what any of them followed counts for all of their properties
    const all = branches.reduce((sum, branch) => mostOf(sum, branch.followed), followed);
    return {
      schema: merged.schema,
      lines: [...merged.lines, ...lost],
      place: { ...place, followed: all },
    };
  }

  private writeUnion({ schema, followed, lost }: Expanded, place: Place): JsonObject | undefined {
    const { union, isExclusive, rest } = takeUnion(schema);
    const [notes, others] = split(rest, annotations);
    const [rules, told] = split(others, branchKeywords);
    const isNarrowed = Object.keys(rules).length > 0;
    const inner = this.inside(place, followed);
    const branches = union.flatMap((branch): readonly JsonObject[] => {
      const written = this.write(isNarrowed ? { allOf: [branch, rules] } : branch, inner);
      return written ? [written] : [];
    });
    if (branches.length === 0) {
      return undefined;
    }
    const { schema: joined, lines } = joinUnion(branches);
    const exclusive = isExclusive && mayOverlap(joined) ? [exactlyOne] : [];
    return annotate(joined, notes, [
      ...lines,
      ...exclusive,
      ...tellRules(told, this.root),
      ...tellRules(lost, this.root),
    ]);
  }

  // #endregion

  // #region types

  private writePlain(expanded: Expanded, place: Place): JsonObject | undefined {
    const { schema, lines, place: own } = this.withoutUnion(expanded, place);
    const [notes, rules] = split(schema, annotations);
    const types = typesOf(rules);
    const values = valuesOf(rules);
    const written = types.flatMap((type) => this.writeType(type, rules, values, own) ?? []);
    if (values && types.length > 0 && written.length === 0) {
      return undefined;
    }
    const rest = without(rules, ['type', 'enum', 'const', ...types.flatMap(keywordsOf)]);
    const left = Object.fromEntries(
      [rest, ...written.map((typed) => typed.told ?? {})].flatMap((rules) => Object.entries(rules)),
    );
    const told = [
      ...lines,
      ...written.flatMap((typed) => typed.lines ?? []),
      ...tellValues(types, values, this.root),
      ...tellRules(left, this.root),
      ...tellRules(expanded.lost, this.root),
    ];
    const [only = {}, ...others] = written.map((typed) => typed.schema);
    const joined = others.length > 0 ? { anyOf: [only, ...others] } : only;
    return annotate(joined, notes, told);
  }

  private writeType(
    type: string,
    rules: JsonObject,
    values: readonly unknown[] | undefined,
    place: Place,
  ): Typed | undefined {
    switch (type) {
      case 'object':
        return this.writeObject(rules, place);
      case 'array':
        return this.writeArray(rules, place);
      case 'string': {
        const choices = values?.filter((value) => typeof value === 'string');
        const { schema, told } = formatOf(rules, ['date-time']);
        const bounds = boundsOf(rules, textKeywords);
        return choices?.length === 0
          ? undefined
          : {
              schema: defined({ type, enum: choices, ...bounds.schema, ...schema }),
              told: { ...bounds.told, ...told, pattern: rules.pattern },
            };
      }
      case 'number':
      case 'integer': {
        const choices = values?.filter((value) => typeof value === 'number');
        const { schema, told } = formatOf(rules, ['int32', 'int64', 'float', 'double']);
        const bounds = boundsOf(rules, numberKeywords, type);
        return choices?.length === 0
          ? undefined
          : {
              schema: defined({ type, enum: choices, ...bounds.schema, ...schema }),
              told: { ...bounds.told, ...told },
            };
      }
      case 'boolean':
        return values?.every((value) => typeof value !== 'boolean')
          ? undefined
          : { schema: { type } };
      default:
        return values?.every((value) => value !== null) ? undefined : { schema: { type } };
    }
  }

  // #endregion

  private writeObject(rules: JsonObject, place: Place): Typed {
    const inner = this.inside(place);
    const never: string[] = [];
    const given = isJsonObject(rules.properties) ? Object.entries(rules.properties) : [];
    const written = given.flatMap(([name, part]): (readonly [string, JsonObject])[] => {
      const schema = this.write(part, inner);
      if (!schema) {
        never.push(name);
      }
      return schema ? [[name, schema]] : [];
    });
    const names = new Set(written.map(([name]) => name));
    const named = new Set(stringsOf(rules.required));
    const required = [...named].filter((name) => !never.includes(name));
    const unknown = required.filter((name) => !names.has(name));
    const properties = [...written, ...unknown.map((name) => [name, {}] as const)];
    const isGiven = rules.properties !== undefined || properties.length > 0;
    const open = this.writeOpenness(rules, inner);
    return {
      schema: defined({
        type: 'object',
        properties: isGiven ? Object.fromEntries(properties) : undefined,
        required: required.length > 0 ? required : undefined,
        additionalProperties: open,
      }),
      lines: never.length > 0 ? [`Not allowed: ${cut(never.join(', '))}`] : [],
    };
  }

  /** What properties that are not listed may be; `undefined` when they may be anything. */
  private writeOpenness(rules: JsonObject, place: Place): JsonObject | false | undefined {
    const { additionalProperties, patternProperties } = rules;
    const patterned = isJsonObject(patternProperties) ? Object.values(patternProperties) : [];
    if (patterned.length > 0) {
      // a schema for names of a pattern alone can be said of all names when there are no others
      const any = { anyOf: patterned };
      return additionalProperties === false ? (this.write(any, place) ?? false) : undefined;
    }
    if (!isJsonObject(additionalProperties)) {
      return additionalProperties === false ? false : undefined;
    }
    return this.write(additionalProperties, place) ?? false;
  }

  /** A list of schemas for its places becomes one for all of them. */
  private writeArray(rules: JsonObject, place: Place): Typed {
    const inner = this.inside(place);
    const { schema: bounds, told } = boundsOf(rules, ['minItems', 'maxItems']);
    const isOldTuple = Array.isArray(rules.items);
    const tuple = isOldTuple ? rules.items : rules.prefixItems;
    const rest = isOldTuple ? rules.additionalItems : rules.items;
    const listed = asList(tuple);
    const places = listed.map((part) => this.write(part, inner) ?? {});
    const others = rest === undefined ? {} : this.write(rest, inner);
    const max = typeof bounds.maxItems === 'number' ? bounds.maxItems : Number.POSITIVE_INFINITY;
    const isClosed = others === undefined || max <= places.length;
    const all: readonly JsonObject[] = isClosed ? places : [...places, others];
    const items = all.length === 0 ? {} : joinUnion(all).schema;
    const isOpen = all.some((part) => Object.keys(part).length === 0);
    return {
      schema: {
        type: 'array',
        items: isOpen ? {} : items,
        ...bounds,
        ...(isClosed && { maxItems: Math.min(max, places.length) }),
      },
      told,
      lines: places.length > 0 ? [`Items in this order: ${showJson(places, this.root)}`] : [],
    };
  }
}

const noSchema: Expanded = { schema: {}, followed: new Map(), lost: {} };

function leftOpen(value: unknown): JsonObject {
  const { type, description } = asObject(value);
  const told = 'Left open here: the schema of the server goes deeper.';
  return {
    ...(type === 'array' ? { type, items: {} } : typeof type === 'string' && { type }),
    description: describeSchema(description, [told]),
  };
}

function keywordsOf(type: string): readonly string[] {
  switch (type) {
    case 'object':
      return [...objectKeywords, 'additionalProperties'];
    case 'array':
      return arrayKeywords;
    case 'string':
      return [...textKeywords, 'format', 'pattern'];
    case 'number':
    case 'integer':
      return [...numberKeywords, 'format'];
    default:
      return [];
  }
}

/** Values that no list can hold. */
function tellValues(
  types: readonly string[],
  values: readonly unknown[] | undefined,
  root: JsonObject,
): readonly string[] {
  const booleans = values?.filter((value) => typeof value === 'boolean') ?? [];
  const isNarrow = types.includes('boolean') && new Set(booleans).size === 1;
  const isStructured = values?.some((value) => typeof value === 'object' && value !== null);
  return values && (isNarrow || isStructured)
    ? [`Only these values: ${showJson(values, root)}`]
    : [];
}

function annotate(schema: JsonObject, notes: JsonObject, lines: readonly string[]): JsonObject {
  const { description: inner, title, ...rest } = schema;
  const { description, ...others } = notes;
  const text = describeSchema(describeSchema(description, []), [
    ...(typeof inner === 'string' && inner !== description ? [inner] : []),
    ...new Set(lines),
  ]);
  return defined({ ...rest, title, ...others, description: text || undefined });
}

function split(schema: JsonObject, keys: readonly string[]): readonly [JsonObject, JsonObject] {
  const entries = Object.entries(schema);
  return [
    Object.fromEntries(entries.filter(([key]) => keys.includes(key))),
    Object.fromEntries(entries.filter(([key]) => !keys.includes(key))),
  ];
}

function without(schema: JsonObject, keys: readonly string[]): JsonObject {
  return split(schema, keys)[1];
}

function stringsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

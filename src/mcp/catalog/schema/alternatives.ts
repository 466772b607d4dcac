/** `anyOf` and `oneOf`: as one object where they must be, and as short as they can be elsewhere. */
import { defined, isJsonObject, type JsonObject, stableStringify } from '../../../base/json.js';
import { cut, showJson } from './told.js';
import { typesOf, valuesOf } from './wireKeywords.js';

/** For the model, so in English. */
export const exactlyOne = 'Exactly one of these fits.';

/** More are counted only. */
const maxDescribed = 12;

interface Lined {
  readonly schema: JsonObject;
  readonly lines: readonly string[];
}

export function hasUnion({ anyOf, oneOf }: JsonObject): boolean {
  return Array.isArray(anyOf) || Array.isArray(oneOf);
}

/** The alternatives only add to what the object says of its own properties. */
export function isObjectWithUnion(schema: JsonObject): boolean {
  const { type, properties, required } = schema;
  const hasOwn = isJsonObject(properties) || Array.isArray(required);
  return hasUnion(schema) && hasOwn && (type === 'object' || type === undefined);
}

/** @returns one union and the rest, which may have the other one. */
export function takeUnion(schema: JsonObject) {
  const { anyOf, ...withoutAny } = schema;
  if (Array.isArray(anyOf)) {
    return { union: anyOf as readonly unknown[], isExclusive: false, rest: withoutAny };
  }
  const { oneOf, ...rest } = schema;
  const union: readonly unknown[] = Array.isArray(oneOf) ? oneOf : [];
  return { union, isExclusive: union.length > 1, rest };
}

// #region one object

/** An object with the properties of all; which of them go together is told. @param branches without references */
export function mergeUnion(
  rest: JsonObject,
  branches: readonly JsonObject[],
  isExclusive: boolean,
  root: JsonObject,
): Lined {
  const objects = branches.filter((branch) => {
    const types = typesOf(branch);
    return types.length === 0 || types.includes('object');
  });
  const own = propertiesOf(rest);
  const variants = new Map<string, unknown[]>();
  for (const [name, part] of objects.flatMap((branch) => Object.entries(propertiesOf(branch)))) {
    if (!Object.hasOwn(own, name)) {
      variants.set(name, [...(variants.get(name) ?? []), part]);
    }
  }
  const added = [...variants].map(([name, parts]) => [name, anyOf(parts)] as const);
  const required = [...new Set([...stringsOf(rest.required), ...sharedRequired(objects)])];
  const isClosed =
    rest.additionalProperties === undefined &&
    objects.length > 0 &&
    objects.every((branch) => branch.additionalProperties === false);
  return {
    schema: {
      ...rest,
      type: 'object',
      properties: Object.fromEntries([...Object.entries(own), ...added]),
      ...defined({
        required: required.length > 0 ? required : undefined,
        additionalProperties: isClosed ? false : undefined,
      }),
    },
    lines: describeUnion(objects, { own, required, isExclusive, root }),
  };
}

function anyOf(parts: readonly unknown[]): unknown {
  const distinct = [...new Map(parts.map((part) => [stableStringify(part), part])).values()];
  return distinct.length === 1 ? distinct[0] : { anyOf: distinct };
}

function sharedRequired(branches: readonly JsonObject[]): readonly string[] {
  const [first = [], ...others] = branches.map(({ required }) => stringsOf(required));
  return first.filter((name) => others.every((list) => list.includes(name)));
}

interface UnionContext {
  readonly own: JsonObject;
  readonly required: readonly string[];
  readonly isExclusive: boolean;
  readonly root: JsonObject;
}

function describeUnion(branches: readonly JsonObject[], context: UnionContext): readonly string[] {
  if (branches.length < 2 && !branches.some(saysMore)) {
    return [];
  }
  const described = branches
    .slice(0, maxDescribed)
    .map((branch) => describeBranch(branch, context));
  const others = branches.length - described.length;
  const head = context.isExclusive ? 'Exactly one of' : 'At least one of';
  const tail = others > 0 ? `, or ${others} more` : '';
  return [`${head}: ${described.map((text) => `(${text})`).join(' or ')}${tail}`];
}

function saysMore({ required, properties }: JsonObject): boolean {
  return required !== undefined || properties !== undefined;
}

function describeBranch(branch: JsonObject, { own, required, root }: UnionContext): string {
  const { title, description, type: _, properties: __, required: needs, ...others } = branch;
  const { additionalProperties: ___, ...rules } = others;
  const parts = Object.entries(propertiesOf(branch));
  const fixed = parts.flatMap(([name, part]) => {
    const values = isJsonObject(part) ? valuesOf(part) : undefined;
    return values
      ? [`${name} is ${values.map((value) => JSON.stringify(value)).join(' or ')}`]
      : [];
  });
  const isFixed = (name: string) => fixed.some((text) => text.startsWith(`${name} is `));
  const needed = stringsOf(needs).filter((name) => !required.includes(name) && !isFixed(name));
  const optional = parts
    .map(([name]) => name)
    .filter((name) => !isFixed(name) && !stringsOf(needs).includes(name));
  const narrowed = parts.filter(([name]) => Object.hasOwn(own, name) && !isFixed(name));
  const text = [
    ...(typeof title === 'string' ? [title] : typeof description === 'string' ? [description] : []),
    ...fixed,
    ...(needed.length > 0 ? [`with ${needed.join(', ')}`] : []),
    ...(optional.length > 0 ? [`may have ${optional.join(', ')}`] : []),
    ...narrowed.map(([name, part]) => `${name}: ${showJson(part, root)}`),
    ...(Object.keys(rules).length > 0 ? [showJson(rules, root)] : []),
  ].join('; ');
  return cut(text || 'anything');
}

// #endregion

// #region a union

/** Written alternatives as one schema: no two the same, lists of values as one. */
export function joinUnion(branches: readonly JsonObject[]): Lined {
  const flat = branches.flatMap((branch) =>
    Array.isArray(branch.anyOf) && Object.keys(branch).length === 1
      ? (branch.anyOf as readonly JsonObject[])
      : [branch],
  );
  const distinct = [...new Map(flat.map((part) => [JSON.stringify(part), part])).values()];
  const [first = {}, ...others] = distinct;
  if (others.length === 0) {
    return { schema: first, lines: [] };
  }
  const isList = distinct.every(
    (part) =>
      part.type === first.type &&
      Array.isArray(part.enum) &&
      Object.keys(part).every((key) => ['type', 'enum', 'title', 'description'].includes(key)),
  );
  return isList
    ? { schema: joinValues(distinct), lines: distinct.flatMap(describeValues) }
    : { schema: { anyOf: distinct }, lines: [] };
}

function joinValues(lists: readonly JsonObject[]): JsonObject {
  const values = lists.flatMap((list) => list.enum as readonly unknown[]);
  return { type: lists[0]?.type, enum: [...new Set(values)] };
}

function describeValues({ enum: values, title, description }: JsonObject): readonly string[] {
  const texts = [title, description].filter((text) => typeof text === 'string');
  return texts.length === 0
    ? []
    : [cut(`${(values as readonly unknown[]).join(', ')}: ${texts.join(', ')}`)];
}

/** Whether a value could fit two of the alternatives. */
export function mayOverlap({ anyOf }: JsonObject): boolean {
  if (!Array.isArray(anyOf)) {
    return false;
  }
  const types = anyOf.map((part) => (isJsonObject(part) ? part.type : undefined));
  return types.includes(undefined) || new Set(types).size < types.length;
}

// #endregion

function propertiesOf({ properties }: JsonObject): JsonObject {
  return isJsonObject(properties) ? properties : {};
}

function stringsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

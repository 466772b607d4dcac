import * as l10n from '@vscode/l10n';
import { errorMessage } from '../../../base/errors.js';
import { isDeeperThan, isJsonObject, type JsonObject } from '../../../base/json.js';
import { hasFormat } from '../../validation/formats.js';
import type { CompiledPattern, CompilePattern } from '../../validation/patterns.js';

/** Bounds of one form; a larger request is refused. */
export const maxFields = 50;
const maxOptions = 500;
const maxSchemaLength = 64 * 1024;
const maxSchemaDepth = 20;
/** Characters of the patterns of one form; those beyond cannot be judged. */
const maxPatternsLength = 4000;
/** Steps of a pattern's program times characters of the text. */
const maxMatchSteps = 100_000_000;

export type ElicitationValue = string | number | boolean | readonly string[];
export type ElicitationContent = Readonly<Record<string, ElicitationValue>>;

interface ElicitationOption {
  readonly value: string;
  readonly label: string;
}

/** Of the server: it runs in linear time or not at all. */
interface ElicitationPattern {
  readonly source: string;
  /** undefined: nobody can tell whether a text matches. */
  readonly compiled: CompiledPattern | undefined;
}

interface FieldBase {
  readonly name: string;
  readonly title: string;
  readonly description?: string;
  readonly isRequired: boolean;
}

/** One field of a form: of one that a server asks for, or for an argument of its tool. Texts are the server's claim. */
export type ElicitationField = FieldBase &
  (
    | {
        readonly kind: 'text';
        readonly format?: 'email' | 'uri' | 'date' | 'date-time';
        readonly minLength?: number;
        readonly maxLength?: number;
        readonly pattern?: ElicitationPattern;
        readonly defaultValue?: string;
      }
    | {
        readonly kind: 'number';
        readonly isInteger: boolean;
        readonly minimum?: number;
        readonly maximum?: number;
        readonly defaultValue?: number;
      }
    | { readonly kind: 'boolean'; readonly defaultValue?: boolean }
    | {
        readonly kind: 'choice';
        readonly options: readonly ElicitationOption[];
        readonly defaultValue?: string;
      }
    | {
        readonly kind: 'choices';
        readonly options: readonly ElicitationOption[];
        readonly minItems?: number;
        readonly maxItems?: number;
        readonly defaultValue?: readonly string[];
      }
    /** A value of any other shape, as JSON text. Arguments of tools alone have it. */
    | { readonly kind: 'json'; readonly defaultValue?: string }
  );

/** One field for each argument of a tool, whatever its shape: what no other kind fits is written as JSON. */
export function parseArgumentFields(
  inputSchema: JsonObject,
  compile: CompilePattern,
): readonly ElicitationField[] {
  const properties = isJsonObject(inputSchema.properties) ? inputSchema.properties : {};
  const required = new Set(Array.isArray(inputSchema.required) ? inputSchema.required : []);
  const limited = limitPatterns(compile);
  return Object.entries(properties).map(([name, property]) => {
    const isRequired = required.has(name);
    return parseField(name, property, isRequired, limited) ?? jsonField(name, property, isRequired);
  });
}

function jsonField(name: string, property: unknown, isRequired: boolean): ElicitationField {
  const { title, description, default: preset } = isJsonObject(property) ? property : {};
  return {
    name,
    title: typeof title === 'string' ? title : name,
    isRequired,
    kind: 'json',
    ...(typeof description === 'string' && { description }),
    ...(preset !== undefined && { defaultValue: JSON.stringify(preset) }),
  };
}

/** The fields of a requested schema; `undefined` when it is none that the specification allows, or too large. */
export function parseElicitationFields(
  schema: unknown,
  compile: CompilePattern,
): readonly ElicitationField[] | undefined {
  if (!isJsonObject(schema) || !isJsonObject(schema.properties)) {
    return undefined;
  }
  const entries = Object.entries(schema.properties);
  const isSmall = entries.length <= maxFields && !isDeeperThan(schema, maxSchemaDepth);
  if (!isSmall || JSON.stringify(schema).length > maxSchemaLength) {
    return undefined;
  }
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const limited = limitPatterns(compile);
  const fields = entries.map(([name, property]) =>
    parseField(name, property, required.has(name), limited),
  );
  return fields.every((field) => field !== undefined) ? fields : undefined;
}

function limitPatterns(compile: CompilePattern): CompilePattern {
  let length = 0;
  return (source) => {
    length += source.length;
    return length > maxPatternsLength ? undefined : compile(source);
  };
}

/** One sentence about what a value should be and nobody here can check; `undefined` when all can be. */
export function uncheckedRule(field: ElicitationField, value?: unknown): string | undefined {
  const pattern = field.kind === 'text' ? field.pattern : undefined;
  return pattern && matchesPattern(pattern, typeof value === 'string' ? value : '') === undefined
    ? l10n.t(
        '"{0}" should match the pattern {1}, which cannot be checked here.',
        field.title,
        pattern.source,
      )
    : undefined;
}

/** What a form starts with. */
export function elicitationDefaults(fields: readonly ElicitationField[]): ElicitationContent {
  const entries = fields.flatMap((field): [string, ElicitationValue][] =>
    field.defaultValue === undefined ? [] : [[field.name, field.defaultValue]],
  );
  return Object.fromEntries(entries);
}

/** One sentence about what is wrong with a value; `undefined` when nothing is. */
export function checkElicitationValue(field: ElicitationField, value: unknown): string | undefined {
  if (value === undefined) {
    return field.isRequired ? l10n.t('"{0}" is required.', field.title) : undefined;
  }
  switch (field.kind) {
    case 'text':
      return checkText(field, value);
    case 'number':
      return checkNumber(field, value);
    case 'boolean':
      return typeof value === 'boolean' ? undefined : l10n.t('"{0}" is yes or no.', field.title);
    case 'choice':
      return field.options.some((option) => option.value === value)
        ? undefined
        : l10n.t('"{0}" is not one of the choices.', field.title);
    case 'choices':
      return checkChoices(field, value);
    case 'json':
      return checkJson(field, value);
  }
}

/** Answers for all fields: what was left out gets its default. Unknown keys are dropped. */
export function completeElicitation(
  fields: readonly ElicitationField[],
  content: JsonObject,
): {
  readonly content: ElicitationContent;
  readonly problems: readonly string[];
  /** What only the server can check; it goes out all the same. */
  readonly unchecked: readonly string[];
} {
  const all: JsonObject = { ...elicitationDefaults(fields), ...withoutUndefined(content) };
  const problems = fields
    .map((field) => checkElicitationValue(field, all[field.name]))
    .filter((problem) => problem !== undefined);
  const known = fields.filter(({ name }) => all[name] !== undefined);
  const answers = known.map(({ name }): [string, ElicitationValue] => [
    name,
    all[name] as ElicitationValue,
  ]);
  const unchecked = known.map((field) => uncheckedRule(field, all[field.name]));
  return {
    content: Object.fromEntries(answers),
    problems,
    unchecked: unchecked.filter((rule) => rule !== undefined),
  };
}

function withoutUndefined(content: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(content).filter(([, value]) => value !== undefined));
}

type FieldOf<K extends ElicitationField['kind']> = Extract<ElicitationField, { readonly kind: K }>;

function checkText(field: FieldOf<'text'>, value: unknown): string | undefined {
  const { title, minLength, maxLength, pattern, format } = field;
  if (typeof value !== 'string') {
    return l10n.t('"{0}" is not a text.', title);
  }
  if (minLength !== undefined && value.length < minLength) {
    return l10n.t('"{0}" needs at least {1} characters.', title, minLength);
  }
  if (maxLength !== undefined && value.length > maxLength) {
    return l10n.t('"{0}" may have at most {1} characters.', title, maxLength);
  }
  if (pattern !== undefined && matchesPattern(pattern, value) === false) {
    return l10n.t('"{0}" does not match the pattern {1}.', title, pattern.source);
  }
  return format === undefined || hasFormat(format, value)
    ? undefined
    : l10n.t('"{0}" is not a valid {1}.', title, format);
}

function checkNumber(field: FieldOf<'number'>, value: unknown): string | undefined {
  const { title, isInteger, minimum, maximum } = field;
  if (typeof value !== 'number' || !Number.isFinite(value)) {
    return l10n.t('"{0}" is not a number.', title);
  }
  if (isInteger && !Number.isInteger(value)) {
    return l10n.t('"{0}" is not a whole number.', title);
  }
  if (minimum !== undefined && value < minimum) {
    return l10n.t('"{0}" is less than {1}.', title, minimum);
  }
  return maximum !== undefined && value > maximum
    ? l10n.t('"{0}" is more than {1}.', title, maximum)
    : undefined;
}

function checkChoices(field: FieldOf<'choices'>, value: unknown): string | undefined {
  const { title, options, minItems, maxItems } = field;
  const known = new Set<unknown>(options.map((option) => option.value));
  if (!Array.isArray(value) || !value.every((item) => known.has(item))) {
    return l10n.t('"{0}" is not one of the choices.', title);
  }
  if (minItems !== undefined && value.length < minItems) {
    return l10n.t('"{0}" needs at least {1} choices.', title, minItems);
  }
  return maxItems !== undefined && value.length > maxItems
    ? l10n.t('"{0}" may have at most {1} choices.', title, maxItems)
    : undefined;
}

function checkJson({ title }: FieldOf<'json'>, value: unknown): string | undefined {
  try {
    JSON.parse(String(value));
    return undefined;
  } catch (error) {
    return l10n.t('"{0}" is not JSON: {1}', title, errorMessage(error));
  }
}

/** `undefined`: nobody can tell. */
function matchesPattern({ compiled }: ElicitationPattern, value: string): boolean | undefined {
  return compiled && compiled.size * value.length <= maxMatchSteps
    ? compiled.matches(value)
    : undefined;
}

function parseField(
  name: string,
  property: unknown,
  isRequired: boolean,
  compile: CompilePattern,
): ElicitationField | undefined {
  if (!isJsonObject(property)) {
    return undefined;
  }
  const base = {
    name,
    title: typeof property.title === 'string' ? property.title : name,
    isRequired,
    ...(typeof property.description === 'string' ? { description: property.description } : {}),
  };
  switch (property.type) {
    case 'string':
      return parseTextField(base, property, compile);
    case 'number':
    case 'integer':
      return {
        ...base,
        kind: 'number',
        isInteger: property.type === 'integer',
        ...numbers(property, ['minimum', 'maximum']),
        ...(typeof property.default === 'number' ? { defaultValue: property.default } : {}),
      };
    case 'boolean':
      return {
        ...base,
        kind: 'boolean',
        ...(typeof property.default === 'boolean' ? { defaultValue: property.default } : {}),
      };
    case 'array':
      return parseChoicesField(base, property);
    default:
      return undefined;
  }
}

function parseTextField(
  base: FieldBase,
  property: JsonObject,
  compile: CompilePattern,
): ElicitationField | undefined {
  const defaultValue =
    typeof property.default === 'string' ? { defaultValue: property.default } : {};
  if (property.enum !== undefined || property.oneOf !== undefined) {
    const options = parseOptions(property, property.oneOf);
    return options && { ...base, kind: 'choice', options, ...defaultValue };
  }
  const formats = ['email', 'uri', 'date', 'date-time'] as const;
  const format = formats.find((known) => known === property.format);
  const { pattern } = property;
  return {
    ...base,
    kind: 'text',
    ...(format === undefined ? {} : { format }),
    ...numbers(property, ['minLength', 'maxLength']),
    ...(typeof pattern === 'string'
      ? { pattern: { source: pattern, compiled: compile(pattern) } }
      : {}),
    ...defaultValue,
  };
}

function parseChoicesField(base: FieldBase, property: JsonObject): ElicitationField | undefined {
  const { items } = property;
  const options = isJsonObject(items) ? parseOptions(items, items.anyOf ?? items.oneOf) : undefined;
  const preset = property.default;
  return (
    options && {
      ...base,
      kind: 'choices',
      options,
      ...numbers(property, ['minItems', 'maxItems']),
      ...(Array.isArray(preset) && preset.every((item) => typeof item === 'string')
        ? { defaultValue: preset }
        : {}),
    }
  );
}

/** Values with titles, plain values, or plain values with the older `enumNames`. */
function parseOptions(
  property: JsonObject,
  titled: unknown,
): readonly ElicitationOption[] | undefined {
  if (Array.isArray(titled)) {
    const options = titled.map((item: unknown) =>
      isJsonObject(item) && typeof item.const === 'string'
        ? { value: item.const, label: typeof item.title === 'string' ? item.title : item.const }
        : undefined,
    );
    return bounded(options);
  }
  if (!Array.isArray(property.enum)) {
    return undefined;
  }
  const names: readonly unknown[] = Array.isArray(property.enumNames) ? property.enumNames : [];
  const options = property.enum.map((value: unknown, index) => {
    const label = names[index];
    return typeof value === 'string'
      ? { value, label: typeof label === 'string' ? label : value }
      : undefined;
  });
  return bounded(options);
}

function bounded(
  options: readonly (ElicitationOption | undefined)[],
): readonly ElicitationOption[] | undefined {
  const known = options.filter((option) => option !== undefined);
  return known.length === options.length && known.length <= maxOptions && known.length > 0
    ? known
    : undefined;
}

function numbers<K extends string>(item: JsonObject, keys: readonly K[]): { [key in K]?: number } {
  const result: { [key in K]?: number } = {};
  for (const key of keys) {
    const value = item[key];
    if (typeof value === 'number') {
      result[key] = value;
    }
  }
  return result;
}

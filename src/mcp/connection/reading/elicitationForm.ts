import * as l10n from '@vscode/l10n';
import type {
  BooleanField,
  ChoiceField,
  ChoicesField,
  NumberField,
  TextField,
} from '../../../base/form/field.js';
import { type FieldPlace, readField } from '../../../base/form/fieldModel.js';
import { asList, isDeeperThan, isJsonObject, type JsonObject } from '../../../base/json.js';
import { nameToken, quotedName } from '../../../base/text/nameToken.js';
import { mustBe, required } from '../../../config/sentences.js';
import { hasFormat, isKnownFormat } from '../../validation/formats.js';
import { checkCount } from '../../validation/keywords.js';
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

type ElicitationValue = string | number | boolean | readonly string[];
export type ElicitationContent = Readonly<Record<string, ElicitationValue>>;

/** Of the server: it runs in linear time or not at all. */
interface ElicitationPattern {
  readonly source: string;
  /** undefined: nobody can tell whether a text matches. */
  readonly compiled: CompiledPattern | undefined;
}

/** Those of all fields that a server may ask for. Texts are the server's claim. */
export type ElicitationField =
  | (Omit<TextField, 'pattern'> & { readonly pattern?: ElicitationPattern })
  | NumberField
  | BooleanField
  | ElicitationChoice<ChoiceField>
  | ElicitationChoice<ChoicesField>;

type ElicitationChoice<F> = Omit<F, 'options'> & {
  readonly options: readonly { readonly value: string; readonly label: string }[];
};

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
  const required = new Set(asList(schema.required));
  const limited = limitPatterns(compile);
  const fields = entries.map(([name, property]) =>
    parseField(schema, property, { name, isRequired: required.has(name), level: 1 }, limited),
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
        nameToken(field.title),
        pattern.source,
      )
    : undefined;
}

/** One sentence about what is wrong with a value; `undefined` when nothing is. */
function checkValue(field: ElicitationField, value: unknown): string | undefined {
  if (value === undefined) {
    return field.isRequired ? required(field.title) : undefined;
  }
  switch (field.kind) {
    case 'text':
      return checkText(field, value);
    case 'number':
      return checkNumber(field, value);
    case 'boolean':
      return typeof value === 'boolean' ? undefined : mustBe(field.title, 'true | false');
    case 'choice':
      return field.options.some((option) => option.value === value)
        ? undefined
        : l10n.t('"{0}" is not one of the choices.', nameToken(field.title));
    case 'choices':
      return checkChoices(field, value);
  }
}

/** What is wrong with the value of a field, as a sentence. */
export interface AnswerProblem {
  readonly field: string;
  readonly text: string;
}

/** Answers to the fields. A form begins with the defaults, so what is not there was taken out. Unknown keys are dropped. */
export function checkElicitation(
  fields: readonly ElicitationField[],
  content: JsonObject,
): {
  readonly content: ElicitationContent;
  readonly problems: readonly AnswerProblem[];
  /** What only the server can check; it goes out all the same. */
  readonly unchecked: readonly string[];
} {
  const given = fields.map((field) => ({
    field,
    value: Object.hasOwn(content, field.name) ? content[field.name] : undefined,
  }));
  const known = given.filter(({ value }) => value !== undefined);
  return {
    content: Object.fromEntries(
      known.map(({ field, value }) => [field.name, value as ElicitationValue]),
    ),
    problems: given.flatMap(({ field, value }) => {
      const text = checkValue(field, value);
      return text === undefined ? [] : [{ field: field.name, text }];
    }),
    unchecked: known.flatMap(({ field, value }) => uncheckedRule(field, value) ?? []),
  };
}

type FieldOf<K extends ElicitationField['kind']> = Extract<ElicitationField, { readonly kind: K }>;

function checkText(field: FieldOf<'text'>, value: unknown): string | undefined {
  const { title, minLength, maxLength, pattern, format } = field;
  if (typeof value !== 'string') {
    return mustBe(title, 'string');
  }
  const miscount = checkCount(value.length, minLength, maxLength, quotedName(title));
  if (miscount !== undefined) {
    return miscount;
  }
  if (pattern !== undefined && matchesPattern(pattern, value) === false) {
    return l10n.t('{0} must match the pattern {1}', quotedName(title), pattern.source);
  }
  return !isKnownFormat(format) || hasFormat(format, value) ? undefined : mustBe(title, format);
}

function checkNumber(field: FieldOf<'number'>, value: unknown): string | undefined {
  const { title, isInteger, minimum, maximum } = field;
  if (typeof value !== 'number' || !Number.isFinite(value)) {
    return mustBe(title, 'number');
  }
  if (isInteger && !Number.isInteger(value)) {
    return mustBe(title, 'integer');
  }
  if (minimum !== undefined && value < minimum) {
    return mustBe(title, `≥ ${minimum}`);
  }
  return maximum !== undefined && value > maximum ? mustBe(title, `≤ ${maximum}`) : undefined;
}

function checkChoices(field: FieldOf<'choices'>, value: unknown): string | undefined {
  const { title, options, minItems, maxItems } = field;
  const known = new Set<unknown>(options.map((option) => option.value));
  if (!Array.isArray(value) || !value.every((item) => known.has(item))) {
    return l10n.t('"{0}" is not one of the choices.', nameToken(title));
  }
  return checkCount(value.length, minItems, maxItems, quotedName(title));
}

/** `undefined`: nobody can tell. */
function matchesPattern({ compiled }: ElicitationPattern, value: string): boolean | undefined {
  return compiled && compiled.size * value.length <= maxMatchSteps
    ? compiled.matches(value)
    : undefined;
}

/** Of the kinds that the specification allows. */
const types: readonly unknown[] = ['string', 'number', 'integer', 'boolean', 'array'];

function parseField(
  root: JsonObject,
  property: unknown,
  place: FieldPlace,
  compile: CompilePattern,
): ElicitationField | undefined {
  if (!isJsonObject(property) || !types.includes(property.type)) {
    return undefined;
  }
  const field = readField(root, property, place);
  switch (field.kind) {
    case 'text': {
      if (property.enum !== undefined || property.oneOf !== undefined) {
        return undefined;
      }
      const { pattern: source, ...others } = field;
      return source === undefined
        ? others
        : { ...others, pattern: { source, compiled: compile(source) } };
    }
    case 'number':
    case 'boolean':
      return field;
    case 'choice':
    case 'choices': {
      const options = field.options.flatMap(({ value, label }) =>
        typeof value === 'string' ? [{ value, label }] : [],
      );
      const isWhole = options.length === field.options.length && options.length <= maxOptions;
      return isWhole ? { ...field, options } : undefined;
    }
    default:
      return undefined;
  }
}

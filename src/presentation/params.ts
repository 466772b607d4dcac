/** Checks of what a page sends; pages are less trusted than the extension. Plain Node; no `vscode`. */
import { type HeldField, readHeldFields } from '../base/form/heldFields.js';
import { asObject, isJsonObject, type JsonObject, mapValues } from '../base/json.js';
import type { AppSurroundings } from '../protocol/appProtocol.js';
import type { PageFile } from '../protocol/attachments.js';
import type {
  ConfigFormEntry,
  ConfigFormPair,
  FormValue,
  SaveServerParams,
} from '../protocol/configProtocol.js';
import type { ConsentChoice } from '../protocol/consent/consentProtocol.js';
import type { DraftView } from '../protocol/drafts.js';

/** @throws when the parameters are not an object. */
export function objectParam(params: unknown): JsonObject {
  if (!isJsonObject(params)) {
    throw new Error('Invalid message: an object was expected');
  }
  return params;
}

/** @throws when the field is not what it must be. */
function checked<T>(params: unknown, field: string, what: string, is: (value: unknown) => boolean) {
  const value = objectParam(params)[field];
  if (!is(value)) {
    throw new Error(`Invalid message: "${field}" must be ${what}`);
  }
  return value as T;
}

const isString = (value: unknown) => typeof value === 'string';
const isIndex = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 0;

/** @throws when the field is not a string. */
export function stringParam(params: unknown, field: string): string {
  return checked(params, field, 'a string', isString);
}

export function optionalStringParam(params: unknown, field: string): string | undefined {
  return objectParam(params)[field] === undefined ? undefined : stringParam(params, field);
}

/** @throws when the field is neither absent nor a place in a list. */
export function optionalIndexParam(params: unknown, field: string): number | undefined {
  return objectParam(params)[field] === undefined ? undefined : indexParam(params, field);
}

/** @throws when the field is no place in a list. */
export function indexParam(params: unknown, field: string): number {
  return checked(params, field, 'an index', isIndex);
}

/** @throws when the field is not a boolean. */
export function booleanParam(params: unknown, field: string): boolean {
  return checked(params, field, 'a boolean', (value) => typeof value === 'boolean');
}

/** Default false. */
export function optionalBooleanParam(params: unknown, field: string): boolean {
  return objectParam(params)[field] !== undefined && booleanParam(params, field);
}

/** @throws when the field is not a list of strings. */
export function stringsParam(params: unknown, field: string): readonly string[] {
  return checked(params, field, 'a list of strings', (value) => isListOf(value, isString));
}

/** Places in a list; none where the field is absent. @throws when it is something else */
export function indicesParam(params: unknown, field: string): readonly number[] {
  const isPlaces = (value: unknown) => isListOf(value ?? [], isIndex);
  return checked<readonly number[] | undefined>(params, field, 'a list of places', isPlaces) ?? [];
}

function isListOf(value: unknown, isItem: (item: unknown) => boolean): value is unknown[] {
  return Array.isArray(value) && value.every(isItem);
}

/** @throws when the field is none of the values. */
export function oneOfParam<T extends string>(
  params: unknown,
  field: string,
  values: readonly T[],
): T {
  const value = stringParam(params, field);
  const known = values.find((candidate) => candidate === value);
  if (known === undefined) {
    throw new Error(`Invalid message: "${field}" is unknown`);
  }
  return known;
}

/** Characters. */
const maxDraftLength = 1_000_000;
const maxVariables = 200;
const maxVariableLength = 500;

export function draftParam(params: unknown, field: string): DraftView {
  const { text, writtenAt } = objectParam(objectParam(params)[field]);
  if (typeof text !== 'string' || text.length > maxDraftLength || typeof writtenAt !== 'number') {
    throw new Error(`Invalid message: "${field}" must be a draft`);
  }
  return { text, writtenAt };
}

/** @throws when the field is not what a form holds. */
export function heldFieldsParam(params: unknown, field: string): readonly HeldField[] {
  const held = readHeldFields(objectParam(params)[field]);
  if (!held) {
    throw new Error(`Invalid message: "${field}" must be what a form holds`);
  }
  return held;
}

/** Size and theme variables as a page reports them; a size out of range is 0, other values of a wrong type are left out. */
export function surroundingsParam(params: unknown): AppSurroundings {
  const { width, height, variables } = objectParam(params);
  const size = (value: unknown) =>
    typeof value === 'number' && value >= 0 && value < 100_000 ? value : 0;
  const texts = Object.entries(asObject(variables)).filter(
    (entry): entry is [string, string] =>
      /^--[\w-]{1,60}$/.test(entry[0]) &&
      typeof entry[1] === 'string' &&
      entry[1].length <= maxVariableLength,
  );
  return {
    theme: oneOfParam(params, 'theme', ['light', 'dark']),
    width: size(width),
    height: size(height),
    variables: Object.fromEntries(texts.slice(0, maxVariables)),
  };
}

/** What the form of a server sends. @throws when a part is of no type that forms have. */
export function saveParams(params: unknown): SaveServerParams {
  return {
    id: optionalStringParam(params, 'id'),
    poolId: stringParam(params, 'poolId'),
    file: oneOfParam(params, 'file', ['primary', 'local']),
    name: stringParam(params, 'name'),
    ...formParams(params),
    inFile: stringsParam(params, 'inFile'),
  };
}

/** What a form holds, and what it was opened with. */
export function formParams(params: unknown): Pick<SaveServerParams, 'entry' | 'original'> {
  const { original } = objectParam(params);
  return {
    entry: formEntryParam(params, 'entry'),
    original: original === undefined ? undefined : formEntryParam(params, 'original'),
  };
}

/** The form's entry. Which fields count is for the table to say. @throws when a value is of no type that forms have. */
function formEntryParam(params: unknown, field: string): ConfigFormEntry {
  const entry = objectParam(objectParam(params)[field]);
  return {
    kind: oneOfParam(entry, 'kind', ['stdio', 'http']),
    values: mapValues(objectParam(entry.values), formValueParam),
  };
}

function formValueParam(value: unknown): FormValue {
  if (typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)) {
    return value as FormValue;
  }
  if (!Array.isArray(value)) {
    throw new Error('Invalid message: a value of the form was expected');
  }
  return value.every((item) => typeof item === 'string') ? value : value.map(pairParam);
}

function pairParam(pair: unknown): ConfigFormPair {
  return {
    key: stringParam(pair, 'key'),
    value: stringParam(pair, 'value'),
    storedKey: optionalStringParam(pair, 'storedKey'),
  };
}

/** The cards that an answer is about. @throws when they are something else. */
export function choicesParam(params: unknown): readonly ConsentChoice[] {
  return objectsParam(params, 'cards').map((card) => ({
    id: stringParam(card, 'id'),
    hash: stringParam(card, 'hash'),
  }));
}

function objectsParam(params: unknown, field: string): readonly JsonObject[] {
  return checked(params, field, 'a list of objects', (value) => isListOf(value, isJsonObject));
}

const maxFiles = 20;
/** Characters of Base64: somewhat more than the largest file that is taken, so that its refusal has its name. */
const maxData = 15_000_000;
/** Characters. */
const maxName = 300;

/** What is beyond the bounds is cut off, and refused for that later. @throws when it is no list of files */
export function filesParam(params: unknown, field: string): readonly PageFile[] {
  return objectsParam(params, field)
    .slice(0, maxFiles)
    .map((file) => ({
      name: stringParam(file, 'name').replaceAll(/[\\/]/g, '_').slice(0, maxName),
      data: stringParam(file, 'data').slice(0, maxData),
    }));
}

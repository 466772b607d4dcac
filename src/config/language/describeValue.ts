/** What a value with variables stands for, in words for a hover. */
import * as l10n from '@vscode/l10n';
import type { HostEnvironment } from '../../platform/ports.js';
import type { WorkspaceFolder } from '../definition.js';
import { placeText } from '../launch/places.js';
import {
  commandInValue,
  type PlaceName,
  parseTemplate,
  type TemplatePart,
  type VariablePart,
  variablesIn,
} from '../launch/variables.js';
import type { ParsedEntry } from '../parse/configTypes.js';
import { findField, secretFieldNames } from '../schema/fields.js';
import { redactArg, redactValue } from '../secrets/redact.js';
import { judgeName, judgeVariableName } from '../secrets/secretNames.js';
import { redactedSentinel } from '../secrets/sentinel.js';
import { notSet, unknownVariable } from '../sentences.js';

export interface ValueContext {
  /** Where the value stands in its entry, such as `['env', 'TOKEN']`. */
  readonly place: readonly (string | number)[];
  /** What stands before it in a list; a flag there may say that it is a secret. */
  readonly previous?: unknown;
  readonly environment: HostEnvironment;
  readonly folder: WorkspaceFolder | undefined;
  /** The server may run: only then the value is put together. Otherwise names are all there is to see. */
  readonly mayResolve: boolean;
  readonly storedInputs: ReadonlySet<string>;
}

export interface ValueDescription {
  /** What the server gets, secrets hidden; `undefined` when it is not known or must not be shown. */
  readonly resolved: string | undefined;
  /** One sentence for each variable. */
  readonly facts: readonly string[];
}

/** @param location of the value in its file. */
export function placeInEntry(
  { path, raw }: Pick<ParsedEntry, 'path' | 'raw'>,
  location: readonly (string | number)[],
): Pick<ValueContext, 'place' | 'previous'> {
  const place = location.slice(path.length);
  const [field, index] = place;
  const list = typeof field === 'string' ? raw?.[field] : undefined;
  const previous: unknown =
    Array.isArray(list) && typeof index === 'number' ? list[index - 1] : undefined;
  return { place, previous };
}

/** `undefined` when the value is plain text. */
export function describeValue(value: string, context: ValueContext): ValueDescription | undefined {
  const mayRunCommand = secretFieldNames.includes(String(context.place[0]));
  if (mayRunCommand && commandInValue(value) !== undefined) {
    const facts = [l10n.t('A command prints the value when the server starts.')];
    return { resolved: undefined, facts };
  }
  const variables = variablesIn(value);
  if (variables.length === 0) {
    return undefined;
  }
  return {
    resolved: context.mayResolve ? resolve(parseTemplate(value), context) : undefined,
    facts: [...new Set(variables.map((part) => variableFact(part, context)))],
  };
}

function variableFact({ variable }: VariablePart, context: ValueContext): string {
  const { name } = variable;
  switch (variable.kind) {
    case 'env':
      if (context.environment.getVariable(name) !== undefined) {
        return l10n.t('Environment variable {0}: set', name);
      }
      return notSet(name);
    case 'input':
      return context.storedInputs.has(name)
        ? l10n.t('Input {0}: kept in the secret storage', name)
        : l10n.t('Input {0}: asked for when the server starts', name);
    case 'place':
      return placeOf(variable.name, context) === undefined
        ? l10n.t('{0}: only known in a workspace folder', name)
        : l10n.t('{0}: {1}', name, l10n.t('Filled in when the server starts'));
    case 'unknown':
      return unknownVariable(name);
  }
}

/**
 * The whole value, `undefined` when a part has none. What its place in the text makes a secret is hidden, whatever the
 * variable is called: a password of an address, the value of a token-like parameter or flag.
 */
function resolve(parts: readonly TemplatePart[], context: ValueContext): string | undefined {
  const values = parts.map((part) => join([part], context));
  if (!values.every((value) => value !== undefined)) {
    return undefined;
  }
  const written = parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');
  // a letter that the text does not hold, to find the variables again in what is left of it
  const mark = unusedLetter(written);
  const text = parts
    .map((part, index) => (part.kind === 'text' ? part.text : `${mark}${index}${mark}`))
    .join('');
  return redactArg(text, context.previous)
    .split(mark)
    .map((piece, index) => (index % 2 === 1 ? values[Number(piece)] : piece))
    .join('');
}

/** Of those for private use. */
function unusedLetter(text: string): string {
  const used = new Set(text);
  let code = 0xe000;
  while (used.has(String.fromCharCode(code))) {
    code++;
  }
  return String.fromCharCode(code);
}

/** `undefined` when a part has no value. */
function join(parts: readonly TemplatePart[], context: ValueContext): string | undefined {
  let text = '';
  for (const part of parts) {
    const value = part.kind === 'text' ? part.text : variableText(part, context);
    if (value === undefined) {
      return undefined;
    }
    text += value;
  }
  return text;
}

function variableText(part: VariablePart, context: ValueContext): string | undefined {
  const { variable, fallback } = part;
  const value = readValue(part, context);
  return fallback && (value === undefined || value === '')
    ? join(fallback, context)
    : value === undefined || variable.kind === 'place'
      ? value
      : masked(variable.name, value, context);
}

function readValue({ variable }: VariablePart, context: ValueContext): string | undefined {
  switch (variable.kind) {
    case 'env':
      return context.environment.getVariable(variable.name);
    case 'input':
      return context.storedInputs.has(variable.name) ? redactedSentinel : undefined;
    case 'place':
      return placeOf(variable.name, context);
    case 'unknown':
      return undefined;
  }
}

function placeOf(name: PlaceName, { folder, environment }: ValueContext): string | undefined {
  return placeText(name, { folder: folder?.fsPath, homeDir: environment.homeDir });
}

/** By the name of the variable and of its place, and by what it looks like; when in doubt, hidden. */
function masked(variable: string, value: string, { place }: ValueContext): string {
  const [field, key] = place;
  const canonical = findField(String(field))?.name ?? String(field);
  const isNamed =
    canonical === 'env' || canonical === 'headers'
      ? judgeVariableName(String(key)) !== 'plain'
      : secretFieldNames.includes(canonical);
  return isNamed || judgeName(variable) !== 'plain'
    ? redactedSentinel
    : redactValue(value, variable);
}

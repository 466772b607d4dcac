/** What the user is asked for, and where the answers go. */
import * as l10n from '@vscode/l10n';
import { hidesText } from '../../base/text/showHidden.js';
import type { RegistryInput } from './serverJson.js';

/** A question to the user. */
export interface InstallField {
  /** Unique in its way. */
  readonly id: string;
  readonly label: string;
  readonly help: string;
  readonly isRequired: boolean;
  /** The answer is stored apart, never in the file. */
  readonly isSecret: boolean;
  readonly format: RegistryInput['format'];
  /** None: any text. */
  readonly choices: readonly string[];
  readonly default: string | undefined;
  readonly placeholder: string | undefined;
  /** Several answers, a line each. */
  readonly isRepeated: boolean;
  /** Of a number; default: any. */
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  /** Where the answer stands: it is a whole address, or a part of one up to its path. Default: elsewhere. */
  readonly address?: 'whole' | 'host';
}

/** A part of a value: a text as it stands, or the answer to a field. */
export type Piece = { readonly text: string } | { readonly field: string };

/**
 * What others wrote and would be more than text in a configuration file: what cannot be seen, and a variable, also one
 * that the next part of the same value completes.
 */
export function isMoreThanText(text: string): boolean {
  return hidesText(text) || /\$|\{env:|\{(?:e(?:nv?)?)?$/.test(text);
}

export function moreThanText(text: string): string {
  return l10n.t(
    'Its entry holds "{0}", which would be more than text in a configuration file.',
    text,
  );
}

export function addressWanted(): string {
  return l10n.t('An address has to begin with https:// and to hold no user name.');
}

interface FieldPlace {
  readonly id: string;
  readonly label: string;
  readonly isRepeated?: boolean;
}

/** The parts of a value; what it asks for is added to `fields`. Braces that name no variable stay as they are. */
export function piecesOf(
  input: RegistryInput,
  place: FieldPlace,
  fields: InstallField[],
): readonly Piece[] {
  if (input.value === undefined) {
    return [askFor(input, place, fields)];
  }
  return splitText(input.value, /\{([\w.-]{1,100})\}/g, (name) => {
    const variable = Object.hasOwn(input.variables, name) ? input.variables[name] : undefined;
    if (!variable || variable.value !== undefined) {
      return variable && { text: variable.value ?? '' };
    }
    const isRequired = variable.isRequired || input.isRequired;
    return askFor({ ...variable, isRequired }, { id: `${place.id}-${name}`, label: name }, fields);
  });
}

/**
 * @param pattern whose first group is the name of what stands there
 * @param read `undefined` for what stays as it is written
 */
export function splitText(
  text: string,
  pattern: RegExp,
  read: (name: string) => Piece | undefined,
): readonly Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const match of text.matchAll(pattern)) {
    const piece = read(match[1] ?? '');
    if (piece) {
      const before = text.slice(at, match.index);
      pieces.push(...(before === '' ? [] : [{ text: before }]), piece);
      at = match.index + match[0].length;
    }
  }
  const rest = text.slice(at);
  return rest === '' && pieces.length > 0 ? pieces : [...pieces, { text: rest }];
}

function askFor(
  input: RegistryInput,
  { id, label, isRepeated = false }: FieldPlace,
  fields: InstallField[],
): Piece {
  if (!fields.some((field) => field.id === id)) {
    fields.push({
      id,
      label,
      help: input.description,
      isRequired: input.isRequired,
      isSecret: input.isSecret,
      format: input.format,
      choices: input.choices,
      default: input.default,
      placeholder: input.placeholder,
      isRepeated,
    });
  }
  return { field: id };
}

/** The entry that a way of the registry and the user's answers come to. Nothing is written or started. */
import * as l10n from '@vscode/l10n';
import type { JsonObject } from '../../base/json.js';
import { defined } from '../../base/json.js';
import { hidesText } from '../../base/text/showHidden.js';
import { newInput, takeName } from '../../config/fixes/quickFixes.js';
import { addressReach, parseAddress } from '../../config/launch/addressReach.js';
import { holdsCredentials } from '../../config/launch/plainWords.js';
import { suggestServerName } from '../../config/paste/serverName.js';
import { addressWanted, type InstallField, type Piece } from './installFields.js';
import type { ArgumentPieces, InstallWay, NamedPieces } from './installWay.js';

/** Field → answer; one that is missing or empty is none. */
export type InstallAnswers = Readonly<Record<string, string>>;

export interface FieldTrouble {
  readonly field: string;
  readonly message: string;
}

interface PlannedSecret {
  readonly inputId: string;
  readonly value: string;
}

export interface InstallEntry {
  /** As it would stand in a configuration file; secrets are references. */
  readonly entry: JsonObject;
  /** Declarations for the `inputs` of the file. */
  readonly inputs: readonly JsonObject[];
  readonly secrets: readonly PlannedSecret[];
  /** What the user wants in the file although it may look like a secret. Default: nothing. */
  readonly kept?: readonly string[];
}

/** What is wrong with the answers; none: {@link installEntry} has all that it needs. */
export function checkAnswers(
  { fields }: InstallWay,
  answers: InstallAnswers,
): readonly FieldTrouble[] {
  return fields.flatMap((field) => {
    const message = troubleWith(field, answerTo(field.id, answers));
    return message === undefined ? [] : [{ field: field.id, message }];
  });
}

function troubleWith(field: InstallField, answer: string): string | undefined {
  const { isRequired, isSecret, format, choices, isRepeated, address } = field;
  if (answer === '') {
    return isRequired ? l10n.t('A value is needed here.') : undefined;
  }
  const lines = isRepeated ? answer.split('\n') : [answer];
  if (lines.some(hidesText)) {
    return l10n.t('The text holds characters that cannot be seen.');
  }
  if (address === 'host' && !/^[\w.-]+$/.test(answer)) {
    return l10n.t('Only letters, digits, dots and dashes are allowed.');
  }
  if (address === 'whole' && answer !== 'https' && !isSafeAddress(answer)) {
    return addressWanted();
  }
  if (!isSecret && lines.some((line) => /^\s*!/.test(line))) {
    return l10n.t('A value that begins with "!" would be run as a command.');
  }
  if (format === 'number' && lines.some((line) => !Number.isFinite(Number(line)))) {
    return l10n.t('This must be {0}.', 'number');
  }
  const misfit = format === 'number' ? boundMissed(field, lines.map(Number)) : undefined;
  if (misfit !== undefined) {
    return misfit;
  }
  if (choices.length > 0 && lines.some((line) => !choices.includes(line))) {
    return l10n.t('This must be {0}.', choices.join(' | '));
  }
  return undefined;
}

function boundMissed(
  { minimum, maximum }: InstallField,
  numbers: readonly number[],
): string | undefined {
  if (minimum !== undefined && numbers.some((one) => one < minimum)) {
    return l10n.t('This must be {0}.', `≥ ${minimum}`);
  }
  return maximum !== undefined && numbers.some((one) => one > maximum)
    ? l10n.t('This must be {0}.', `≤ ${maximum}`)
    : undefined;
}

/** On this machine nothing has to be encrypted. */
function isSafeAddress(text: string): boolean {
  const isNear = text.startsWith('http://') && addressReach(text) === 'loopback';
  return (
    (isNear || text.startsWith('https://')) &&
    parseAddress(text) !== undefined &&
    !holdsCredentials(text)
  );
}

/** @param takenIds inputs that mean something else already. */
export function installEntry(
  way: InstallWay,
  answers: InstallAnswers,
  takenIds: ReadonlySet<string> = new Set(),
): InstallEntry {
  const filler = new Filler(way.fields, answers, takenIds);
  const { launch } = way;
  if (launch.kind === 'http') {
    const headers = filler.map(launch.headers);
    return {
      entry: defined({
        type: launch.type,
        url: filler.text(launch.url) ?? '',
        headers: Object.keys(headers).length > 0 ? headers : undefined,
      }),
      ...filler.stored,
    };
  }
  const env = filler.map(launch.env);
  const args = launch.args.filter(
    ({ onlyWith }) => onlyWith === undefined || Object.hasOwn(env, onlyWith),
  );
  return {
    entry: defined({
      command: launch.command,
      args: args.flatMap((arg) => filler.argument(arg)),
      env: Object.keys(env).length > 0 ? env : undefined,
    }),
    ...filler.stored,
  };
}

/** A short name for the entry, from the name of the server in the registry. */
export function registryServerName(name: string): string {
  return suggestServerName({ command: 'npx', args: [name] });
}

class Filler {
  private readonly secrets: PlannedSecret[] = [];
  private readonly inputs: JsonObject[] = [];
  private readonly taken: Set<string>;
  private readonly references = new Map</* field */ string, string>();

  constructor(
    private readonly fields: readonly InstallField[],
    private readonly answers: InstallAnswers,
    takenIds: ReadonlySet<string>,
  ) {
    this.taken = new Set(takenIds);
  }

  get stored(): Pick<InstallEntry, 'inputs' | 'secrets'> {
    return { inputs: this.inputs, secrets: this.secrets };
  }

  /** What has no value is left out. */
  map(items: readonly NamedPieces[]): Readonly<Record<string, string>> {
    return Object.fromEntries(
      items.flatMap(({ name, value }) => {
        const text = this.text(value);
        return text === undefined ? [] : [[name, text]];
      }),
    );
  }

  argument({ flag, value, isRepeated }: ArgumentPieces): readonly string[] {
    const before = flag === undefined ? [] : [flag];
    const [only] = value;
    const field = only && 'field' in only ? this.field(only.field) : undefined;
    if (flag !== undefined && field?.format === 'boolean' && value.length === 1) {
      return answerTo(field.id, this.answers) === 'true' ? before : [];
    }
    if (isRepeated && field && !field.isSecret && value.length === 1) {
      const lines = answerTo(field.id, this.answers).split('\n');
      return lines.filter((line) => line !== '').flatMap((line) => [...before, line]);
    }
    const text = this.text(value);
    return text === undefined
      ? []
      : [...before, ...(text === '' && flag !== undefined ? [] : [text])];
  }

  /** `undefined` when an answer that it is made of is missing. */
  text(pieces: readonly Piece[]): string | undefined {
    const texts = pieces.map((piece) => ('text' in piece ? piece.text : this.answer(piece.field)));
    return texts.some((text) => text === undefined) ? undefined : texts.join('');
  }

  private field(id: string): InstallField | undefined {
    return this.fields.find((field) => field.id === id);
  }

  private answer(id: string): string | undefined {
    const value = answerTo(id, this.answers);
    const field = this.field(id);
    if (value === '' || !field) {
      return undefined;
    }
    return field.isSecret ? this.reference(field, value) : value;
  }

  private reference(field: InstallField, value: string): string {
    const known = this.references.get(field.id);
    if (known !== undefined) {
      return known;
    }
    const inputId = takeName(idOf(field.label), this.taken);
    this.secrets.push({ inputId, value });
    this.inputs.push({ ...newInput(inputId), description: field.label });
    const reference = `\${input:${inputId}}`;
    this.references.set(field.id, reference);
    return reference;
  }
}

function answerTo(id: string, answers: InstallAnswers): string {
  return Object.hasOwn(answers, id) ? (answers[id] ?? '') : '';
}

function idOf(label: string): string {
  const id = label
    .toLowerCase()
    .replace(/[^a-z\d]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60);
  return id || 'secret';
}

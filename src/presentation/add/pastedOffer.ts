/** What a pasted server asks for: inputs that its block declares, places to fill in, and secrets that it came with. */
import * as l10n from '@vscode/l10n';
import { isJsonObject, type JsonObject } from '../../base/json.js';
import type { ConfigProblem } from '../../config/definition.js';
import { newInput, referTo, takeName } from '../../config/fixes/quickFixes.js';
import {
  argumentBefore,
  replaceAt,
  valueAt,
  type WrittenSecret,
} from '../../config/fixes/secretKeeper.js';
import { withInputNames } from '../../config/imports/importableServers.js';
import { declarationOf } from '../../config/inputs/inputDeclaration.js';
import { inputId } from '../../config/lint/literalSecrets.js';
import type { ConfigPath } from '../../config/parse/configTypes.js';
import { launchOfEntry } from '../../config/parse/launchOfEntry.js';
import { hiddenIn, type PastedServer, textsIn } from '../../config/paste/addedServer.js';
import { isSecretName } from '../../config/secrets/secretNames.js';
import { isPlaceholder } from '../../config/secrets/secretValues.js';
import type { InstallAnswers, InstallEntry } from '../../mcp/registry/installEntry.js';
import type { InstallField } from '../../mcp/registry/installFields.js';
import type { InstallWay } from '../../mcp/registry/installWay.js';
import { launchLine } from '../../mcp/trust/launchLines.js';

/** A part of the entry that an answer takes the place of. */
interface Slot {
  readonly field: InstallField;
  readonly path: ConfigPath;
  readonly before: string;
  readonly after: string;
  /** What was pasted there; without an answer it stays. */
  readonly pasted?: string;
  readonly suggestedId: string;
}

export interface PastedOffer {
  readonly fields: readonly InstallField[];
  /** It came with secrets, which are in the text that was pasted. */
  readonly hasSecrets: boolean;
  /** @param fields as asked for: a secret that is to stand in the file is none. */
  readonly entryOf: (
    fields: readonly InstallField[],
    answers: InstallAnswers,
    takenIds: ReadonlySet<string>,
  ) => InstallEntry;
}

export function pastedOffer(server: PastedServer, secrets: readonly WrittenSecret[]): PastedOffer {
  const inputs = askedInputs(server);
  const slots = [...secrets.map((secret) => secretSlot(server, secret)), ...gaps(server)];
  return {
    fields: [...inputs.map(inputField), ...slots.map(({ field }) => field)],
    hasSecrets: secrets.length > 0,
    entryOf: (fields, answers, takenIds) => fill(server, slots, { fields, answers, takenIds }),
  };
}

/** @param problems of the entry */
export function pastedWay(
  { name, entry }: PastedServer,
  fields: readonly InstallField[],
  problems: readonly ConfigProblem[],
): InstallWay {
  const launch = launchOfEntry(name, entry);
  const hidden = hiddenIn([name, entry]);
  const errors = problems.filter(({ severity }) => severity === 'error');
  // a URL may have to be filled in first
  const isUnfinished = fields.some(({ id }) => id === 'gap-url');
  return {
    id: 'pasted',
    title: launch ? launchLine(launch) : name,
    blocker: hidden
      ? hidden.message
      : (launch && errors.length === 0) || isUnfinished
        ? undefined
        : (errors[0]?.message ?? l10n.t('The entry cannot be used.')),
    fields,
    launch: { kind: 'stdio', command: '', args: [], env: [] },
    hasOpenAddress: false,
  };
}

function askedInputs({ entry, declared = [] }: PastedServer) {
  const texts = textsIn(entry);
  return declared.filter(({ id }) =>
    texts.some((text) => text.includes(`\${input:${id}}`) || text.includes(`\${input:${id}:-`)),
  );
}

const noField: Omit<InstallField, 'id' | 'label' | 'isSecret'> = {
  help: '',
  isRequired: false,
  format: 'string',
  choices: [],
  default: undefined,
  placeholder: undefined,
  isRepeated: false,
};

function inputField(input: ReturnType<typeof askedInputs>[number]): InstallField {
  const { id, description = id, isPassword, options = [], defaultValue } = input;
  return {
    ...noField,
    id: `input-${id}`,
    label: description,
    help: l10n.t('Empty: asked for at the first start.'),
    isSecret: isPassword,
    choices: options,
    default: isPassword ? undefined : defaultValue,
  };
}

function secretSlot({ entry }: PastedServer, { path, suggestedId }: WrittenSecret): Slot {
  const written = String(valueAt(entry, path));
  const { value } = referTo('', written, argumentBefore(entry, path));
  return {
    field: {
      ...noField,
      id: `secret-${path.join('-')}`,
      label: labelAt(entry, path),
      help: l10n.t('Empty: the value that was pasted.'),
      isSecret: true,
    },
    path,
    before: written.slice(0, written.length - value.length),
    after: '',
    pasted: value,
    suggestedId,
  };
}

/** Places where the text says that something is to be filled in. */
function gaps({ name, entry }: PastedServer): readonly Slot[] {
  const maps = ['env', 'headers'].flatMap((key) =>
    Object.keys(isJsonObject(entry[key]) ? entry[key] : {}).map((inner) => [key, inner]),
  );
  const args = Array.isArray(entry.args) ? entry.args.map((_arg, index) => ['args', index]) : [];
  return [...maps, ...args, ['url']].flatMap((path) => {
    const text: unknown = valueAt(entry, path);
    const label = labelAt(entry, path);
    const range = typeof text === 'string' ? gapIn(text, path[0] === 'env', label) : undefined;
    if (typeof text !== 'string' || !range) {
      return [];
    }
    const word = text.slice(range.start, range.end).replace(/^<|>$/g, '');
    const isNamed = path[0] === 'env' || path[0] === 'headers';
    const shown = isNamed || word === '' ? label : word;
    const field: InstallField = {
      ...noField,
      id: `gap-${path.join('-')}`,
      label: shown,
      isRequired: text !== '',
      isSecret: isSecretName(label) || isSecretName(word),
    };
    return [
      {
        field,
        path,
        before: text.slice(0, range.start),
        after: text.slice(range.end),
        suggestedId: inputId(name, shown),
      },
    ];
  });
}

function gapIn(text: string, mayBeEmpty: boolean, label: string) {
  const marked = /<[A-Za-z][^<>]{0,80}>|\byour[-_][\w-]{1,60}/i.exec(text);
  if (marked) {
    return { start: marked.index, end: marked.index + marked[0].length };
  }
  const isWhole =
    text === '' ? mayBeEmpty : isSecretName(label) && !/^[[{$%]/.test(text) && isPlaceholder(text);
  return isWhole ? { start: 0, end: text.length } : undefined;
}

/** The name of a variable or header, else the flag before. */
function labelAt(entry: JsonObject, path: ConfigPath): string {
  const last = path.at(-1);
  if (typeof last !== 'number') {
    return String(last ?? '');
  }
  const before = argumentBefore(entry, path);
  return typeof before === 'string' && before.startsWith('-')
    ? before
    : l10n.t('Argument {0}', last + 1);
}

interface Filling {
  readonly fields: readonly InstallField[];
  readonly answers: InstallAnswers;
  readonly takenIds: ReadonlySet<string>;
}

function fill(
  server: PastedServer,
  slots: readonly Slot[],
  { fields, answers, takenIds }: Filling,
): InstallEntry {
  const taken = new Set(takenIds);
  const asked = askedInputs(server).map((input) => ({ input, id: takeName(input.id, taken) }));
  const inputs = asked.map(({ input, id }) => declarationOf({ ...input, id }));
  const secrets = asked.flatMap(({ input, id }) => {
    const value = answers[`input-${input.id}`] ?? '';
    return value === '' ? [] : [{ inputId: id, value }];
  });
  const kept: string[] = [];
  const ids = new Map(asked.map(({ input, id }) => [input.id, id]));
  let entry = withInputNames(server.entry, ids);
  for (const { field, path, before, after, pasted, suggestedId } of slots) {
    const value = answers[field.id] || pasted;
    if (value === undefined) {
      continue;
    }
    let text = value;
    if (fields.some(({ id, isSecret }) => id === field.id && isSecret)) {
      const id = takeName(suggestedId, taken);
      inputs.push({ ...newInput(id), description: field.label });
      secrets.push({ inputId: id, value });
      text = `\${input:${id}}`;
    } else if (field.isSecret) {
      kept.push(value);
    }
    entry = replaceAt(entry, path, `${before}${text}${after}`) as JsonObject;
  }
  return { entry, inputs, secrets, kept };
}

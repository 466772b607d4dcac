/** The form's content while it is edited, and its way from and to a server entry. No DOM. */
import * as l10n from '@vscode/l10n';
import { isJsonObject } from '../../base/json.js';
import {
  type ConfigFormEntry,
  type ConfigFormField,
  type ConfigFormPair,
  type FieldProblem,
  storedValue,
} from '../../protocol/configProtocol.js';

/** One line of a list editor. `rowId` is stable while the form is open. */
export interface ValueRow {
  readonly rowId: number;
  readonly value: string;
}

export interface PairRow extends ValueRow {
  readonly key: string;
  /** Set for a pair whose value the file holds; an empty `value` then leaves it unchanged. */
  readonly storedKey?: string;
}

export interface FormDraft {
  /** `undefined` for a new server. */
  readonly serverId?: string;
  readonly poolId: string;
  readonly name: string;
  readonly kind: 'stdio' | 'http';
  readonly command: string;
  readonly args: readonly ValueRow[];
  readonly env: readonly PairRow[];
  readonly cwd: string;
  readonly url: string;
  readonly transport: string;
  readonly headers: readonly PairRow[];
  readonly ignoreCertificateErrors: boolean;
  readonly lifecycle: string;
  readonly idleTimeout: string;
  readonly startupTimeoutMs: string;
  readonly requestTimeoutMs: string;
}

const numberFields = ['idleTimeout', 'startupTimeoutMs', 'requestTimeoutMs'] as const;
type NumberField = (typeof numberFields)[number];

export function newDraft(poolId: string): FormDraft {
  return fromEntry({ poolId, name: '', entry: { kind: 'stdio' } });
}

export function fromEntry(server: {
  readonly serverId?: string;
  readonly poolId: string;
  readonly name: string;
  readonly entry: ConfigFormEntry;
}): FormDraft {
  const { entry, ...identity } = server;
  return {
    ...identity,
    kind: entry.kind,
    command: entry.command ?? '',
    args: (entry.args ?? []).map((value, rowId) => ({ rowId, value })),
    env: (entry.env ?? []).map(toPairRow),
    cwd: entry.cwd ?? '',
    url: entry.url ?? '',
    transport: entry.transport ?? '',
    headers: (entry.headers ?? []).map(toPairRow),
    ignoreCertificateErrors: entry.ignoreCertificateErrors ?? false,
    lifecycle: entry.lifecycle ?? '',
    idleTimeout: numberText(entry.idleTimeout),
    startupTimeoutMs: numberText(entry.startupTimeoutMs),
    requestTimeoutMs: numberText(entry.requestTimeoutMs),
  };
}

/** Only the fields of the draft's kind; whatever is empty is left out. */
export function toEntry(draft: FormDraft): ConfigFormEntry {
  const common = {
    ...(draft.lifecycle ? { lifecycle: draft.lifecycle as ConfigFormEntry['lifecycle'] } : {}),
    ...Object.fromEntries(
      numberFields
        .filter((field) => draft[field].trim() !== '')
        .map((field) => [field, Number(draft[field])]),
    ),
  };
  if (draft.kind === 'stdio') {
    return {
      kind: 'stdio',
      command: draft.command.trim(),
      ...(draft.args.length > 0 ? { args: draft.args.map(({ value }) => value) } : {}),
      ...pairs('env', draft.env),
      ...(draft.cwd.trim() ? { cwd: draft.cwd.trim() } : {}),
      ...common,
    };
  }
  return {
    kind: 'http',
    url: draft.url.trim(),
    ...(draft.transport ? { transport: draft.transport as ConfigFormEntry['transport'] } : {}),
    ...pairs('headers', draft.headers),
    ...(draft.ignoreCertificateErrors ? { ignoreCertificateErrors: true } : {}),
    ...common,
  };
}

/** What can be said without asking the extension. */
export function validateDraft(draft: FormDraft): readonly FieldProblem[] {
  return [
    ...(draft.name.trim() ? [] : [required('name', l10n.t('A server needs a name.'))]),
    ...(draft.kind === 'stdio' && !draft.command.trim()
      ? [required('command', l10n.t('A local server needs a command.'))]
      : []),
    ...(draft.kind === 'http' && !draft.url.trim()
      ? [required('url', l10n.t('A remote server needs a URL.'))]
      : []),
    ...(draft.kind === 'stdio'
      ? keyProblems('env', draft.env)
      : keyProblems('headers', draft.headers)),
    ...numberFields.flatMap((field) => numberProblem(field, draft[field])),
  ];
}

export function isSameDraft(a: FormDraft, b: FormDraft): boolean {
  return JSON.stringify(withoutRowIds(a)) === JSON.stringify(withoutRowIds(b));
}

/** A row id that no row of the list has. */
export function nextRowId(rows: readonly ValueRow[]): number {
  return Math.max(-1, ...rows.map(({ rowId }) => rowId)) + 1;
}

/** Recognises a draft that an earlier life of the page stored. */
export function isFormDraft(value: unknown): value is FormDraft {
  if (!isJsonObject(value)) {
    return false;
  }
  const model: Record<string, unknown> = { ...newDraft('') };
  return Object.keys(model).every(
    (key) =>
      typeof value[key] === typeof model[key] &&
      Array.isArray(value[key]) === Array.isArray(model[key]),
  );
}

function toPairRow(pair: ConfigFormPair, rowId: number): PairRow {
  return pair.value === storedValue
    ? { rowId, key: pair.key, value: '', storedKey: pair.key }
    : { rowId, key: pair.key, value: pair.value };
}

function pairs(
  field: 'env' | 'headers',
  rows: readonly PairRow[],
): { readonly [field: string]: readonly ConfigFormPair[] } {
  const kept = rows.filter((row) => row.key.trim() !== '').map(fromPairRow);
  return kept.length > 0 ? { [field]: kept } : {};
}

function fromPairRow({ key, value, storedKey }: PairRow): ConfigFormPair {
  if (storedKey === undefined || value !== '') {
    return { key: key.trim(), value };
  }
  return {
    key: key.trim(),
    value: storedValue,
    ...(storedKey === key.trim() ? {} : { storedKey }),
  };
}

function keyProblems(field: 'env' | 'headers', rows: readonly PairRow[]): readonly FieldProblem[] {
  const used = rows.filter((row) => row.key.trim() !== '' || row.value !== '');
  // header names that differ only in case are the same header
  const keys = used.map(({ key }) => (field === 'headers' ? key.trim().toLowerCase() : key.trim()));
  const twice = keys.find((key, index) => key !== '' && keys.indexOf(key) !== index);
  return [
    ...(keys.includes('')
      ? [
          {
            code: 'key-missing',
            field,
            message: l10n.t('A value has no name.'),
            remedy: l10n.t('Enter its name or remove the row.'),
          },
        ]
      : []),
    ...(twice === undefined
      ? []
      : [
          {
            code: 'key-twice',
            field,
            message: l10n.t('"{0}" is set twice.', twice),
            remedy: l10n.t('Remove one of the two rows.'),
          },
        ]),
  ];
}

function numberProblem(field: NumberField, text: string): readonly FieldProblem[] {
  const value = Number(text);
  const smallest = field === 'idleTimeout' ? 0 : 1;
  if (text.trim() === '' || (Number.isFinite(value) && value >= smallest)) {
    return [];
  }
  return [
    {
      code: 'not-a-number',
      field,
      message: l10n.t('"{0}" is not a number of at least {1}.', text, smallest),
      remedy: l10n.t('Enter a number, or nothing for the default.'),
    },
  ];
}

function required(field: ConfigFormField, message: string): FieldProblem {
  return { code: 'required', field, message, remedy: l10n.t('Fill in the field.') };
}

function numberText(value: number | undefined): string {
  return value === undefined ? '' : String(value);
}

function withoutRowIds(draft: FormDraft): unknown {
  return JSON.parse(JSON.stringify(draft, (key, value) => (key === 'rowId' ? undefined : value)));
}

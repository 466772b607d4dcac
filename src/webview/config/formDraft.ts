/** The form's content while it is edited, and its way from and to an entry. No DOM. */
import * as l10n from '@vscode/l10n';
import { isJsonObject } from '../../base/json.js';
import {
  type ConfigFormEntry,
  type ConfigFormPair,
  type FieldProblem,
  type FormField,
  type FormGroup,
  type FormValue,
  storedValue,
} from '../../protocol/configProtocol.js';

/** One line of a list, which has no `key`, or of pairs. `rowId` is stable while the form is open. */
export interface Row {
  readonly rowId: number;
  readonly key: string;
  readonly value: string;
  /** Set for a pair whose value the file holds; an empty `value` then leaves it unchanged. */
  readonly storedKey?: string;
  /** The value as the file shows it: no secret, since it is not hidden. */
  readonly openValue?: string;
}

export interface FieldDraft {
  /** What was typed or chosen; `list` where a choice may also be a list. */
  readonly text: string;
  readonly rows: readonly Row[];
  /** The file holds a secret, which an empty `text` leaves unchanged. */
  readonly isStored?: boolean;
  /** A secret that was typed and not kept. */
  readonly isLost?: boolean;
}

export interface FormDraft {
  /** `undefined` for a new server, and for the settings of a file. */
  readonly serverId?: string;
  readonly poolId: string;
  readonly name: string;
  readonly kind: 'stdio' | 'http';
  /** The settings of the pool's file instead of a server. Default false. */
  readonly isSettings?: boolean;
  readonly fields: Readonly<Record</* id */ string, FieldDraft>>;
  readonly kept: readonly string[];
}

/** A choice that is made by the list below it. */
export const listChoice = 'list';

const emptyField: FieldDraft = { text: '', rows: [] };

export function newDraft(poolId: string): FormDraft {
  return fromEntry({ poolId, name: '', entry: { kind: 'stdio', values: {} } });
}

export function fromEntry(source: {
  readonly serverId?: string;
  readonly poolId: string;
  readonly name: string;
  readonly isSettings?: boolean;
  readonly entry: ConfigFormEntry;
}): FormDraft {
  const { entry, ...identity } = source;
  return {
    ...identity,
    kind: entry.kind,
    fields: Object.fromEntries(
      Object.entries(entry.values).map(([id, value]) => [
        id,
        toFieldDraft(value, source.serverId !== undefined),
      ]),
    ),
    kept: entry.kept ?? [],
  };
}

export function fieldOf(draft: FormDraft, { id }: Pick<FormField, 'id'>): FieldDraft {
  return draft.fields[id] ?? emptyField;
}

/** The groups with the fields of the draft's kind. */
export function shownGroups(draft: FormDraft, groups: readonly FormGroup[]): readonly FormGroup[] {
  return groups
    .map((group) => ({
      ...group,
      fields: group.fields.filter(
        ({ kind }) => draft.isSettings || kind === 'both' || kind === draft.kind,
      ),
    }))
    .filter(({ fields }) => fields.length > 0);
}

/** Only the fields of the draft's kind; whatever is empty is left out. */
export function toEntry(draft: FormDraft, groups: readonly FormGroup[]): ConfigFormEntry {
  const fields = shownGroups(draft, groups).flatMap((group) => group.fields);
  return {
    kind: draft.kind,
    values: Object.fromEntries(
      fields.flatMap((field) => {
        const value = toValue(field, fieldOf(draft, field));
        return value === undefined ? [] : [[field.id, value]];
      }),
    ),
  };
}

/** `undefined`: not set. */
function toValue(field: FormField, draft: FieldDraft): FormValue | undefined {
  const text = draft.text.trim();
  switch (field.control) {
    case 'number':
      return text === '' ? undefined : Number(text);
    case 'flag':
      return text === '' || (text === 'true') === (field.isOn ?? false)
        ? undefined
        : text === 'true';
    case 'secret':
    case 'long-secret':
      return draft.text || (draft.isStored ? storedValue : undefined);
    case 'list':
      return listValue(field, draft.rows);
    case 'mixed':
      return text === listChoice ? listValue(field, draft.rows) : text || undefined;
    case 'pairs': {
      const kept = draft.rows.filter(({ key }) => key.trim() !== '').map(fromPairRow);
      return kept.length > 0 ? kept : undefined;
    }
    default:
      return text || undefined;
  }
}

export function isFlagOn(field: FormField, { text }: FieldDraft): boolean {
  return text === '' ? (field.isOn ?? false) : text === 'true';
}

/** How many of the group's fields say something. */
export function countSet(draft: FormDraft, { fields }: FormGroup): number {
  return fields.filter(
    (field) => toValue(field, fieldOf(draft, field)) !== undefined || draft.kept.includes(field.id),
  ).length;
}

/** What can be said without asking the extension. */
export function validateDraft(
  draft: FormDraft,
  groups: readonly FormGroup[],
): readonly FieldProblem[] {
  const value = (id: string) => fieldOf(draft, { id }).text.trim();
  const fields = shownGroups(draft, groups).flatMap((group) => group.fields);
  const missing = draft.isSettings
    ? []
    : [
        ...(draft.name.trim() ? [] : [required('name', l10n.t('A server needs a name.'))]),
        ...(draft.kind === 'stdio' && !value('command')
          ? [required('command', l10n.t('A local server needs a command.'))]
          : []),
        ...(draft.kind === 'http' && !value('url')
          ? [required('url', l10n.t('A remote server needs a URL.'))]
          : []),
      ];
  return [...missing, ...fields.flatMap((field) => problemsOf(field, fieldOf(draft, field)))];
}

export function isSameDraft(a: FormDraft, b: FormDraft): boolean {
  return JSON.stringify(withoutRowIds(a)) === JSON.stringify(withoutRowIds(b));
}

/** A row id that no row of the list has. */
export function nextRowId(rows: readonly Row[]): number {
  return Math.max(-1, ...rows.map(({ rowId }) => rowId)) + 1;
}

/** Recognises a draft that the page stored before it was hidden or reloaded. */
export function isFormDraft(value: unknown): value is FormDraft {
  return (
    isJsonObject(value) &&
    typeof value.poolId === 'string' &&
    typeof value.name === 'string' &&
    (value.kind === 'stdio' || value.kind === 'http') &&
    Array.isArray(value.kept) &&
    isJsonObject(value.fields) &&
    Object.values(value.fields).every(
      (field) =>
        isJsonObject(field) &&
        typeof field.text === 'string' &&
        Array.isArray(field.rows) &&
        field.rows.every((row) => isJsonObject(row) && typeof row.value === 'string'),
    )
  );
}

/** Values that were typed for secrets are left out: what is saved is not encrypted. */
export function withoutSecrets(draft: FormDraft, groups: readonly FormGroup[]): FormDraft {
  const hidden = groups
    .flatMap(({ fields }) => fields)
    .filter(({ id }) => draft.fields[id] !== undefined)
    .map((field) => [field.id, withoutSecret(field, fieldOf(draft, field))] as const);
  return { ...draft, fields: { ...draft.fields, ...Object.fromEntries(hidden) } };
}

function withoutSecret({ control }: FormField, draft: FieldDraft): FieldDraft {
  switch (control) {
    case 'secret':
    case 'long-secret':
      return draft.text === '' ? draft : { ...draft, text: '', isLost: true };
    case 'pairs':
      return {
        ...draft,
        rows: draft.rows.map((row) => (row.value === row.openValue ? row : { ...row, value: '' })),
      };
    default:
      return draft;
  }
}

/** Fields of a kept draft whose typed secrets are gone. */
export function lostFields(draft: FormDraft): readonly string[] {
  return Object.entries(draft.fields)
    .filter(
      ([, { rows, isLost }]) =>
        isLost ||
        rows.some(
          ({ key, value, storedKey }) => key !== '' && value === '' && storedKey === undefined,
        ),
    )
    .map(([id]) => id);
}

function toFieldDraft(value: FormValue, isOfFile: boolean): FieldDraft {
  if (typeof value === 'object') {
    return { text: listChoice, rows: value.map((item, rowId) => toRow(item, rowId, isOfFile)) };
  }
  return value === storedValue
    ? { text: '', rows: [], isStored: true }
    : { text: String(value), rows: [] };
}

function toRow(item: string | ConfigFormPair, rowId: number, isOfFile: boolean): Row {
  if (typeof item === 'string') {
    return { rowId, key: '', value: item };
  }
  return item.value === storedValue
    ? { rowId, key: item.key, value: '', storedKey: item.key }
    : {
        rowId,
        key: item.key,
        value: item.value,
        ...(isOfFile ? { openValue: item.value } : {}),
      };
}

function listValue({ isExact }: FormField, rows: readonly Row[]): readonly string[] | undefined {
  const values = rows.map(({ value }) => (isExact ? value : value.trim()));
  const kept = isExact ? values : values.filter((value) => value !== '');
  return kept.length > 0 ? kept : undefined;
}

function fromPairRow({ key, value, storedKey }: Row): ConfigFormPair {
  if (storedKey === undefined || value !== '') {
    return { key: key.trim(), value };
  }
  return {
    key: key.trim(),
    value: storedValue,
    ...(storedKey === key.trim() ? {} : { storedKey }),
  };
}

function problemsOf(field: FormField, draft: FieldDraft): readonly FieldProblem[] {
  switch (field.control) {
    case 'pairs':
      return keyProblems(field, draft.rows);
    case 'number':
      return numberProblems(field, draft.text.trim());
    default:
      return [];
  }
}

function keyProblems({ id }: FormField, rows: readonly Row[]): readonly FieldProblem[] {
  const used = rows.filter((row) => row.key.trim() !== '' || row.value !== '');
  // header names that differ only in case are the same header
  const keys = used.map(({ key }) => (id === 'headers' ? key.trim().toLowerCase() : key.trim()));
  const twice = keys.find((key, index) => key !== '' && keys.indexOf(key) !== index);
  const missing: FieldProblem = {
    code: 'key-missing',
    field: id,
    message: l10n.t('A value has no name.'),
    remedy: l10n.t('Enter its name or remove the row.'),
  };
  return [
    ...(keys.includes('') ? [missing] : []),
    ...(twice === undefined
      ? []
      : [
          {
            code: 'key-twice' as const,
            field: id,
            message: l10n.t('"{0}" is set twice.', twice),
            remedy: l10n.t('Remove one of the two rows.'),
          },
        ]),
  ];
}

function numberProblems(field: FormField, text: string): readonly FieldProblem[] {
  const { id, label, minimum = 0, maximum, isInteger } = field;
  const value = Number(text);
  const isFitting =
    Number.isFinite(value) &&
    value >= minimum &&
    value <= (maximum ?? value) &&
    (!isInteger || Number.isInteger(value));
  if (text === '' || isFitting) {
    return [];
  }
  return [
    {
      code: 'not-a-number',
      field: id,
      message:
        maximum === undefined
          ? l10n.t('{0}: "{1}" is not a number of at least {2}.', label, text, minimum)
          : l10n.t('{0}: "{1}" is not a number from {2} to {3}.', label, text, minimum, maximum),
      remedy: l10n.t('Enter a number, or nothing for the default.'),
    },
  ];
}

function required(field: string, message: string): FieldProblem {
  return { code: 'required', field, message, remedy: l10n.t('Fill in the field.') };
}

function withoutRowIds(draft: FormDraft): unknown {
  return JSON.parse(JSON.stringify(draft, (key, value) => (key === 'rowId' ? undefined : value)));
}

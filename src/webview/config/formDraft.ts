/** The form's content while it is edited, and its way from and to an entry. No DOM. */
import { definedValues, isJsonObject, mapValues } from '../../base/json.js';
import {
  type CommandOffer,
  type ConfigFormEntry,
  type ConfigFormPair,
  type FormField,
  type FormGroup,
  type FormValue,
  type PoolFile,
  storedValue,
} from '../../protocol/configProtocol.js';

/** One line of a list, which has no `key`, or of pairs. `rowId` is stable while the form is open. */
export interface Row {
  readonly rowId: number;
  readonly key: string;
  readonly value: string;
  /** Set for a pair whose value the file holds; an empty `value` then leaves it unchanged. */
  readonly storedKey?: string;
  /** A line of a list with a secret that the file holds, as it may be shown; an empty `value` leaves it unchanged. */
  readonly stored?: string;
  /** The value as the file shows it: no secret, since it is not hidden. */
  readonly openValue?: string;
}

export interface ConfigFieldDraft {
  /** What was typed or chosen; `list` where a choice may also be a list. */
  readonly text: string;
  readonly rows: readonly Row[];
  /** What the file holds, its secrets hidden; an empty `text` leaves it unchanged. */
  readonly stored?: string | undefined;
  /** A secret that was typed and not kept. */
  readonly isLost?: boolean;
}

export interface FormDraft {
  /** `undefined` for a new server, and for the settings of a file. */
  readonly serverId?: string;
  readonly poolId: string;
  /** Where a new server goes. Default: what everybody with the folder has, or the user's own file. */
  readonly file?: PoolFile;
  readonly name: string;
  readonly kind: 'stdio' | 'http';
  /** The settings of the pool's file instead of a server. Default false. */
  readonly isSettings?: boolean;
  readonly fields: Readonly<Record</* id */ string, ConfigFieldDraft>>;
  readonly kept: readonly string[];
  /** Ids of the fields whose secrets are to stand in the file, whoever sees it. Default: none. */
  readonly inFile?: readonly string[];
}

/** A choice that is made by the list below it. */
export const listChoice = 'list';

const emptyField: ConfigFieldDraft = { text: '', rows: [] };

export function newDraft(poolId: string): FormDraft {
  return fromEntry({ poolId, name: '', entry: { kind: 'stdio', values: {} } });
}

/** Nothing was entered, and the file holds nothing that would stay. */
export function isEmptyField({ text, stored }: ConfigFieldDraft): boolean {
  return text.trim() === '' && stored === undefined;
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
    fields: mapValues(entry.values, (value) => toFieldDraft(value, source.serverId !== undefined)),
    kept: entry.kept ?? [],
  };
}

/** The form as the offer reads the line of its command; what was entered elsewhere stays. */
export function withOffer(draft: FormDraft, { name, entry }: CommandOffer): FormDraft {
  const offered = fromEntry({ poolId: draft.poolId, name, entry }).fields;
  const fields = Object.entries(offered).map(([id, field]) => {
    const added = new Set(field.rows.map(({ key }) => key));
    const others = fieldOf(draft, { id }).rows.filter(({ key }) => key === '' || !added.has(key));
    const rows = [...field.rows, ...others].map((row, rowId) => ({ ...row, rowId }));
    return [id, { ...field, rows }] as const;
  });
  return {
    ...draft,
    kind: entry.kind,
    name: draft.name.trim() === '' ? name : draft.name,
    fields: { ...draft.fields, command: emptyField, ...Object.fromEntries(fields) },
  };
}

export function fieldOf(draft: FormDraft, { id }: Pick<FormField, 'id'>): ConfigFieldDraft {
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
    values: definedValues<FormValue>(
      Object.fromEntries(fields.map((field) => [field.id, toValue(field, fieldOf(draft, field))])),
    ),
  };
}

/** `undefined`: not set. */
function toValue(field: FormField, draft: ConfigFieldDraft): FormValue | undefined {
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
      return draft.text || draft.stored;
    case 'list':
      return listValue(field, draft.rows);
    case 'mixed':
      return text === listChoice ? listValue(field, draft.rows) : text || undefined;
    case 'pairs': {
      const kept = draft.rows.filter(({ key }) => key.trim() !== '').map(fromPairRow);
      return kept.length > 0 ? kept : undefined;
    }
    default:
      return text || draft.stored;
  }
}

export function isFlagOn(field: FormField, { text }: ConfigFieldDraft): boolean {
  return text === '' ? (field.isOn ?? false) : text === 'true';
}

/** How many of the group's fields say something. */
export function countSet(draft: FormDraft, { fields }: FormGroup): number {
  return fields.filter(
    (field) => toValue(field, fieldOf(draft, field)) !== undefined || draft.kept.includes(field.id),
  ).length;
}

export function isSameDraft(a: FormDraft, b: FormDraft): boolean {
  return JSON.stringify(contentOf(a)) === JSON.stringify(contentOf(b));
}

/** A row id that no row of the list has. */
export function nextRowId(rows: readonly Row[]): number {
  return rows.reduce((next, { rowId }) => Math.max(next, rowId + 1), 0);
}

/** Recognises a draft that the page stored before it was hidden or reloaded. */
export function isFormDraft(value: unknown): value is FormDraft {
  return (
    isJsonObject(value) &&
    typeof value.poolId === 'string' &&
    typeof value.name === 'string' &&
    (value.kind === 'stdio' || value.kind === 'http') &&
    Array.isArray(value.kept) &&
    (value.inFile === undefined || Array.isArray(value.inFile)) &&
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
export function withoutDraftSecrets(draft: FormDraft, groups: readonly FormGroup[]): FormDraft {
  const hidden = groups
    .flatMap(({ fields }) => fields)
    .filter(({ id }) => draft.fields[id] !== undefined)
    .map((field) => [field.id, withoutSecret(field, fieldOf(draft, field))] as const);
  return { ...draft, fields: { ...draft.fields, ...Object.fromEntries(hidden) } };
}

function withoutSecret({ control }: FormField, draft: ConfigFieldDraft): ConfigFieldDraft {
  switch (control) {
    case 'secret':
    case 'long-secret':
      return draft.text === '' ? draft : { ...draft, text: '', isLost: true };
    case 'pairs': {
      const isTyped = ({ value, openValue }: Row) => value !== '' && value !== openValue;
      return {
        ...draft,
        rows: draft.rows.map((row) => (isTyped(row) ? { ...row, value: '' } : row)),
        ...(draft.rows.some(isTyped) ? { isLost: true } : {}),
      };
    }
    default:
      return draft;
  }
}

/** Fields of a kept draft whose typed secrets are gone. */
export function lostDraftFields(draft: FormDraft): readonly string[] {
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

function toFieldDraft(value: FormValue, isOfFile: boolean): ConfigFieldDraft {
  if (typeof value === 'object') {
    return { text: listChoice, rows: value.map((item, rowId) => toRow(item, rowId, isOfFile)) };
  }
  return isHidden(value)
    ? { text: '', rows: [], stored: value }
    : { text: String(value), rows: [] };
}

function toRow(item: string | ConfigFormPair, rowId: number, isOfFile: boolean): Row {
  if (typeof item === 'string') {
    return isHidden(item)
      ? { rowId, key: '', value: '', stored: item }
      : { rowId, key: '', value: item };
  }
  return item.value === storedValue
    ? { rowId, key: item.key, value: '', storedKey: item.key }
    : {
        rowId,
        key: item.key,
        value: item.value,
        openValue: isOfFile ? item.value : undefined,
      };
}

function isHidden(value: FormValue): value is string {
  return typeof value === 'string' && value.includes(storedValue);
}

function listValue({ isExact }: FormField, rows: readonly Row[]): readonly string[] | undefined {
  const values = rows.map(({ value, stored = '' }) => (isExact ? value : value.trim()) || stored);
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
    storedKey: storedKey === key.trim() ? undefined : storedKey,
  };
}

/** What the draft says: a field that was filled in and emptied says nothing, and the order of fields neither. */
function contentOf(draft: FormDraft): unknown {
  const fields = Object.entries(draft.fields)
    .filter(([, { text, rows, stored }]) => text !== '' || rows.length > 0 || stored !== undefined)
    .map(([id, { text, rows, stored }]) => {
      return [id, text, stored, rows.map(({ rowId: _rowId, ...row }) => row)];
    })
    .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1));
  const inFile = draft.inFile ?? [];
  return { ...draft, file: draft.file ?? 'primary', inFile, fields };
}

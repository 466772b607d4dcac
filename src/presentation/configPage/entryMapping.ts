/** Between an entry, or the settings of a file, and the form that edits it. Plain Node; no `vscode`. */
import { definedValues, isJsonObject, type JsonObject, stableStringify } from '../../base/json.js';
import type { McpServerEntry } from '../../config/configuration.js';
import { transportOfType } from '../../config/parse/parseLaunch.js';
import { type ConfigField, nameInUse } from '../../config/schema/field.js';
import { configFields, findField } from '../../config/schema/fields.js';
import type { ConfigFormEntry, ConfigFormPair, FormValue } from '../../protocol/configProtocol.js';
import { type FormPlace, formPlaces, isPlainDefault, isThreeWay } from './formModel.js';

/** What `McpConfiguration.addServer` and `updateServer` take. */
export interface FormEntryChange {
  /** `undefined` removes a field. */
  readonly entry: McpServerEntry;
  readonly renamedKeys: { readonly [field: string]: Readonly<Record<string, string>> };
}

export function toFormEntry(
  entry: McpServerEntry,
  fields: readonly ConfigField[] = configFields,
): ConfigFormEntry {
  const kind = has(entry, 'url') && !has(entry, 'command') ? 'http' : 'stdio';
  const read = formPlaces(fields).flatMap((place) => {
    const raw = valueAt(asForms(entry), place.path);
    return raw === undefined ? [] : [{ id: place.id, value: toFormValue(place.field, raw) }];
  });
  const kept = read.filter(({ value }) => value === undefined).map(({ id }) => id);
  return {
    kind,
    values: Object.fromEntries(
      read.flatMap(({ id, value }) =>
        value === undefined || isNothing(value) ? [] : [[id, value]],
      ),
    ),
    kept: kept.length > 0 ? kept : undefined,
  };
}

/**
 * What saving the form writes: only the fields that differ from what is stored. Fields keep the spelling that `stored`
 * uses, a command that was an array stays one, and fields of the other kind go away when the kind changes. What was not
 * changed since the form was opened with `original` stays as others may have written it since.
 */
export function toEntryChange(
  edited: ConfigFormEntry,
  stored: McpServerEntry = {},
  fields: readonly ConfigField[] = configFields,
  original?: ConfigFormEntry,
): FormEntryChange {
  const shown = toFormEntry(stored, fields);
  const form = original ? withOthers(edited, original, shown, fields) : edited;
  const changed = formPlaces(fields).filter(({ id, field }) => {
    const isOfKind = fitsKind(field, form.kind);
    const value = isOfKind ? form.values[id] : undefined;
    const isLeft = original?.kind === form.kind && isSame(value, original.values[id]);
    const isKept = isLeft || (value === undefined && (!isOfKind || shown.kept?.includes(id)));
    return !isKept && !isSame(value, shown.values[id]);
  });
  const entry = changed.reduce<JsonObject>(
    (before, place) => withValue(before, stored, place, toStoredValue(place, form)),
    {},
  );
  const renamed = changed.flatMap(({ id, path: [field] }) => {
    const names = renamedKeys(form.values[id]);
    return field && names.length > 0
      ? [[nameInUse(stored, field), Object.fromEntries(names)] as const]
      : [];
  });
  return {
    entry: {
      ...entry,
      ...commandValues(form, stored, entry),
      ...transportValue(form, stored, entry),
      ...leftover(form, stored),
    },
    renamedKeys: Object.fromEntries(renamed),
  };
}

/** In a map that was changed, each pair that was not is as others have written it since. */
function withOthers(
  { kind, values }: ConfigFormEntry,
  original: ConfigFormEntry,
  shown: ConfigFormEntry,
  fields: readonly ConfigField[],
): ConfigFormEntry {
  const merged = formPlaces(fields)
    .filter(({ id, field }) => field.type === 'map' && !isSame(values[id], original.values[id]))
    .map(({ id }) => {
      const mine = pairsOf(values[id]);
      const opened = pairsOf(original.values[id]);
      const now = pairsOf(shown.values[id]);
      const untouched = new Set(opened.map(stableStringify));
      const kept = mine.flatMap((pair) =>
        untouched.has(stableStringify(pair)) ? now.filter(({ key }) => key === pair.key) : pair,
      );
      const known = new Set([...opened, ...mine].map(({ key }) => key));
      const pairs = [...kept, ...now.filter(({ key }) => !known.has(key))];
      return [id, pairs.length > 0 ? pairs : undefined] as const;
    });
  return { kind, values: definedValues<FormValue>({ ...values, ...Object.fromEntries(merged) }) };
}

function pairsOf(value: FormValue | undefined): readonly ConfigFormPair[] {
  return Array.isArray(value) ? value : [];
}

// #region values

function isSame(value: FormValue | undefined, other: FormValue | undefined): boolean {
  return stableStringify(value ?? null) === stableStringify(other ?? null);
}

/** A command may be the whole argv, a type may say the transport, and a server may be off by either of two switches. */
function asForms(entry: McpServerEntry): JsonObject {
  const { command, args, enabled, disabled, type } = entry;
  const argv = Array.isArray(command) ? [...command, ...(Array.isArray(args) ? args : [])] : [];
  return {
    transport: transportOfType(type),
    ...entry,
    ...(argv.length > 0 ? { command: argv[0], args: argv.slice(1) } : {}),
    ...(enabled === false || disabled === true ? { enabled: false } : {}),
  };
}

function valueAt(object: unknown, [field, ...rest]: readonly ConfigField[]): unknown {
  if (!field) {
    return object;
  }
  return isJsonObject(object) ? valueAt(object[nameInUse(object, field)], rest) : undefined;
}

/** Nothing that would have to be written: absent is the same. */
function isNothing(value: FormValue): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** `undefined` for what the form cannot show; an empty list for what is the same as nothing. */
function toFormValue(field: ConfigField, raw: unknown): FormValue | undefined {
  if (isPlainDefault(field, raw)) {
    return [];
  }
  switch (field.type) {
    case 'number':
      return typeof raw === 'number' ? raw : undefined;
    case 'boolean':
    case 'boolean-or-object':
      return typeof raw !== 'boolean' ? undefined : isThreeWay(field) ? String(raw) : raw;
    case 'enum':
      return field.values?.some((value) => value === raw) ? String(raw) : undefined;
    case 'map':
      return isJsonObject(raw) && texts(Object.values(raw))
        ? Object.entries(raw).map(([key, value]) => ({ key, value: String(value) }))
        : undefined;
    case 'strings':
      return texts(raw);
    case 'boolean-or-strings':
    case 'enum-or-strings':
      return typeof raw === 'boolean' || field.values?.some((value) => value === raw)
        ? String(raw)
        : texts(raw);
    case 'string-or-strings':
      return typeof raw === 'string' ? raw : texts(raw)?.join(' ');
    default:
      return typeof raw === 'string' ? raw : undefined;
  }
}

function texts(raw: unknown): readonly string[] | undefined {
  return Array.isArray(raw) && raw.every((item) => typeof item !== 'object')
    ? raw.map(String)
    : undefined;
}

function toStoredValue({ id, field }: FormPlace, form: ConfigFormEntry): unknown {
  const value = fitsKind(field, form.kind) ? form.values[id] : undefined;
  if (typeof value === 'string' && field.type.startsWith('boolean')) {
    return value === 'true' || (value === 'false' ? false : value);
  }
  if (field.type === 'enum') {
    return field.values?.find((known) => String(known) === value);
  }
  return field.type === 'map' && Array.isArray(value)
    ? Object.fromEntries(pairsOf(value).map((pair) => [pair.key, pair.value]))
    : value;
}

/** Objects on the way are completed with what is stored, and go away when nothing is left in them. */
function withValue(
  edited: JsonObject,
  stored: JsonObject,
  { path }: Pick<FormPlace, 'path'>,
  value: unknown,
): JsonObject {
  const [field, ...rest] = path;
  if (!field) {
    return edited;
  }
  const name = nameInUse(stored, field);
  if (rest.length === 0) {
    return { ...edited, [name]: value };
  }
  const inner = isJsonObject(stored[name]) ? stored[name] : {};
  const before = isJsonObject(edited[name]) ? edited[name] : inner;
  const after = Object.entries(withValue(before, inner, { path: rest }, value));
  const left = after.filter(([, item]) => item !== undefined);
  return { ...edited, [name]: left.length > 0 ? Object.fromEntries(left) : undefined };
}

// #endregion

function fitsKind(field: ConfigField, wanted: ConfigFormEntry['kind']): boolean {
  const kind = field.showsFor ?? field.kind;
  return kind === 'both' || kind === wanted;
}

function renamedKeys(value: FormValue | undefined): readonly (readonly [string, string])[] {
  const items: readonly unknown[] = Array.isArray(value) ? value : [];
  return items.flatMap((item) =>
    isJsonObject(item) && typeof item.storedKey === 'string' && item.storedKey !== item.key
      ? [[String(item.key), item.storedKey] as const]
      : [],
  );
}

function commandValues(
  form: ConfigFormEntry,
  stored: McpServerEntry,
  entry: JsonObject,
): JsonObject {
  const isChanged = Object.hasOwn(entry, 'command') || Object.hasOwn(entry, 'args');
  const { command, args } = form.values;
  return isChanged && Array.isArray(stored.command) && command !== undefined
    ? { command: [command, ...(Array.isArray(args) ? args : [])], args: undefined }
    : {};
}

/** Beside a type that says another transport, the default is written out. */
function transportValue(
  { kind }: ConfigFormEntry,
  stored: McpServerEntry,
  entry: JsonObject,
): JsonObject {
  const isReset = Object.hasOwn(entry, 'transport') && entry.transport === undefined;
  const isSaid = (transportOfType(stored.type) ?? 'auto') !== 'auto';
  return isReset && isSaid && kind === 'http' ? { transport: 'auto' } : {};
}

/** Other programs read `type`; a stored one that contradicts the new kind would mislead them. */
function leftover({ kind }: ConfigFormEntry, stored: McpServerEntry): JsonObject {
  const isStdioType = stored.type === 'stdio' || stored.type === 'local';
  const hasOther = has(stored, kind === 'stdio' ? 'url' : 'command');
  const gone = Object.keys(stored).filter((name) => {
    const field = findField(name);
    return hasOther && field !== undefined && !fitsKind(field, kind);
  });
  const type =
    typeof stored.type === 'string' && isStdioType !== (kind === 'stdio') ? ['type'] : [];
  return Object.fromEntries([...gone, ...type].map((name) => [name, undefined]));
}

function has(entry: McpServerEntry, name: string): boolean {
  const field = findField(name);
  return field !== undefined && entry[nameInUse(entry, field)] !== undefined;
}

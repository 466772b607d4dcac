/** Arguments as they may be kept: what is marked, named or shaped as a secret is left out. */
import { FieldDraft, readDraft } from '../../base/form/fieldDraft.js';
import { formField, isSecretField } from '../../base/form/fieldModel.js';
import { HiddenValues } from '../../base/form/hiddenValues.js';
import { asObject, isJsonObject, type JsonObject, stableStringify } from '../../base/json.js';
import { maskText } from '../../config/secrets/secretMask.js';

export interface KeptArguments {
  readonly args: JsonObject;
  readonly lacksSecrets: boolean;
}

export function withoutSecrets(schema: JsonObject, args: JsonObject): KeptArguments {
  const named = stripNamed(args);
  const draft = new FieldDraft(formField(schema));
  draft.write(named);
  clearMarked(draft);
  const { value } = readDraft(draft);
  const kept = asObject(value);
  return { args: kept, lacksSecrets: stableStringify(kept) !== stableStringify(args) };
}

/** Something in arguments for which a word stands. */
export interface HiddenArgument {
  /** The name of the property that has it, or has the list that it is in. */
  readonly name: string;
  /** As {@link HiddenValues} has it. */
  readonly word: string;
  readonly isText: boolean;
}

/** The arguments with a word in the place of everything that {@link withoutSecrets} would leave out. */
export function hideSecrets(
  schema: JsonObject,
  args: JsonObject,
): { readonly args: JsonObject; readonly hidden: readonly HiddenArgument[] } {
  const marked = new Set<string>();
  const draft = new FieldDraft(formField(schema));
  draft.write(args);
  // words of the form only; what it hides is hidden wherever it stands
  readDraft(draft, (value) => {
    marked.add(stableStringify(value));
    return '';
  });
  const words = new HiddenValues();
  const hidden: HiddenArgument[] = [];
  const walk = (value: unknown, name: string, isNamed: boolean): unknown => {
    const isSecret = isNamed || looksSecret(value) || marked.has(stableStringify(value));
    if (isSecret && value !== null && value !== '') {
      const word = words.hide(value);
      hidden.push({ name, word, isText: typeof value === 'string' });
      return word;
    }
    if (Array.isArray(value)) {
      return value.map((item) => walk(item, name, false));
    }
    return isJsonObject(value) ? object(value) : value;
  };
  const object = (value: JsonObject): JsonObject =>
    Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, walk(item, key, isSecretField(key))]),
    );
  return { args: object(args), hidden };
}

function clearMarked(draft: FieldDraft): void {
  // what the form has no place for, nobody has marked
  if (draft.field.isSecret || draft.isRaw) {
    draft.clear();
    return;
  }
  for (const inner of [...draft.children, ...(draft.branch ? [draft.branch] : [])]) {
    clearMarked(inner);
  }
  for (const { draft: row } of draft.rows) {
    if (row.field.isSecret) {
      draft.removeRow(row);
    } else {
      clearMarked(row);
    }
  }
}

function stripNamed(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.filter((item) => !looksSecret(item)).map(stripNamed);
  }
  if (!isJsonObject(value)) {
    return value;
  }
  const kept = Object.entries(value).filter(
    ([name, item]) => !isSecretField(name) && !looksSecret(item),
  );
  return Object.fromEntries(kept.map(([name, item]) => [name, stripNamed(item)]));
}

function looksSecret(value: unknown): boolean {
  return typeof value === 'string' && maskText(value) !== value;
}

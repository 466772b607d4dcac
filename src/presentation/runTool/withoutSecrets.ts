/** Arguments as they may be kept: what is marked, named or shaped as a secret is left out. */
import { FieldDraft, readDraft } from '../../base/form/fieldDraft.js';
import { formField, isSecretName } from '../../base/form/fieldModel.js';
import { isJsonObject, type JsonObject, stableStringify } from '../../base/json.js';
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
  const kept = isJsonObject(value) ? value : {};
  return { args: kept, lacksSecrets: stableStringify(kept) !== stableStringify(args) };
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
    ([name, item]) => !isSecretName(name) && !looksSecret(item),
  );
  return Object.fromEntries(kept.map(([name, item]) => [name, stripNamed(item)]));
}

function looksSecret(value: unknown): boolean {
  return typeof value === 'string' && maskText(value) !== value;
}

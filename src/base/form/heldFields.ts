/** What a form without inner fields holds, as it was left: also what is not a value yet. */
import { isJsonObject } from '../json.js';
import type { FieldDraft } from './fieldDraft.js';

export interface HeldField {
  readonly name: string;
  readonly state: FieldDraft['state'];
  readonly text: string;
  readonly isRaw: boolean;
  readonly chosen?: number;
  readonly picked: readonly number[];
}

/** More of a form is not held. */
const maxFields = 100;
/** Characters of all of them. */
const maxLength = 500_000;

export function holdFields({ children }: FieldDraft): readonly HeldField[] {
  return children.map(({ field: { name }, state, text, isRaw, chosen, picked }) => ({
    name,
    state,
    text,
    isRaw,
    chosen,
    picked,
  }));
}

/** What a field is not told of stays as it is. */
export function restoreFields({ children }: FieldDraft, held: readonly HeldField[]): void {
  const byName = new Map(held.map((one) => [one.name, one]));
  for (const draft of children) {
    const one = byName.get(draft.field.name);
    if (one) {
      draft.state = one.state;
      draft.text = one.text;
      draft.isRaw = one.isRaw;
      draft.chosen = one.chosen;
      draft.picked = one.picked;
    }
  }
}

/** `undefined` when it is none, or too large. */
export function readHeldFields(value: unknown): readonly HeldField[] | undefined {
  if (!Array.isArray(value) || value.length > maxFields || !value.every(isHeldField)) {
    return undefined;
  }
  const length = value.reduce((sum, { name, text, picked }) => {
    return sum + name.length + text.length + picked.length;
  }, 0);
  return length > maxLength ? undefined : value;
}

function isHeldField(value: unknown): value is HeldField {
  if (!isJsonObject(value)) {
    return false;
  }
  const { name, state, text, isRaw, chosen, picked } = value;
  return (
    typeof name === 'string' &&
    (state === 'absent' || state === 'null' || state === 'set') &&
    typeof text === 'string' &&
    typeof isRaw === 'boolean' &&
    (chosen === undefined || Number.isSafeInteger(chosen)) &&
    Array.isArray(picked) &&
    picked.every((one) => Number.isSafeInteger(one))
  );
}

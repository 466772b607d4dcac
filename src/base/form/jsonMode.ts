/** A field as JSON that the user writes, and back, without loss. */
import { readJson } from './draftText.js';
import type { DraftProblem, FieldDraft } from './fieldDraft.js';
import { canHold } from './fieldModel.js';

interface LeftForm {
  readonly state: FieldDraft['state'];
  readonly text: string;
  readonly json: string;
}

/** What the form of a field held when its JSON was opened. */
const leftForms = new WeakMap<FieldDraft, LeftForm>();

/** Whether {@link writeAsJson} loses nothing and shows no secret. */
export function mayBeJson(draft: FieldDraft): boolean {
  const problems: DraftProblem[] = [];
  draft.read(problems);
  const isHeld = problems.every((one) => one.kind === 'required' || one.draft === draft);
  return !draft.isRaw && draft.state !== 'null' && isHeld && !hasSecret(draft);
}

export function writeAsJson(draft: FieldDraft): void {
  const read = draft.read([]);
  const { state, text } = draft;
  const json = read ? JSON.stringify(read.value, undefined, 2) : text;
  leftForms.set(draft, { state, text, json });
  draft.isRaw = true;
  draft.text = json;
  draft.state = json === '' ? 'absent' : 'set';
}

/** Whether the form has a place for the JSON. */
export function mayBeForm(draft: FieldDraft): boolean {
  return (
    draft.isRaw && (isUnchanged(draft) || draft.state === 'absent' || held(draft) !== undefined)
  );
}

/** No effect when {@link mayBeForm} says no. */
export function writeAsForm(draft: FieldDraft): void {
  const left = leftForms.get(draft);
  const value = held(draft);
  if (left && isUnchanged(draft)) {
    draft.isRaw = false;
    draft.state = left.state;
    draft.text = left.text;
  } else if (draft.state === 'absent') {
    draft.clear();
  } else if (value) {
    draft.write(value.value);
  }
}

function isUnchanged(draft: FieldDraft): boolean {
  return leftForms.get(draft)?.json === draft.text;
}

function held({ field, text }: FieldDraft): { readonly value: unknown } | undefined {
  const read = readJson(text, () => undefined);
  const isNull = read?.value === null && field.isNullable === true;
  return read && (isNull || canHold(field, read.value)) ? read : undefined;
}

function hasSecret(draft: FieldDraft): boolean {
  const inner = [
    // what is absent has no children yet, and a schema may refer to itself
    ...(draft.state === 'absent' ? [] : draft.children),
    ...(draft.branch ? [draft.branch] : []),
    ...draft.rows.map((row) => row.draft),
  ];
  return draft.field.isSecret === true || inner.some(hasSecret);
}

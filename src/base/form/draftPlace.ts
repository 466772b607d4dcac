import type { FieldDraft } from './fieldDraft.js';

/**
 * The draft that stands for a place in the value, such as `data/a/0`, as the check of schemas names it; the nearest one
 * around it when the place has none.
 */
export function draftAt(root: FieldDraft, at: string): FieldDraft {
  let draft = root;
  let rest = at.replace(/^data\/?/, '');
  for (;;) {
    const inner: FieldDraft = draft.branch ?? draft;
    const found = partsOf(inner).find(
      ([name]) => name !== '' && (rest === name || rest.startsWith(`${name}/`)),
    );
    if (rest === '' || !found) {
      return draft;
    }
    rest = rest.slice(found[0].length + 1);
    draft = found[1];
  }
}

function partsOf(draft: FieldDraft): readonly (readonly [string, FieldDraft])[] {
  const { children, rows, field } = draft;
  if (field.kind === 'array') {
    const all = [...children, ...rows.map((row) => row.draft)];
    return all.map((item, index) => [String(index), item] as const);
  }
  return [
    ...children.map((child) => [child.field.name, child] as const),
    ...rows.map(({ name, draft: row }) => [name, row] as const),
  ];
}

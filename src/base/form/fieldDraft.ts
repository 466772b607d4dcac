/**
 * What a user has put into the fields of a form. The text of a box is kept as it was typed; the value is read from it
 * when it is wanted. What was not set is absent from the value.
 */
import type { JsonObject } from '../json.js';
import { largest } from '../lists.js';
import { type DraftProblemKind, readJson, readNumber } from './draftText.js';
import type { Field } from './field.js';
import { canHold, optionIndex } from './fieldModel.js';
import { fitness } from './fitness.js';

export interface DraftProblem {
  readonly draft: FieldDraft;
  readonly kind: DraftProblemKind;
  readonly detail?: string;
}

export interface DraftRow {
  /** Of a property; unused for an item. */
  name: string;
  readonly draft: FieldDraft;
}

/** What is written in place of a value that is not to be seen. */
export type HideValue = (value: unknown) => unknown;

/** What opens by itself in one form; everything else waits for the user. */
interface Budget {
  opened: number;
  nextId: number;
}

const maxOpened = 60;
const maxOpenLevels = 4;
export class FieldDraft {
  /** Unique in its form. */
  readonly id: number;
  state: 'absent' | 'null' | 'set' = 'absent';
  /** Of a box: what was typed, or JSON. */
  text = '';
  /** Index of a chosen option, branch, or of `false` and `true`. */
  chosen: number | undefined;
  /** Indices of options, in the order of the value. */
  picked: readonly number[] = [];
  /** Items, or properties without a field of their own. */
  rows: readonly DraftRow[] = [];
  /** Holds what the field has no form for, as JSON. */
  isRaw = false;
  private made: readonly FieldDraft[] | undefined;
  private readonly branches = new Map</* index */ number, FieldDraft>();

  constructor(
    readonly field: Field,
    private readonly budget: Budget = { opened: 0, nextId: 0 },
    private readonly level = 0,
  ) {
    this.id = budget.nextId++;
    this.reset();
  }

  /** What the schema says that it begins with. */
  reset(): void {
    const { field } = this;
    if (field.defaultValue !== undefined) {
      this.write(field.defaultValue);
    } else if (field.isRequired && (field.kind === 'fixed' || this.opensByItself())) {
      this.state = 'set';
    }
  }

  private opensByItself(): boolean {
    const isGroup = this.field.kind === 'object';
    const hasRoom = this.level < maxOpenLevels && this.budget.opened < maxOpened;
    if (isGroup && hasRoom) {
      this.budget.opened++;
    }
    return isGroup && (hasRoom || this.level === 0);
  }

  /** Properties and leading items that have fields of their own. */
  get children(): readonly FieldDraft[] {
    const { field } = this;
    if (!this.made && field.kind === 'object') {
      this.made = field.properties().map((one) => this.child(one));
    } else if (!this.made && field.kind === 'array') {
      this.made = field.leading().map((one) => this.child(one));
    }
    return this.made ?? [];
  }

  /** Of the chosen branch. */
  get branch(): FieldDraft | undefined {
    const { field, chosen } = this;
    const branch = field.kind === 'union' && chosen !== undefined && field.branches[chosen];
    if (!branch || chosen === undefined) {
      return undefined;
    }
    const made = this.branches.get(chosen) ?? this.child(branch.field());
    this.branches.set(chosen, made);
    return made;
  }

  // #region changes

  type(text: string): void {
    this.text = text;
    this.state = text === '' ? 'absent' : 'set';
    if (this.field.kind === 'choice' && !this.isRaw) {
      const index = this.field.options.findIndex(({ label }) => label === text);
      this.chosen = index < 0 ? undefined : index;
    }
  }

  /** Of a choice, a boolean or a union; `undefined`: none. */
  choose(index: number | undefined): void {
    this.isRaw = false;
    this.chosen = index;
    this.state = index === undefined ? 'absent' : 'set';
    this.text =
      this.field.kind === 'choice' && index !== undefined
        ? (this.field.options[index]?.label ?? '')
        : '';
    const { branch } = this;
    if (branch?.state === 'absent' && (isGroup(branch.field) || branch.field.kind === 'fixed')) {
      branch.open();
    }
  }

  /** From now on in the order of the options. */
  pick(indices: readonly number[]): void {
    this.isRaw = false;
    this.picked = [...indices].sort((a, b) => a - b);
    this.state = 'set';
  }

  /** The value is there, be it empty. */
  open(): void {
    this.state = 'set';
  }

  setNull(): void {
    this.state = 'null';
  }

  /** The value is not there; what was typed is forgotten. */
  clear(): void {
    this.state = 'absent';
    this.text = '';
    this.chosen = undefined;
    this.picked = [];
    this.rows = [];
    this.isRaw = false;
    this.made = undefined;
    this.branches.clear();
  }

  /** An item, or a property that still needs a name; `undefined` when the schema has no room for one. */
  addRow(name = ''): FieldDraft | undefined {
    const row = this.rowFor(name);
    if (!row) {
      return undefined;
    }
    this.state = 'set';
    this.rows = [...this.rows, row];
    return row.draft;
  }

  removeRow(draft: FieldDraft): void {
    this.rows = this.rows.filter((row) => row.draft !== draft);
  }

  /** Takes a value over, whether it fits or not. */
  write(value: unknown): void {
    this.clear();
    if (value === null && this.field.isNullable) {
      this.state = 'null';
      return;
    }
    this.state = 'set';
    this.isRaw = !canHold(this.field, value) || !this.writeKind(value);
    if (this.isRaw) {
      this.text = JSON.stringify(value, undefined, 2) ?? '';
    }
  }

  // #endregion

  /** The value with what stands in its way; `undefined`: it is absent. */
  read(problems: DraftProblem[], hide?: HideValue): { readonly value: unknown } | undefined {
    if (hide && this.field.isSecret) {
      const read = this.read(problems);
      return read && { value: hide(read.value) };
    }
    const { field } = this;
    if (this.state === 'null') {
      return { value: null };
    }
    if (this.state === 'absent') {
      if (field.isRequired) {
        problems.push({ draft: this, kind: 'required' });
      }
      return undefined;
    }
    const report = (kind: DraftProblemKind, detail?: string) => {
      problems.push({ draft: this, kind, detail });
      return undefined;
    };
    if (this.isRaw || field.kind === 'json') {
      return readJson(this.text, report);
    }
    switch (field.kind) {
      case 'text':
        return { value: this.text };
      case 'number':
        return readNumber(this.text.trim(), field.isInteger, report);
      case 'boolean':
        return { value: this.chosen === 1 };
      case 'fixed':
        return { value: field.value };
      case 'choice':
        return this.chosen === undefined
          ? report('notChoice')
          : { value: field.options[this.chosen]?.value };
      case 'choices':
        return { value: this.picked.map((index) => field.options[index]?.value) };
      case 'object':
        return { value: this.readObject(problems, hide) };
      case 'array':
        return { value: this.readItems(problems, hide) };
      case 'union':
        return this.branch ? this.branch.read(problems, hide) : report('required');
    }
  }

  private writeKind(value: unknown): boolean {
    const { field } = this;
    switch (field.kind) {
      case 'text':
      case 'number':
        this.text = String(value);
        return true;
      case 'boolean':
        this.chosen = value === true ? 1 : 0;
        return true;
      case 'choice':
        this.chosen = optionIndex(field.options, value);
        this.text = field.options[this.chosen]?.label ?? '';
        return true;
      case 'choices':
        this.picked = (value as readonly unknown[]).map((item) => optionIndex(field.options, item));
        return true;
      case 'object':
        return this.writeObject(value as JsonObject);
      case 'array':
        return this.writeItems(value as readonly unknown[]);
      case 'union':
        return this.writeUnion(value);
      case 'json':
        this.text = JSON.stringify(value, undefined, 2);
        return true;
      case 'fixed':
        return true;
    }
  }

  private writeObject(value: JsonObject): boolean {
    const names = new Set(this.children.map((child) => child.field.name));
    for (const child of this.children) {
      const { name } = child.field;
      if (Object.hasOwn(value, name)) {
        child.write(value[name]);
      } else {
        child.clear();
      }
    }
    this.rows = Object.entries(value)
      .filter(([name]) => !names.has(name))
      .map(([name, item]) => {
        const row = this.rowFor(name) ?? { name, draft: this.child(otherField(name)) };
        row.draft.write(item);
        return row;
      });
    return true;
  }

  private writeItems(value: readonly unknown[]): boolean {
    for (const [index, child] of this.children.entries()) {
      if (index < value.length) {
        child.write(value[index]);
      } else {
        child.clear();
      }
    }
    this.rows = value.slice(this.children.length).map((item) => {
      const row = this.rowFor('') ?? { name: '', draft: this.child(otherField('')) };
      row.draft.write(item);
      return row;
    });
    return true;
  }

  private writeUnion(value: unknown): boolean {
    const { field } = this;
    if (field.kind !== 'union') {
      return false;
    }
    const fits = field.branches.map((branch) => fitness(branch.field(), value));
    const best = largest(fits);
    if (best <= 0) {
      return false;
    }
    this.chosen = fits.indexOf(best);
    this.branch?.write(value);
    return true;
  }

  private readObject(problems: DraftProblem[], hide?: HideValue): JsonObject {
    const entries = this.children.flatMap((child): [string, unknown][] => {
      const read = child.read(problems, hide);
      return read ? [[child.field.name, read.value]] : [];
    });
    const names = new Set(this.children.map((child) => child.field.name));
    for (const { name, draft } of this.rows) {
      if (name === '' || names.has(name)) {
        problems.push({ draft, kind: name === '' ? 'noName' : 'sameName' });
      }
      names.add(name);
      const read = draft.read(problems, hide);
      if (read) {
        entries.push([name, read.value]);
      }
    }
    return Object.fromEntries(entries);
  }

  private readItems(problems: DraftProblem[], hide?: HideValue): readonly unknown[] {
    const all = [...this.children, ...this.rows.map(({ draft }) => draft)];
    const last = all.findLastIndex(({ state }) => state !== 'absent');
    const values: unknown[] = [];
    for (const [index, draft] of all.entries()) {
      const isRow = index >= this.children.length;
      const read = draft.read(problems, hide);
      if (read) {
        values.push(read.value);
      } else if (draft.state === 'absent' && index < last && !isRow && !draft.field.isRequired) {
        problems.push({ draft, kind: 'gap' });
      }
    }
    return values;
  }

  private rowFor(name: string): DraftRow | undefined {
    const { field } = this;
    const inner =
      field.kind === 'object'
        ? field.others?.(name)
        : field.kind === 'array'
          ? field.item?.()
          : undefined;
    return inner && { name, draft: this.child(inner) };
  }

  private child(field: Field): FieldDraft {
    return new FieldDraft(field, this.budget, this.level + 1);
  }
}

function otherField(name: string): Field {
  return { kind: 'json', name, title: name, isRequired: true };
}

function isGroup({ kind }: Field): boolean {
  return kind === 'object' || kind === 'array' || kind === 'choices';
}

/** The whole value of a form, when nothing stands in its way. @param hide is asked for secrets; default: they stay */
export function readDraft(
  root: FieldDraft,
  hide?: HideValue,
): {
  readonly value: unknown;
  readonly problems: readonly DraftProblem[];
} {
  const problems: DraftProblem[] = [];
  const read = root.read(problems, hide);
  return { value: read?.value, problems };
}

import type { nothing, TemplateResult } from 'lit-html';
import type { FieldDraft } from '../../base/form/fieldDraft.js';
import type { ComboState } from './comboState.js';
import { describingIds, type FieldWords } from './fieldParts.js';

/** Characters of what a server says about a field. */
const maxHint = 2_000;

/** What fields need of their page. */
export interface FormContext {
  /** By id of a draft. */
  readonly problems: ReadonlyMap<number, readonly string[]>;
  readonly combo: ComboState;
  /** People try out what a server makes of an empty text. Default: they only answer. */
  readonly sendsEmptyTexts?: true;
  /** Each field can be written as JSON. Default: none can. */
  readonly mayEditJson?: boolean;
  /** Draws a field inside of another. */
  draw(draft: FieldDraft): TemplateResult;
  /** Call after every change of a draft. */
  changed(): void;
  /** The draft becomes what the user has chosen a file for. Default: no file can be chosen. */
  readonly pickFile?: (draft: FieldDraft) => void;
}

export function fieldId({ id }: FieldDraft): string {
  return `field-${id}`;
}

/** What its server says of a field, and what is wrong with it. */
export function fieldWords(draft: FieldDraft, { problems }: FormContext): FieldWords {
  const { description, isRequired, isReadOnly } = draft.field;
  return {
    id: fieldId(draft),
    hint: description?.slice(0, maxHint),
    problems: problems.get(draft.id),
    isRequired,
    isReadOnly,
  };
}

export function describedBy(draft: FieldDraft, form: FormContext): string | typeof nothing {
  return describingIds(fieldWords(draft, form));
}

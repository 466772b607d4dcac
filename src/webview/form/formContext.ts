import { html, nothing, type TemplateResult } from 'lit-html';
import type { FieldDraft } from '../../base/form/fieldDraft.js';
import { icon } from '../shared/icon.js';
import type { ComboState } from './comboState.js';

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

export function problemLines(
  draft: FieldDraft,
  { problems }: FormContext,
): TemplateResult | typeof nothing {
  const own = problems.get(draft.id) ?? [];
  return own.length === 0
    ? nothing
    : html`<div id=${`${fieldId(draft)}-problem`}>
        ${own.map(
          (text) => html`<p class="field-problem">${icon('error')}<span>${text}</span></p>`,
        )}
      </div>`;
}

export function describedBy(draft: FieldDraft, { problems }: FormContext): string | typeof nothing {
  const ids = [
    ...(draft.field.description ? [`${fieldId(draft)}-hint`] : []),
    ...(problems.has(draft.id) ? [`${fieldId(draft)}-problem`] : []),
  ];
  return ids.length > 0 ? ids.join(' ') : nothing;
}

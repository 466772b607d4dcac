import { html, nothing, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import type { ConfigFormField } from '../../protocol/configProtocol.js';
import { icon } from '../shared/icon.js';
import { textOf } from '../shared/inputs.js';
import type { ConfigPage } from './configPage.js';
import type { FormDraft } from './formDraft.js';
import type { OpenForm } from './pageState.js';

/** Fields of the draft that are one text. */
export type TextField = {
  [K in keyof FormDraft]-?: FormDraft[K] extends string ? K : never;
}[keyof FormDraft] &
  ConfigFormField;

export interface TextFieldOptions {
  readonly label: string;
  readonly hint?: string;
  readonly placeholder?: string;
}

export function textField(
  form: OpenForm,
  page: ConfigPage,
  field: TextField,
  options: TextFieldOptions,
): TemplateResult {
  const isInvalid = form.problems.some((problem) => problem.field === field);
  return html`<div class="field">
    <vscode-text-field
      id=${`field-${field}`}
      .value=${live(form.draft[field])}
      placeholder=${options.placeholder ?? nothing}
      aria-invalid=${isInvalid ? 'true' : nothing}
      spellcheck="false"
      @input=${(event: Event) => page.changeDraft({ [field]: textOf(event) })}
      >${options.label}</vscode-text-field
    >
    ${options.hint ? html`<p class="hint dim">${options.hint}</p>` : nothing}
    ${fieldProblems(form, field)}
  </div>`;
}

/** The sentences are read out by the summary above the form. */
export function fieldProblems(form: OpenForm, field: ConfigFormField): readonly TemplateResult[] {
  return form.problems
    .filter((problem) => problem.field === field)
    .map(
      ({ message }) => html`<p class="field-problem">${icon('error')}<span>${message}</span></p>`,
    );
}

export interface SelectOptions {
  readonly id: string;
  readonly label: string;
  readonly hint?: string;
  readonly value: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly onChange: (value: string) => void;
}

export function selectField(select: SelectOptions): TemplateResult {
  return html`<div class="field">
    <label for=${select.id}>${select.label}</label>
    <select
      id=${select.id}
      aria-describedby=${select.hint ? `${select.id}-hint` : nothing}
      @change=${(event: Event) => select.onChange(textOf(event))}
    >
      ${select.options.map(
        ({ value, label }) =>
          html`<option value=${value} .selected=${live(value === select.value)}>${label}</option>`,
      )}
    </select>
    ${
      select.hint ? html`<p class="hint dim" id=${`${select.id}-hint`}>${select.hint}</p>` : nothing
    }
  </div>`;
}

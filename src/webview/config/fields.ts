import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { withRemedy } from '../../base/errors.js';
import type { FieldProblem, FormField } from '../../protocol/configProtocol.js';
import { checkBox, sideButton } from '../shared/buttons.js';
import { dropDown } from '../shared/choices.js';
import { icon } from '../shared/icon.js';
import { inputText } from '../shared/inputs.js';
import { type ConfigFieldDraft, fieldOf, isFlagOn, listChoice } from './formDraft.js';
import { offerView, secretNote } from './formNotes.js';
import type { FormPage } from './formPage.js';
import type { OpenForm } from './pageState.js';
import { keepHint, rowsEditor } from './rowsEditor.js';

/** The control of a field, with its label, what it means and what is wrong with it. */
export function configFieldView(field: FormField, form: OpenForm, page: FormPage): TemplateResult {
  const draft = fieldOf(form.draft, field);
  const change = (part: Partial<ConfigFieldDraft>) => page.changeField(field.id, part);
  switch (field.control) {
    case 'flag':
      return flagField(field, draft, form, page);
    case 'choice':
      return html`<div class="field">${choiceField(field, draft, form, change)} ${notes(field, form, page)}</div>`;
    case 'mixed':
      return html`<div class="field">
        ${choiceField(field, draft, form, change)}
        ${draft.text === listChoice ? rowsEditor(field, draft, change) : nothing} ${notes(field, form, page)}
      </div>`;
    case 'list':
    case 'pairs':
      return html`<fieldset class="field" aria-describedby=${`${field.id}-hint`}>
        <legend>${field.label}</legend>
        ${hint(field)} ${rowsEditor(field, draft, change)} ${fieldNotes(field, form, page)}
      </fieldset>`;
    case 'long-secret':
      return longSecret(field, draft, form, page);
    default:
      return inputField(field, draft, form, page);
  }
}

type Change = (part: Partial<ConfigFieldDraft>) => void;

export function problemsOf({ problems }: OpenForm, id: string): readonly FieldProblem[] {
  return problems.filter(({ field }) => field === id);
}

/** Read out when they come: the inputs of the component library cannot be described by what is beside them. */
export function fieldProblemLines(problems: readonly FieldProblem[]): readonly TemplateResult[] {
  return problems.map(
    ({ message, remedy }) =>
      html`<p class="field-problem">${icon('error')}<span>${withRemedy(message, remedy)}</span></p>`,
  );
}

export function isInvalid(form: OpenForm, id: string): boolean {
  return problemsOf(form, id).length > 0;
}

/** Text with `code` in it. */
function helpText(help: string): readonly (string | TemplateResult)[] {
  return help
    .split('`')
    .map((part, index) => (index % 2 === 0 ? part : html`<code>${part}</code>`));
}

function hint(field: FormField): TemplateResult {
  return html`<p class="hint dim" id=${`${field.id}-hint`} ?hidden=${field.help === ''}>${helpText(field.help)}</p>`;
}

function notes(field: FormField, form: OpenForm, page: FormPage): TemplateResult {
  return html`${hint(field)} ${fieldNotes(field, form, page)}`;
}

function fieldNotes({ id }: FormField, form: OpenForm, page: FormPage): TemplateResult {
  const isKept = form.draft.kept.includes(id);
  return html`${
    isKept
      ? html`<p class="warning-line">${icon('info')}<span
          >${l10n.t('The file holds a value that cannot be shown here. It stays until you set another one.')}</span
        ></p>`
      : nothing
  }
  ${fieldProblemLines(problemsOf(form, id))}
  ${id === 'command' ? offerView(form, page) : nothing} ${secretNote(id, form, page)}`;
}

function inputField(
  field: FormField,
  draft: ConfigFieldDraft,
  form: OpenForm,
  page: FormPage,
): TemplateResult {
  const change: Change = (part) => page.changeField(field.id, part);
  const { id, control, label, placeholder } = field;
  const isSecret = control === 'secret';
  return html`<div class="field">
    <vscode-text-field
      id=${`field-${id}`}
      .value=${live(draft.text)}
      type=${isSecret ? 'password' : nothing}
      autocomplete=${isSecret ? 'off' : nothing}
      placeholder=${keepHint(draft.stored) ?? placeholder ?? nothing}
      aria-invalid=${isInvalid(form, id) ? 'true' : nothing}
      spellcheck="false"
      @input=${(event: Event) => change({ text: inputText(event) })}
      >${label}</vscode-text-field
    >
    ${forget(field, draft, change)} ${notes(field, form, page)}
  </div>`;
}

function longSecret(
  field: FormField,
  draft: ConfigFieldDraft,
  form: OpenForm,
  page: FormPage,
): TemplateResult {
  const change: Change = (part) => page.changeField(field.id, part);
  const { id, label } = field;
  return html`<div class="field">
    <label for=${`field-${id}`}>${label}</label>
    <textarea
      id=${`field-${id}`}
      class="secret"
      rows="4"
      spellcheck="false"
      autocomplete="off"
      aria-describedby=${`${id}-hint`}
      aria-invalid=${isInvalid(form, id) ? 'true' : nothing}
      placeholder=${keepHint(draft.stored) ?? nothing}
      .value=${live(draft.text)}
      @input=${(event: Event) => change({ text: inputText(event) })}
    ></textarea>
    ${forget(field, draft, change)} ${notes(field, form, page)}
  </div>`;
}

function forget(
  { label, isRequired }: FormField,
  draft: ConfigFieldDraft,
  change: Change,
): TemplateResult | typeof nothing {
  return draft.stored !== undefined && !isRequired
    ? sideButton(l10n.t('Remove Stored Value'), () => change({ stored: undefined }), {
        label: `${l10n.t('Remove Stored Value')}: ${label}`,
        className: 'add-row',
      })
    : nothing;
}

function choiceField(
  { id, label, options = [] }: FormField,
  { text }: ConfigFieldDraft,
  form: OpenForm,
  change: Change,
): TemplateResult {
  // a value that is read, but that the form does not offer
  const isOther = !options.some(({ value }) => value === text);
  const choices = isOther ? [...options, { value: text, label: text }] : options;
  return html`<label for=${`field-${id}`}>${label}</label>
    ${dropDown(choices, text, (value) => change({ text: value }), {
      id: `field-${id}`,
      describedBy: `${id}-hint`,
      isInvalid: isInvalid(form, id),
    })}`;
}

function flagField(
  field: FormField,
  draft: ConfigFieldDraft,
  form: OpenForm,
  page: FormPage,
): TemplateResult {
  return html`<div class="field">
    ${checkBox(
      field.label,
      isFlagOn(field, draft),
      (isOn) => page.changeField(field.id, { text: String(isOn) }),
      `field-${field.id}`,
    )}
    ${notes(field, form, page)}
  </div>`;
}

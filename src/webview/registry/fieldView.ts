import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import type { RegistryField } from '../../protocol/registry/registryProtocol.js';
import { icon } from '../shared/icon.js';
import { inputText, isChecked } from '../shared/inputs.js';

export interface FieldParts {
  readonly value: string;
  /** What is wrong with it; `undefined`: nothing, or it is not to be said yet. */
  readonly trouble: string | undefined;
  readonly onInput: (value: string) => void;
  readonly onLeave: () => void;
}

export function registryFieldView(field: RegistryField, parts: FieldParts): TemplateResult {
  const { help, isSecret } = field;
  const id = idOf(field);
  return html`<div class="field" @focusout=${parts.onLeave}>
    ${control(field, parts)}
    ${help === '' ? nothing : html`<p class="hint dim" id=${`${id}-hint`}>${help}</p>`}
    ${
      isSecret
        ? html`<p class="hint dim">${icon('lock')} ${l10n.t('Kept in the secret storage of VS Code; the file refers to it.')}</p>`
        : nothing
    }
    ${problemLine(parts.trouble)}
  </div>`;
}

export function problemLine(text: string | undefined): TemplateResult | typeof nothing {
  return text === undefined
    ? nothing
    : html`<p class="field-problem" role="alert">${icon('error')}<span>${text}</span></p>`;
}

function idOf({ id }: RegistryField): string {
  return `answer-${id.replaceAll(/[^\w-]/g, '_')}`;
}

function control(field: RegistryField, parts: FieldParts): TemplateResult {
  switch (field.control) {
    case 'choice':
      return choiceControl(field, parts);
    case 'check':
      return html`<vscode-checkbox
        .checked=${live(parts.value === 'true')}
        @change=${(event: Event) => parts.onInput(isChecked(event) ? 'true' : '')}
        >${field.label}</vscode-checkbox
      >`;
    case 'lines':
      return linesControl(field, parts);
    default:
      return html`<vscode-text-field
        id=${idOf(field)}
        .value=${live(parts.value)}
        type=${field.isSecret ? 'password' : nothing}
        autocomplete=${field.isSecret ? 'off' : nothing}
        inputmode=${field.control === 'number' ? 'decimal' : nothing}
        placeholder=${field.placeholder || nothing}
        aria-invalid=${parts.trouble === undefined ? nothing : 'true'}
        spellcheck="false"
        @input=${(event: Event) => parts.onInput(inputText(event))}
        >${labelOf(field)}</vscode-text-field
      >`;
  }
}

function choiceControl(field: RegistryField, { value, trouble, onInput }: FieldParts) {
  const id = idOf(field);
  return html`<label for=${id}>${labelOf(field)}</label>
    <select
      id=${id}
      aria-invalid=${trouble === undefined ? nothing : 'true'}
      aria-describedby=${field.help === '' ? nothing : `${id}-hint`}
      @change=${(event: Event) => onInput(inputText(event))}
    >
      <option value="" .selected=${live(value === '')}>${l10n.t('None')}</option>
      ${field.choices.map(
        (choice) =>
          html`<option value=${choice} .selected=${live(choice === value)}>${choice}</option>`,
      )}
    </select>`;
}

function linesControl(field: RegistryField, { value, trouble, onInput }: FieldParts) {
  const id = idOf(field);
  return html`<label for=${id}>${labelOf(field)} – ${l10n.t('one in each line')}</label>
    <textarea
      id=${id}
      rows="3"
      .value=${live(value)}
      placeholder=${field.placeholder || nothing}
      aria-invalid=${trouble === undefined ? nothing : 'true'}
      aria-describedby=${field.help === '' ? nothing : `${id}-hint`}
      spellcheck="false"
      @input=${(event: Event) => onInput(inputText(event))}
    ></textarea>`;
}

function labelOf({ label, isRequired }: RegistryField): string {
  return isRequired ? label : l10n.t('{0} (optional)', label);
}

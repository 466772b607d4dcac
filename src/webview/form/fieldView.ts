/** A field of a form: native controls with their labels, what they mean and what is wrong with them. */
import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import type { FieldDraft } from '../../base/form/fieldDraft.js';
import { linkButton } from '../shared/buttons.js';
import { comboBox } from './comboBox.js';
import { fieldActions } from './fieldActions.js';
import { groupField, labelledField, textBox } from './fieldParts.js';
import { describedBy, type FormContext, fieldId, fieldWords } from './formContext.js';
import { fieldTitle } from './formWords.js';
import { choicesField, groupBody } from './groupView.js';
import { optionSelect } from './optionSelect.js';

/** More are found by typing. */
const maxSelected = 25;

export function fieldView(draft: FieldDraft, form: FormContext): TemplateResult {
  const { kind } = draft.field;
  const isGroup = !draft.isRaw && (kind === 'object' || kind === 'array' || kind === 'union');
  const isShown = draft.state !== 'null';
  const words = { ...fieldWords(draft, form), title: heading(draft) };
  const actions = fieldActions(draft, form);
  return isGroup || (kind === 'choices' && !draft.isRaw)
    ? groupField(words, isShown ? groupContent(draft, form) : nullLine(), actions)
    : labelledField(words, isShown ? control(draft, form) : nullLine(), actions);
}

function groupContent(draft: FieldDraft, form: FormContext): TemplateResult | typeof nothing {
  return draft.field.kind === 'choices' ? choicesField(draft, form) : groupBody(draft, form);
}

function heading(draft: FieldDraft): TemplateResult {
  const { isRequired, isDeprecated, isReadOnly, header } = draft.field;
  const marks = [
    ...(isRequired ? [l10n.t('required')] : []),
    ...(isDeprecated ? [l10n.t('deprecated')] : []),
    ...(isReadOnly ? [l10n.t('read-only')] : []),
    ...(header === undefined ? [] : [l10n.t('also sent as header {0}', header)]),
  ];
  return html`<span class="field-title">${fieldTitle(draft)}</span>${
    marks.length > 0 ? html` <span class="dim mark">${marks.join(', ')}</span>` : nothing
  }`;
}

function nullLine(): TemplateResult {
  return html`<p class="sent-word"><code>null</code></p>`;
}

function control(draft: FieldDraft, form: FormContext): TemplateResult {
  const { field } = draft;
  if (draft.isRaw || field.kind === 'json') {
    return box(draft, form, { rows: 3, isJson: true });
  }
  switch (field.kind) {
    case 'boolean':
      return optionSelect(draft, form, ['false', 'true']);
    case 'choice': {
      const labels = field.options.map(({ label }) => label);
      return labels.length <= maxSelected
        ? optionSelect(draft, form, labels)
        : comboBox(draft, form, labels);
    }
    case 'fixed':
      return fixedValue(draft, field.value, form);
    case 'text':
      return field.isBinary
        ? fileInput(draft, form)
        : field.isSecret || field.format !== undefined || (field.maxLength ?? 1000) <= 200
          ? box(draft, form)
          : box(draft, form, { rows: draft.text.includes('\n') || draft.text.length > 90 ? 4 : 1 });
    default:
      return box(draft, form);
  }
}

/** @param rows default: a box for one line */
function box(
  draft: FieldDraft,
  form: FormContext,
  { rows, isJson }: { readonly rows?: number; readonly isJson?: true } = {},
): TemplateResult {
  const { field, text } = draft;
  return textBox(
    {
      ...fieldWords(draft, form),
      text,
      rows,
      placeholder: isJson ? '{ "name": [1, true, "text"] }' : placeholder(draft),
      className: isJson && 'json-box',
      isSecret: field.isSecret && rows === undefined,
      isNumber: field.kind === 'number',
    },
    (typed) => {
      draft.type(typed);
      form.changed();
    },
  );
}

function placeholder({ field, state }: FieldDraft): string | undefined {
  if (field.kind === 'text') {
    switch (field.format) {
      case 'date':
        return '2026-01-31';
      case 'date-time':
        return '2026-01-31T12:00:00Z';
      case 'time':
        return '12:00:00Z';
      case 'email':
        return 'name@example.com';
      case 'uri':
        return 'https://example.com';
      case undefined:
      case 'password':
        return state === 'set' ? l10n.t('An empty text is sent') : undefined;
      default:
        return field.format;
    }
  }
  return undefined;
}

function fixedValue(draft: FieldDraft, value: unknown, form: FormContext): TemplateResult {
  const text = JSON.stringify(value);
  if (draft.field.isRequired) {
    return html`<input
      id=${fieldId(draft)}
      class="fixed"
      readonly
      aria-describedby=${describedBy(draft, form)}
      .value=${text}
    />`;
  }
  return html`<label class="choice">
    <input
      id=${fieldId(draft)}
      type="checkbox"
      aria-describedby=${describedBy(draft, form)}
      .checked=${live(draft.state === 'set')}
      @change=${() => {
        if (draft.state === 'set') {
          draft.clear();
        } else {
          draft.open();
        }
        form.changed();
      }}
    />
    <code>${text}</code>
  </label>`;
}

function fileInput(draft: FieldDraft, form: FormContext): TemplateResult {
  const { pickFile } = form;
  const size = Math.floor((draft.text.length * 3) / 4);
  return html`<div>
    ${box(draft, form, { rows: 2 })}
    <div class="actions">
      ${pickFile ? linkButton(l10n.t('Choose File…'), () => pickFile(draft), { glyph: 'file' }) : nothing}
      ${draft.text ? html`<span class="dim">${l10n.t('about {0} bytes', size)}</span>` : nothing}
    </div>
  </div>`;
}

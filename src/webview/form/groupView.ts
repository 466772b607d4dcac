/** Fields that hold other fields. */
import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { repeat } from 'lit-html/directives/repeat.js';
import type { DraftRow, FieldDraft } from '../../base/form/fieldDraft.js';
import { iconButton } from '../shared/buttons.js';
import { focusLater, inputText, isChecked } from '../shared/inputs.js';
import { repeatById } from '../shared/repeatById.js';
import { action } from './fieldActions.js';
import { textBox } from './fieldParts.js';
import { type FormContext, fieldId } from './formContext.js';
import { fieldTitle } from './formWords.js';
import { optionSelect } from './optionSelect.js';

/** More check boxes are searched. */
const maxListed = 25;
const maxFound = 100;

export function groupBody(draft: FieldDraft, form: FormContext): TemplateResult | typeof nothing {
  switch (draft.field.kind) {
    case 'object':
      return draft.state === 'set'
        ? objectBody(draft, form)
        : action(l10n.t('Add'), draft, form, () => draft.open());
    case 'array':
      return draft.state === 'set'
        ? arrayBody(draft, form)
        : action(l10n.t('Add'), draft, form, () => draft.open());
    case 'union':
      return unionBody(draft, form);
    default:
      return nothing;
  }
}

function objectBody(draft: FieldDraft, form: FormContext): TemplateResult {
  const { field, children, rows } = draft;
  const takesOthers = field.kind === 'object' && field.others && field.invitesOthers;
  return html`<div class="group-fields">
    ${repeatById(children, (child) => form.draw(child))}
    ${repeat(
      rows,
      (row) => row.draft.id,
      (row) => propertyRow(draft, row, form),
    )}
    ${takesOthers ? action(l10n.t('Add'), draft, form, () => addRow(draft, 'name')) : nothing}
    ${
      children.length === 0 && rows.length === 0 && !takesOthers
        ? html`<p class="dim">${l10n.t('The tool takes no arguments.')}</p>`
        : nothing
    }
  </div>`;
}

function addRow(draft: FieldDraft, part: 'name' | 'value'): void {
  const added = draft.addRow();
  if (added) {
    focusLater(`#${fieldId(added)}${part === 'name' ? '-name' : ''}`);
  }
}

function propertyRow(draft: FieldDraft, row: DraftRow, form: FormContext): TemplateResult {
  const { draft: value } = row;
  const id = `${fieldId(value)}-name`;
  return html`<div class="row property">
    <div class="field key">
      <label for=${id}>${l10n.t('Name')}</label>
      ${textBox({ id, text: row.name }, (name) => {
        row.name = name;
        form.changed();
      })}
    </div>
    <div class="row-value">${form.draw(value)}</div>
    ${remove(draft, value, form, row.name || fieldTitle(draft))}
  </div>`;
}

function remove(
  draft: FieldDraft,
  item: FieldDraft,
  form: FormContext,
  name: string,
): TemplateResult {
  return iconButton(l10n.t('Remove {0}', name), 'close', () => {
    draft.removeRow(item);
    form.changed();
    focusLater(`#${fieldId(draft)}`);
  });
}

function arrayBody(draft: FieldDraft, form: FormContext): TemplateResult {
  const { field, children, rows } = draft;
  const count = children.length;
  return html`<div class="group-fields">
    ${children.map(
      (child, index) =>
        html`<div class="item"><p class="dim item-number">${index + 1}</p>${form.draw(child)}</div>`,
    )}
    ${repeat(
      rows,
      (row) => row.draft.id,
      ({ draft: item }, index) =>
        html`<div class="row item">
          <p class="dim item-number">${count + index + 1}</p>
          <div class="row-value">${form.draw(item)}</div>
          ${remove(draft, item, form, l10n.t('{0}, row {1}', fieldTitle(draft), count + index + 1))}
        </div>`,
    )}
    ${
      field.kind === 'array' && field.item
        ? action(l10n.t('Add'), draft, form, () => addRow(draft, 'value'))
        : nothing
    }
  </div>`;
}

function unionBody(draft: FieldDraft, form: FormContext): TemplateResult {
  const { field, branch } = draft;
  const branches = field.kind === 'union' ? field.branches : [];
  const labels = branches.map(({ label }, index) => label || l10n.t('Variant {0}', index + 1));
  const id = `${fieldId(draft)}-branch`;
  return html`<div class="field">
      <label for=${id}>${l10n.t('Variant')}</label>
      ${optionSelect(draft, form, labels, id)}
    </div>
    ${branch ? html`<div class="branch">${branchBody(branch, form)}</div>` : nothing}`;
}

/** The picker has said already which one it is. */
function branchBody(branch: FieldDraft, form: FormContext): TemplateResult | typeof nothing {
  const { kind } = branch.field;
  const isGroup = kind === 'object' || kind === 'array' || kind === 'union';
  return isGroup && !branch.isRaw && branch.state !== 'null'
    ? groupBody(branch, form)
    : form.draw(branch);
}

export function choicesField(draft: FieldDraft, form: FormContext): TemplateResult {
  const { field, picked } = draft;
  const options = field.kind === 'choices' ? field.options : [];
  const isLong = options.length > maxListed;
  const query = form.combo.queryOf(draft);
  const found = options
    .map(({ label }, index) => ({ label, index }))
    .filter(({ label, index }) =>
      query === '' ? !isLong || picked.includes(index) : label.toLowerCase().includes(query),
    );
  return html`${
    isLong
      ? html`<input
          type="search"
          id=${`${fieldId(draft)}-search`}
          aria-label=${l10n.t('Type to find one of {0} values', options.length)}
          placeholder=${l10n.t('Type to find one of {0} values', options.length)}
          @input=${(event: Event) => {
            form.combo.search(draft, inputText(event).toLowerCase());
            form.changed();
          }}
        />`
      : nothing
  }
  <div class="check-list">
    ${repeat(
      found.slice(0, maxFound),
      ({ index }) => index,
      ({ label, index }) => html`<label class="choice">
        <input
          type="checkbox"
          .checked=${live(picked.includes(index))}
          @change=${(event: Event) => {
            const others = picked.filter((one) => one !== index);
            draft.pick(isChecked(event) ? [...others, index] : others);
            form.changed();
          }}
        />
        <span>${label}</span>
      </label>`,
    )}
    ${
      found.length > maxFound
        ? html`<p class="dim">${l10n.t('{0} of {1}', maxFound, found.length)}</p>`
        : nothing
    }
  </div>`;
}

import * as l10n from '@vscode/l10n';
import { html, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { repeat } from 'lit-html/directives/repeat.js';
import { storedValue } from '../../protocol/configProtocol.js';
import { icon } from '../shared/icon.js';
import { focusLater, textOf } from '../shared/inputs.js';
import type { ConfigPage } from './configPage.js';
import { fieldProblems } from './fields.js';
import { nextRowId, type PairRow } from './formDraft.js';
import type { OpenForm } from './pageState.js';

type PairField = 'env' | 'headers';

/** Names and values; a stored value is never shown and stays when its field is left empty. */
export function pairsEditor(field: PairField, form: OpenForm, page: ConfigPage): TemplateResult {
  const rows = form.draft[field];
  return html`<fieldset class="field rows">
    <legend>${field === 'env' ? l10n.t('Environment variables') : l10n.t('Headers')}</legend>
    ${repeat(
      rows,
      (row) => row.rowId,
      (row, index) => pairRow(field, row, index, rows, page),
    )}
    ${fieldProblems(form, field)}
    <vscode-button appearance="secondary" class="add-row" @click=${() => addRow(field, rows, page)}
      >${field === 'env' ? l10n.t('Add Variable') : l10n.t('Add Header')}</vscode-button
    >
  </fieldset>`;
}

function pairRow(
  field: PairField,
  row: PairRow,
  index: number,
  rows: readonly PairRow[],
  page: ConfigPage,
): TemplateResult {
  const change = (part: Partial<PairRow>) =>
    page.changeDraft({
      [field]: rows.map((other) => (other === row ? { ...row, ...part } : other)),
    });
  const removeLabel = l10n.t('Remove {0}', row.key || rowName(field, index));
  return html`<div class="row pair">
    <vscode-text-field
      class="no-label key"
      id=${`${field}-${row.rowId}`}
      spellcheck="false"
      placeholder=${l10n.t('Name')}
      .value=${live(row.key)}
      @input=${(event: Event) => change({ key: textOf(event) })}
      >${l10n.t('{0}: name', rowName(field, index))}</vscode-text-field
    >
    <vscode-text-field
      class="no-label value"
      type="password"
      autocomplete="off"
      placeholder=${row.storedKey === undefined ? l10n.t('Value') : l10n.t('{0} (leave empty to keep)', storedValue)}
      .value=${live(row.value)}
      @input=${(event: Event) => change({ value: textOf(event) })}
      >${l10n.t('{0}: value', rowName(field, index))}</vscode-text-field
    >
    <vscode-button
      appearance="icon"
      aria-label=${removeLabel}
      title=${removeLabel}
      @click=${() => page.changeDraft({ [field]: rows.filter((other) => other !== row) })}
      >${icon('close')}</vscode-button
    >
  </div>`;
}

function rowName(field: PairField, index: number): string {
  return field === 'env' ? l10n.t('Variable {0}', index + 1) : l10n.t('Header {0}', index + 1);
}

function addRow(field: PairField, rows: readonly PairRow[], page: ConfigPage): void {
  const rowId = nextRowId(rows);
  page.changeDraft({ [field]: [...rows, { rowId, key: '', value: '' }] });
  focusLater(`#${field}-${rowId}`);
}

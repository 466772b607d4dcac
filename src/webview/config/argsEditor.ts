import * as l10n from '@vscode/l10n';
import { html, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { repeat } from 'lit-html/directives/repeat.js';
import { icon } from '../shared/icon.js';
import { focusLater, textOf } from '../shared/inputs.js';
import type { ConfigPage } from './configPage.js';
import { nextRowId, type ValueRow } from './formDraft.js';

/** One input per argument, so that spaces, quotes and empty arguments are what they look like. */
export function argsEditor(rows: readonly ValueRow[], page: ConfigPage): TemplateResult {
  return html`<fieldset class="field rows">
    <legend>${l10n.t('Arguments')}</legend>
    <p class="hint dim">${l10n.t('One per line, exactly as the program gets them; no quotes needed.')}</p>
    ${repeat(
      rows,
      (row) => row.rowId,
      (row, index) => argRow(row, index, rows, page),
    )}
    <vscode-button
      appearance="secondary"
      class="add-row"
      @click=${() => insertAfter(rows.length - 1, rows, page)}
      >${l10n.t('Add Argument')}</vscode-button
    >
  </fieldset>`;
}

function argRow(
  row: ValueRow,
  index: number,
  rows: readonly ValueRow[],
  page: ConfigPage,
): TemplateResult {
  return html`<div class="row">
    <vscode-text-field
      class="no-label"
      id=${`arg-${row.rowId}`}
      spellcheck="false"
      .value=${live(row.value)}
      @input=${(event: Event) => {
        const value = textOf(event);
        page.changeDraft({
          args: rows.map((other) => (other === row ? { ...row, value } : other)),
        });
      }}
      @keydown=${(event: KeyboardEvent) => {
        if (event.key === 'Enter') {
          insertAfter(index, rows, page);
        }
      }}
      >${l10n.t('Argument {0}', index + 1)}</vscode-text-field
    >
    <vscode-button
      appearance="icon"
      aria-label=${l10n.t('Remove argument {0}', index + 1)}
      title=${l10n.t('Remove argument {0}', index + 1)}
      @click=${() => page.changeDraft({ args: rows.filter((other) => other !== row) })}
      >${icon('close')}</vscode-button
    >
  </div>`;
}

function insertAfter(index: number, rows: readonly ValueRow[], page: ConfigPage): void {
  const rowId = nextRowId(rows);
  page.changeDraft({
    args: [...rows.slice(0, index + 1), { rowId, value: '' }, ...rows.slice(index + 1)],
  });
  focusLater(`#arg-${rowId}`);
}

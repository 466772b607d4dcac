import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { repeat } from 'lit-html/directives/repeat.js';
import { type FormField, storedValue } from '../../protocol/configProtocol.js';
import { sideButton } from '../shared/buttons.js';
import { icon } from '../shared/icon.js';
import { focusLater, inputText } from '../shared/inputs.js';
import { type ConfigFieldDraft, nextRowId, type Row } from './formDraft.js';

type Change = (part: Partial<ConfigFieldDraft>) => void;

/**
 * One input per value, so that spaces, quotes and empty values are what they look like; in pairs one for the name too.
 * A stored value of a pair is never shown and stays when its input is left empty.
 */
export function rowsEditor(
  field: FormField,
  { rows }: ConfigFieldDraft,
  change: Change,
): TemplateResult {
  return html`<div class="rows">
    ${repeat(
      rows,
      (row) => row.rowId,
      (row, index) => rowView(field, row, index, rows, change),
    )}
    ${sideButton(l10n.t('Add'), () => insertAfter(field, rows.length - 1, rows, change), {
      label: `${l10n.t('Add')}: ${field.label}`,
      className: 'add-row',
    })}
  </div>`;
}

function rowView(
  field: FormField,
  row: Row,
  index: number,
  rows: readonly Row[],
  change: Change,
): TemplateResult {
  const isPair = field.control === 'pairs';
  const place = l10n.t('{0}, row {1}', field.label, index + 1);
  const edit = (part: Partial<Row>) =>
    change({ rows: rows.map((other) => (other === row ? { ...row, ...part } : other)) });
  const removeLabel = l10n.t('Remove {0}', row.key || place);
  return html`<div class=${isPair ? 'row pair' : 'row'}>
    ${isPair ? keyInput(field, row, place, edit) : nothing}
    <vscode-text-field
      class=${isPair ? 'no-label value' : 'no-label'}
      id=${isPair ? nothing : rowSelector(field, row.rowId)}
      type=${isPair ? 'password' : nothing}
      autocomplete=${isPair ? 'off' : nothing}
      spellcheck="false"
      placeholder=${valueHint(row, isPair)}
      .value=${live(row.value)}
      @input=${(event: Event) => edit({ value: inputText(event) })}
      @keydown=${(event: KeyboardEvent) => {
        if (event.key === 'Enter' && !isPair) {
          insertAfter(field, index, rows, change);
        }
      }}
      >${isPair ? `${place}: ${l10n.t('Value')}` : place}</vscode-text-field
    >
    <vscode-button
      appearance="icon"
      aria-label=${removeLabel}
      title=${removeLabel}
      @click=${() => change({ rows: rows.filter((other) => other !== row) })}
      >${icon('close')}</vscode-button
    >
  </div>`;
}

function keyInput(
  field: FormField,
  row: Row,
  place: string,
  edit: (part: Partial<Row>) => void,
): TemplateResult {
  return html`<vscode-text-field
    class="no-label key"
    id=${rowSelector(field, row.rowId)}
    spellcheck="false"
    placeholder=${l10n.t('Name')}
    .value=${live(row.key)}
    @input=${(event: Event) => edit({ key: inputText(event) })}
    >${`${place}: ${l10n.t('Name')}`}</vscode-text-field
  >`;
}

function valueHint({ storedKey, stored }: Row, isPair: boolean): string | typeof nothing {
  const hidden = storedKey === undefined ? stored : storedValue;
  return keepHint(hidden) ?? (isPair ? l10n.t('Value') : nothing);
}

/** In the place of a value that is not shown; what stands around its secrets is. */
export function keepHint(stored: string | undefined): string | undefined {
  if (stored === undefined) {
    return undefined;
  }
  const shown = stored === storedValue ? '' : stored.replaceAll(storedValue, '…');
  return `${shown} ${l10n.t('(leave empty to keep)')}`.trim();
}

function insertAfter(field: FormField, index: number, rows: readonly Row[], change: Change): void {
  const rowId = nextRowId(rows);
  const added = { rowId, key: '', value: '' };
  change({ rows: [...rows.slice(0, index + 1), added, ...rows.slice(index + 1)] });
  focusLater(`#${rowSelector(field, rowId)}`);
}

function rowSelector({ id }: FormField, rowId: number): string {
  return `row-${id.replaceAll('.', '-')}-${rowId}`;
}

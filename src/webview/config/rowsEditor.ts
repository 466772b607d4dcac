import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import { type FormField, storedValue } from '../../protocol/configProtocol.js';
import { textBox } from '../form/fieldParts.js';
import { iconButton, sideButton } from '../shared/buttons.js';
import { focusLater } from '../shared/inputs.js';
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
  const box = (part: 'key' | 'value', name: string, placeholder?: string) =>
    textBox(
      {
        id: `${rowId(field, row)}-${part}`,
        text: row[part],
        label: isPair ? `${place}: ${name}` : place,
        placeholder,
        className: part,
        isSecret: isPair && part === 'value',
      },
      (text) => edit({ [part]: text }),
    );
  const addBelow = ({ key, target }: KeyboardEvent) => {
    if (key === 'Enter' && !isPair && target instanceof HTMLInputElement) {
      insertAfter(field, index, rows, change);
    }
  };
  return html`<div
    class=${isPair ? 'row pair' : 'row'}
    id=${rowId(field, row)}
    @keydown=${addBelow}
  >
    ${isPair ? box('key', l10n.t('Name'), l10n.t('Name')) : nothing}
    ${box('value', l10n.t('Value'), valueHint(row, isPair))}
    ${iconButton(l10n.t('Remove {0}', row.key || place), 'close', () => {
      change({ rows: rows.filter((other) => other !== row) });
      focusLater(`#${CSS.escape(`field-${field.id}`)}`);
    })}
  </div>`;
}

function valueHint({ storedKey, stored }: Row, isPair: boolean): string | undefined {
  const hidden = storedKey === undefined ? stored : storedValue;
  return keepHint(hidden) ?? (isPair ? l10n.t('Value') : undefined);
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
  const added = { rowId: nextRowId(rows), key: '', value: '' };
  change({ rows: [...rows.slice(0, index + 1), added, ...rows.slice(index + 1)] });
  focusLater(`#${rowId(field, added)} input`);
}

function rowId({ id }: FormField, row: Row): string {
  return `row-${id.replaceAll('.', '-')}-${row.rowId}`;
}

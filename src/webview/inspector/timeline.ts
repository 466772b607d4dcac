import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { InspectorRow } from '../../protocol/inspector/inspectorProtocol.js';
import { icon } from '../shared/icon.js';
import { rowHeight } from '../shared/inputs.js';
import { countText } from '../shared/numbers.js';
import { repeatById } from '../shared/repeatById.js';
import type { InspectorPage } from './inspectorPage.js';
import type { InspectorPageState } from './pageState.js';

const statusIcons: Readonly<Record<InspectorRow['status'], string>> = {
  open: 'circle-large-outline',
  ok: 'pass',
  faulty: 'warning',
  error: 'error',
  cancelled: 'circle-slash',
  lost: 'debug-disconnect',
  none: 'circle-small',
};

const spare = 8;

export interface RowWindow {
  readonly first: number;
  /** Behind the last one. */
  readonly end: number;
}

export function rowWindow(scrollTop: number, height: number, count: number): RowWindow {
  const first = Math.max(0, Math.floor(scrollTop / rowHeight) - spare);
  const end = Math.min(count, Math.ceil((scrollTop + height) / rowHeight) + spare);
  return { first: Math.min(first, Math.max(0, count - 1)), end: Math.max(end, 0) };
}

export function timeline(
  state: InspectorPageState,
  page: InspectorPage,
  window: RowWindow,
): TemplateResult {
  const { shown, open } = state;
  const at = open ? shown.findIndex(({ id }) => id === open.id) : -1;
  const isDrawn = at >= window.first && at < window.end;
  return html`<div
    id="timeline"
    class="timeline"
    role=${shown.length > 0 ? 'listbox' : 'group'}
    tabindex="0"
    aria-label=${l10n.t('Messages')}
    aria-activedescendant=${isDrawn ? `row-${open?.id}` : nothing}
    @keydown=${(event: KeyboardEvent) => handleKey(event, page)}
  >
    <div class="rows" role="presentation" .style=${`height: ${shown.length * rowHeight}px`}>
      ${repeatById(shown.slice(window.first, window.end), (row, index) =>
        rowView(row, window.first + index, state, page),
      )}
    </div>
    ${shown.length === 0 ? html`<p class="empty dim">${emptyText(state)}</p>` : nothing}
  </div>`;
}

function emptyText({ total }: InspectorPageState): string {
  return total > 0 ? l10n.t('No entry passes the filter.') : l10n.t('Nothing is recorded.');
}

function rowView(
  row: InspectorRow,
  index: number,
  { pinned, open, shown, view }: InspectorPageState,
  page: InspectorPage,
): TemplateResult {
  const isOpen = open?.id === row.id;
  return html`<div
    id=${`row-${row.id}`}
    class="row"
    role="option"
    aria-selected=${isOpen}
    aria-posinset=${index + 1}
    aria-setsize=${shown.length}
    data-status=${row.status}
    data-kind=${row.kind}
    .style=${`transform: translateY(${index * rowHeight}px)`}
    @click=${() => page.openEntry(row.id)}
  >
    <span class="row-time">${view?.isCallLog ? dateText(row.t) : timeText(row.t)}</span>
    ${icon(statusIcons[row.status], 'row-status')}
    <span class="visually-hidden">${statusWords[row.status]()}</span>
    <span title=${dirWord(row)}>${icon(dirIcon(row))}</span>
    <span class="visually-hidden">${dirWord(row)}</span>
    <span class="row-text"
      ><span class="row-method">${row.method}</span>
      <span class="row-target">${row.target}</span>
      ${row.note === undefined ? nothing : html`<span class="dim">${row.note}</span>`}</span
    >
    ${
      pinned.has(row.id)
        ? html`${icon('pinned')}<span class="visually-hidden">${l10n.t('Pinned')}</span>`
        : nothing
    }
    <span class="row-ms">${row.ms === undefined ? '' : l10n.t('{0} ms', durationText(row.ms))}</span>
  </div>`;
}

/** Rows of a page that the keys move by. */
const pageRows = 12;

/** Keys come faster than frames: what is drawn may be older than what the last key has done. */
function handleKey(event: KeyboardEvent, page: InspectorPage): void {
  const { shown, open } = page.state;
  const at = open ? shown.findIndex(({ id }) => id === open.id) : -1;
  const last = shown.length - 1;
  const targets: Readonly<Record<string, number>> = {
    ArrowDown: at + 1,
    ArrowUp: Math.max(0, at - 1),
    PageDown: at + pageRows,
    PageUp: at - pageRows,
    Home: 0,
    End: last,
  };
  const target = targets[event.key];
  if (target !== undefined && last >= 0) {
    event.preventDefault();
    const row = shown[Math.min(last, Math.max(0, target))];
    if (row) {
      void page.openEntry(row.id);
    }
  } else if (event.key === 'Escape' && open) {
    page.closeEntry();
  } else if (event.key === 'p' && open) {
    page.togglePin(open.id);
  }
}

// made once: to make one takes longer than to write a row
const clock = new Intl.DateTimeFormat('en-GB', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
});
/** As ISO 8601 writes it; so do Swedes. */
const dateAndClock = new Intl.DateTimeFormat('sv', { dateStyle: 'short', timeStyle: 'medium' });

export function timeText(t: number): string {
  return clock.format(t);
}

/** Of what goes back over days. */
function dateText(t: number): string {
  return dateAndClock.format(t);
}

function durationText(ms: number): string {
  return countText(ms < 10 ? Math.round(ms * 10) / 10 : Math.round(ms));
}

function dirIcon({ dir }: InspectorRow): string {
  return dir === 'sent' ? 'arrow-right' : dir === 'received' ? 'arrow-left' : 'plug';
}

function dirWord({ dir }: InspectorRow): string {
  return dir === 'sent'
    ? l10n.t('To the server')
    : dir === 'received'
      ? l10n.t('From the server')
      : l10n.t('Connection');
}

const statusWords: Readonly<Record<InspectorRow['status'], () => string>> = {
  open: () => l10n.t('Waits for an answer'),
  ok: () => l10n.t('Answered'),
  faulty: () => l10n.t('Answered with faults'),
  error: () => l10n.t('Failed'),
  cancelled: () => l10n.t('Cancelled'),
  lost: () => l10n.t('Lost'),
  none: () => '',
};

import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { InspectorFrame, InspectorRow } from '../../protocol/inspector/inspectorProtocol.js';
import { iconButton, linkButton, sideButton } from '../shared/buttons.js';
import { icon } from '../shared/icon.js';
import { countText } from '../shared/numbers.js';
import type { InspectorPage } from './inspectorPage.js';
import { jsonTokens } from './jsonTokens.js';
import type { InspectorPageState, OpenEntry } from './pageState.js';
import { timeText } from './timeline.js';

export function entryDetailsView(
  state: InspectorPageState,
  open: OpenEntry,
  page: InspectorPage,
): TemplateResult {
  const row = state.shown.find(({ id }) => id === open.id);
  return html`<section class="details" aria-label=${l10n.t('Details')}>
    <header class="details-head">
      <h2>${row?.method ?? l10n.t('Details')}</h2>
      <span class="details-buttons">
        ${buttons(state, row, open, page)}
        ${iconButton(l10n.t('Close'), 'close', () => page.closeEntry(), { keys: 'Esc' })}
      </span>
    </header>
    ${row?.note === undefined ? nothing : html`<p class="dim">${row.note}</p>`}
    ${
      open.details?.noReplay === undefined || !row?.canReplay
        ? nothing
        : html`<p class="dim">${open.details.noReplay}</p>`
    }
    <div class="frames">
      ${(open.details?.frames ?? []).map((frame) => frameView(frame, open, page))}
    </div>
  </section>`;
}

function buttons(
  { pinned, view, isBusy }: InspectorPageState,
  row: InspectorRow | undefined,
  { id, details }: OpenEntry,
  page: InspectorPage,
): TemplateResult {
  const isPinned = pinned.has(id);
  const mayReplay = row?.canReplay === true && view !== undefined && !view.recording;
  return html`
    ${iconButton(isPinned ? l10n.t('Unpin') : l10n.t('Pin'), isPinned ? 'pinned' : 'pin', () => page.togglePin(id), { keys: 'P' })}
    ${
      mayReplay
        ? sideButton(
            html`${icon('debug-rerun')}&nbsp;${l10n.t('Send Again')}`,
            () => page.replay(id),
            { isEnabled: !isBusy && details !== undefined && details.noReplay === undefined },
          )
        : nothing
    }
  `;
}

function frameView(frame: InspectorFrame, open: OpenEntry, page: InspectorPage): TemplateResult {
  const whole = open.wholes.get(frame.seq);
  const text = whole ?? frame.text;
  return html`<article class="frame">
    <h3>${frame.title} <span class="dim">${timeText(frame.t)}</span></h3>
    <pre tabindex="0" aria-label=${frame.title}>${frame.isJson || whole ? coloured(text) : text}</pre>
    ${frame.wholeSize === undefined ? nothing : cutNote(frame.wholeSize, whole, () => page.readWhole(frame.seq))}
  </article>`;
}

function cutNote(
  size: number,
  whole: string | null | undefined,
  read: () => unknown,
): TemplateResult | typeof nothing {
  if (whole === null) {
    return html`<p class="dim">${l10n.t('Only the beginning of {0} characters was kept. Large messages are kept whole while this page is open.', countText(size))}</p>`;
  }
  return whole === undefined
    ? html`<p>
        <span class="dim">${l10n.t('The beginning of {0} characters.', countText(size))}</span>
        ${linkButton(l10n.t('Show All'), read)}
      </p>`
    : nothing;
}

export function coloured(text: string): readonly (TemplateResult | string)[] {
  return jsonTokens(text).map(({ kind, text: part }) =>
    kind === 'plain' ? part : html`<span class="json-${kind}">${part}</span>`,
  );
}

/** The time of the entries as a strip: to look closer, to go to an entry, and to filter the list to a range. */
import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { iconButton } from '../../shared/buttons.js';
import { countText } from '../../shared/numbers.js';
import type { InspectorPage } from '../inspectorPage.js';
import type { InspectorPageState } from '../pageState.js';
import { timeText } from '../timeline.js';
import { rowAt } from './bars.js';
import { drawStrip, markText, placeAt, stackFor } from './drawStrip.js';
import { overlaps, type TimeRange, timeAt } from './timeScale.js';

const zoomFactor = 2;
const panShare = 0.25;
/** Pixels that the pointer may move in a click. */
const clickReach = 4;

export function timeStrip(
  state: InspectorPageState,
  page: InspectorPage,
): TemplateResult | typeof nothing {
  const { extent, sight, range } = state;
  if (!extent) {
    return nothing;
  }
  return html`<section class="strip">
    <div class="strip-head">
      <p id="strip-summary" class="dim">${summaryOf(state, extent)}</p>
      <span class="strip-buttons">
        ${iconButton(l10n.t('Zoom In'), 'zoom-in', () => page.zoom(1 / zoomFactor), { keys: '+' })}
        ${iconButton(l10n.t('Zoom Out'), 'zoom-out', () => page.zoom(zoomFactor), { keys: '-', isEnabled: sight !== undefined })}
        ${iconButton(l10n.t('Zoom to Fit'), 'screen-normal', () => page.look(undefined), { keys: '0', isEnabled: sight !== undefined })}
        ${iconButton(l10n.t('Filter to Visible Range'), 'filter', () => page.setRange(sight), { keys: l10n.t('Enter'), isEnabled: sight !== undefined })}
        ${
          range
            ? iconButton(l10n.t('List All Times'), 'clear-all', () => page.setRange(undefined), {
                keys: 'Esc',
              })
            : nothing
        }
      </span>
    </div>
    <div
      id="strip"
      class="strip-body"
      role="group"
      tabindex="0"
      aria-label=${l10n.t('Time')}
      aria-describedby="strip-summary"
      @keydown=${(event: KeyboardEvent) => handleKey(event, page)}
    >
      <canvas
        aria-hidden="true"
        @wheel=${(event: WheelEvent) => handleWheel(event, page)}
        @pointerdown=${(event: PointerEvent) => handlePointer(event, page)}
        @pointermove=${(event: PointerEvent) => tell(event, page)}
      ></canvas>
    </div>
  </section>`;
}

/** After the page is drawn. */
export function drawTimeStrip(state: InspectorPageState): void {
  const canvas = document.querySelector<HTMLCanvasElement>('#strip canvas');
  const { extent, sight } = state;
  if (canvas && extent) {
    drawStrip(canvas, state, sight ?? extent, extent);
  }
}

/** The same as the picture, in words. */
function summaryOf({ passing, sight, range }: InspectorPageState, extent: TimeRange): string {
  const seen = sight ?? extent;
  const rows = passing.filter((row) => overlaps(row, seen, extent));
  const failed = rows.filter(({ status }) => status === 'error').length;
  const slowest = rows.reduce<InspectorPageState['passing'][number] | undefined>(
    (longest, row) => ((row.ms ?? 0) > (longest?.ms ?? 0) ? row : longest),
    undefined,
  );
  return [
    l10n.t(
      'Entries: {0} in {1}, from {2} to {3}; failed: {4}.',
      countText(rows.length),
      markText(seen.to - seen.from),
      timeText(seen.from),
      timeText(seen.to),
      countText(failed),
    ),
    ...(slowest?.ms === undefined
      ? []
      : [l10n.t('The longest took {0}: {1}.', markText(slowest.ms), slowest.method)]),
    ...(range
      ? [l10n.t('The list shows {0} to {1}.', timeText(range.from), timeText(range.to))]
      : []),
  ].join(' ');
}

function handleKey(event: KeyboardEvent, page: InspectorPage): void {
  const { sight, range } = page.state;
  const actions: Readonly<Record<string, () => void>> = {
    '+': () => page.zoom(1 / zoomFactor),
    '=': () => page.zoom(1 / zoomFactor),
    '-': () => page.zoom(zoomFactor),
    '0': () => page.look(undefined),
    ArrowLeft: () => page.pan(-panShare),
    ArrowRight: () => page.pan(panShare),
    Home: () => page.pan(Number.NEGATIVE_INFINITY),
    End: () => page.pan(Number.POSITIVE_INFINITY),
    Enter: () => page.setRange(sight),
    ...(range && { Escape: () => page.setRange(undefined) }),
  };
  const action = event.ctrlKey || event.metaKey || event.altKey ? undefined : actions[event.key];
  if (action) {
    event.preventDefault();
    action();
  }
}

function handleWheel(event: WheelEvent, page: InspectorPage): void {
  const place = placeOf(event, page);
  if (!place) {
    return;
  }
  if (event.ctrlKey || event.metaKey) {
    event.preventDefault();
    page.zoom(2 ** (Math.sign(event.deltaY) / 2), place.time);
  } else if (event.shiftKey || event.deltaX !== 0) {
    event.preventDefault();
    page.pan(Math.sign(event.deltaX || event.deltaY) * (panShare / 2));
  }
}

/** A drag filters the list to a range; a click opens the entry that it meets. */
function handlePointer(event: PointerEvent, page: InspectorPage): void {
  const canvas = event.currentTarget as HTMLCanvasElement;
  const start = placeOf(event, page);
  if (event.button !== 0 || !start) {
    return;
  }
  const ended = new AbortController();
  let isDrag = false;
  canvas.setPointerCapture(event.pointerId);
  canvas.addEventListener(
    'pointermove',
    (move) => {
      const now = placeOf(move, page);
      isDrag ||= Math.abs(move.clientX - event.clientX) > clickReach;
      if (isDrag && now && now.time !== start.time) {
        const [from, to] = [start.time, now.time].sort((a, b) => a - b);
        page.setRange({ from: from ?? 0, to: to ?? 0 });
      }
    },
    { signal: ended.signal },
  );
  const end = () => ended.abort();
  canvas.addEventListener('pointercancel', end, { signal: ended.signal });
  canvas.addEventListener(
    'pointerup',
    () => {
      end();
      if (!isDrag && start.row) {
        void page.openEntry(start.row.id);
      }
    },
    { signal: ended.signal },
  );
}

/** What is under the pointer, as its tooltip. */
function tell(event: PointerEvent, page: InspectorPage): void {
  const canvas = event.currentTarget as HTMLCanvasElement;
  const row = event.buttons === 0 ? placeOf(event, page)?.row : undefined;
  const ms = row?.ms === undefined ? '' : `, ${markText(row.ms)}`;
  canvas.title = row ? `${timeText(row.t)} ${row.method} ${row.target}${ms}` : '';
}

function placeOf({ clientX, clientY, currentTarget }: MouseEvent, page: InspectorPage) {
  const { extent, sight = extent, passing } = page.state;
  const canvas = (currentTarget as Element | null)?.closest('canvas');
  if (!extent || !sight || !canvas) {
    return undefined;
  }
  const { left, top, width } = canvas.getBoundingClientRect();
  const x = clientX - left;
  const stack = stackFor(passing, extent);
  return {
    time: timeAt(x, sight, width),
    row: rowAt(passing, { sight, extent, width, stack }, x, placeAt(clientY - top, stack)),
  };
}

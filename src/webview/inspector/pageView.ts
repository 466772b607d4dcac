import * as l10n from '@vscode/l10n';
import { html, nothing, render, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import type { Announcer } from '../shared/announcer.js';
import { iconButton } from '../shared/buttons.js';
import { icon } from '../shared/icon.js';
import { bringRowIntoSight, inputText, rowHeight } from '../shared/inputs.js';
import { countText } from '../shared/numbers.js';
import { connectionsView } from './connectionsView.js';
import { entryDetailsView } from './detailsView.js';
import type { InspectorPage } from './inspectorPage.js';
import type { InspectorPageState } from './pageState.js';
import { rowWindow, timeline } from './timeline.js';
import { drawTimeStrip, timeStrip } from './timeStrip/timeStrip.js';

/** Draws the page once a frame, however much has changed. */
export class InspectorPageView {
  private isRequested = false;
  /** As it was drawn. */
  private seen: InspectorPageState | undefined;
  /** The list is at its end, and stays there as news arrives. */
  private followsEnd = true;
  private scroller: HTMLElement | null = null;

  constructor(
    private readonly root: HTMLElement,
    private readonly page: InspectorPage,
    private readonly announcer: Announcer,
  ) {
    window.addEventListener('resize', () => this.request());
    // the strip has the colours of the theme
    new MutationObserver(() => this.request()).observe(document.body, {
      attributeFilter: ['class'],
    });
  }

  request(): void {
    if (!this.isRequested) {
      this.isRequested = true;
      requestAnimationFrame(() => {
        this.isRequested = false;
        this.draw();
      });
    }
  }

  private draw(): void {
    const { state } = this.page;
    const isInStrip = document.activeElement?.closest('.strip') != null;
    this.render(state);
    // it gives the picture its height, which leaves the list less
    drawTimeStrip(state);
    this.followScroll(state);
    if (isInStrip) {
      this.attendStrip(state);
    }
    if (state.outcome && state.outcome !== this.seen?.outcome && !state.outcome.isError) {
      this.announcer.say(state.outcome.text);
    }
    this.seen = state;
  }

  /** What has the keys may be gone or off now; what the user looks at is said, but not each time that something passes. */
  private attendStrip({ sight, range }: InspectorPageState): void {
    const focused = document.activeElement;
    if (!focused?.closest('.strip') || focused.matches(':disabled')) {
      document.getElementById('strip')?.focus();
    }
    if (sight !== this.seen?.sight || range !== this.seen?.range) {
      this.announcer.say(document.getElementById('strip-summary')?.textContent ?? '');
    }
  }

  private render(state: InspectorPageState): void {
    const { scrollTop = 0, clientHeight = 800 } = this.scroller ?? {};
    const window = rowWindow(scrollTop, clientHeight || 800, state.shown.length);
    render(
      html`<div class="traffic" data-tab=${state.tab}>
        ${head(state, this.page)} ${outcomeView(state, this.page)}
        ${
          state.tab === 'connections'
            ? connectionsView(state)
            : html`${filterLine(state, this.page)} ${timeStrip(state, this.page)}
                <div class="split" data-open=${state.open !== undefined}>
                  ${timeline(state, this.page, window)}
                  ${state.open ? entryDetailsView(state, state.open, this.page) : nothing}
                </div>`
        }
      </div>`,
      this.root,
    );
  }

  private followScroll(state: InspectorPageState): void {
    const scroller = document.getElementById('timeline');
    if (scroller !== this.scroller) {
      this.scroller = scroller;
      scroller?.addEventListener('scroll', () => this.noteScroll(), { passive: true });
    }
    if (!scroller) {
      return;
    }
    const at = state.open ? state.shown.findIndex(({ id }) => id === state.open?.id) : -1;
    if (state.open?.id !== this.seen?.open?.id && at >= 0) {
      bringRowIntoSight(scroller, at);
    } else if (this.followsEnd && !state.open) {
      scroller.scrollTop = scroller.scrollHeight;
    }
    // what the window shows may have been decided before it had its place
    this.render(state);
  }

  private noteScroll(): void {
    const { scroller } = this;
    if (scroller) {
      const below = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight;
      this.followsEnd = below < rowHeight;
    }
    this.request();
  }
}

function head(
  { view, tab, isBusy, hasHttp }: InspectorPageState,
  page: InspectorPage,
): TemplateResult {
  const isLive = view !== undefined && !view.recording;
  return html`<header class="head">
    ${
      view?.recording
        ? html`<h1>${view.recording.name}</h1>
            <span class="state">${icon(view.recording.icon)} ${view.recording.text}</span>`
        : nothing
    }
    <span class="head-buttons">
      ${
        isLive && !view.isGone
          ? html`${logLevel(view.logLevels, isBusy || !view.isConnected, page)}
            ${iconButton(l10n.t('Ping'), 'pulse', () => page.ping(), { isEnabled: view.isConnected && !isBusy })}
            ${iconButton(l10n.t('Clear'), 'clear-all', () => page.ask('clear'))}`
          : nothing
      }
      ${iconButton(l10n.t('Open as Document'), 'go-to-file', () => page.exportRecording('document'))}
      ${
        view?.isCallLog
          ? html`${iconButton(l10n.t('Export as JSON Lines…'), 'export', () => page.exportRecording('file'))}
            ${iconButton(l10n.t('Export as CSV…'), 'table', () => page.exportRecording('csv'))}`
          : iconButton(l10n.t('Export Recording…'), 'export', () => page.exportRecording('file'))
      }
      ${hasHttp ? iconButton(l10n.t('Export HTTP Archive (HAR)…'), 'globe', () => page.exportRecording('har')) : nothing}
      ${iconButton(l10n.t('Open Recording…'), 'folder-opened', () => page.ask('importRecording'))}
      ${
        view && !view.isCallLog && !(view.recording && view.isGone)
          ? iconButton(l10n.t('Serve as a Mock…'), 'plug', () => page.ask('serveMock'))
          : nothing
      }
      ${view?.hasCallLog ? iconButton(l10n.t('Open Log of Calls'), 'history', () => page.ask('openCallLog')) : nothing}
    </span>
    ${
      view?.isCallLog
        ? nothing
        : html`<div class="tabs" role="group">
            ${tabButton('timeline', l10n.t('Messages'), tab, page)}
            ${tabButton('connections', l10n.t('Handshake and Capabilities'), tab, page)}
          </div>`
    }
  </header>`;
}

function tabButton(
  id: InspectorPageState['tab'],
  label: string,
  shown: InspectorPageState['tab'],
  page: InspectorPage,
): TemplateResult {
  return html`<button type="button" class="tab" aria-pressed=${id === shown} @click=${() => page.show(id)}>
    ${label}
  </button>`;
}

function logLevel(
  levels: readonly string[] | undefined,
  isDisabled: boolean,
  page: InspectorPage,
): TemplateResult | typeof nothing {
  return levels
    ? html`<select
        aria-label=${l10n.t('Log Level')}
        ?disabled=${isDisabled}
        @change=${(event: Event) => page.setLogLevel(inputText(event))}
      >
        <option value="" disabled selected>${l10n.t('Log Level')}</option>
        ${levels.map((level) => html`<option value=${level}>${level}</option>`)}
      </select>`
    : nothing;
}

function filterLine(state: InspectorPageState, page: InspectorPage): TemplateResult {
  const { filter, query, shown, total } = state;
  return html`<div class="filter" role="search">
    <input
      id="filter"
      class="text-field"
      type="text"
      autocomplete="off"
      spellcheck="false"
      aria-label=${l10n.t('Filter')}
      aria-describedby="filter-count filter-problem"
      placeholder=${l10n.t('Words, or method: status:error duration:>500ms dir:sent kind:http')}
      .value=${live(query)}
      @input=${(event: Event) => page.setQuery(inputText(event))}
    />
    <span id="filter-count" class="dim">${l10n.t('{0} of {1}', countText(shown.length), countText(total))}</span>
    <span id="filter-problem" class="filter-problem">${filter.problems.join(' ')}</span>
  </div>`;
}

function outcomeView(
  { outcome }: InspectorPageState,
  page: InspectorPage,
): TemplateResult | typeof nothing {
  return outcome
    ? html`<div class="banner ${outcome.isError ? 'error' : ''}" role=${outcome.isError ? 'alert' : nothing}>
        <p>${outcome.text}</p>
        ${iconButton(l10n.t('Dismiss'), 'close', () => page.dismissOutcome())}
      </div>`
    : nothing;
}

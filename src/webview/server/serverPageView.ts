import * as l10n from '@vscode/l10n';
import { html, nothing, render, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { showHidden } from '../../base/text/showHidden.js';
import {
  type ServerBanner,
  type ServerFact,
  type ServerSection,
  type ServerTab,
  type ServerView,
  serverTabs,
} from '../../protocol/server/serverProtocol.js';
import type { Announcer } from '../shared/announcer.js';
import { linkButton, menuButton, plainButton } from '../shared/buttons.js';
import { errorBanner, icon, picture } from '../shared/icon.js';
import { isChecked } from '../shared/inputs.js';
import type { ServerPage } from './serverPage.js';
import { ServerTabs } from './tabs.js';
import { toolsTab } from './toolsTab.js';

/** Lines of what shows that something is wrong. */
const maxEvidence = 8;

/** Draws the head and the overview; other tabs draw themselves, each in a place of its own. */
export class ServerPageView {
  private readonly root = document.getElementById('root') ?? document.body;
  private readonly tabs = new ServerTabs();
  private saidReason: string | undefined;

  constructor(
    private readonly page: ServerPage,
    private readonly announcer: Announcer,
  ) {
    for (const event of ['pointerdown', 'keydown'] as const) {
      document.addEventListener(event, () => page.keep());
    }
  }

  update(): void {
    const { page } = this;
    render(template(page), this.root);
    this.tabs.open(page, this.announcer);
    const reason = page.view?.reason;
    if (reason && this.saidReason !== undefined && reason !== this.saidReason) {
      this.announcer.say(reason);
    }
    this.saidReason = reason ?? this.saidReason;
  }
}

const traffic = html`<div id="traffic"></div>`;
const settings = html`<div id="settings"></div>`;

function template(page: ServerPage): TemplateResult {
  const { view, alone, error } = page;
  const failed = errorBanner(error);
  if (alone) {
    return html`<main data-tab=${alone}>${failed}<div class="panel">${alone === 'traffic' ? traffic : settings}</div></main>`;
  }
  if (!view) {
    return html`<main>${failed}<p class="loading">${icon('loading~spin')}<span>${l10n.t('Loading…')}</span></p></main>`;
  }
  return html`<main data-tab=${page.tab} data-state=${view.state} data-tool=${page.tool ?? nothing}>
    <header class="server-head">${head(view, page)}</header>
    ${failed} ${view.banner ? banner(view, view.banner, page) : nothing} ${tabList(page)}
    ${panel('overview', page, overview(view, page))}
    ${panel('tools', page, toolsTab(view, page))}
    ${panel('traffic', page, traffic)} ${panel('settings', page, settings)}
  </main>`;
}

function head(view: ServerView, page: ServerPage): TemplateResult {
  const isGone = view.state === 'gone';
  return html`<div class="server-title">
      ${icon(view.icon, 'state-icon')} ${picture(view.picture)}
      <h1>${showHidden(view.name)}</h1>
      ${view.reason ? html`<span class="state-word">${view.reason}</span>` : nothing}
      ${view.place ? html`<span class="dim">${view.place}</span>` : nothing}
    </div>
    <div class="server-buttons">
      ${view.lifecycle.map((action) =>
        plainButton('secondary', lifecycleWords[action](), () => page.act(action)),
      )}
      ${
        isGone
          ? plainButton('secondary', l10n.t('Open Server'), () => page.act('openServer'))
          : html`${menuButton(l10n.t('More…'), { webviewSection: 'piMcpServer', kind: 'server', server: { id: view.subject.server } })}
              <label class="enabled">
                <input
                  type="checkbox"
                  .checked=${live(view.isEnabled)}
                  @change=${(event: Event) => page.setEnabled(isChecked(event))}
                />
                ${l10n.t('Enabled')}
              </label>`
      }
    </div>`;
}

const lifecycleWords: Readonly<Record<ServerView['lifecycle'][number], () => string>> = {
  start: () => l10n.t('Start'),
  stop: () => l10n.t('Stop'),
  restart: () => l10n.t('Restart'),
};

function banner(
  { fix, state }: ServerView,
  { isError, sentence, more, evidence }: ServerBanner,
  page: ServerPage,
): TemplateResult {
  const lines = page.showsAllEvidence ? evidence : evidence.slice(-maxEvidence);
  return html`<section class="banner ${isError ? 'error' : 'warning'}" aria-label=${l10n.t('Details')}>
    ${icon(isError ? 'error' : 'warning')}
    <div>
      <p><strong>${sentence}</strong></p>
      ${more.map((text) => html`<p class="dim">${text}</p>`)}
      <div class="banner-buttons">
        ${fix ? plainButton('primary', fix, () => page.act('fix')) : nothing}
        ${
          state === 'error' || state === 'needs_auth'
            ? plainButton('secondary', l10n.t('Open Settings'), () => page.select('settings'))
            : nothing
        }
      </div>
      ${
        lines.length > 0
          ? html`<pre tabindex="0" role="group" aria-label=${l10n.t('Output')}>${lines.join('\n')}</pre>`
          : nothing
      }
      ${
        lines.length < evidence.length
          ? linkButton(l10n.t('Show All'), () => page.showAllEvidence())
          : nothing
      }
    </div>
  </section>`;
}

const tabWords: Readonly<Record<ServerTab, () => string>> = {
  overview: () => l10n.t('Overview'),
  tools: () => l10n.t('Tools'),
  traffic: () => l10n.t('Traffic'),
  settings: () => l10n.t('Settings'),
};

function tabList(page: ServerPage): TemplateResult {
  return html`<div
    class="server-tabs"
    role="tablist"
    aria-label=${l10n.t('What to show')}
    @keydown=${(event: KeyboardEvent) => moveTab(event, page)}
  >
    ${serverTabs.map(
      (tab) => html`<button
        type="button"
        role="tab"
        id=${`tab-${tab}`}
        aria-controls=${`panel-${tab}`}
        aria-selected=${tab === page.tab}
        tabindex=${tab === page.tab ? 0 : -1}
        @click=${() => page.select(tab)}
      >
        ${tabWords[tab]()}
      </button>`,
    )}
  </div>`;
}

function moveTab(event: KeyboardEvent, page: ServerPage): void {
  const last = serverTabs.length - 1;
  const at = serverTabs.indexOf(page.tab);
  const targets: Readonly<Record<string, number>> = {
    ArrowRight: at === last ? 0 : at + 1,
    ArrowLeft: at === 0 ? last : at - 1,
    Home: 0,
    End: last,
  };
  const tab = serverTabs[targets[event.key] ?? -1];
  if (tab) {
    event.preventDefault();
    page.select(tab);
    document.getElementById(`tab-${tab}`)?.focus();
  }
}

function panel(tab: ServerTab, page: ServerPage, content: TemplateResult): TemplateResult {
  return html`<div
    class="panel"
    role="tabpanel"
    id=${`panel-${tab}`}
    aria-labelledby=${`tab-${tab}`}
    ?hidden=${tab !== page.tab}
  >
    ${content}
  </div>`;
}

function overview(view: ServerView, page: ServerPage): TemplateResult {
  const { sections, suggestions, instructions } = view;
  return html`<div class="overview">
    ${sections.map((section, index) => sectionView(section, index === 0 ? page.measured : [], page))}
    ${
      suggestions.length > 0
        ? html`<details class="section">
            <summary><h2>${l10n.t('Suggestions ({0})', suggestions.length)}</h2></summary>
            <ul class="notes">
              ${suggestions.map((text) => html`<li>${icon('lightbulb')}<span>${text}</span></li>`)}
            </ul>
          </details>`
        : nothing
    }
    ${
      instructions
        ? html`<details class="section">
            <summary><h2>${l10n.t('Instructions')}</h2></summary>
            <p class="server-words">${instructions}</p>
          </details>`
        : nothing
    }
  </div>`;
}

function sectionView(
  { title, facts, actions }: ServerSection,
  measured: readonly ServerFact[],
  page: ServerPage,
): TemplateResult {
  return html`<section class="section" aria-label=${title}>
    <h2>${title}</h2>
    <dl>
      ${[...facts, ...measured].map(
        ({ label, text, isCode }) => html`<div>
          <dt>${label}</dt>
          <dd>${isCode ? html`<code>${text}</code>` : text}</dd>
        </div>`,
      )}
    </dl>
    ${
      actions.length > 0
        ? html`<div class="actions">
            ${actions.map(({ action, title: label }) => linkButton(label, () => page.act(action)))}
          </div>`
        : nothing
    }
  </section>`;
}

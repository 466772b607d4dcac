import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { repeat } from 'lit-html/directives/repeat.js';
import { hasWords, queryWords } from '../../base/text/searched.js';
import { showHidden } from '../../base/text/showHidden.js';
import type { ServerToolView, ServerView } from '../../protocol/server/serverProtocol.js';
import { linkButton, menuButton } from '../shared/buttons.js';
import { picture } from '../shared/icon.js';
import { inputText, isChecked } from '../shared/inputs.js';
import { matchingOffers, offersList } from './offersList.js';
import { overrideView } from './overrideView.js';
import type { ServerPage } from './serverPage.js';

export function toolsTab(view: ServerView, page: ServerPage): TemplateResult {
  const { tools, noTools, offers, subject } = view;
  const { tool } = page;
  return html`<div class="tools-split">
    <div class="tool-list">
      ${
        tools.length + offers.length > 0
          ? html`<input
                type="search"
                class="text-field"
                autocomplete="off"
                spellcheck="false"
                aria-label=${l10n.t('Search')}
                placeholder=${l10n.t('Search')}
                .value=${live(page.filter)}
                @input=${(event: Event) => page.type(inputText(event))}
              />
              ${lists(view, page)}`
          : nothing
      }
      ${tools.length > 0 ? nothing : html`<p class="dim">${noTools}</p>`}
    </div>
    <div class="tool-detail">
      ${
        tool === undefined
          ? tools.length > 0
            ? html`<p class="dim">${l10n.t('Choose a tool to run by hand')}</p>`
            : nothing
          : html`<div class="tool-bar">
              ${linkButton(l10n.t('All Tools'), () => page.openTool(undefined), {
                glyph: 'arrow-left',
                className: 'back',
              })}
              ${menuButton(l10n.t('More…'), { webviewSection: 'piMcpTool', kind: 'tool', server: { id: subject.server }, tool: { name: tool } })}
            </div>
            ${overrides(
              tools.find(({ name }) => name === tool),
              page,
            )}`
      }
      <div id="tool" ?hidden=${tool === undefined}></div>
    </div>
  </div>`;
}

/** Of a tool that is not there any more there is nothing to say. */
function overrides(tool: ServerToolView | undefined, page: ServerPage) {
  return tool
    ? html`${overrideLine(tool.override, page)} ${overrideView(page.overrideOf(tool.name))}`
    : nothing;
}

function overrideLine(override: string | undefined, page: ServerPage) {
  return override === undefined
    ? nothing
    : html`<p class="dim">
        ${override}
        <button type="button" class="link-button" @click=${() => page.act('openFile')}>
          ${l10n.t('Open File')}
        </button>
      </p>`;
}

function lists({ tools, offers }: ServerView, page: ServerPage): TemplateResult {
  const words = queryWords(page.filter);
  const shown = tools.filter(({ name, title, description }) =>
    hasWords([name, title, description], words),
  );
  const others = matchingOffers(offers, page.filter);
  if (shown.length + others.length === 0) {
    return html`<p class="dim">${l10n.t('"{0}" matches nothing', page.filter)}</p>`;
  }
  return html`${
    shown.length === 0
      ? nothing
      : html`<ul aria-label=${l10n.t('Tools')} @keydown=${moveInList}>
          ${repeat(
            shown,
            ({ name }) => name,
            (tool) => row(tool, page),
          )}
        </ul>`
  }${offersList(others, page)}`;
}

function row(
  { name, title, picture: own, badges, figures, isOn }: ServerToolView,
  page: ServerPage,
): TemplateResult {
  return html`<li>
    ${
      isOn === undefined
        ? nothing
        : html`<input
            type="checkbox"
            aria-label=${`${l10n.t('Enabled')}: ${showHidden(name)}`}
            .checked=${live(isOn)}
            @change=${(event: Event) => page.switchTool(name, isChecked(event))}
          />`
    }
    <button
      type="button"
      class="tool-row"
      aria-current=${name === page.tool ? 'true' : nothing}
      title=${title ?? nothing}
      @click=${() => page.openTool(name)}
    >
      <span class="tool-name">${picture(own)}${showHidden(name)}</span>
      ${badges.map((badge) => html`<span class="badge">${badge}</span>`)}
      ${figures ? html`<span class="dim figures">${figures}</span>` : nothing}
    </button>
  </li>`;
}

/** Arrows go from tool to tool. */
function moveInList(event: KeyboardEvent): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  const rows = [...(event.currentTarget as HTMLElement).querySelectorAll('button')];
  const target = rows[rows.indexOf(document.activeElement as HTMLButtonElement) + step];
  if (step !== 0 && target && document.activeElement?.matches('.tool-row')) {
    event.preventDefault();
    target.focus();
  }
}

import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import type { AgentViewState } from '../../protocol/agentProtocol.js';
import { actionLink } from '../shared/buttons.js';
import { icon } from '../shared/icon.js';
import { inputText } from '../shared/inputs.js';
import { offlineBanner } from '../shared/offline.js';
import { isWideTab } from '../shared/wideTab.js';
import type { AgentPage } from './agentPage.js';
import { modelButtons } from './modelButtons.js';
import { toolCountView } from './tools/toolCountView.js';
import { waitingStrip } from './waitingStrip.js';

/** Where VS Code shows the title itself, the style sheet leaves it to screen readers. */
export function heading({ title }: Pick<AgentViewState, 'title'>): TemplateResult {
  return title === undefined
    ? html`<h1 class="visually-hidden">${l10n.t('Pi Agent')}</h1>`
    : html`<h1 class="agent-title" title=${title}>${title}</h1>`;
}

export function header(state: AgentViewState, page: AgentPage): TemplateResult {
  return html`<header class="agent-head">
      ${folderPicker(state, page)} ${modelButtons(state, page)}
      ${isWideTab() ? nothing : toolCountView(state, page)}
    </header>
    ${offlineBanner()}${unsavedBanner(state, page)}${waitingStrip(state, page)}`;
}

function folderPicker(state: AgentViewState, page: AgentPage): TemplateResult | typeof nothing {
  if (state.folders.length < 2) {
    return nothing;
  }
  return html`<select
    class="folder-picker"
    aria-label=${l10n.t('Folder')}
    title=${l10n.t('Folder')}
    @change=${(event: Event) => page.run((send) => send('selectFolder', { uri: inputText(event) }))}
  >
    ${state.folders.map(
      ({ uri, name, waiting }) =>
        html`<option value=${uri} .selected=${live(uri === state.folder?.uri)}>
          ${waiting > 0 ? l10n.t('{0} ({1} waiting)', name, waiting) : name}
        </option>`,
    )}
  </select>`;
}

function unsavedBanner(
  { unsaved }: AgentViewState,
  page: AgentPage,
): TemplateResult | typeof nothing {
  return unsaved === undefined
    ? nothing
    : html`<div class="banner warning unsaved" role="status">
        ${icon('warning')}<span class="unsaved-text">${unsaved}</span>
        ${actionLink(l10n.t('Try Again'), () => page.run((send) => send('save', undefined)))}
      </div>`;
}

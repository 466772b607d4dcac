import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { AgentViewState } from '../../protocol/agentProtocol.js';
import type { WaitingConversation } from '../../protocol/waitingConversation.js';
import { actionLink } from '../shared/buttons.js';
import { dropDown } from '../shared/choices.js';
import { icon } from '../shared/icon.js';
import { isWideTab } from '../shared/wideTab.js';
import type { AgentPage } from './agentPage.js';
import { modelButtons } from './modelButtons.js';
import { offlineBanner } from './offline.js';
import { toolCountView } from './tools/toolCountView.js';

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
  const folders = state.folders.map(({ uri, name, waiting }) => ({
    value: uri,
    label: waiting > 0 ? `${name} · ${l10n.t('{0} waiting', waiting)}` : name,
  }));
  return dropDown(
    folders,
    state.folder?.uri ?? '',
    (uri) => page.run((send) => send('selectFolder', { uri })),
    { className: 'folder-picker', title: l10n.t('Folder') },
  );
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

/** One line about the conversations that wait for the user and are not shown. */
function waitingStrip(
  { waiting }: AgentViewState,
  page: AgentPage,
): TemplateResult | typeof nothing {
  const [first, ...more] = waiting.filter(({ isShown }) => !isShown);
  if (!first) {
    return nothing;
  }
  const { id } = first;
  const text = stripText(first, more.length);
  return html`<div class="banner warning elsewhere" role="status">
    ${icon('bell-dot')}<span class="elsewhere-text" title=${text}>${text}</span>
    ${actionLink(l10n.t('Open'), () => page.run((send) => send('showConversation', { id })))}
  </div>`;
}

function stripText({ title, folder }: WaitingConversation, more: number): string {
  const name = folder === undefined ? title : l10n.t('{0} in {1}', title, folder);
  return l10n.t('Needs you: {0}', more === 0 ? name : l10n.t('{0} and {1} more', name, more));
}

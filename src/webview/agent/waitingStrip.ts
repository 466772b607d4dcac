/** One line about the conversations that wait for the user and are not shown. */
import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { AgentViewState } from '../../protocol/agentProtocol.js';
import type { WaitingConversation } from '../../protocol/waitingConversation.js';
import { actionLink } from '../shared/buttons.js';
import { icon } from '../shared/icon.js';
import type { AgentPage } from './agentPage.js';

export function waitingStrip(
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
  return more === 0 ? l10n.t('Needs you: {0}', name) : l10n.t('{0} need you: {1}', more + 1, name);
}

import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { AgentViewState, PanelAction } from '../../../protocol/agentProtocol.js';
import type {
  RecentConversation,
  StartServers,
  StartView,
} from '../../../protocol/start/startView.js';
import { linkButton, sideButton } from '../../shared/buttons.js';
import { icon } from '../../shared/icon.js';
import { repeatById } from '../../shared/repeatById.js';
import type { AgentPage } from '../agentPage.js';
import { focusComposer } from '../composer/caret.js';
import { actionWords, runAction } from './problemView.js';

/** What a conversation shows before its first message: what Pi can do here, where to go on, and what is ready. */
export function startCard(
  state: AgentViewState,
  told: StartView | undefined,
  page: AgentPage,
): TemplateResult {
  // what was told of another folder is not about this one
  const start = told?.folder === state.folder?.uri ? told : undefined;
  return html`<div class="empty">
    <p>${sentence(state)}</p>
    ${state.isRestricted ? actionButton('manageWorkspaceTrust', page) : nothing}
    ${start ? recentList(start.recent, page) : nothing}
    ${start?.servers ? serversView(start.servers, page) : nothing}
    ${start && !start.servers && !state.isRestricted ? actionButton('addServer', page) : nothing}
  </div>`;
}

function sentence({ isRestricted, mode, modes }: AgentViewState): string {
  const what = isRestricted
    ? l10n.t('In Restricted Mode Pi only reads.')
    : modes.find((one) => one.mode === mode)?.text;
  return [l10n.t('Ask Pi about your code.'), what ?? ''].join(' ').trim();
}

function actionButton(action: PanelAction, page: AgentPage): TemplateResult {
  return html`<div class="problem-actions">
    ${sideButton(actionWords[action](), () => runAction(action, page))}
  </div>`;
}

function recentList(
  recent: readonly RecentConversation[],
  page: AgentPage,
): TemplateResult | typeof nothing {
  if (recent.length === 0) {
    return nothing;
  }
  return html`<h2 id="recent-heading">${l10n.t('Conversations')}</h2>
    <ul class="recent" aria-labelledby="recent-heading">
      ${repeatById(
        recent,
        ({ id, title, facts, icon: name }) =>
          html`<li>
            <button type="button" class="recent-one" title=${title} @click=${() => open(id, page)}>
              ${icon(name)}<span class="recent-title">${title}</span
              ><span class="recent-facts">${facts}</span>
            </button>
          </li>`,
      )}
    </ul>`;
}

function serversView({ text, steps }: StartServers, page: AgentPage): TemplateResult {
  return html`<div class="start-servers">
    ${icon('plug')}
    <div class="server-steps">
      <span>${text}</span>
      ${steps.map(({ text: words, kind, server }) =>
        linkButton(words, () => page.run((send) => send('takeServerStep', { kind, server }))),
      )}
    </div>
  </div>`;
}

/** The focus goes where the next message is written: what had it is gone. */
async function open(id: string, page: AgentPage): Promise<void> {
  if (await page.run((send) => send('openConversation', { id }))) {
    focusComposer();
  }
}

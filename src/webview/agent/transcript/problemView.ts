import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { NoticeAction, TranscriptEntry } from '../../../protocol/agentProtocol.js';
import type { ModelWay, ModelWayKind } from '../../../protocol/start/modelWays.js';
import { actionLink, mainButton, sideButton } from '../../shared/buttons.js';
import { icon } from '../../shared/icon.js';
import type { AgentPage } from '../agentPage.js';
import { noticeActions } from '../messages/messageActions.js';
import type { AgentPageState } from '../pageState.js';

/** Why the agent cannot be used, and what to do about it. */
export function problemView(
  { state }: AgentPageState,
  page: AgentPage,
): TemplateResult | typeof nothing {
  if (!state?.problem) {
    return nothing;
  }
  const { message, remedy, ways, actions } = state.problem;
  return html`<div class="problem">
    <div class="problem-head" role="alert">
      ${icon('warning')}
      <div>
        <p><strong>${message}</strong></p>
        ${ways ? nothing : html`<p>${remedy}</p>`}
      </div>
    </div>
    ${ways ? html`${waysView(ways, page)}<p class="dim">${remedy}</p>` : nothing}
    <div class="problem-actions">
      ${actions.map((action, index) =>
        (index === 0 && !ways ? mainButton : sideButton)(actionWords[action](), () =>
          runAction(action, page),
        ),
      )}
    </div>
  </div>`;
}

/** The extension did not say what there is to show. */
export function noAnswerView(failure: string, page: AgentPage): TemplateResult {
  return html`<div class="problem">
    <div class="problem-head" role="alert">
      ${icon('warning')}
      <div>
        <p><strong>${l10n.t('This view got no answer from the extension.')}</strong></p>
        <p>${failure}</p>
      </div>
    </div>
    <div class="problem-actions">
      ${mainButton(l10n.t('Try Again'), () => page.start())}
    </div>
  </div>`;
}

const wayIcons: Readonly<Record<ModelWayKind, string>> = {
  editor: 'vscode',
  account: 'account',
  apiKey: 'key',
  local: 'vm',
  server: 'server-environment',
};

function waysView(ways: readonly ModelWay[], page: AgentPage): TemplateResult {
  return html`<ul class="ways">
    ${ways.map(
      ({ kind, title, text, choices }) =>
        html`<li class="way">
          ${icon(wayIcons[kind])}
          <div>
            <p id="way-${kind}">${title}</p>
            <p class="dim">${text}</p>
            <div class="problem-actions" role="group" aria-labelledby="way-${kind}">
              ${choices.map(({ label, provider }) =>
                sideButton(label, () =>
                  page.run((send) => send('takeModelWay', { kind, provider })),
                ),
              )}
            </div>
          </div>
        </li>`,
    )}
  </ul>`;
}

/** Something that happened in the conversation, with the next step if there is one. @param isLast nothing was said since */
export function noticeView(
  {
    id,
    level,
    text,
    remedy,
    actions = [],
    branch,
    leftOut,
  }: Extract<TranscriptEntry, { kind: 'notice' }>,
  isLast: boolean,
  page: AgentPage,
): TemplateResult {
  return html`<div class="entry notice ${level}" data-entry=${id}>
    ${level === 'error' ? icon('error', 'error-icon') : icon('info')}
    <div data-find="notice">
      <p>${text}</p>
      ${remedy ? html`<p class="remedy">${remedy}</p>` : nothing}
      ${actions.map((action) => actionLink(actionWords[action](), () => runAction(action, page)))}
      ${
        leftOut
          ? actionLink(l10n.t('Undo'), () =>
              page.run((send) => send('giveBackResults', { ids: leftOut })),
            )
          : nothing
      }
      ${branch ? noticeActions(branch, isLast, page) : nothing}
    </div>
  </div>`;
}

export function runAction(action: NoticeAction, page: AgentPage): void {
  if (action === 'fewerTools') {
    page.picker.toggle();
    return;
  }
  void page.run((send) => send('runAction', { action }));
}

export const actionWords: Readonly<Record<NoticeAction, () => string>> = {
  fewerTools: () => l10n.t('Fewer Tools…'),
  logIn: () => l10n.t('Log In…'),
  chooseModel: () => l10n.t('Choose Model…'),
  findLocalModels: () => l10n.t('Find Local Models…'),
  addModelServer: () => l10n.t('Add Model Server…'),
  openModels: () => l10n.t('Open Models'),
  reload: () => l10n.t('Try Again'),
  showLog: () => l10n.t('Show Log'),
  newConversation: () => l10n.t('New Conversation'),
  addServer: () => l10n.t('Add Server'),
  manageWorkspaceTrust: () => l10n.t('Manage Workspace Trust'),
};

import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { AgentViewState, PanelAction } from '../../../protocol/agentProtocol.js';
import type { AgentPage } from '../agentPage.js';
import { actionLabel, runAction } from './problemView.js';

/** What a conversation shows before its first message: what Pi can do here, and ways to begin. */
export function emptyTranscript(state: AgentViewState, page: AgentPage): TemplateResult {
  const { isRestricted, tools } = state;
  const actions: readonly PanelAction[] = [
    ...(isRestricted ? (['manageWorkspaceTrust'] as const) : []),
    ...(tools.mcp === 0 && !isRestricted ? (['addServer'] as const) : []),
  ];
  return html`<div class="empty">
    <p><strong>${l10n.t('Ask Pi about your code')}</strong></p>
    <p class="dim">
      ${
        isRestricted
          ? l10n.t(
              'In Restricted Mode Pi reads files of this folder, and nothing else: it changes no file, runs no command, and gets no tools of servers that this folder declares.',
            )
          : l10n.t(
              'Pi reads and edits files of this folder and uses the tools of your MCP servers. It asks before it changes anything.',
            )
      }
    </p>
    ${
      actions.length > 0
        ? html`<div class="problem-actions">
            ${actions.map(
              (action) =>
                html`<vscode-button appearance="secondary" @click=${() => runAction(action, page)}
                  >${actionLabel(action)}</vscode-button
                >`,
            )}
          </div>`
        : nothing
    }
    <ul class="examples" aria-label=${l10n.t('Examples')}>
      ${examples().map(
        (text) =>
          html`<li>
            <button type="button" class="link-button example" @click=${() => page.sending.setDraft(text)}>
              ${text}
            </button>
          </li>`,
      )}
    </ul>
  </div>`;
}

function examples(): readonly string[] {
  return [
    l10n.t('What is this project about?'),
    l10n.t('What can you do with your MCP tools?'),
    l10n.t('Which files should I read first?'),
    l10n.t('Look for comments that say TODO'),
  ];
}

import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { nameToken } from '../../../base/text/nameToken.js';
import type { TranscriptEntry } from '../../../protocol/agentProtocol.js';
import { icon } from '../../shared/icon.js';
import type { AgentPage } from '../agentPage.js';

type ToolEntry = Extract<TranscriptEntry, { kind: 'tool' }>;

/** What can be done with a call that runs, as a task or otherwise. */
export function callActions(entry: ToolEntry, page: AgentPage): TemplateResult | typeof nothing {
  const { task, status, mcp, id, byUser } = entry;
  if (!task && (mcp || byUser) && status === 'running') {
    return html`<button
      type="button"
      class="link-button"
      aria-label=${mcp ? l10n.t('Cancel {0}', nameToken(mcp.tool)) : l10n.t('Stop the command')}
      @click=${() => page.run((send) => send('cancelCall', { entryId: id }))}
    >
      ${icon('circle-slash')}<span>${mcp ? l10n.t('Cancel') : l10n.t('Stop')}</span>
    </button>`;
  }
  if (!task || (status !== 'running' && status !== 'background')) {
    return nothing;
  }
  const { callId, isDetached } = task;
  return html`<div class="task-actions">
    ${
      isDetached
        ? nothing
        : html`<vscode-button
            appearance="secondary"
            title=${l10n.t('Pi goes on without the result, which comes later')}
            @click=${() => page.run((send) => send('detachTask', { callId }))}
            >${l10n.t('Continue in Background')}</vscode-button
          >`
    }
    <button
      type="button"
      class="link-button"
      @click=${() => page.run((send) => send('cancelTask', { callId }))}
    >
      ${icon('circle-slash')}<span>${l10n.t('Cancel Task')}</span>
    </button>
  </div>`;
}

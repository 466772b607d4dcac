import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { nameToken } from '../../../base/text/nameToken.js';
import type { TranscriptEntry } from '../../../protocol/agentProtocol.js';
import { icon } from '../../shared/icon.js';
import type { AgentPage } from '../agentPage.js';

type ToolEntry = Extract<TranscriptEntry, { kind: 'tool' }>;

/** What can be done with a call that runs, as a task or otherwise. */
export function callActions(entry: ToolEntry, page: AgentPage): TemplateResult | typeof nothing {
  const { task, status, mcp, id } = entry;
  if (!task && mcp && status === 'running') {
    return html`<button
      type="button"
      class="link-button"
      aria-label=${l10n.t('Cancel {0}', nameToken(mcp.tool))}
      @click=${() => page.run((send) => send('cancelCall', { entryId: id }))}
    >
      ${icon('circle-slash')}<span>${l10n.t('Cancel')}</span>
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

import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { linkButton, sideButton } from '../../shared/buttons.js';
import type { AgentPage } from '../agentPage.js';
import type { ToolEntry } from '../pageState.js';

/** What can be done with a call that runs, as a task or otherwise. */
export function callActions(entry: ToolEntry, page: AgentPage): TemplateResult | typeof nothing {
  const { task, status, mcp, id, byUser } = entry;
  if (!task && (mcp || byUser) && status === 'running') {
    return linkButton(
      mcp ? l10n.t('Cancel') : l10n.t('Stop'),
      () => page.run((send) => send('cancelCall', { entryId: id })),
      { glyph: 'circle-slash' },
    );
  }
  if (!task || (status !== 'running' && status !== 'background')) {
    return nothing;
  }
  const { callId, isDetached } = task;
  return html`<div class="task-actions">
    ${
      isDetached
        ? nothing
        : sideButton(l10n.t('Continue in Background'), () =>
            page.run((send) => send('detachTask', { callId })),
          )
    }
    ${linkButton(l10n.t('Cancel Task'), () => page.run((send) => send('cancelTask', { callId })), {
      glyph: 'circle-slash',
    })}
  </div>`;
}

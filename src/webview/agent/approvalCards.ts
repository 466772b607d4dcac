import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import type { ApprovalDecision, ApprovalView } from '../../protocol/agentProtocol.js';
import { icon } from '../shared/icon.js';
import type { AgentPage } from './agentPage.js';

/** Open questions, between the transcript and the composer, so that they never scroll out of sight. */
export function approvalCards(
  approvals: readonly ApprovalView[],
  page: AgentPage,
): TemplateResult | typeof nothing {
  if (approvals.length === 0) {
    return nothing;
  }
  return html`<div class="approvals">
    ${repeat(
      approvals,
      ({ id }) => id,
      (approval) => approvalCard(approval, page),
    )}
  </div>`;
}

export function approvalTitle({ tool, mcp }: ApprovalView): string {
  return mcp
    ? l10n.t('Run "{0}" of MCP server "{1}"?', mcp.tool, mcp.server)
    : l10n.t('Run "{0}"?', tool);
}

function approvalCard(approval: ApprovalView, page: AgentPage): TemplateResult {
  const titleId = `approval-title-${approval.id}`;
  const decide = (decision: ApprovalDecision) =>
    page.run((send) => send('decide', { approvalId: approval.id, decision }));
  return html`<section
    class="approval"
    role="group"
    tabindex="-1"
    data-approval=${approval.id}
    aria-labelledby=${titleId}
  >
    <h2 id=${titleId}>${icon('shield')}<span>${approvalTitle(approval)}</span></h2>
    <pre class="args" tabindex="0" role="group" aria-label=${l10n.t('Arguments')}>${approval.args}</pre>
    ${
      approval.claims.length > 0
        ? html`<p class="dim">${l10n.t('Claimed by the server: {0}', approval.claims.join(', '))}</p>`
        : nothing
    }
    <div class="approval-buttons">
      <vscode-button @click=${() => decide('once')}>${l10n.t('Allow Once')}</vscode-button>
      <vscode-button appearance="secondary" @click=${() => decide('session')}
        >${l10n.t('Allow for This Session')}</vscode-button
      >
      <vscode-button appearance="secondary" @click=${() => decide('deny')}
        >${l10n.t('Deny')}</vscode-button
      >
    </div>
  </section>`;
}

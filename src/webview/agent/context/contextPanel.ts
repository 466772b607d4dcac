/** The breakdown of the context, over the conversation and beside the ring that opens it. */
import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { iconButton } from '../../shared/buttons.js';
import { isWideTab } from '../../shared/wideTab.js';
import type { AgentPage } from '../agentPage.js';
import type { AgentPageState } from '../pageState.js';
import { contextBreakdown } from './contextBreakdown.js';
import { contextButtonId, contextPanelId } from './contextReader.js';

export function contextPanel(
  model: AgentPageState,
  page: AgentPage,
): TemplateResult | typeof nothing {
  if (!model.context || !model.state?.usage) {
    return nothing;
  }
  return html`<div class="context-place">
    <section
      id=${contextPanelId}
      class="context-panel"
      role="dialog"
      tabindex="-1"
      aria-labelledby="context-title"
      @keydown=${(event: KeyboardEvent) => event.key === 'Escape' && page.context.close()}
    >
      <div class="context-head">
        <h2 id="context-title">${l10n.t('Context')}</h2>
        ${iconButton(l10n.t('Close'), 'close', () => page.context.close())}
      </div>
      <div class="context-body" tabindex="0" role="group" aria-labelledby="context-title">
        ${contextBreakdown(model, page)}
      </div>
    </section>
  </div>`;
}

/** A click anywhere else closes it. */
export function closeContextOnClick(page: AgentPage): void {
  document.addEventListener('pointerdown', ({ target }) => {
    const isInside =
      target instanceof Element && target.closest(`#${contextPanelId}, #${contextButtonId}`);
    // in the rail it covers nothing
    if (!isInside && !isWideTab()) {
      page.context.leave();
    }
  });
}

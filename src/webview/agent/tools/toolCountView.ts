import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { counted } from '../../../base/text/counted.js';
import type { AgentViewState } from '../../../protocol/agentProtocol.js';
import { icon } from '../../shared/icon.js';
import type { AgentPage } from '../agentPage.js';

/** How many tools the conversation has; opens the list of them. */
export function toolCountView(
  { tools }: AgentViewState,
  page: AgentPage,
): TemplateResult | typeof nothing {
  const { mcp, builtIn, all } = tools;
  if (all === 0) {
    // there is no conversation that could have any
    return nothing;
  }
  const on = mcp + builtIn;
  const words =
    on === all ? counted(l10n.t('1 tool|{0} tools'), on) : l10n.t('{0} of {1} tools', on, all);
  const isOpen = page.state.tools !== undefined;
  return html`<button
    type="button"
    class="link-button tool-count"
    title=${words}
    aria-label=${words}
    aria-expanded=${isOpen}
    @click=${() => page.picker.toggle()}
  >
    ${icon('tools')}<span class="tool-number">${on === all ? on : l10n.t('{0} of {1}', on, all)}</span
    ><span class="tool-words">${words}</span>
  </button>`;
}

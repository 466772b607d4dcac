/** Goes through the messages that were sent in the place of one another: ‹ 2 of 3 ›. */
import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { SentMessage } from '../../../protocol/branches.js';
import { iconButton } from '../../shared/buttons.js';
import type { AgentPage } from '../agentPage.js';

type Step = 'previous' | 'next';

export function branchSwitch(
  { id, branch }: SentMessage,
  page: AgentPage,
): TemplateResult | typeof nothing {
  if (!branch) {
    return nothing;
  }
  const { at, of } = branch;
  return html`<span class="branch-switch" role="group">
    ${button('previous', l10n.t('Previous'), 'chevron-left', at > 1)}
    <span role="status">${l10n.t('{0} of {1}', at, of)}</span>
    ${button('next', l10n.t('Next'), 'chevron-right', at < of)}
  </span>`;

  function button(step: Step, label: string, glyph: string, isEnabled: boolean): TemplateResult {
    return iconButton(label, glyph, (event) => showOther(event, step), { action: step, isEnabled });
  }

  async function showOther({ currentTarget }: Event, step: Step): Promise<void> {
    const entry = currentTarget instanceof Element ? currentTarget.closest('[data-entry]') : null;
    const top = entry?.getBoundingClientRect().top ?? 0;
    const shown = await page.messages.show(id, step);
    const entryId = page.state.transcript.find(
      (one) => one.kind === 'user' && one.message?.id === shown,
    )?.id;
    if (shown !== undefined && entryId !== undefined) {
      settle(entryId, step, top);
    }
  }
}

/** The other message takes the place of the first one on the screen, and the focus. */
function settle(entryId: string, step: Step, top: number): void {
  const entry = document.querySelector(`[data-entry="${CSS.escape(entryId)}"]`);
  const log = entry?.closest('#transcript');
  if (entry && log) {
    log.scrollTop += entry.getBoundingClientRect().top - top;
    const wanted = entry.querySelector<HTMLElement>(`[data-action="${step}"]:enabled`);
    (wanted ?? entry.querySelector<HTMLElement>('.branch-switch button:enabled'))?.focus({
      preventScroll: true,
    });
  }
}

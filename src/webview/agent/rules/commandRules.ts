import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { ApprovalView } from '../../../protocol/tools/approvals.js';
import { icon } from '../../shared/icon.js';
import type { AgentPage } from '../agentPage.js';
import { ruleText } from './ruleWords.js';

/** Which parts of a chain are allowed already, and which are not. */
export function commandParts({ commands }: ApprovalView): TemplateResult | typeof nothing {
  if (!commands || commands.parts.length < 2) {
    return nothing;
  }
  return html`<ul class="command-parts" aria-label=${l10n.t('What this starts')}>
    ${commands.parts.map(
      ({
        text,
        rule,
      }) => html`<li title=${rule ? ruleText(rule) : l10n.t('No rule of yours allows it.')}>
        ${icon(rule ? 'pass' : 'circle-slash')}<code>${text}</code
        ><span class="dim">${rule ? l10n.t('allowed') : l10n.t('not allowed yet')}</span>
      </li>`,
    )}
  </ul>`;
}

/** What a choice of the question allows, in words of the command; `undefined` for other calls. */
export function commandChoice(
  choice: 'session' | ApprovalView['places'][number],
  approval: ApprovalView,
  page: AgentPage,
): string | undefined {
  const { commands } = approval;
  const offer = isWide(approval, page) ? commands?.wide : commands?.offer;
  if (!offer) {
    return undefined;
  }
  const text = offer.map((one) => `“${one}”`).join(', ');
  switch (choice) {
    case 'session':
      return l10n.t('Allow {0} in This Conversation', text);
    case 'folder':
      return l10n.t('Always Allow {0} in This Folder', text);
    case 'everywhere':
      return l10n.t('Always Allow {0} Everywhere', text);
  }
}

/** Lets the choices mean the command with other words, too. */
export function wideToggle(
  approval: ApprovalView,
  page: AgentPage,
): TemplateResult | typeof nothing {
  const { wide } = approval.commands ?? {};
  if (!wide) {
    return nothing;
  }
  return html`<button
    type="button"
    class="toggle-button"
    aria-pressed=${isWide(approval, page)}
    title=${l10n.t('With other words instead of *, but with no other options')}
    @click=${() => page.toggle(widePart(approval))}
  >
    ${l10n.t('Also {0}', wide.map((one) => `“${one}”`).join(', '))}
  </button>`;
}

/** The user wants the wider rule. */
export function isWide(approval: ApprovalView, page: AgentPage): boolean {
  return approval.commands?.wide !== undefined && page.state.expanded.has(widePart(approval));
}

function widePart({ id }: ApprovalView): string {
  return `${id}/wide`;
}

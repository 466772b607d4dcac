import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { RuleView } from '../../../protocol/tools/approvalRules.js';
import type { ApprovalView } from '../../../protocol/tools/approvals.js';
import { icon } from '../../shared/icon.js';
import type { AgentPage } from '../agentPage.js';
import { ruleText } from './ruleWords.js';

/** Which parts of a chain are allowed already, and which are not. */
export function commandParts({ commands }: ApprovalView): TemplateResult | typeof nothing {
  if (!commands || commands.parts.length < 2) {
    return nothing;
  }
  return html`<ul class="command-parts">
    ${commands.parts.map(
      ({ text, rule, reads }) => html`<li title=${partTitle(rule, reads)}>
        ${icon(rule || reads ? 'pass' : 'circle-slash')}<code>${text}</code
        ><span class="dim">${rule || reads ? l10n.t('allowed') : l10n.t('not allowed yet')}</span>
      </li>`,
    )}
  </ul>`;
}

function partTitle(rule: RuleView | undefined, reads: boolean | undefined): string {
  return rule ? ruleText(rule) : reads ? l10n.t('only reads in this folder') : '';
}

/** What a rule would cover, and whether it may mean other words, too. */
export function ruleScopeView(
  approval: ApprovalView,
  page: AgentPage,
): TemplateResult | typeof nothing {
  const { offer, wide } = approval.commands ?? {};
  if (!offer) {
    return nothing;
  }
  const covered = isWide(approval, page) && wide ? wide : offer;
  return html`<div>
    <span class="dim">${l10n.t('A rule covers: {0}', quoted(covered))}</span>
    ${
      wide
        ? html`<button
            type="button"
            class="toggle-button"
            aria-pressed=${isWide(approval, page)}
            title=${l10n.t('With other words instead of *, but with no other options')}
            @click=${() => page.toggle(widePart(approval))}
          >
            ${l10n.t('Any arguments: {0}', quoted(wide))}
          </button>`
        : nothing
    }
  </div>`;
}

function quoted(texts: readonly string[]): string {
  return texts.map((one) => `“${one}”`).join(', ');
}

/** The user wants the wider rule. */
export function isWide(approval: ApprovalView, page: AgentPage): boolean {
  return approval.commands?.wide !== undefined && page.state.expanded.has(widePart(approval));
}

function widePart({ id }: ApprovalView): string {
  return `${id}/wide`;
}

import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { CallReason } from '../../../protocol/tools/approvalRules.js';
import type { ApprovalView } from '../../../protocol/tools/approvals.js';
import { actionLink, iconButton } from '../../shared/buttons.js';
import { icon } from '../../shared/icon.js';
import type { AgentPage } from '../agentPage.js';
import type { ToolEntry } from '../pageState.js';
import { askedText, changeText, ranText, scopeLabels } from './ruleWords.js';

/** Kinds of reasons that the user has to see before they decide. */
const warnings: readonly CallReason['kind'][] = ['starts', 'guarded', 'changed', 'app', 'place'];

/** On a question: what is special about it. */
export function warningOf({ why }: ApprovalView): TemplateResult | typeof nothing {
  return warnings.includes(why.kind)
    ? html`<p class="banner warning">${icon('warning')}<span>${askedText(why)}</span></p>`
    : nothing;
}

/** On a question, for who wants to know: why it is asked. */
export function whyAsked({ why }: ApprovalView): TemplateResult | typeof nothing {
  const text = warnings.includes(why.kind) ? '' : askedText(why);
  return text === '' ? nothing : html`<p class="dim">${text}</p>`;
}

/** In the head of a card: unfolds why its call ran, or was asked about. */
export function whyButton(
  { id, why, status }: ToolEntry,
  expanded: ReadonlySet<string>,
  page: AgentPage,
): TemplateResult | typeof nothing {
  if (!why || status === 'awaiting_approval') {
    return nothing;
  }
  return iconButton(l10n.t('Why?'), 'question', () => page.toggle(whyPart(id)), {
    isExpanded: expanded.has(whyPart(id)),
  });
}

/** What {@link whyButton} unfolds. */
export function whyView(
  { id, why, status }: ToolEntry,
  expanded: ReadonlySet<string>,
  page: AgentPage,
): TemplateResult | typeof nothing {
  if (!why || !expanded.has(whyPart(id))) {
    return nothing;
  }
  const { callRules, state } = page;
  const own = state.rules?.entryId === id ? state.rules : undefined;
  const texts = [why.ran && ranText(why.ran), why.asked && askedText(why.asked)].filter(Boolean);
  return html`<div class="why" data-why=${id}>
    <p>${texts.join(' ')}</p>
    ${own?.change ? changeLine() : nothing}
    ${own?.change ? nothing : actions()}
  </div>`;

  function changeLine(): TemplateResult | typeof nothing {
    return own?.change
      ? html`<p class="why-change">
          ${changeText(own.change)}
          ${actionLink(l10n.t('Undo'), () => callRules.undo(own))}
        </p>`
      : nothing;
  }

  function actions(): TemplateResult | typeof nothing {
    if (own?.scopes) {
      return own.scopes.length === 0
        ? html`<p class="dim">${l10n.t('No rule can be made for this call.')}</p>`
        : html`<div class="why-actions" role="group" aria-label=${l10n.t('Always Allow')}>
            ${own.scopes.map((scope) =>
              actionLink(scopeLabels[scope](), () => callRules.allow(id, scope)),
            )}
          </div>`;
    }
    const canAllow =
      status !== 'pending' &&
      !isByRule(why?.ran) &&
      why?.ran?.kind !== 'reads' &&
      why?.asked?.kind !== 'starts';
    return html`<div class="why-actions">
      ${
        isByRule(why?.ran)
          ? actionLink(l10n.t('Undo This Rule'), () => callRules.remove(id))
          : nothing
      }
      ${
        canAllow && why?.ran?.kind !== 'harmless'
          ? actionLink(l10n.t('Always Allow'), () => callRules.offerScopes(id))
          : nothing
      }
    </div>`;
  }
}

function isByRule(why: CallReason | undefined): boolean {
  return (
    why?.kind === 'rule' ||
    why?.kind === 'commands' ||
    (why?.kind === 'user' && why.rules !== undefined)
  );
}

function whyPart(id: string): string {
  return `${id}/why`;
}

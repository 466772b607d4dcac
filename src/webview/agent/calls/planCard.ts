/** A plan of the model: it waits until the user starts it, in the mode that they choose. */
import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { guard } from 'lit-html/directives/guard.js';
import type {
  ApprovalDecision,
  ApprovalView,
  PlanView,
} from '../../../protocol/tools/approvals.js';
import { mainButton, sideButton } from '../../shared/buttons.js';
import { icon } from '../../shared/icon.js';
import { markdownElement } from '../markdown/markdown.js';

interface PlanActions {
  readonly decide: (decision: ApprovalDecision) => void;
  readonly keepPlanning: () => void;
  /** Where the user changes what it says. */
  readonly open: () => void;
  /** Where the user says what the plan lacks. */
  readonly words: TemplateResult | undefined;
}

export function planCard(
  { id }: Pick<ApprovalView, 'id'>,
  plan: PlanView,
  { decide, keepPlanning, open, words }: PlanActions,
): TemplateResult {
  const titleId = `approval-title-${id}`;
  return html`<section
    class="approval plan"
    role="group"
    tabindex="-1"
    data-approval=${id}
    aria-labelledby=${titleId}
  >
    <h2 id=${titleId}>${icon('checklist')}<span>${planTitle(plan.title)}</span></h2>
    ${planText(plan)}
    ${words ?? nothing}
    <div class="approval-buttons">
      ${mainButton(l10n.t('Start, Accept Edits'), () => decide('startEdits'))}
      ${sideButton(l10n.t('Start, Ask'), () => decide('startAsk'))}
      ${sideButton(l10n.t('Keep Planning…'), keepPlanning, { isExpanded: words !== undefined })}
      ${sideButton(l10n.t('Open in Editor'), open)}
    </div>
  </section>`;
}

export function planText({ steps, markdown }: PlanView): TemplateResult {
  return html`<div tabindex="0" role="group" aria-label=${l10n.t('Plan')}>
    <ol>
      ${steps.map((step) => html`<li>${step}</li>`)}
    </ol>
    ${guard([markdown], () => markdownElement(markdown))}
  </div>`;
}

export function planTitle(title: string): string {
  return l10n.t('{0}: {1}', l10n.t('Plan'), title);
}

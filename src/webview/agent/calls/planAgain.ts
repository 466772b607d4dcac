/** A plan that nobody decided on, as when the window was closed: it is still there to be started. */
import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { parseJsonObject } from '../../../base/json.js';
import type { PlanView } from '../../../protocol/tools/approvals.js';
import type { AgentMode } from '../../../protocol/tools/modes.js';
import { mainButton, sideButton } from '../../shared/buttons.js';
import type { AgentPage } from '../agentPage.js';
import { planText } from './planCard.js';

/** @param args of the call, as the transcript has them */
export function planAgain(args: string, page: AgentPage): TemplateResult | typeof nothing {
  const plan = planOf(args);
  if (!plan) {
    return nothing;
  }
  const start = async (mode: AgentMode) => {
    if (await page.run((send) => send('setMode', { mode }))) {
      const text = l10n.t('Carry out the plan "{0}".', plan.title);
      await page.run((send) => send('prompt', { text, kind: 'next' }));
    }
  };
  return html`${planText(plan)}
    <div class="task-actions">
      ${mainButton(l10n.t('Start, Accept Edits'), () => start('acceptEdits'))}
      ${sideButton(l10n.t('Start, Ask'), () => start('ask'))}
    </div>`;
}

/** What the model passed; `undefined` where a part of it is left out. */
function planOf(args: string): PlanView | undefined {
  const { title, steps, markdown } = parseJsonObject(args) ?? {};
  return typeof title === 'string' && Array.isArray(steps)
    ? {
        title,
        steps: steps.filter((step) => typeof step === 'string'),
        markdown: typeof markdown === 'string' ? markdown : '',
      }
    : undefined;
}

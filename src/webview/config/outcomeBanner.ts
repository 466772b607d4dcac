import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { sideButton } from '../shared/buttons.js';
import { banner, icon } from '../shared/icon.js';
import type { Outcome } from './pageState.js';

/** What came of the last step. */
export function outcomeBanner(
  outcome: Outcome | undefined,
  page: { dismissOutcome(): void },
): TemplateResult | typeof nothing {
  if (outcome?.isError) {
    const dismiss = sideButton(l10n.t('Dismiss'), () => page.dismissOutcome());
    return banner('error', outcome.text, dismiss);
  }
  return outcome
    ? html`<p class="outcome">${icon('check')}<span>${outcome.text}</span></p>`
    : nothing;
}

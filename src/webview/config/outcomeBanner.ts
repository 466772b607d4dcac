import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { sideButton } from '../shared/buttons.js';
import { icon } from '../shared/icon.js';
import type { Outcome } from './pageState.js';

/** What came of the last step. */
export function outcomeBanner(
  outcome: Outcome | undefined,
  page: { dismissOutcome(): void },
): TemplateResult | typeof nothing {
  if (!outcome) {
    return nothing;
  }
  const { isError, text } = outcome;
  return isError
    ? html`<div class="banner error" role="alert" data-outcome>
        ${icon('error')}
        <p>${text}</p>
        ${sideButton(l10n.t('Dismiss'), () => page.dismissOutcome())}
      </div>`
    : html`<p class="outcome" data-outcome>${icon('check')}<span>${text}</span></p>`;
}

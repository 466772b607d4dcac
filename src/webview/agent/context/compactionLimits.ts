/** When the conversation is summarized by itself, and changing that. */
import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { nameToken } from '../../../base/text/nameToken.js';
import type { CompactionLimits, ContextUsageView } from '../../../protocol/context.js';
import { actionLink, mainButton, sideButton } from '../../shared/buttons.js';
import { focusLater, inputText } from '../../shared/inputs.js';
import { countText } from '../../shared/numbers.js';
import type { AgentPage } from '../agentPage.js';
import type { AgentPageState, LimitsDraft } from '../pageState.js';
import { automaticCompactionText } from './contextButton.js';

export function compactionLimits(
  { state, context }: AgentPageState,
  usage: ContextUsageView,
  page: AgentPage,
): TemplateResult {
  const limits = context?.view?.limits;
  if (context?.limits && limits) {
    return limitsForm(context.limits, limits, state?.model?.label ?? '', page);
  }
  return html`<div>
    <p class="dim">
      ${automaticCompactionText(usage)}
      ${
        limits
          ? l10n.t('The last {0} tokens stay word for word.', countText(limits.keeps))
          : nothing
      }
    </p>
    ${
      limits
        ? html`<div class="context-links">
            ${
              limits.isAutomatic
                ? actionLink(l10n.t('Edit'), () => openForm(limits, page), {
                    id: 'change-limits',
                  })
                : nothing
            }
            <button
              type="button"
              id="auto"
              class="toggle-button"
              aria-pressed=${limits.isAutomatic}
              @click=${() => page.context.setAutomatic(!limits.isAutomatic)}
            >
              ${l10n.t('Auto-Compact')}
            </button>
          </div>`
        : nothing
    }
  </div>`;
}

function limitsForm(
  draft: LimitsDraft,
  { isOwn }: CompactionLimits,
  model: string,
  page: AgentPage,
): TemplateResult {
  const isValid = numberIn(draft.above) !== undefined && numberIn(draft.keeps) !== undefined;
  return html`<div class="context-form" role="group" aria-labelledby="limits-title">
    <h3 id="limits-title">${l10n.t('{0}: {1}', l10n.t('Summary'), nameToken(model))}</h3>
    ${field('limits-above', l10n.t('Summarize above (tokens)'), draft.above, (above) =>
      page.context.writeLimits({ ...draft, above }),
    )}
    ${field('limits-keeps', l10n.t('Leave the latest as they are (tokens)'), draft.keeps, (keeps) =>
      page.context.writeLimits({ ...draft, keeps }),
    )}
    <p class="dim">${l10n.t('Kept in your Pi settings, for all folders and for Pi in the terminal.')}</p>
    <div class="context-actions">
      ${mainButton(l10n.t('Save'), () => save(draft, page), { isEnabled: isValid })}
      ${isOwn ? sideButton(l10n.t('Reset'), () => page.context.setLimits({})) : nothing}
      ${sideButton(l10n.t('Cancel'), () => leave(page))}
    </div>
  </div>`;

  function field(
    id: string,
    label: string,
    value: string,
    change: (value: string) => void,
  ): TemplateResult {
    return html`<label for=${id}>${label}</label>
      <input
        id=${id}
        class="text-field" type="text"
        inputmode="numeric"
        aria-invalid=${numberIn(value) === undefined}
        .value=${value}
        @input=${(event: Event) => change(inputText(event))}
        @keydown=${(event: KeyboardEvent) => handleKey(event, draft, page)}
      />`;
  }
}

function openForm({ above, keeps }: CompactionLimits, page: AgentPage): void {
  page.context.writeLimits({ above: String(above), keeps: String(keeps) });
  focusLater('#limits-above');
}

function leave(page: AgentPage): void {
  page.context.writeLimits(undefined);
  focusLater('#change-limits');
}

function save({ above, keeps }: LimitsDraft, page: AgentPage): void {
  const limits = { above: numberIn(above), keeps: numberIn(keeps) };
  if (limits.above !== undefined && limits.keeps !== undefined) {
    void page.context.setLimits({ above: limits.above, keeps: limits.keeps });
  }
}

function handleKey(event: KeyboardEvent, draft: LimitsDraft, page: AgentPage): void {
  if (event.key === 'Enter' && !event.isComposing) {
    event.preventDefault();
    save(draft, page);
  } else if (event.key === 'Escape') {
    event.preventDefault();
    event.stopPropagation();
    leave(page);
  }
}

/** People write 180,000 or 180.000 or 180 000. */
function numberIn(text: string): number | undefined {
  const digits = text.trim().replace(/[\s.,'’]/g, '');
  return /^\d{1,9}$/.test(digits) ? Number(digits) : undefined;
}

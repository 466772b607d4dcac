/** How full the context is: a ring in the toolbar of the input, which opens what fills it. */
import * as l10n from '@vscode/l10n';
import { html, nothing, type SVGTemplateResult, svg, type TemplateResult } from 'lit-html';
import type { ContextUsageView } from '../../../protocol/context.js';
import { countText, percentText } from '../../shared/numbers.js';
import type { AgentPage } from '../agentPage.js';
import type { AgentPageState } from '../pageState.js';
import { contextButtonId, contextPanelId } from './contextReader.js';

const radius = 6;
const circumference = 2 * Math.PI * radius;

export function contextButton(
  { state, context }: AgentPageState,
  page: AgentPage,
): TemplateResult | typeof nothing {
  const usage = state?.usage;
  if (!usage) {
    return nothing;
  }
  const share = shareOf(usage);
  const isFull = usage.tokens >= (usage.compactsAt ?? usage.contextWindow) * 0.9;
  const words = `${l10n.t('Context')} ${percentText(share)}`;
  return html`<button
    type="button"
    id=${contextButtonId}
    class=${isFull ? 'context-button full' : 'context-button'}
    aria-expanded=${context !== undefined}
    aria-controls=${contextPanelId}
    aria-label=${`${words}: ${usageText(usage)}`}
    title=${`${words}\n${usageText(usage)}\n${automaticCompactionText(usage)}`.trim()}
    @click=${() => page.context.toggle()}
  >
    ${ring(share)}<span class="context-words" aria-hidden="true">${words}</span>
  </button>`;
}

/** Of 1; more where the model takes less than what is there. */
export function shareOf({ tokens, contextWindow }: ContextUsageView): number {
  return contextWindow > 0 ? tokens / contextWindow : 0;
}

export function usageText({ tokens, contextWindow, isGuessed }: ContextUsageView): string {
  const counts = [countText(tokens), countText(contextWindow)] as const;
  return isGuessed
    ? l10n.t('about {0} of {1} tokens', ...counts)
    : l10n.t('{0} of {1} tokens', ...counts);
}

/** When the conversation is summarized by itself, as a sentence. */
export function automaticCompactionText({ compactsAt, contextWindow }: ContextUsageView): string {
  return compactsAt === undefined
    ? ''
    : l10n.t(
        'The conversation is summarized by itself above {0} of {1} tokens.',
        countText(compactsAt),
        countText(contextWindow),
      );
}

function ring(share: number): SVGTemplateResult | TemplateResult {
  const filled = Math.min(1, share) * circumference;
  return html`<svg class="context-ring" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
    ${svg`<circle class="context-track" cx="8" cy="8" r=${radius} />
    <circle
      class="context-fill"
      cx="8"
      cy="8"
      r=${radius}
      stroke-dasharray=${`${filled} ${circumference}`}
      transform="rotate(-90 8 8)"
    />`}
  </svg>`;
}

/** What fills the context of the conversation, and what it has cost. Stands wherever there is room for it. */
import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { counted } from '../../../base/text/counted.js';
import type {
  ContextKind,
  ContextPart,
  ContextUsageView,
  ContextView,
  SpentView,
} from '../../../protocol/context.js';
import { foldButton, mainButton, sideButton } from '../../shared/buttons.js';
import { inputText } from '../../shared/inputs.js';
import { costText, countText, percentText } from '../../shared/numbers.js';
import type { AgentPage } from '../agentPage.js';
import type { AgentPageState } from '../pageState.js';
import { compactionLimits } from './compactionLimits.js';
import { shareOf, usageText } from './contextButton.js';

export function contextBreakdown(
  model: AgentPageState,
  page: AgentPage,
): TemplateResult | typeof nothing {
  const { state, context, expanded } = model;
  const usage = state?.usage;
  if (!usage || !context) {
    return nothing;
  }
  const { view } = context;
  return html`<div class="context-breakdown">
    <p><strong>${usageText(usage)}</strong> ${percentText(shareOf(usage))}</p>
    ${
      view
        ? html`<ul>
              ${view.parts.map((part) => partRow(part, usage, expanded, page))}
            </ul>
            ${spending(view)}`
        : html`<p class="loading" role="status">
            <vscode-progress-ring></vscode-progress-ring>${l10n.t('Loading…')}
          </p>`
    }
    ${compactionLimits(model, usage, page)}
    ${compactForm(model, page)}
  </div>`;
}

function partRow(
  { kind, tokens, items }: ContextPart,
  usage: ContextUsageView,
  expanded: ReadonlySet<string>,
  page: AgentPage,
): TemplateResult {
  const part = `context/${kind}`;
  const isOpen = expanded.has(part);
  return html`<li class="context-part">
    <div class="context-row">
      ${
        items.length > 0
          ? foldButton(kindWords[kind](), isOpen, () => page.toggle(part), {
              fold: part,
              className: 'context-fold',
            })
          : html`<span class="context-leaf">${kindWords[kind]()}</span>`
      }
      ${amount(tokens, usage)}
    </div>
    ${bar(tokens, usage)}
    ${
      isOpen
        ? html`<ul class="context-items">
            ${items.map(
              (item) =>
                html`<li class="context-row">
                  <span class="context-name" title=${item.name}>${item.name}</span>
                  ${amount(item.tokens, usage)}
                </li>`,
            )}
          </ul>`
        : nothing
    }
  </li>`;
}

function amount(tokens: number, usage: ContextUsageView): TemplateResult {
  const share = shareOf({ ...usage, tokens });
  const percent = share > 0 && share < 0.005 ? `< ${percentText(0.01)}` : percentText(share);
  return html`<span class="context-amount">${countText(tokens)} <span class="dim">${percent}</span></span>`;
}

function bar(tokens: number, usage: ContextUsageView): TemplateResult {
  const share = Math.min(1, shareOf({ ...usage, tokens }));
  return html`<svg
    class="context-bar"
    viewBox="0 0 100 1"
    preserveAspectRatio="none"
    aria-hidden="true"
  >
    <rect class="context-bar-track" width="100" height="1" />
    <rect class="context-bar-fill" width=${share * 100} height="1" />
  </svg>`;
}

const kindWords: Readonly<Record<ContextKind, () => string>> = {
  system: () => l10n.t('System prompt'),
  instructions: () => l10n.t('Instructions'),
  tools: () => l10n.t('Tools'),
  attachments: () => l10n.t('Attached'),
  conversation: () => l10n.t('Conversation'),
  summary: () => l10n.t('Summary'),
};

function spending({ lastTurn, all, turns }: ContextView): TemplateResult | typeof nothing {
  return all.requests === 0
    ? nothing
    : html`<dl class="context-spent">
        ${
          lastTurn
            ? html`<dt class="context-spent-of">${l10n.t('Last turn')}</dt>
                <dd class="context-figures">${spentText(lastTurn)}</dd>`
            : nothing
        }
        <dt class="context-spent-of">${counted(l10n.t('In all, 1 turn|In all, {0} turns'), turns)}</dt>
        <dd class="context-figures">${spentText(all)}</dd>
      </dl>`;
}

function spentText({ requests, sent, cached, received, cost }: SpentView): string {
  return [
    ...(cost > 0 ? [costText(cost)] : []),
    counted(l10n.t('1 request|{0} requests'), requests, countText(requests)),
    l10n.t('{0} in, {1} out', countText(sent), countText(received)),
    ...(cached > 0 ? [l10n.t('{0} cached', percentText(cached / sent))] : []),
  ].join(' · ');
}

function compactForm({ state, context }: AgentPageState, page: AgentPage): TemplateResult {
  const focus = context?.focus;
  const isRunning = state?.status !== 'ready';
  if (focus === undefined) {
    return html`<div class="context-actions">
      ${sideButton(l10n.t('Compact'), () => openForm(page), { isEnabled: !isRunning })}
    </div>`;
  }
  return html`<form
    class="context-form"
    @submit=${(event: Event) => {
      event.preventDefault();
      void page.context.compact();
    }}
  >
    <label for="compact-focus">${l10n.t('What should the summary keep? You may leave this empty.')}</label>
    <textarea
      id="compact-focus"
      rows="2"
      .value=${focus}
      @input=${(event: Event) => page.context.writeFocus(inputText(event))}
      @keydown=${(event: KeyboardEvent) => handleKey(event, page)}
    ></textarea>
    <div class="context-actions">
      ${mainButton(l10n.t('Compact'), () => page.context.compact(), { isEnabled: !isRunning })}
      ${sideButton(l10n.t('Cancel'), () => page.context.writeFocus(undefined))}
    </div>
  </form>`;
}

function openForm(page: AgentPage): void {
  page.context.writeFocus('');
  document.getElementById('compact-focus')?.focus();
}

function handleKey(event: KeyboardEvent, page: AgentPage): void {
  if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) {
    event.preventDefault();
    void page.context.compact();
  } else if (event.key === 'Escape') {
    event.preventDefault();
    event.stopPropagation();
    page.context.writeFocus(undefined);
    document.getElementById('context-panel')?.focus();
  }
}

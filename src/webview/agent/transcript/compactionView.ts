import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { TranscriptEntry } from '../../../protocol/agentProtocol.js';
import { icon } from '../../shared/icon.js';
import type { AgentPage } from '../agentPage.js';

type Compaction = Extract<TranscriptEntry, { kind: 'compaction' }>;

/** What was said before, as the model has it from here on. */
export function compactionView(
  entry: Compaction,
  expanded: ReadonlySet<string>,
  page: AgentPage,
): TemplateResult {
  const part = `${entry.id}/summary`;
  const isOpen = expanded.has(part);
  return html`<article class="entry compaction" data-entry=${entry.id} aria-label=${l10n.t('Summary')}>
    <button
      class="link-button"
      type="button"
      aria-expanded=${isOpen}
      data-fold=${part}
      @click=${() => page.toggle(part)}
    >
      ${icon(isOpen ? 'chevron-down' : 'chevron-right')}<span>${compactionText(entry)}</span>
    </button>
    ${isOpen ? html`<div class="thinking" data-find="summary">${entry.summary}</div>` : nothing}
  </article>`;
}

export function compactionText({ tokensBefore, tokensAfter }: Compaction): string {
  return tokensAfter === undefined
    ? l10n.t('Summarized {0} tokens to make room', count(tokensBefore))
    : l10n.t(
        'Summarized to make room: {0} tokens became {1}',
        count(tokensBefore),
        count(tokensAfter),
      );
}

function count(value: number): string {
  return value.toLocaleString(document.documentElement.lang || undefined);
}

import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { TranscriptEntry } from '../../../protocol/agentProtocol.js';
import { actionLink, foldButton } from '../../shared/buttons.js';
import { icon } from '../../shared/icon.js';
import { shortCount } from '../../shared/numbers.js';
import type { AgentPage } from '../agentPage.js';

type Compaction = Extract<TranscriptEntry, { kind: 'compaction' }>;

/** What was said before, as the model has it from here on. @param isLast nothing was said since */
export function compactionView(
  entry: Compaction,
  { expanded, isLast }: { readonly expanded: ReadonlySet<string>; readonly isLast: boolean },
  page: AgentPage,
): TemplateResult {
  const part = `${entry.id}/summary`;
  const isOpen = expanded.has(part);
  return html`<article class="entry compaction" data-entry=${entry.id} aria-label=${l10n.t('Summary')}>
    ${foldButton(compactionText(entry), isOpen, () => page.toggle(part), { fold: part })}
    ${undoLink(entry, isLast, page)}
    ${isOpen ? html`<div class="thinking" data-find="summary">${entry.summary}</div>` : nothing}
  </article>`;
}

/** A summary that is being made. */
export function compactingView({
  id,
  text,
}: Extract<TranscriptEntry, { kind: 'compacting' }>): TemplateResult {
  return html`<div class="entry notice info" data-entry=${id}>
    ${icon('sync')}
    <p>${text}</p>
  </div>`;
}

export function compactionText({ tokensBefore, tokensAfter }: Compaction): string {
  const after = tokensAfter === undefined ? '?' : shortCount(tokensAfter, 3);
  return l10n.t('Compacted: {0} → {1} tokens', shortCount(tokensBefore, 3), after);
}

function undoLink({ stored: id }: Compaction, isLast: boolean, page: AgentPage) {
  return id === undefined
    ? nothing
    : actionLink(l10n.t('Undo'), () => page.run((send) => send('undoCompaction', { id })), {
        title: isLast ? undefined : l10n.t('What followed stays as another version.'),
      });
}

/** What can be done with a message, below it; shown to who points at it or has the focus in it. */
import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { TranscriptEntry } from '../../../protocol/agentProtocol.js';
import type { NoticeBranch, SentMessage } from '../../../protocol/branches.js';
import { actionLink } from '../../shared/buttons.js';
import { icon } from '../../shared/icon.js';
import type { AgentPage } from '../agentPage.js';
import { branchSwitch } from './branchSwitch.js';

export function requestActions(
  message: SentMessage | undefined,
  page: AgentPage,
): TemplateResult | typeof nothing {
  if (!message) {
    return nothing;
  }
  const { id } = message;
  return html`<div class="message-row">
    ${branchSwitch(message, page)}
    <span class="message-actions">
      ${action('edit', l10n.t('Edit'), 'edit', () => edit(message, page))}
      ${action('fork', l10n.t('Fork from Here'), 'repo-forked', () => page.messages.fork(id))}
      ${action('restore', l10n.t('Restore…'), 'history', () => page.restoring.show(id))}
    </span>
  </div>`;
}

/** @param isLast nothing of the run follows it */
export function answerActions(
  { id: entryId, message }: Extract<TranscriptEntry, { kind: 'assistant' }>,
  isLast: boolean,
  page: AgentPage,
): TemplateResult {
  const { id, request } = message ?? {};
  return html`<div class="message-row">
    <span class="message-actions">
      <button
        type="button"
        class="text-action"
        data-copy-answer=${entryId}
      >
        ${icon('copy')}<span>${l10n.t('Copy')}</span>
      </button>
      ${
        isLast && request !== undefined
          ? action('retry', l10n.t('Try Again'), 'refresh', () => page.messages.retry(request))
          : nothing
      }
      ${
        isLast && id !== undefined
          ? action('fork', l10n.t('Fork from Here'), 'repo-forked', () => page.messages.fork(id))
          : nothing
      }
    </span>
  </div>`;
}

/** Where the conversation may go on from something that happened in it. */
export function noticeActions(
  { request, next, canContinue }: NoticeBranch,
  isLast: boolean,
  page: AgentPage,
): TemplateResult | typeof nothing {
  if (request !== undefined) {
    return html`${actionLink(l10n.t('Try Again'), () => page.messages.retry(request))}
    ${canContinue && isLast ? actionLink(l10n.t('Continue'), () => page.messages.goOn()) : nothing}`;
  }
  return next === undefined
    ? nothing
    : actionLink(l10n.t('Show What Followed'), () => page.messages.show(next, 'itself'));
}

async function edit(message: SentMessage, page: AgentPage): Promise<void> {
  await page.messages.edit(message);
  const editor = document.getElementById('message-editor');
  editor?.focus({ preventScroll: true });
  editor?.closest('.entry')?.scrollIntoView({ block: 'nearest' });
}

function action(name: string, label: string, glyph: string, run: () => unknown): TemplateResult {
  return html`<button
    type="button"
    class="text-action"
    title=${label}
    data-action=${name}
    @click=${run}
  >
    ${icon(glyph)}<span>${label}</span>
  </button>`;
}

import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import type { SendKind } from '../../../protocol/sending.js';
import { icon } from '../../shared/icon.js';
import { textOf } from '../../shared/inputs.js';
import type { AgentPage } from '../agentPage.js';
import { contextButton } from '../context/contextButton.js';
import type { AgentPageState } from '../pageState.js';
import { attachButton, attachmentList } from './attachments.js';
import { commandRefusal } from './commandAnswer.js';
import { kindTitle } from './queueList.js';
import { handleSlashKey, slashMatches, slashMenu } from './slashMenu.js';

// about eight lines; longer drafts scroll
const maxComposerHeightPx = 160;

export function composer(model: AgentPageState, page: AgentPage): TemplateResult {
  const { state, draft, slashIndex } = model;
  const hasMenu = slashMatches(model).length > 0;
  const isRunning = state?.status === 'running';
  const isReady = page.sending.canSubmit();
  const label = isRunning ? l10n.t('Tell Pi what to do next') : l10n.t('Ask Pi');
  return html`<div class="composer">
    ${slashMenu(model, page)} ${commandRefusal(model, page)} ${attachmentList(model, page)}
    <label class="visually-hidden" for="composer-text">${label}</label>
    <textarea
      id="composer-text"
      rows="1"
      placeholder=${isRunning ? l10n.t('What next…') : l10n.t('Ask Pi…')}
      aria-describedby="composer-hint"
      aria-autocomplete="list"
      aria-controls=${hasMenu ? 'slash-menu' : nothing}
      aria-activedescendant=${hasMenu ? `slash-${slashIndex}` : nothing}
      .value=${live(draft)}
      @input=${(event: Event) => page.sending.setDraft(textOf(event))}
      @keydown=${(event: KeyboardEvent) => handleKey(event, page)}
    ></textarea>
    <div class="composer-buttons">
      ${attachButton(page)} ${contextButton(model, page)}
      <span id="composer-hint" class="dim">${
        isRunning
          ? l10n.t('Enter: next step, Ctrl+Enter: after this run')
          : l10n.t('Enter sends, Shift+Enter starts a line')
      }</span>
      ${
        isRunning
          ? html`<vscode-button
              appearance="secondary"
              @click=${() => page.run((send) => send('stop', undefined))}
              >${icon('debug-stop')}${l10n.t('Stop')}</vscode-button
            >`
          : nothing
      }
      ${isRunning ? sendButton('after', l10n.t('After'), 'clock') : nothing}
      ${isRunning ? sendButton('next', l10n.t('Next'), 'send') : sendButton('next', l10n.t('Send'), 'send')}
    </div>
  </div>`;

  function sendButton(kind: SendKind, word: string, glyph: string): TemplateResult {
    return html`<vscode-button
      appearance=${kind === 'next' ? 'primary' : 'secondary'}
      title=${isRunning ? kindTitle(kind) : nothing}
      ?disabled=${!isReady || draft.trim() === ''}
      @click=${() => page.sending.submit(kind)}
      >${icon(glyph)}${word}</vscode-button
    >`;
  }
}

/** Grows the text area with its text, and keeps the picked prompt in sight. */
export function fitComposer(root: HTMLElement): void {
  const area = root.querySelector<HTMLTextAreaElement>('#composer-text');
  if (area) {
    area.style.height = 'auto';
    area.style.height = `${Math.min(area.scrollHeight + 2, maxComposerHeightPx)}px`;
  }
  const picked = root.querySelector('#slash-menu [aria-selected="true"]');
  picked?.scrollIntoView({ block: 'nearest' });
}

function handleKey(event: KeyboardEvent, page: AgentPage): void {
  if (!event.isComposing && handleSlashKey(event, page)) {
    event.preventDefault();
    return;
  }
  // while an input method composes a character, Enter confirms that character
  if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) {
    event.preventDefault();
    void page.sending.submit(event.ctrlKey || event.metaKey ? 'after' : 'next');
  }
}

/** The form in which the user changes a message that was sent. */
import * as l10n from '@vscode/l10n';
import { html, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { textOf } from '../../shared/inputs.js';
import type { AgentPage } from '../agentPage.js';
import type { EditedMessage } from '../savedPage.js';

/** Lines; longer texts scroll. */
const maxRows = 12;

export function messageEditor(
  { text }: EditedMessage,
  isRunning: boolean,
  page: AgentPage,
): TemplateResult {
  const rows = Math.min(maxRows, Math.max(2, text.split('\n').length));
  return html`<textarea
      id="message-editor"
      rows=${rows}
      aria-label=${l10n.t('Message')}
      aria-describedby="message-editor-hint"
      .value=${live(text)}
      @input=${(event: Event) => page.messages.changeText(textOf(event))}
      @keydown=${(event: KeyboardEvent) => handleKey(event, page)}
    ></textarea>
    <p id="message-editor-hint" class="dim">${
      isRunning
        ? l10n.t('Pi still works: sending stops it. What was said stays as another version.')
        : l10n.t('What was said after it stays as another version.')
    }</p>
    <div class="message-editor-buttons">
      <vscode-button ?disabled=${text.trim() === ''} @click=${() => send(page)}
        >${isRunning ? l10n.t('Stop and Send') : l10n.t('Send')}</vscode-button
      >
      <vscode-button appearance="secondary" @click=${() => leave(page)}
        >${l10n.t('Cancel')}</vscode-button
      >
    </div>`;
}

async function send(page: AgentPage): Promise<void> {
  if (await page.messages.send()) {
    document.getElementById('composer-text')?.focus({ preventScroll: true });
  }
}

/** The focus goes back to the button that began it. */
function leave(page: AgentPage): void {
  const entry = document.getElementById('message-editor')?.closest<HTMLElement>('[data-entry]');
  const id = CSS.escape(entry?.dataset.entry ?? '');
  page.messages.leave();
  document
    .querySelector<HTMLElement>(`[data-entry="${id}"] [data-action="edit"]`)
    ?.focus({ preventScroll: true });
}

function handleKey(event: KeyboardEvent, page: AgentPage): void {
  if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) {
    event.preventDefault();
    void send(page);
  } else if (event.key === 'Escape') {
    event.preventDefault();
    leave(page);
  }
}

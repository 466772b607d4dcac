/** The form in which the user changes a message that was sent. */
import * as l10n from '@vscode/l10n';
import { html, type TemplateResult } from 'lit-html';
import type { SentAttachment } from '../../../protocol/sending.js';
import { mainButton, sideButton } from '../../shared/buttons.js';
import type { AgentPage } from '../agentPage.js';
import { editedText } from '../composer/editedText.js';
import { messageEditorId } from '../composer/mentions/editedMentions.js';
import type { EditedMessage } from '../savedPage.js';

/** Lines; longer texts scroll. */
const maxRows = 12;

/** @param has what goes with the message */
export function messageEditor(
  { id, text, removed }: EditedMessage,
  has: readonly SentAttachment[],
  isRunning: boolean,
  page: AgentPage,
): TemplateResult {
  const rows = Math.min(maxRows, Math.max(2, text.split('\n').length));
  return html`${editedText(
    {
      id: messageEditorId,
      key: `message/${id}`,
      label: l10n.t('Message'),
      rows,
      describedBy: 'message-editor-hint',
      text,
      has,
      removed,
      mentions: page.messageMentions,
      change: (part) => page.messages.change(part),
      picture: (index) => ({ of: 'message', id, index }),
      save: () => send(page),
      leave: () => leave(page),
    },
    page,
  )}
    <p id="message-editor-hint" class="dim">${l10n.t('What followed stays as another version.')}</p>
    <div class="message-editor-buttons">
      ${mainButton(isRunning ? l10n.t('Stop and Send') : l10n.t('Send'), () => send(page), {
        isEnabled: page.messages.hasMessage,
      })}
      ${sideButton(l10n.t('Cancel'), () => leave(page))}
    </div>`;
}

async function send(page: AgentPage): Promise<void> {
  if (await page.messages.send()) {
    document.getElementById('composer-text')?.focus({ preventScroll: true });
  }
}

/** The focus goes back to the button that began it. */
function leave(page: AgentPage): void {
  const entry = document.getElementById(messageEditorId)?.closest<HTMLElement>('[data-entry]');
  const id = CSS.escape(entry?.dataset.entry ?? '');
  page.messages.leave();
  document
    .querySelector<HTMLElement>(`[data-entry="${id}"] [data-action="edit"]`)
    ?.focus({ preventScroll: true });
}

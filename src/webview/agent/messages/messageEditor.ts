/** The form in which the user changes a message that was sent. */
import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import type { SentAttachment } from '../../../protocol/sending.js';
import { mainButton, sideButton } from '../../shared/buttons.js';
import { inputText } from '../../shared/inputs.js';
import type { AgentPage } from '../agentPage.js';
import { editedAttachments } from '../composer/attachments/editedAttachments.js';
import { caretOf } from '../composer/caret.js';
import { messageEditorId } from '../composer/mentions/editedMentions.js';
import {
  followCaretKey,
  handleMentionKey,
  mentionMenu,
  pickedMention,
} from '../composer/mentions/mentionMenu.js';
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
  const key = `message/${id}`;
  const mentions = page.messageMentions;
  const option = pickedMention(mentions);
  const rows = Math.min(maxRows, Math.max(2, text.split('\n').length));
  return html`${mentionMenu(mentions)}<textarea
      id=${messageEditorId}
      rows=${rows}
      aria-label=${l10n.t('Message')}
      aria-describedby="message-editor-hint"
      aria-autocomplete="list"
      aria-controls=${option?.menu ?? nothing}
      aria-activedescendant=${option ? `${option.menu}-${option.index}` : nothing}
      .value=${live(text)}
      @input=${(event: Event) => {
        page.messages.change({ text: inputText(event) });
        mentions.follow(caretOf(event));
      }}
      @keyup=${(event: KeyboardEvent) => followCaretKey(event, mentions)}
      @click=${(event: Event) => mentions.follow(caretOf(event))}
      @paste=${(event: ClipboardEvent) => page.intakeInto(key).paste(event)}
      @keydown=${(event: KeyboardEvent) => handleKey(event, page)}
    ></textarea>
    ${editedAttachments(
      {
        key,
        has,
        removed,
        remove: (place) => page.messages.change({ removed: [...removed, place] }),
        picture: (index) => ({ of: 'message', id, index }),
      },
      page,
    )}
    <p id="message-editor-hint" class="dim">${
      isRunning
        ? l10n.t('Pi still works: sending stops it. What was said stays as another version.')
        : l10n.t('What was said after it stays as another version.')
    }</p>
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

function handleKey(event: KeyboardEvent, page: AgentPage): void {
  if (!event.isComposing && handleMentionKey(event, page.messageMentions)) {
    event.preventDefault();
  } else if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) {
    event.preventDefault();
    void send(page);
  } else if (event.key === 'Escape') {
    event.preventDefault();
    leave(page);
  }
}

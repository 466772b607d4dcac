/** A message that the user changes, one that waits or one that was sent: its text, and what goes with it. */
import { html, nothing, type TemplateResult } from 'lit-html';
import { ifDefined } from 'lit-html/directives/if-defined.js';
import { live } from 'lit-html/directives/live.js';
import { inputText } from '../../shared/inputs.js';
import type { AgentPage } from '../agentPage.js';
import { type EditedParts, editedAttachments } from './attachments/editedAttachments.js';
import { caretOf } from './caret.js';
import {
  followCaretKey,
  handleMentionKey,
  mentionMenu,
  pickedMention,
} from './mentions/mentionMenu.js';
import type { Mentions } from './mentions/mentions.js';

interface EditedText extends Omit<EditedParts, 'remove'> {
  /** Of the text area. */
  readonly id: string;
  readonly label: string;
  readonly rows: number;
  readonly describedBy?: string;
  readonly text: string;
  readonly mentions: Mentions;
  readonly change: (part: {
    readonly text?: string;
    readonly removed?: readonly number[];
  }) => unknown;
  readonly save: () => unknown;
  readonly leave: () => unknown;
}

export function editedText(edited: EditedText, page: AgentPage): TemplateResult {
  const { id, key, label, rows, describedBy, text, removed, mentions, change } = edited;
  const option = pickedMention(mentions);
  const remove = (place: number) => change({ removed: [...removed, place] });
  return html`${mentionMenu(mentions)}<textarea
      id=${id}
      rows=${rows}
      aria-label=${label}
      aria-describedby=${ifDefined(describedBy)}
      aria-autocomplete="list"
      aria-controls=${option?.menu ?? nothing}
      aria-activedescendant=${option ? `${option.menu}-${option.index}` : nothing}
      .value=${live(text)}
      @input=${(event: Event) => {
        change({ text: inputText(event) });
        mentions.follow(caretOf(event));
      }}
      @keyup=${(event: KeyboardEvent) => followCaretKey(event, mentions)}
      @click=${(event: Event) => mentions.follow(caretOf(event))}
      @paste=${(event: ClipboardEvent) => page.intakeInto(key).paste(event)}
      @keydown=${(event: KeyboardEvent) => handleKey(event, edited)}
    ></textarea>
    ${editedAttachments({ ...edited, remove }, page)}`;
}

function handleKey(event: KeyboardEvent, { mentions, save, leave }: EditedText): void {
  if (!event.isComposing && handleMentionKey(event, mentions)) {
    event.preventDefault();
  } else if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) {
    event.preventDefault();
    save();
  } else if (event.key === 'Escape') {
    event.preventDefault();
    leave();
  }
}

import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { classMap } from 'lit-html/directives/class-map.js';
import { live } from 'lit-html/directives/live.js';
import type { SendKind } from '../../../protocol/sending.js';
import { mainButton, sideButton } from '../../shared/buttons.js';
import { icon } from '../../shared/icon.js';
import { inputText } from '../../shared/inputs.js';
import { isWideTab } from '../../shared/wideTab.js';
import type { AgentPage } from '../agentPage.js';
import { contextButton } from '../context/contextButton.js';
import type { AgentPageState } from '../pageState.js';
import { attachButton, attachmentList } from './attachments/attachmentList.js';
import { caretOf, isCaretAtEnd, isCaretAtStart } from './caret.js';
import type { PickedOption } from './choiceMenu.js';
import { commandRefusal } from './commandAnswer.js';
import { commandMode, commandModeText } from './commandMode.js';
import {
  followCaretKey,
  handleMentionKey,
  mentionMenu,
  pickedMention,
} from './mentions/mentionMenu.js';
import { modeButton } from './modeMenu.js';
import { kindTitle } from './queueList.js';
import { handleSlashKey, slashMatches, slashMenu, slashMenuId } from './slashMenu.js';

// about eight lines; longer drafts scroll
const maxComposerHeightPx = 160;

export function composer(model: AgentPageState, page: AgentPage): TemplateResult {
  const { state, draft, isDropTarget } = model;
  const option = pickedOption(model, page);
  const isRunning = state?.status === 'running';
  const isReady = page.sending.canSubmit();
  const isLine = commandModeText(model) !== undefined;
  const placeholder = isRunning ? l10n.t('Add to this task…') : l10n.t('Ask Pi…');
  return html`<div class=${classMap({ composer: true, 'drop-target': isDropTarget })}>
    ${slashMenu(model, page)} ${mentionMenu(page.mentions)} ${commandRefusal(model, page)} ${attachmentList(model, page)}
    ${commandMode(model)}
    <textarea
      id="composer-text"
      rows="1"
      placeholder=${placeholder}
      aria-label=${isLine ? l10n.t('Command') : placeholder}
      class=${isLine ? 'is-command' : nothing}
      aria-describedby=${isLine ? 'composer-mode composer-hint' : 'composer-hint'}
      aria-autocomplete="list"
      aria-controls=${option?.menu ?? nothing}
      aria-activedescendant=${option ? `${option.menu}-${option.index}` : nothing}
      .value=${live(draft)}
      @input=${(event: Event) => {
        page.sending.setDraft(inputText(event));
        page.mentions.follow(caretOf(event));
      }}
      @keydown=${(event: KeyboardEvent) => handleKey(event, page)}
      @keyup=${(event: KeyboardEvent) => followCaretKey(event, page.mentions)}
      @click=${(event: Event) => page.mentions.follow(caretOf(event))}
      @paste=${(event: ClipboardEvent) => page.intake.paste(event)}
    ></textarea>
    <div class="composer-buttons">
      ${modeButton(model, page)} ${attachButton(page)} ${isWideTab() ? nothing : contextButton(model, page)}
      <span id="composer-hint" class="dim">${
        isRunning && !isLine
          ? l10n.t('Enter sends now · Ctrl+Enter queues')
          : l10n.t('Enter sends, Shift+Enter starts a line')
      }</span>
      ${isRunning && !isLine ? sendButton('after', l10n.t('Queue'), 'clock') : nothing}
      ${isLine ? sendButton('next', l10n.t('Run'), 'play') : sendButton('next', l10n.t('Send'), 'send')}
    </div>
  </div>`;

  function sendButton(kind: SendKind, word: string, glyph: string): TemplateResult {
    const button = kind === 'next' ? mainButton : sideButton;
    return button(html`${icon(glyph)}${word}`, () => page.sending.submit(kind), {
      title: isRunning && !isLine ? kindTitle(kind) : undefined,
      isEnabled: isReady && page.sending.hasMessage(),
    });
  }
}

/** What Enter takes from the menu that is open. */
function pickedOption(model: AgentPageState, page: AgentPage): PickedOption | undefined {
  return slashMatches(model).length > 0
    ? { menu: slashMenuId, index: model.slashIndex }
    : pickedMention(page.mentions);
}

/** Grows the text area with its text, and keeps the picked prompt in sight. */
export function fitComposer(root: HTMLElement): void {
  const area = root.querySelector<HTMLTextAreaElement>('#composer-text');
  if (area) {
    area.style.height = 'auto';
    area.style.height = `${Math.min(area.scrollHeight + 2, maxComposerHeightPx)}px`;
  }
  const picked = root.querySelector('.choice-menu [aria-selected="true"]');
  picked?.scrollIntoView({ block: 'nearest' });
}

/** Of menus and history. @returns whether the key was for them. */
function handleOwnKey(event: KeyboardEvent, page: AgentPage): boolean {
  if (handleSlashKey(event, page) || handleMentionKey(event, page.mentions)) {
    return true;
  }
  const { key, target, shiftKey, altKey, ctrlKey, metaKey } = event;
  if (!(target instanceof HTMLTextAreaElement) || shiftKey || altKey || ctrlKey || metaKey) {
    return false;
  }
  return (
    (key === 'ArrowUp' && isCaretAtStart(target) && page.history.earlier()) ||
    (key === 'ArrowDown' && isCaretAtEnd(target) && page.history.later())
  );
}

function handleKey(event: KeyboardEvent, page: AgentPage): void {
  if (!event.isComposing && handleOwnKey(event, page)) {
    event.preventDefault();
    return;
  }
  // while an input method composes a character, Enter confirms that character
  if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) {
    event.preventDefault();
    void page.sending.submit(event.ctrlKey || event.metaKey ? 'after' : 'next');
  }
}

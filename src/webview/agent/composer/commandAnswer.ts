import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { actionLink, iconButton } from '../../shared/buttons.js';
import { icon } from '../../shared/icon.js';
import { focusLater } from '../../shared/inputs.js';
import type { AgentPage } from '../agentPage.js';
import type { AgentPageState } from '../pageState.js';

/** What the last command answered, above the input until it is dismissed. */
export function commandAnswer(
  { answer }: AgentPageState,
  page: AgentPage,
): TemplateResult | typeof nothing {
  if (!answer) {
    return nothing;
  }
  const { title, rows, notes = [] } = answer;
  const close = () => {
    page.change({ answer: undefined, refusal: undefined });
    focusLater('#composer-text');
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      event.preventDefault();
      close();
    }
  };
  const list = html`<dl>
    ${rows.map(({ name, text }) => html`<dt>${name}</dt><dd>${text}</dd>`)}
  </dl>`;
  const body = html`${rows.length > 0 ? list : nothing}
    ${notes.map((note) => html`<p class="dim">${note}</p>`)}`;
  return answerSection({ id: 'command-answer-title', title, body, close, onKey });
}

export interface AnswerSection {
  /** Of its title. */
  readonly id: string;
  readonly title: string;
  readonly body: TemplateResult;
  readonly close: () => void;
  readonly onKey?: (event: KeyboardEvent) => void;
  readonly onClick?: (event: Event) => void;
}

/** What stands apart from the conversation until it is closed. */
export function answerSection({
  id,
  title,
  body,
  close,
  onKey,
  onClick,
}: AnswerSection): TemplateResult {
  return html`<section class="command-answer" aria-labelledby=${id} @keydown=${onKey}>
    <div class="command-answer-head">
      <h2 id=${id}>${title}</h2>
      ${iconButton(l10n.t('Close'), 'close', close)}
    </div>
    <div
      class="command-answer-body"
      tabindex="0"
      role="group"
      aria-labelledby=${id}
      @click=${onClick}
    >
      ${body}
    </div>
  </section>`;
}

/** Why what was typed was neither run nor sent, and what to do instead. */
export function commandRefusal(
  { refusal }: AgentPageState,
  page: AgentPage,
): TemplateResult | typeof nothing {
  if (!refusal) {
    return nothing;
  }
  const { text, near, mayBeText } = refusal;
  const take = (command: string) => {
    page.sending.setDraft(command);
    focusLater('#composer-text');
  };
  return html`<div class="command-refusal" role="group" aria-label=${text}>
    <p>${icon('info')}<span>${text}</span></p>
    <div class="command-refusal-actions">
      ${near.map((command) => actionLink(command, () => take(command)))}
      ${mayBeText ? actionLink(l10n.t('Send as Text'), () => page.sending.sendDraft()) : nothing}
    </div>
  </div>`;
}

import { html, nothing, type TemplateResult } from 'lit-html';
import { showHidden } from '../../base/text/showHidden.js';
import type { ChoiceQuestionView, QuestionCards } from '../../protocol/tools/questions.js';
import { mainButton, sideButton } from '../shared/buttons.js';
import { icon } from '../shared/icon.js';
import { repeatById } from '../shared/repeatById.js';
import type { CardPage } from './cardPage.js';
import { formCard } from './formCard.js';

/** Oldest first, those with buttons alone above the forms. */
export function cardViews(cards: QuestionCards, page: CardPage): TemplateResult {
  return html`${repeatById(cards.choices, (question) => choiceCard(question, page))}${repeatById(
    cards.forms,
    (question) => formCard(question, page),
  )}`;
}

/** What others say stands in a frame of its own, below our words. */
function choiceCard(
  { id, title, note, rows, choices }: ChoiceQuestionView,
  { sender, attention }: CardPage,
): TemplateResult {
  const titleId = `choice-${id}-title`;
  // a click of the pointer has a count
  const choose = (index: number, isConsent: boolean) => (event: MouseEvent) => {
    if (!isConsent || attention.mayConsent(`choice/${id}`, event.detail > 0)) {
      void sender.choose(id, index);
    }
  };
  return html`<section
    class="question card-question"
    data-choice=${id}
    tabindex="-1"
    aria-labelledby=${titleId}
  >
    <h2 id=${titleId}>${icon('question')}<span>${title}</span></h2>
    ${
      rows.length === 0
        ? nothing
        : html`<dl class="server-words" tabindex="0">
            ${rows.map(
              ({ label, text }) => html`<dt>${showHidden(label)}</dt>
                <dd>${showHidden(text)}</dd>`,
            )}
          </dl>`
    }
    ${note === undefined ? nothing : html`<p class="dim">${note}</p>`}
    <div class="actions">
      ${choices.map(({ label, isConsent }, index) =>
        (index === 0 ? mainButton : sideButton)(label, choose(index, isConsent), {
          isEnabled: !isConsent || attention.isReady(`choice/${id}`),
        }),
      )}
    </div>
  </section>`;
}

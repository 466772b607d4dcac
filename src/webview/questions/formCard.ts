import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { showHidden } from '../../base/text/showHidden.js';
import type { FormAction, FormQuestionView } from '../../protocol/tools/questions.js';
import { fieldView } from '../form/fieldView.js';
import type { FormContext } from '../form/formContext.js';
import { mainButton, sideButton, withKeys } from '../shared/buttons.js';
import { icon } from '../shared/icon.js';
import { repeatById } from '../shared/repeatById.js';
import { questionTitle } from './cardAttention.js';
import type { CardPage } from './cardPage.js';

/** All words of the server stand in a frame that says whose they are; what ends a form is ours. */
export function formCard(
  question: FormQuestionView,
  { forms, attention }: CardPage,
): TemplateResult {
  const { root, combo, isSending } = forms.of(question);
  const titleId = `form-${question.id}-title`;
  const context: FormContext = {
    problems: forms.problems(question),
    combo,
    draw: (draft) => fieldView(draft, context),
    changed: () => forms.changed(question),
  };
  const end = (action: FormAction) => () => {
    if (action !== 'accept' || attention.mayConsent(`form/${question.id}`, true)) {
      void forms.end(question, action);
    }
  };
  return html`<section
    class="question card-question form-question"
    data-form=${question.id}
    tabindex="-1"
    aria-labelledby=${titleId}
    @keydown=${(event: KeyboardEvent) => {
      if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        event.stopPropagation();
        // a key that was meant for something else, and came with the focus, sends nothing
        if (event.target !== event.currentTarget) {
          end('accept')();
        }
      } else if (event.key === 'Escape') {
        // what was filled in would be lost with the run that Escape stops
        event.stopPropagation();
      }
    }}
  >
    <h2 id=${titleId}>${icon('question')}<span>${questionTitle(question)}</span></h2>
    ${
      question.message.trim() === ''
        ? nothing
        : html`<p class="server-words" tabindex="0">${showHidden(question.message)}</p>`
    }
    <p class="dim">${l10n.t('A call waits for your answer. All fields are of the server, which is told what you send: no passwords or keys.')}</p>
    <form
      class="schema-form"
      novalidate
      aria-labelledby=${titleId}
      @submit=${(event: Event) => event.preventDefault()}
    >
      ${repeatById(root.children, (child) => context.draw(child))}
    </form>
    <div class="actions">
      ${mainButton(l10n.t('Send Answer'), end('accept'), {
        isEnabled: !isSending && attention.isReady(`form/${question.id}`),
        title: withKeys(l10n.t('Send Answer'), l10n.t('Ctrl+Enter')),
      })}
      ${sideButton(l10n.t('Decline'), end('decline'), {
        isEnabled: !isSending,
        title: l10n.t('Tells the server that you do not want to answer'),
      })}
      ${sideButton(l10n.t('Do Not Answer'), end('cancel'), {
        isEnabled: !isSending,
        title: l10n.t('Tells the server that it got no answer'),
      })}
    </div>
  </section>`;
}

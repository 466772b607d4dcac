import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { nameToken } from '../../../base/text/nameToken.js';
import type { CardAttention } from '../../questions/cardAttention.js';
import { cardViews } from '../../questions/cards.js';
import type { Announcer } from '../../shared/announcer.js';
import { mainButton, sideButton } from '../../shared/buttons.js';
import { icon } from '../../shared/icon.js';
import type { AgentPage } from '../agentPage.js';
import type { AgentPageState } from '../pageState.js';

/** Questions of servers: cards, and a line for each that no page shows. A call waits for each. */
export function openQuestions(
  { inputs }: AgentPageState,
  page: AgentPage,
  attention: CardAttention,
): TemplateResult | typeof nothing {
  const { questions, choices, forms } = inputs;
  if (questions.length + choices.length + forms.length === 0) {
    return nothing;
  }
  return html`<div class="questions">
    ${questions.map(({ id, server, text }) => {
      const call = (call: 'show' | 'leave') => () =>
        page.run((send) => send('callQuestion', { id, call }));
      return html`<section class="banner question" aria-label=${waitingText(server)}>
        ${icon('question')}
        <p><strong>${waitingText(server)}</strong>${text ? html`<br />${text}` : nothing}</p>
        <div class="actions">
          ${mainButton(l10n.t('Answer'), call('show'))}
          ${sideButton(l10n.t('Do Not Answer'), call('leave'))}
        </div>
      </section>`;
    })}
    ${cardViews({ choices, forms }, { sender: page.sender, forms: page.forms, attention })}
  </div>`;
}

/** Says each line once. */
export class BannerAttention {
  private said: ReadonlySet<string> = new Set();

  constructor(private readonly announcer: Announcer) {}

  attend({ inputs }: AgentPageState): void {
    const fresh = inputs.questions.filter(({ id }) => !this.said.has(id));
    this.said = new Set(inputs.questions.map(({ id }) => id));
    if (fresh.length > 0) {
      const texts = fresh.map(({ server, text }) => `${waitingText(server)}\n${text}`);
      this.announcer.say(texts.join('\n'));
    }
  }
}

function waitingText(server: string): string {
  return l10n.t('Waits for your answer: {0}', nameToken(server));
}

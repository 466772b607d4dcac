import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { icon } from '../shared/icon.js';
import type { AgentPage } from './agentPage.js';
import type { AgentPageState } from './pageState.js';

/** Questions of servers that left the screen without an answer; the call behind each still waits. */
export function openQuestions(
  { inputs }: AgentPageState,
  page: AgentPage,
): TemplateResult | typeof nothing {
  if (inputs.questions.length === 0) {
    return nothing;
  }
  return html`<div class="questions" role="status">
    ${inputs.questions.map(({ id, server, text }) => {
      const call = (call: 'show' | 'leave') =>
        page.run((send) => send('callQuestion', { id, call }));
      return html`<section class="banner question" aria-label=${l10n.t('Question of {0}', server)}>
        ${icon('question')}
        <p><strong>${l10n.t('{0} waits for your answer', server)}</strong>${text ? html`<br />${text}` : nothing}</p>
        <div class="actions">
          <vscode-button @click=${() => call('show')}>${l10n.t('Answer')}</vscode-button>
          <vscode-button appearance="secondary" @click=${() => call('leave')}
            >${l10n.t('Do Not Answer')}</vscode-button
          >
        </div>
      </section>`;
    })}
  </div>`;
}

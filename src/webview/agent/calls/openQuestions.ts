import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { AgentInputs } from '../../../protocol/agentProtocol.js';
import type { Announcer } from '../../shared/announcer.js';
import { icon } from '../../shared/icon.js';
import type { AgentPage } from '../agentPage.js';
import type { AgentPageState } from '../pageState.js';
import { isWritten } from './approvalAttention.js';
import { formQuestions, formTitle } from './formQuestions.js';

/** Questions of servers: forms, those that left the screen without an answer, and those of sign-ins. A call waits for each. */
export function openQuestions(
  state: AgentPageState,
  page: AgentPage,
): TemplateResult | typeof nothing {
  const { questions, signIns, forms } = state.inputs;
  if (questions.length + signIns.length + forms.length === 0) {
    return nothing;
  }
  return html`<div class="questions">
    ${questions.map(({ id, server, text }) => {
      const call = (call: 'show' | 'leave') => () =>
        page.run((send) => send('callQuestion', { id, call }));
      return banner(
        server,
        html`<strong>${waitingText(server)}</strong>${text ? html`<br />${text}` : nothing}`,
        [
          [l10n.t('Answer'), call('show')],
          [l10n.t('Do Not Answer'), call('leave')],
        ],
      );
    })}
    ${signIns.map(({ id, server, text, choices }) =>
      banner(
        server,
        html`${text}`,
        choices.map((label, choice) => [
          label,
          () => page.run((send) => send('answerSignIn', { id, choice })),
        ]),
      ),
    )}
    ${formQuestions(state, page)}
  </div>`;
}

/** Says each question once. The focus goes to a new form unless the user is writing. */
export class QuestionAttention {
  private said: ReadonlySet<string> = new Set();

  constructor(private readonly announcer: Announcer) {}

  attend({ inputs }: AgentPageState): void {
    const texts = spokenTexts(inputs);
    const fresh = [...texts].filter(([key]) => !this.said.has(key)).map(([, text]) => text);
    const form = inputs.forms.find(({ id }) => !this.said.has(`form/${id}`));
    this.said = new Set(texts.keys());
    if (fresh.length > 0) {
      this.announcer.say(fresh.join('\n'));
    }
    if (form && document.hasFocus() && !isWritten(document.activeElement)) {
      document.querySelector<HTMLElement>(`[data-form="${form.id}"]`)?.focus();
    }
  }
}

function spokenTexts({ questions, signIns, forms }: AgentInputs): ReadonlyMap<string, string> {
  return new Map([
    ...questions.map(
      ({ id, server, text }) => [`question/${id}`, `${waitingText(server)}. ${text}`] as const,
    ),
    ...signIns.map(({ id, text }) => [`signIn/${id}`, text] as const),
    ...forms.map((form) => [`form/${form.id}`, `${formTitle(form)}: ${form.message}`] as const),
  ]);
}

function waitingText(server: string): string {
  return l10n.t('{0} waits for your answer', server);
}

function banner(
  server: string,
  text: TemplateResult,
  choices: readonly (readonly [label: string, choose: () => unknown])[],
): TemplateResult {
  return html`<section class="banner question" aria-label=${l10n.t('Question of {0}', server)}>
    ${icon('question')}
    <p>${text}</p>
    <div class="actions">
      ${choices.map(
        ([label, choose], index) => html`<vscode-button
          appearance=${index === 0 ? 'primary' : 'secondary'}
          @click=${choose}
          >${label}</vscode-button
        >`,
      )}
    </div>
  </section>`;
}

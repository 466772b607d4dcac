/** The steps of the task that Pi works on, in one line above the input. */
import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { TodoStep } from '../../../protocol/callWords.js';
import { icon } from '../../shared/icon.js';
import type { AgentPage } from '../agentPage.js';
import type { AgentPageState } from '../pageState.js';

export function todoList(
  { state, isTodoOpen: isOpen }: AgentPageState,
  page: AgentPage,
): TemplateResult | typeof nothing {
  const steps = state?.todo?.steps ?? [];
  const done = steps.filter((step) => step.state === 'done').length;
  const isOver = done === steps.length && state?.status !== 'running';
  if (steps.length === 0 || isOver) {
    return nothing;
  }
  const now =
    steps.find((step) => step.state === 'doing') ?? steps.find((step) => step.state === 'open');
  const count = l10n.t('{0} of {1}', done, steps.length);
  const text = now ? `${count} · ${now.text}` : count;
  return html`<section class="todo" aria-label=${l10n.t('Steps')}>
    <button
      type="button"
      class="link-button todo-line"
      title=${text}
      aria-expanded=${isOpen}
      @click=${() => page.change({ isTodoOpen: !isOpen })}
    >
      ${icon(isOpen ? 'chevron-down' : 'chevron-right')}${icon('checklist')}<span>${text}</span>
    </button>
    ${
      isOpen
        ? html`<ol tabindex="0" aria-label=${l10n.t('Steps')}>
            ${steps.map(
              (step) =>
                html`<li data-state=${step.state}>
                  ${icon(looks[step.state].glyph)}<span class="visually-hidden">${looks[step.state].word()}: </span
                  ><span>${step.text}</span>
                </li>`,
            )}
          </ol>`
        : nothing
    }
  </section>`;
}

const looks: Readonly<Record<TodoStep['state'], { readonly glyph: string; word(): string }>> = {
  open: { glyph: 'circle-large-outline', word: () => l10n.t('pending') },
  doing: { glyph: 'arrow-right', word: () => l10n.t('running') },
  done: { glyph: 'check', word: () => l10n.t('done') },
};

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
  const now = steps.find((step) => step.state === 'doing') ?? steps.find(isOpenStep);
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
                  ${icon(glyphOf(step))}<span class="visually-hidden">${wordOf(step)}: </span
                  ><span>${step.text}</span>
                </li>`,
            )}
          </ol>`
        : nothing
    }
  </section>`;
}

function isOpenStep({ state }: TodoStep): boolean {
  return state === 'open';
}

function glyphOf({ state }: TodoStep): string {
  switch (state) {
    case 'open':
      return 'circle-large-outline';
    case 'doing':
      return 'arrow-right';
    case 'done':
      return 'check';
  }
}

function wordOf({ state }: TodoStep): string {
  switch (state) {
    case 'open':
      return l10n.t('open');
    case 'doing':
      return l10n.t('under way');
    case 'done':
      return l10n.t('done');
  }
}

import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { AsideView } from '../../protocol/agent/aside.js';
import type { Announcer } from '../shared/announcer.js';
import { focusLater } from '../shared/inputs.js';
import type { AgentPage } from './agentPage.js';
import { answerSection } from './composer/commandAnswer.js';
import { markdownElement } from './markdown/markdown.js';
import type { AgentPageState } from './pageState.js';
import { clickTranscript } from './transcript/transcriptView.js';

const titleId = 'aside-title';

/** A question beside the conversation and its answer, above the input until it is dismissed. */
export class AsideCard {
  private markdown: { readonly text: string; readonly element: HTMLElement } | undefined;
  private before: AsideView | undefined;
  /** What the page began with is no news. */
  private hasBegun = false;

  constructor(
    private readonly page: AgentPage,
    private readonly announcer: Announcer,
  ) {}

  template({ state }: AgentPageState): TemplateResult | typeof nothing {
    const { page } = this;
    if (!state?.aside) {
      return nothing;
    }
    return answerSection({
      id: titleId,
      title: l10n.t('Side question, kept nowhere'),
      close: () => dismissAside(page),
      body: html`<p class="aside-question">${state.aside.question}</p>
        ${this.answer(state.aside, state.model?.label ?? '')}`,
      onClick: (event) => clickTranscript(event, page, this.announcer),
    });
  }

  /** Reads the answer out once it is there. */
  attend({ state }: AgentPageState): void {
    const aside = state?.aside;
    const { before, hasBegun } = this;
    this.before = aside;
    this.hasBegun ||= state !== undefined;
    const said = aside?.failure ?? aside?.answer;
    if (hasBegun && aside && said !== undefined && said !== (before?.failure ?? before?.answer)) {
      this.announcer.say(l10n.t('Pi: {0}', said));
    }
  }

  private answer({ answer, failure }: AsideView, model: string): TemplateResult {
    if (failure !== undefined) {
      return html`<p>${failure}</p>`;
    }
    if (answer === undefined) {
      return html`<p class="dim" role="status">${l10n.t('Asking {0}…', model)}</p>`;
    }
    if (this.markdown?.text !== answer) {
      this.markdown = { text: answer, element: markdownElement(answer) };
    }
    return html`${this.markdown?.element}`;
  }
}

/** Escape dismisses it from wherever nothing else takes the key; a run goes on. */
export function asideOnKey(event: KeyboardEvent, page: AgentPage): void {
  const { key, defaultPrevented, isComposing, repeat } = event;
  if (key === 'Escape' && page.state.state?.aside && !defaultPrevented && !isComposing && !repeat) {
    event.preventDefault();
    dismissAside(page);
  }
}

function dismissAside(page: AgentPage): void {
  const isInside = document.activeElement?.closest(`[aria-labelledby="${titleId}"]`);
  void page.run((send) => send('dismissAside', undefined));
  if (isInside) {
    focusLater('#composer-text');
  }
}

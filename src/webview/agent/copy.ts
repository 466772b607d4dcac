import * as l10n from '@vscode/l10n';
import { html, type TemplateResult } from 'lit-html';
import { codeUses } from '../../protocol/codeBlocks.js';
import type { Announcer } from '../shared/announcer.js';
import { toggleDiagram } from '../shared/diagrams/diagram.js';
import { icon } from '../shared/icon.js';
import type { AgentPage } from './agentPage.js';

/** Copies the text of the `pre` beside it. */
export function copyButton(): TemplateResult {
  const label = l10n.t('Copy');
  return html`<button type="button" class="icon-button" data-copy aria-label=${label} title=${label}>
    ${icon('copy')}
  </button>`;
}

/** What the buttons at answers and at their code do. */
export function handleCopy(target: Element, page: AgentPage, announcer: Announcer): void {
  const diagram = target.closest<HTMLElement>('[data-draw-diagram]');
  if (diagram) {
    void toggleDiagram(diagram);
    return;
  }
  const button = target.closest<HTMLElement>('[data-code-use]');
  if (button) {
    useCode(button, page);
    return;
  }
  const text = textToCopy(target, page);
  if (text !== undefined) {
    void page.run(async () => {
      await navigator.clipboard.writeText(text);
      announcer.say(l10n.t('Copied'));
    });
  }
}

function useCode({ dataset, parentElement }: HTMLElement, page: AgentPage): void {
  const use = codeUses.find((one) => one === dataset.codeUse);
  const text = codeOf(parentElement);
  if (use && text !== undefined) {
    const { language = '' } = dataset;
    void page.run((send) => send('useCode', { text, language, use }));
  }
}

function textToCopy(target: Element, page: AgentPage): string | undefined {
  const answerId = target.closest<HTMLElement>('[data-copy-answer]')?.dataset.copyAnswer;
  if (answerId !== undefined) {
    const entry = page.state.transcript.find(({ id }) => id === answerId);
    return entry?.kind === 'assistant' ? entry.text : undefined;
  }
  return codeOf(target.closest('[data-copy]')?.parentElement);
}

/** @param place of a button: beside the code, or in the head above it */
function codeOf(place: Element | null | undefined): string | undefined {
  const block = place?.closest('.code-block') ?? place;
  return block?.querySelector('pre')?.textContent ?? undefined;
}

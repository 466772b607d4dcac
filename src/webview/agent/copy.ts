import * as l10n from '@vscode/l10n';
import { html, type TemplateResult } from 'lit-html';
import type { Announcer } from '../shared/announcer.js';
import { icon } from '../shared/icon.js';
import type { AgentPage } from './agentPage.js';

/** Copies the text of the `pre` beside it. */
export function copyButton(): TemplateResult {
  const label = l10n.t('Copy');
  return html`<button type="button" class="copy-button" data-copy aria-label=${label} title=${label}>
    ${icon('copy')}
  </button>`;
}

/** @returns whether the click was on one of the buttons. */
export function handleCopy(target: Element, page: AgentPage, announcer: Announcer): boolean {
  const text = textToCopy(target, page);
  if (text === undefined) {
    return false;
  }
  void page.run(async () => {
    await navigator.clipboard.writeText(text);
    announcer.say(l10n.t('Copied'));
  });
  return true;
}

function textToCopy(target: Element, page: AgentPage): string | undefined {
  const answerId = target.closest<HTMLElement>('[data-copy-answer]')?.dataset.copyAnswer;
  if (answerId !== undefined) {
    const entry = page.state.transcript.find(({ id }) => id === answerId);
    return entry?.kind === 'assistant' ? entry.text : undefined;
  }
  return (
    target.closest('[data-copy]')?.parentElement?.querySelector('pre')?.textContent ?? undefined
  );
}

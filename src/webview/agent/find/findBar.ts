import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { iconButton } from '../../shared/buttons.js';
import { inputText, isCommandKey } from '../../shared/inputs.js';
import type { AgentPage } from '../agentPage.js';
import type { AgentPageState } from '../pageState.js';
import { countOf, type FindState } from './findState.js';

/** Above the conversation, while the user looks for something in it. */
export function findBar(
  { find }: AgentPageState,
  page: AgentPage,
): TemplateResult | typeof nothing {
  if (!find) {
    return nothing;
  }
  const isFound = find.found !== undefined && countOf(find.found) > 0;
  return html`<div class="find-bar" role="search" @keydown=${(event: KeyboardEvent) => handleKey(event, page)}>
    <input
      id="find-text"
      class="text-field"
      type="text"
      autocomplete="off"
      spellcheck="false"
      placeholder=${l10n.t('Find in Conversation')}
      aria-label=${l10n.t('Find in Conversation')}
      aria-describedby="find-count"
      .value=${live(find.query)}
      @input=${(event: Event) => page.finding.setQuery(inputText(event))}
    />
    <span id="find-count" class=${isFound || find.query === '' ? 'dim' : 'find-none'}>${foundCountText(find)}</span>
    <span class="find-buttons">
      ${iconButton(l10n.t('Previous'), 'arrow-up', () => page.finding.step(-1), { isEnabled: isFound, keys: l10n.t('Shift+Enter') })}
      ${iconButton(l10n.t('Next'), 'arrow-down', () => page.finding.step(1), { isEnabled: isFound, keys: l10n.t('Enter') })}
      ${iconButton(l10n.t('Close'), 'close', () => page.finding.close(), { keys: 'Esc' })}
    </span>
  </div>`;
}

/** Empty until something was looked for. */
export function foundCountText({ query, found, at }: FindState): string {
  if (query.trim() === '' || !found) {
    return '';
  }
  const count = countOf(found);
  return l10n.t('{0} of {1}', count === 0 ? 0 : at + 1, found.isCut ? `${count}+` : count);
}

function handleKey(event: KeyboardEvent, page: AgentPage): void {
  const isInField = event.target instanceof HTMLInputElement;
  if (event.key === 'Escape') {
    event.preventDefault();
    page.finding.close();
  } else if (event.key === 'Enter' && isInField && !event.isComposing) {
    event.preventDefault();
    page.finding.step(event.shiftKey ? -1 : 1);
  }
}

/** Ctrl+F, or Cmd+F on a Mac. VS Code would look in an open editor, so it does not get the key. */
export function findOnKey(event: KeyboardEvent, page: AgentPage): void {
  if (isCommandKey(event, 'f')) {
    event.preventDefault();
    event.stopPropagation();
    page.finding.open();
  }
}

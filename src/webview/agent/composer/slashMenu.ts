import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { SlashPromptView } from '../../../protocol/agentProtocol.js';
import type { AgentPage, AgentPageState } from '../agentPage.js';

const maxShown = 50;

/** Prompts that the draft may become; empty unless it is the beginning of a slash command. */
export function slashMatches({
  draft,
  inputs,
  isSlashMenuClosed,
}: AgentPageState): readonly SlashPromptView[] {
  if (isSlashMenuClosed || !/^\/\S*$/.test(draft)) {
    return [];
  }
  const typed = draft.slice(1).toLowerCase();
  return inputs.prompts
    .filter(({ command }) => command.toLowerCase().includes(typed) && command !== draft)
    .slice(0, maxShown);
}

export function slashMenu(state: AgentPageState, page: AgentPage): TemplateResult | typeof nothing {
  const matches = slashMatches(state);
  if (matches.length === 0) {
    return nothing;
  }
  return html`<ul id="slash-menu" class="slash-menu" role="listbox" tabindex="0" aria-label=${l10n.t('Prompts of MCP servers')}>
    ${matches.map(
      (prompt, index) => html`<li
        id=${`slash-${index}`}
        role="option"
        aria-selected=${index === state.slashIndex}
        @mousedown=${(event: Event) => {
          // the text area keeps the focus
          event.preventDefault();
          page.pickPrompt(prompt);
        }}
      >
        <span class="slash-command">${prompt.command}</span>
        <span class="dim">${[...prompt.arguments, prompt.description].filter(Boolean).join(' · ')}</span>
      </li>`,
    )}
  </ul>`;
}

/** @returns whether the key was for the menu. */
export function handleSlashKey(event: KeyboardEvent, page: AgentPage): boolean {
  const matches = slashMatches(page.state);
  const picked = matches[page.state.slashIndex];
  if (matches.length === 0 || !picked) {
    return false;
  }
  switch (event.key) {
    case 'ArrowDown':
    case 'ArrowUp': {
      const step = event.key === 'ArrowDown' ? 1 : -1;
      page.selectPrompt((page.state.slashIndex + step + matches.length) % matches.length);
      return true;
    }
    case 'Enter':
    case 'Tab':
      if (event.shiftKey) {
        return false;
      }
      page.pickPrompt(picked);
      return true;
    case 'Escape':
      page.closeSlashMenu();
      return true;
    default:
      return false;
  }
}

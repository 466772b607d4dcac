import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { SlashCommandView } from '../../../protocol/agentProtocol.js';
import type { AgentPage } from '../agentPage.js';
import type { AgentPageState } from '../pageState.js';

const maxShown = 50;

/** What the draft may become; empty unless it is the beginning of a command. */
export function slashMatches({
  draft,
  inputs,
  isSlashMenuClosed,
}: AgentPageState): readonly SlashCommandView[] {
  if (isSlashMenuClosed || !/^\/[^\n]*$/.test(draft)) {
    return [];
  }
  const parent = parentOf(draft, inputs.commands);
  const lead = parent === undefined ? '/' : `${parent} `;
  const typed = draft.slice(lead.length).toLowerCase();
  const endOf = ({ command }: SlashCommandView) => command.slice(lead.length).toLowerCase();
  const matches = inputs.commands.filter(
    (one) => one.parent === parent && endOf(one).includes(typed) && one.command !== draft,
  );
  const isBeginning = (one: SlashCommandView) => endOf(one).startsWith(typed);
  return [...matches.filter(isBeginning), ...matches.filter((one) => !isBeginning(one))].slice(
    0,
    maxShown,
  );
}

/** The longest command that others continue and that the draft continues. */
function parentOf(draft: string, commands: readonly SlashCommandView[]): string | undefined {
  return commands
    .flatMap(({ parent }) => parent ?? [])
    .filter((parent) => draft.startsWith(`${parent} `))
    .reduce<string | undefined>(
      (longest, parent) => (parent.length > (longest?.length ?? 0) ? parent : longest),
      undefined,
    );
}

export function slashMenu(state: AgentPageState, page: AgentPage): TemplateResult | typeof nothing {
  const matches = slashMatches(state);
  if (matches.length === 0) {
    return nothing;
  }
  return html`<ul id="slash-menu" class="slash-menu" role="listbox" tabindex="0" aria-label=${l10n.t('Commands')}>
    ${matches.map(
      (prompt, index) => html`<li
        id=${`slash-${index}`}
        role="option"
        aria-selected=${index === state.slashIndex}
        @mousedown=${(event: Event) => {
          // the text area keeps the focus
          event.preventDefault();
          page.sending.pickPrompt(prompt);
        }}
      >
        <span class="slash-command"
          >${prompt.command} <span class="dim">${prompt.arguments.join(' ')}</span></span
        >
        ${prompt.description ? html`<span class="dim">${prompt.description}</span>` : nothing}
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
      page.sending.selectPrompt((page.state.slashIndex + step + matches.length) % matches.length);
      return true;
    }
    case 'Enter':
    case 'Tab':
      if (event.shiftKey) {
        return false;
      }
      page.sending.pickPrompt(picked);
      return true;
    case 'Escape':
      page.sending.closeSlashMenu();
      return true;
    default:
      return false;
  }
}

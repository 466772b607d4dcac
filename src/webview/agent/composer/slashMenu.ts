import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { SlashCommandView } from '../../../protocol/agentProtocol.js';
import type { AgentPage } from '../agentPage.js';
import type { AgentPageState } from '../pageState.js';
import { choiceMenu, handleMenuKey } from './choiceMenu.js';

export const slashMenuId = 'slash-menu';
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
  return choiceMenu({
    id: slashMenuId,
    label: l10n.t('Commands'),
    index: state.slashIndex,
    pick: (index) => pick(matches[index], page),
    options: matches.map(
      ({ command, arguments: args, description }) => html`<span class="choice-name"
          >${command} <span class="dim">${args.join(' ')}</span></span
        >
        ${description ? html`<span class="dim">${description}</span>` : nothing}`,
    ),
  });
}

/** @returns whether the key was for the menu. */
export function handleSlashKey(event: KeyboardEvent, page: AgentPage): boolean {
  const { state } = page;
  const matches = slashMatches(state);
  return (
    matches.length > 0 &&
    handleMenuKey(event, {
      count: matches.length,
      index: state.slashIndex,
      select: (slashIndex) => page.change({ slashIndex }),
      pick: (index) => pick(matches[index], page),
      close: () => page.change({ isSlashMenuClosed: true }),
    })
  );
}

function pick(command: SlashCommandView | undefined, page: AgentPage): void {
  if (command) {
    // its arguments follow, or are asked for when it is sent
    page.sending.setDraft(`${command.command} `);
  }
}

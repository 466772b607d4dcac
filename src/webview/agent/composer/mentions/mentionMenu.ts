import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { MentionView } from '../../../../protocol/attachments.js';
import { icon } from '../../../shared/icon.js';
import type { AgentPage } from '../../agentPage.js';
import type { AgentPageState } from '../../pageState.js';
import { choiceMenu, handleMenuKey } from '../choiceMenu.js';
import { kindIcon, kindWord } from '../kinds.js';

export const mentionMenuId = 'mention-menu';

export function mentionRows({ mention }: AgentPageState): readonly MentionView[] {
  return mention?.rows ?? [];
}

export function mentionMenu(
  state: AgentPageState,
  page: AgentPage,
): TemplateResult | typeof nothing {
  const rows = mentionRows(state);
  if (rows.length === 0) {
    return nothing;
  }
  return choiceMenu({
    id: mentionMenuId,
    label: l10n.t('What goes with the message'),
    index: state.mention?.index ?? 0,
    pick: (index) => page.mentions.pick(index),
    options: rows.map(
      ({ kind, label, detail }) => html`<span class="choice-line"
          >${icon(kindIcon(kind))}<span class="choice-name">${label}</span>${
            kind === 'choose'
              ? nothing
              : html`<span class="choice-kind dim">${kindWord(kind)}</span>`
          }</span
        >${detail ? html`<span class="choice-detail dim" title=${detail}>${detail}</span>` : nothing}`,
    ),
  });
}

/** @returns whether the key was for the menu. */
export function handleMentionKey(event: KeyboardEvent, page: AgentPage): boolean {
  const { state, mentions } = page;
  const rows = mentionRows(state);
  return (
    rows.length > 0 &&
    handleMenuKey(event, {
      count: rows.length,
      index: state.mention?.index ?? 0,
      select: (index) => mentions.select(index),
      pick: (index) => mentions.pick(index),
      close: () => mentions.close(),
    })
  );
}

import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { icon } from '../../../shared/icon.js';
import { caretOf } from '../caret.js';
import { choiceMenu, handleMenuKey, type PickedOption } from '../choiceMenu.js';
import { kindIcon, kindWord } from '../kinds.js';
import type { Mentions } from './mentions.js';

const menuId = 'mention-menu';

export function mentionMenu(mentions: Mentions): TemplateResult | typeof nothing {
  const { rows, index } = mentions.menu ?? { rows: [], index: 0 };
  if (rows.length === 0) {
    return nothing;
  }
  return choiceMenu({
    id: menuId,
    label: l10n.t('Attach…'),
    index,
    pick: (at) => mentions.pick(at),
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

/** What Enter takes from the menu, as the input says it; `undefined` while there is none. */
export function pickedMention({ menu }: Mentions): PickedOption | undefined {
  return menu && menu.rows.length > 0 ? { menu: menuId, index: menu.index } : undefined;
}

/** @returns whether the key was for the menu. */
export function handleMentionKey(event: KeyboardEvent, mentions: Mentions): boolean {
  const { rows, index } = mentions.menu ?? { rows: [], index: 0 };
  return (
    rows.length > 0 &&
    handleMenuKey(event, {
      count: rows.length,
      index,
      select: (at) => mentions.select(at),
      pick: (at) => mentions.pick(at),
      close: () => mentions.close(),
    })
  );
}

/** Keys that move the caret and change nothing. */
const caretKeys: ReadonlySet<string> = new Set(['ArrowLeft', 'ArrowRight', 'Home', 'End']);

/** Call for every key, when it has done its work. */
export function followCaretKey(event: KeyboardEvent, mentions: Mentions): void {
  if (caretKeys.has(event.key)) {
    mentions.follow(caretOf(event));
  }
}

/** What a list of conversations says about each. Runs in plain Node, hence `@vscode/l10n`. */
import * as l10n from '@vscode/l10n';
import { sizeText } from '../agent/changes/checkpoints/sizeText.js';
import type { ConversationState } from '../agent/conversations/conversationEnd.js';
import type { ListedConversation } from '../agent/panel/library.js';
import { formatAge } from './consent/formatAge.js';

const dayMs = 24 * 60 * 60 * 1000;

/** With codicon markup. */
export function stateIcon(state: ConversationState): string {
  return `$(${stateGlyph(state)})`;
}

/** Name of a codicon. */
export function stateGlyph(state: ConversationState): string {
  switch (state) {
    case 'needs_you':
      return 'bell-dot';
    case 'working':
      return 'sync~spin';
    case 'failed':
      return 'error';
    case 'interrupted':
      return 'debug-disconnect';
    case 'done':
      return 'comment-discussion';
  }
}

/** State, age and changed files in words. @param language such as `en` */
export function conversationFacts(
  { state, modifiedAt, changedFiles, keptBytes, isShown }: ListedConversation,
  now: number,
  language: string,
): string {
  return [
    conversationStateWord(state),
    formatAge(Math.max(0, now - modifiedAt), language),
    ...(changedFiles > 0 ? [l10n.t('changed files: {0}', changedFiles)] : []),
    ...(keptBytes > 0 ? [l10n.t('{0} kept for restores', sizeText(keptBytes))] : []),
    ...(isShown ? [l10n.t('current')] : []),
  ].join(', ');
}

/** The heading under which a list has it. */
export function conversationGroup(
  { state, modifiedAt }: Pick<ListedConversation, 'state' | 'modifiedAt'>,
  now: number,
): string {
  if (state === 'needs_you' || state === 'working') {
    return conversationStateWord(state);
  }
  const today = new Date(now).setHours(0, 0, 0, 0);
  if (modifiedAt >= today) {
    return l10n.t('today');
  }
  return modifiedAt >= today - 6 * dayMs ? l10n.t('this week') : l10n.t('older');
}

export function conversationStateWord(state: ConversationState): string {
  switch (state) {
    case 'needs_you':
      return l10n.t('needs you');
    case 'working':
      return l10n.t('working');
    case 'failed':
      return l10n.t('failed');
    case 'interrupted':
      return l10n.t('interrupted');
    case 'done':
      return l10n.t('done');
  }
}

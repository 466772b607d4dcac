/** What is told of a conversation that the user does not look at, and when. Runs in plain Node, hence `@vscode/l10n`. */
import * as l10n from '@vscode/l10n';
import type { ConversationNews } from '../../agent/live/conversationNews.js';

/** `windowNotFocused`: only while the user works in another program. */
export type NotifyMode = 'off' | 'windowNotFocused' | 'always';

const modes: readonly NotifyMode[] = ['off', 'windowNotFocused', 'always'];

/** A value that nobody knows counts as not set. */
export function notifyMode(value: string): NotifyMode {
  return modes.find((mode) => mode === value) ?? 'windowNotFocused';
}

export interface Attention {
  /** Of the window. */
  readonly isFocused: boolean;
  /** The conversation is in sight in the window. */
  readonly isSeen: boolean;
}

export function wantsNotice(mode: NotifyMode, { isFocused, isSeen }: Attention): boolean {
  switch (mode) {
    case 'off':
      return false;
    case 'windowNotFocused':
      return !isFocused;
    case 'always':
      return !isFocused || !isSeen;
  }
}

/** Characters of a title. */
const maxTitle = 80;

/** @param folder its name, where the window has several */
export function newsText(
  { kind, title }: Pick<ConversationNews, 'kind' | 'title'>,
  folder?: string,
): string {
  const short = (title ?? l10n.t('New Conversation')).slice(0, maxTitle);
  const name = folder === undefined ? short : l10n.t('{0} in {1}', short, folder);
  switch (kind) {
    case 'asks':
      return l10n.t('Pi needs you: {0}', name);
    case 'answered':
      return l10n.t('Pi has answered: {0}', name);
    case 'failed':
      return l10n.t('Pi could not go on: {0}', name);
  }
}

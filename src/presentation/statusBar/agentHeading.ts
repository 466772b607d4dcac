/** What the tab of a conversation says outside of its page, as data. Runs in plain Node, hence `@vscode/l10n`. */
import * as l10n from '@vscode/l10n';
import type { AgentViewState } from '../../protocol/agentProtocol.js';

export interface TabHeading {
  /** Says that the conversation waits for the user, too: an icon has no words. */
  readonly title: string;
  readonly needsUser: boolean;
  readonly isWorking: boolean;
}

const needingUser = (title: string) => l10n.t('{0} (needs you)', title);

/** All that a tab of the conversation may be called, also one that VS Code kept from before. */
export const tabTitles = (title: string): readonly string[] => [title, needingUser(title)];

export function tabHeading({
  title = l10n.t('Pi Agent'),
  waiting,
  activity,
}: Pick<AgentViewState, 'title' | 'waiting' | 'activity'>): TabHeading {
  const needsUser = waiting.some(({ isShown }) => isShown);
  return {
    title: needsUser ? needingUser(title) : title,
    needsUser,
    isWorking: activity !== undefined && !needsUser,
  };
}

interface HiddenActivity {
  /** With codicon markup. */
  readonly text: string;
  readonly spoken: string;
}

/** Such as `Pi 0:34`; `undefined` while nothing happens, or when it waits for the user, which another item says. */
export function hiddenActivity(
  { activity, title }: Pick<AgentViewState, 'activity' | 'title'>,
  now: number,
): HiddenActivity | undefined {
  if (!activity || ['approval', 'review', 'form'].includes(activity.kind)) {
    return undefined;
  }
  const seconds = Math.max(0, Math.round((now - activity.begun) / 1_000));
  const clock = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  return {
    text: `$(loading~spin) Pi ${clock}`,
    spoken: l10n.t('Pi works: {0}', title ?? l10n.t('New Conversation')),
  };
}

/** What waits for the user out of sight, as data. Runs in plain Node, hence `@vscode/l10n`. */
import * as l10n from '@vscode/l10n';
import type { AgentViewState } from '../../protocol/agentProtocol.js';
import type { WaitingConversation } from '../../protocol/waitingConversation.js';

export interface UnseenApprovals {
  /** Questions. */
  readonly count: number;
  readonly text: string;
}

type Waiting = Pick<AgentViewState, 'waiting'>;

/** Conversations that the text names. */
const maxNames = 3;

/** `undefined` when the user sees everything that waits. @param seen ids of the conversations that the user sees */
export function unseenApprovals(
  { waiting }: Waiting,
  seen: ReadonlySet<string>,
): UnseenApprovals | undefined {
  const unseen = waiting.filter(({ id }) => !seen.has(id));
  const count = unseen.reduce((sum, one) => sum + one.count, 0);
  if (count === 0) {
    return undefined;
  }
  const names = [
    ...unseen.slice(0, maxNames).map(nameOf),
    ...(unseen.length > maxNames ? [l10n.t('{0} more', unseen.length - maxNames)] : []),
  ];
  const text = l10n.t('Tool calls that wait for you: {0}', names.join(', '));
  return { count, text };
}

/**
 * Where the user goes next: to the conversation of the view when it waits out of sight, else to another one.
 * `undefined`: none waits. @param seen ids of the conversations that the user sees
 */
export function nextWaiting(
  { waiting }: Waiting,
  seen: ReadonlySet<string>,
): WaitingConversation | undefined {
  const unseen = waiting.filter(({ id }) => !seen.has(id));
  return unseen.find(({ isShown }) => isShown) ?? unseen[0] ?? waiting[0];
}

function nameOf({ title, folder }: WaitingConversation): string {
  return folder === undefined ? title : l10n.t('{0} in {1}', title, folder);
}

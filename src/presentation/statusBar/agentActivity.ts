/** What Pi is at where the user does not see its page, as data. Runs in plain Node, hence `@vscode/l10n`. */
import * as l10n from '@vscode/l10n';
import type { AgentViewState } from '../../protocol/agentProtocol.js';

export interface HiddenActivity {
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
    spoken: l10n.t('Pi works: {0}', title ?? l10n.t('New conversation')),
  };
}

/** Tasks in words, the same everywhere. */
import * as l10n from '@vscode/l10n';
import {
  hasEnded,
  type McpServerTasks,
  type McpTaskState,
  type McpTaskStatus,
} from '../taskTypes.js';

export function taskWord(status: McpTaskStatus): string {
  switch (status) {
    case 'working':
      return l10n.t('working');
    case 'input_required':
      return l10n.t('waits for an answer');
    case 'completed':
      return l10n.t('done');
    case 'failed':
      return l10n.t('failed');
    case 'cancelled':
      return l10n.t('cancelled');
  }
}

/** What a task is at, in one line; the server's words are its own. */
export function taskProgress({ status, message, progress, isUnreachable }: McpTaskState): string {
  const count =
    progress &&
    (progress.total === undefined
      ? String(progress.progress)
      : `${progress.progress}/${progress.total}`);
  const parts = [
    ...(isUnreachable ? [l10n.t('The server does not answer; it is asked again.')] : []),
    ...(status === 'input_required' ? [taskWord(status)] : []),
    message ?? progress?.message,
    count,
  ];
  const text = parts.filter((part) => part !== undefined && part !== '').join(' · ');
  return text === '' ? taskWord(status) : text;
}

/** How many tasks run now; `undefined` for none. */
export function runningTasksText({ all }: McpServerTasks): string | undefined {
  const count = all.filter(({ state }) => !hasEnded(state.value)).length;
  if (count === 0) {
    return undefined;
  }
  return l10n.t('tasks: {0}', count);
}

import * as l10n from '@vscode/l10n';
import { HumanError, isHumanError } from '../../base/errors.js';
import { rpcCode } from '../../base/jsonRpc.js';
import { connectionFailure } from '../connection/connectionFailure.js';
import { isEngineError } from '../connection/session/engine.js';

export function taskCancelled(message: string | undefined): HumanError {
  return new HumanError(
    'task_cancelled',
    l10n.t('The task was cancelled: {0}', message || l10n.t('no reason given')),
    { remedy: l10n.t('Call the tool again if its result is still wanted.') },
  );
}

export function taskFailed(message: string | undefined, cause: unknown): HumanError {
  return new HumanError(
    'task_failed',
    l10n.t('The task failed: {0}', message || l10n.t('no reason given')),
    { remedy: l10n.t('See the log of the server for details.'), cause },
  );
}

export function taskGone(cause: unknown): HumanError {
  return new HumanError('task_gone', l10n.t('The server does not know the task any more.'), {
    remedy: l10n.t(
      'It was restarted, or kept the task no longer. Whether the work was done is not known.',
    ),
    cause,
  });
}

export function taskUnreachable(cause: unknown): HumanError {
  const reason = isHumanError(cause) ? cause.message : l10n.t('no reason given');
  return new HumanError(
    'task_unreachable',
    l10n.t('The server could not be asked about the task any more: {0}', reason),
    { remedy: l10n.t('Connect the server again, then look at its tasks.'), cause },
  );
}

export function taskAbandoned(): HumanError {
  return new HumanError('task_abandoned', l10n.t('The server was stopped.'), {
    remedy: l10n.t('Call the tool again if its result is still wanted.'),
  });
}

export function tooManyTasks(count: number): HumanError {
  return new HumanError('too_many_tasks', l10n.t('{0} tasks of this server run already.', count), {
    remedy: l10n.t('Wait for one of them, or cancel one.'),
  });
}

/** The answer to a question about a task says that there is none. */
export function isTaskUnknown(error: unknown): boolean {
  const cause = isServerError(error) ? (error as Error).cause : undefined;
  const code = isEngineError(cause) ? cause.code : undefined;
  return code === rpcCode.invalidParams || code === rpcCode.methodNotFound;
}

/** The server itself answered with an error, so asking the same again does not help. */
export function isServerError(error: unknown): boolean {
  return connectionFailure(error)?.code === 'server_error';
}

/** The connection is at fault, or was ended and may come back. */
export function isConnectionTrouble(error: unknown): boolean {
  return (
    (connectionFailure(error) !== undefined && !isServerError(error)) ||
    (isHumanError(error) && error.code === 'stopped')
  );
}

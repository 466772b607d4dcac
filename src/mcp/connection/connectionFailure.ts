import * as l10n from '@vscode/l10n';
import { HumanError } from '../../base/errors.js';
import type { McpServerFailure } from '../mcpTypes.js';
import { failureTrouble, troubleText } from '../trouble.js';
import { isEngineError } from './session/engine.js';

/** A connection that could not be opened; carries the failure that becomes the server's state. */
export class ConnectionFailedError extends HumanError {
  override readonly name = 'ConnectionFailedError';

  constructor(
    readonly failure: McpServerFailure,
    cause?: unknown,
  ) {
    const { remedy, ...words } = failureTrouble(failure);
    super(failure.code, troubleText(words), { ...(remedy ? { remedy } : {}), cause });
  }
}

/** What a connect or a request came to that failed; `undefined` for errors of another kind. */
export function failureOf(error: unknown): McpServerFailure | undefined {
  return error instanceof ConnectionFailedError ? error.failure : undefined;
}

/** The server runs and takes messages, but answers nothing. @param silentMs for how long it was asked. */
export function unresponsive(silentMs: number): HumanError {
  return new HumanError(
    'unresponsive',
    l10n.t('The server runs but answered no ping for {0} s.', silentMs / 1000),
    { remedy: l10n.t('Read its log for what it was doing when it stopped answering.') },
  );
}

/** Nothing of the request was executed: the server refused it, since it no longer knows the session. */
export function isSessionRefusal(error: unknown): boolean {
  return isEngineError(error) && error.kind === 'session_refused';
}

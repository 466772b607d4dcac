import * as l10n from '@vscode/l10n';
import { HumanError } from '../../base/errors.js';
import type { McpServerFailure } from '../mcpTypes.js';
import { tellingLine } from '../trouble/failureOutput.js';
import { failureTrouble } from '../trouble/trouble.js';
import { isEngineError } from './session/engine.js';

/** A connection that could not be opened; carries the failure that becomes the server's state. */
export class ConnectionFailedError extends HumanError {
  override readonly name = 'ConnectionFailedError';

  constructor(
    readonly failure: McpServerFailure,
    cause?: unknown,
  ) {
    const { sentence, fix } = failureTrouble(failure);
    super(failure.code, afterOutput(failure, sentence), { remedy: fix.how, cause });
  }
}

/** What a server wrote says more than how it ended. A line of output is no sentence: it gets its full stop. */
function afterOutput({ stderrTail }: McpServerFailure, sentence: string): string {
  const line = tellingLine(stderrTail);
  return line === undefined ? sentence : `${line}${/[.!?:]$/.test(line) ? '' : '.'} ${sentence}`;
}

/** What a connect or a request came to that failed; `undefined` for errors of another kind. */
export function connectionFailure(error: unknown): McpServerFailure | undefined {
  return error instanceof ConnectionFailedError ? error.failure : undefined;
}

/** The server runs and takes messages, but answers nothing. @param silentMs for how long it was asked. */
export function unresponsive(silentMs: number): HumanError {
  return new HumanError(
    'unresponsive',
    l10n.t('The server runs but answered no ping for {0} s.', silentMs / 1000),
    { remedy: l10n.t('See the log of the server for details.') },
  );
}

/** Nothing of the request was executed: the server refused it, since it no longer knows the session. */
export function isSessionRefusal(error: unknown): boolean {
  return isEngineError(error) && error.kind === 'session_refused';
}

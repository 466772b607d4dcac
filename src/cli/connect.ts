import { setMaxListeners } from 'node:events';
import * as l10n from '@vscode/l10n';
import type { ErrorCode } from '../base/errorCodes.js';
import type { McpServer } from '../mcp/mcpApi.js';
import type { McpServerState } from '../mcp/mcpTypes.js';
import { stateText } from '../mcp/stateText.js';
import { blockedTrouble, failureStateTrouble, type Trouble } from '../mcp/trouble.js';
import { type ExitCode, exitCodes } from './cliTypes.js';
import type { CliSession } from './session.js';

/** Why a server is not connected. */
export interface ServerError extends Trouble {
  readonly code: ErrorCode;
  readonly exitCode?: number;
  readonly stderrTail?: readonly string[];
}

/** Aborts on interruption, and when `--timeout` has passed from now on. Any number of servers may listen. */
export function timeLimit({ flags, signal }: CliSession): AbortSignal {
  const { timeoutMs } = flags;
  const limit = AbortSignal.any([
    signal,
    ...(timeoutMs === undefined ? [] : [AbortSignal.timeout(timeoutMs)]),
  ]);
  setMaxListeners(0, limit);
  return limit;
}

/** Connects all at once what may run, until `--timeout` has passed. Never rejects, except on interruption. */
export async function connectAll(
  session: CliSession,
  servers: readonly McpServer[],
): Promise<void> {
  const limit = timeLimit(session);
  await Promise.all(servers.map((server) => server.ensureConnected(limit).catch(() => undefined)));
  session.signal.throwIfAborted();
}

/** `undefined` for a server that is as its user wants it: connected or switched off. */
export function serverError(state: McpServerState): ServerError | undefined {
  switch (state.kind) {
    case 'connected':
    case 'disabled':
      return undefined;
    case 'needs_auth':
    case 'error': {
      const { code, exitCode, stderrTail } = state.failure;
      return {
        code,
        ...failureStateTrouble(state, 'console'),
        ...(exitCode === undefined ? {} : { exitCode }),
        stderrTail,
      };
    }
    case 'connecting': {
      const message = [
        l10n.t('The server was still connecting when the time was up.'),
        ...(state.note ? [stateText(state).sentence] : []),
      ].join(' ');
      return { code: 'timeout', cause: message, message, remedy: l10n.t('Raise "--timeout".') };
    }
    case 'idle': {
      const { sentence } = stateText(state);
      return { code: state.kind, cause: sentence, message: sentence };
    }
    default:
      return { code: state.kind, ...blockedTrouble(state, 'console') };
  }
}

/** Failed servers count before a configuration file that cannot be read. */
export function statusOf({ service }: CliSession, servers: readonly McpServer[]): ExitCode {
  if (servers.some(({ state }) => serverError(state.value))) {
    return exitCodes.failed;
  }
  const problems = service.pools.flatMap((pool) => pool.fileProblems);
  return problems.some(({ problem }) => problem.severity === 'error')
    ? exitCodes.usage
    : exitCodes.ok;
}

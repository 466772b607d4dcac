import { setMaxListeners } from 'node:events';
import { linkSignals } from '../base/async/cancellation.js';
import type { ErrorCode } from '../base/errorCodes.js';
import { oneLine } from '../base/text/plainText.js';
import { maskText } from '../config/secrets/secretMask.js';
import type { McpServer } from '../mcp/mcpApi.js';
import type { McpServerState } from '../mcp/mcpTypes.js';
import { fixOf } from '../mcp/trouble/fix.js';
import { stateText } from '../mcp/trouble/stateText.js';
import {
  blockedTrouble,
  failedTrouble,
  type Trouble,
  troubleText,
} from '../mcp/trouble/trouble.js';
import { type ExitCode, exitCodes } from './cliTypes.js';
import { type CliSession, unusableParts } from './session.js';

/** Why a server is not connected. */
export interface ServerError extends Trouble {
  readonly code: ErrorCode;
  readonly exitCode?: number;
  readonly stderrTail?: readonly string[];
}

/** Aborts when `--timeout` has passed from now on. Default: there is no limit. */
export function timeoutSignal({ timeoutMs }: CliSession['flags']): AbortSignal | undefined {
  return timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs);
}

/** As {@link timeoutSignal}, and on interruption. Any number of servers may listen. */
export function timeLimit({ flags, signal }: CliSession): AbortSignal {
  const { signal: limit } = linkSignals(signal, timeoutSignal(flags));
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
export function exitError(state: McpServerState): ServerError | undefined {
  switch (state.kind) {
    case 'connected':
    case 'disabled':
      return undefined;
    case 'needs_auth':
    case 'error': {
      const { code, exitCode, stderrTail } = state.failure;
      return {
        code,
        ...failedTrouble(state, 'console'),
        exitCode,
        stderrTail,
      };
    }
    case 'connecting': {
      const message = [
        'The server was still connecting when the time was up.',
        ...(state.note ? [stateText(state).sentence] : []),
      ].join(' ');
      return {
        code: 'timeout',
        reason: 'Still connecting',
        sentence: message,
        evidence: [],
        fix: fixOf('waitLonger', 'Raise "--timeout".'),
      };
    }
    case 'idle': {
      const { reason, sentence, evidence } = stateText(state);
      return { code: state.kind, reason, sentence, evidence, fix: fixOf('start') };
    }
    default:
      return { code: state.kind, ...blockedTrouble(state, 'console') };
  }
}

/** Says which servers are not connected and why, where the answer is about the others alone. */
export function tellMissing({ io }: CliSession, servers: readonly McpServer[]): void {
  for (const { definition, state } of servers) {
    const error = exitError(state.value);
    if (error) {
      io.writeError(`${oneLine(maskText(`${definition.name}: ${troubleText(error)}`))}\n`);
    }
  }
}

/** Of a server that is not connected, in a document. */
export function errorDocument(state: McpServerState) {
  const error = exitError(state);
  if (!error) {
    return null;
  }
  const { code, reason, sentence, fix, nextTry, exitCode, stderrTail } = error;
  return {
    code,
    reason,
    message: sentence,
    remedy: fix.how,
    fix: fix.kind,
    nextTry,
    exitCode,
    stderrTail,
  };
}

/** Failed servers count before a configuration file that cannot be read. */
export function exitStatus({ service }: CliSession, servers: readonly McpServer[]): ExitCode {
  if (servers.some(({ state }) => exitError(state.value))) {
    return exitCodes.failed;
  }
  return unusableParts(service).length > 0 ? exitCodes.usage : exitCodes.ok;
}

/** Why a server cannot be used and what to do about it: the same words on every surface, in errors and on the command line. */
import * as l10n from '@vscode/l10n';
import { HumanError } from '../base/errors.js';
import { failureCause } from './failureOutput.js';
import type { BlockedState, McpServerFailure, McpServerState } from './mcpTypes.js';
import { stateText } from './stateText.js';

/** Where it is said: a remedy names what can be done there. */
export type Surface = 'editor' | 'console';

export interface Trouble {
  /** In as few words as are known: a line of what the server wrote, else the message. */
  readonly cause: string;
  /** A full sentence. */
  readonly message: string;
  /** The next step as a full sentence; `undefined` when there is nothing to do. */
  readonly remedy?: string;
  /** When the server is tried again by itself. */
  readonly nextTry?: string;
}

/** `undefined` for a server that works, or could. */
export function troubleOf(state: McpServerState, surface: Surface = 'editor'): Trouble | undefined {
  switch (state.kind) {
    case 'idle':
    case 'connecting':
    case 'connected':
      return undefined;
    case 'needs_auth':
    case 'error':
      return failureStateTrouble(state, surface);
    default:
      return blockedTrouble(state, surface);
  }
}

export function failureStateTrouble(
  state: Extract<McpServerState, { kind: 'needs_auth' | 'error' }>,
  surface: Surface = 'editor',
): Trouble {
  const nextTry = nextTryOf(state);
  return { ...failureTrouble(state.failure, surface), ...(nextTry ? { nextTry } : {}) };
}

export function blockedTrouble(state: BlockedState, surface: Surface = 'editor'): Trouble {
  const { sentence, remedy } = stateText(state);
  const said = surface === 'console' ? (consoleRemedy(state) ?? remedy) : remedy;
  return { cause: sentence, message: sentence, ...(said ? { remedy: said } : {}) };
}

/** What a state that keeps a server from running answers to whoever wants to use it from there. */
export function blockedError(state: BlockedState, surface: Surface = 'editor'): HumanError {
  const { message, remedy } = blockedTrouble(state, surface);
  return new HumanError(state.kind, message, remedy === undefined ? {} : { remedy });
}

/** What a failed connect or call comes to, before it is anybody's state. */
export function failureTrouble(
  failure: Pick<McpServerFailure, 'code' | 'message' | 'remedy' | 'stderrTail'>,
  surface: Surface = 'editor',
): Trouble {
  const { code, message, remedy } = failure;
  const isSignIn = surface === 'console' && code === 'unauthorized';
  return {
    cause: failureCause(failure),
    message,
    remedy: isSignIn ? l10n.t('Sign in with "pi-mcp login SERVER".') : remedy,
  };
}

/** One after the other, nothing twice. */
export function troubleLines({ cause, message, remedy, nextTry }: Trouble): readonly string[] {
  return [...new Set([cause, message, remedy, nextTry])].filter((line) => line !== undefined);
}

/** The same as one text. A line of output is no sentence: before another one it gets its full stop. */
export function troubleText(trouble: Trouble): string {
  return troubleLines(trouble)
    .map((line, index, lines) =>
      index === lines.length - 1 || /[.!?:]$/.test(line) ? line : `${line}.`,
    )
    .join(' ');
}

/** What a call is told that does not start the server again so soon. */
export function duringPause(failure: McpServerFailure, restMs: number): McpServerFailure {
  const seconds = Math.ceil(restMs / 1000);
  const again = l10n.t(
    'Its last start failed a moment ago: calls try again in {0} s, "Restart" at once.',
    seconds,
  );
  return { ...failure, remedy: `${failure.remedy} ${again}` };
}

function nextTryOf(state: Parameters<typeof failureStateTrouble>[0]): string | undefined {
  return state.kind === 'error' && state.nextRetryAt !== undefined
    ? l10n.t('Next try at {0}', new Date(state.nextRetryAt).toLocaleTimeString())
    : undefined;
}

function consoleRemedy(state: BlockedState): string | undefined {
  if (state.kind === 'disabled' && state.by === 'folder') {
    return l10n.t('Switch it on with "pi-mcp enable SERVER --scope local".');
  }
  return state.kind === 'trust_required' && state.reason.kind !== 'workspace_untrusted'
    ? l10n.t('Review it with "pi-mcp trust", or give "--trust" for one run.')
    : undefined;
}

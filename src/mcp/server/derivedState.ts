/** The state of a server that is or was used, as a pure function of what is known about it. */
import { needsSignIn } from '../connection/authorizationFailure.js';
import type { BlockedState, McpServerFailure, McpServerState } from '../mcpTypes.js';

export type ConnectedState = Extract<McpServerState, { readonly kind: 'connected' }>;

type ConnectingState = Extract<McpServerState, { readonly kind: 'connecting' }>;

export interface FailureFacts {
  readonly failure: McpServerFailure;
  /** Milliseconds since the epoch. */
  readonly nextRetryAt?: number | undefined;
}

export interface ServerFacts {
  readonly blocked: BlockedState | undefined;
  readonly connecting: ConnectingState | undefined;
  readonly connected: ConnectedState | undefined;
  readonly lastFailure: FailureFacts | undefined;
}

/** The one state that follows from the facts. */
export function deriveState(facts: ServerFacts): McpServerState {
  const { blocked, connecting, connected, lastFailure } = facts;
  if (blocked) {
    return blocked;
  }
  if (connecting) {
    return connecting;
  }
  if (connected) {
    return connected;
  }
  if (!lastFailure) {
    return { kind: 'idle' };
  }
  const { failure, nextRetryAt } = lastFailure;
  if (needsSignIn(failure)) {
    return { kind: 'needs_auth', failure };
  }
  return { kind: 'error', failure, nextRetryAt };
}

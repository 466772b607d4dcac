/** The state of a server as pure functions of what is known about it. */

import * as l10n from '@vscode/l10n';
import type { McpServerDefinition } from '../../config/definition.js';
import { needsSignIn } from '../connection/authorizationFailure.js';
import type { BlockedState, McpServerFailure, McpServerState } from '../mcpTypes.js';
import type { StartVerdict } from '../trust/canStart.js';

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

/** What keeps a definition from running: the user's switches first, then its validity, then trust. */
export function blockedState(
  definition: McpServerDefinition,
  isMasterDisabled: boolean,
  verdict: StartVerdict,
): BlockedState | undefined {
  if (isMasterDisabled) {
    return { kind: 'disabled', by: 'master' };
  }
  if (!definition.enabled) {
    return { kind: 'disabled', by: 'server' };
  }
  const { launch, folder, problems } = definition;
  if (!launch) {
    return { kind: 'invalid', problems };
  }
  if (folder && folder.fsPath === undefined && launch.kind === 'stdio') {
    const problem = {
      code: 'folder_virtual',
      severity: 'error',
      message: l10n.t('The folder of server {0} is not on this machine.', definition.name),
      remedy: l10n.t('Open the folder from a disk, or use a remote server.'),
    } as const;
    return { kind: 'invalid', problems: [...problems, problem] };
  }
  return verdict.allowed ? undefined : { kind: 'trust_required', reason: verdict.reason };
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
  return { kind: 'error', failure, ...(nextRetryAt === undefined ? {} : { nextRetryAt }) };
}

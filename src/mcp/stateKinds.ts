/** What follows from the kind of a state, or from what is held back. */
import type { McpServerDefinition } from '../config/definition.js';
import type { BlockedState, DefinitionChange, McpCatalog, McpServerState } from './mcpTypes.js';

/** Nothing may run; `blockedError` says why. */
export function isBlocked(state: McpServerState): state is BlockedState {
  return state.kind === 'disabled' || state.kind === 'invalid' || state.kind === 'trust_required';
}

/** Of those of one name: what may not run must not stand in the way of another one. */
export function firstUsable<T extends { readonly state: { readonly value: McpServerState } }>(
  servers: readonly T[],
): T | undefined {
  return servers.find(({ state }) => !isBlocked(state.value)) ?? servers[0];
}

/** A process or a connection of it is there, or on its way. */
export function isRunning({ kind }: McpServerState): boolean {
  return kind === 'connected' || kind === 'connecting';
}

/** May run and does not. */
export function isReadyToStart(state: McpServerState): boolean {
  return !isBlocked(state) && !isRunning(state);
}

/** It does not work, or may not. */
export function isTrouble(state: McpServerState): boolean {
  return isBlocked(state) || state.kind === 'error' || state.kind === 'needs_auth';
}

/** Waits for consent that the user can give now; in Restricted Mode nobody can. */
export function awaitsConsent({
  state: { value: state },
}: {
  readonly state: { readonly value: McpServerState };
}): boolean {
  return state.kind === 'trust_required' && state.reason.kind !== 'workspace_untrusted';
}

type WithCatalog = { readonly catalog: { readonly value: Pick<McpCatalog, 'changes'> } };

/** What waits for somebody to accept it; announced changes are in use already. */
export function heldDefinitions({ catalog }: WithCatalog): readonly DefinitionChange[] {
  return (catalog.value.changes ?? []).filter(({ shown }) => shown !== 'now');
}

/** The user can read something of it now, and decide: what it starts, or what it changed. */
export function awaitsReview(server: Parameters<typeof awaitsConsent>[0] & WithCatalog): boolean {
  return awaitsConsent(server) || heldDefinitions(server).length > 0;
}

/** Servers that fail or wait for the user first, else in their order. */
export function byUrgency<T extends { readonly state: { readonly value: McpServerState } }>(
  servers: readonly T[],
): readonly T[] {
  return [...servers].sort((a, b) => urgency(a.state.value) - urgency(b.state.value));
}

function urgency({ kind }: McpServerState): number {
  switch (kind) {
    case 'error':
    case 'invalid':
      return 0;
    case 'needs_auth':
    case 'trust_required':
      return 1;
    default:
      return 2;
  }
}

/** `stdio` or `http` as users know it; `invalid` for an entry that is neither. */
export function launchKind(definition: McpServerDefinition): 'stdio' | 'http' | 'invalid' {
  return definition.launch?.kind ?? 'invalid';
}

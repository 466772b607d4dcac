import type { McpServer } from '../../mcp/mcpApi.js';
import { awaitsConsent } from '../../mcp/stateKinds.js';

/** May be used now or on the next call: what is remembered of it stays offered while it is down. */
export function isOffered({ state }: Pick<McpServer, 'state'>): boolean {
  switch (state.value.kind) {
    case 'disabled':
    case 'invalid':
    case 'trust_required':
      return false;
    default:
      return true;
  }
}

/** A call of what is remembered of a server that waits for consent leads the user to the review, and waits for it. */
export function isCallable(server: Pick<McpServer, 'state'>): boolean {
  return isOffered(server) || awaitsConsent(server);
}

import type { McpServer } from '../mcp/mcpApi.js';

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

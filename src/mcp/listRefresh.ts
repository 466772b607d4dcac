import { Coalescer } from '../base/coalescer.js';
import type { McpListKind } from './connection/engine.js';
import type { McpConnection } from './connection/mcpConnection.js';

/** Calls `read` when a list changes: never twice at the same time for a list, however slow its server is. */
export function followListChanges(
  connection: McpConnection,
  read: (kind: McpListKind) => Promise<void>,
): void {
  const create = (kind: McpListKind) => new Coalescer(() => read(kind), { delayMs: 0 });
  const refreshes = {
    tools: create('tools'),
    resources: create('resources'),
    prompts: create('prompts'),
  };
  connection.session.onDidChangeList((kind) => refreshes[kind].request());
  connection.onDidClose(() => {
    for (const refresh of Object.values(refreshes)) {
      refresh.dispose();
    }
  });
}

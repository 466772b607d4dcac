import type { McpServer } from '../../mcpApi.js';
import type { McpCatalog, McpTool } from '../../mcpTypes.js';

export type ToolServer = Pick<McpServer, 'definition' | 'catalog'>;

/**
 * A tool of ours beside those of a server, under the first of the names that the server leaves free.
 * @param isNeeded asked once for each catalog
 * @returns the same object while the catalog is; `undefined`: it is not needed, or no name is free
 */
export function ownTool(
  names: readonly string[],
  isNeeded: (catalog: McpCatalog) => boolean,
  make: (name: string, server: string) => McpTool,
): (server: ToolServer) => McpTool | undefined {
  const made = new WeakMap<McpCatalog, McpTool | undefined>();
  return ({ definition, catalog: { value } }) => {
    if (!made.has(value)) {
      const taken = new Set(value.tools.map(({ name }) => name));
      const name = isNeeded(value) ? names.find((one) => !taken.has(one)) : undefined;
      made.set(value, name === undefined ? undefined : make(name, definition.name));
    }
    return made.get(value);
  };
}

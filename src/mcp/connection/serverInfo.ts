import type { McpCatalog } from '../mcpTypes.js';

/** Who the server says it is, without what else the SDK passes on. */
export function serverInfoOf(info: McpCatalog['serverInfo']): McpCatalog['serverInfo'] {
  return (
    info && {
      name: info.name,
      version: info.version,
      ...(info.title === undefined ? {} : { title: info.title }),
    }
  );
}

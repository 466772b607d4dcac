import { iconOf } from '../../mcp/catalog/icons.js';
import type { McpServer } from '../../mcp/mcpApi.js';
import type { OwnedIconView } from '../../protocol/agentProtocol.js';

/** Icons of servers and tools that a folder's conversation may name. */
export function panelIcons(servers: readonly McpServer[]): readonly OwnedIconView[] {
  return servers.flatMap(({ definition: { name: server }, catalog }) => {
    const { serverInfo, tools } = catalog.value;
    const own = iconOf(serverInfo);
    return [
      ...(own ? [{ server, ...own }] : []),
      ...tools.flatMap((tool) => {
        const icon = iconOf(tool);
        return icon ? [{ server, tool: tool.name, ...icon }] : [];
      }),
    ];
  });
}

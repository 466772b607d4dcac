import type { McpService } from '../../mcp/mcpApi.js';
import type { KeptRow } from './keptRows.js';
import { childNodes, nodeId, presentNode, rootNodes, type TreeNode } from './nodes.js';

/** Of each folder, and of those that are global. */
const maxServers = 200;

/** The rows of the servers for the next window, without the state of any. */
export function rowsToKeep(service: McpService): readonly KeptRow[] {
  const { trust } = service;
  const context = {
    isWorkspaceTrusted: trust.isWorkspaceTrusted,
    folderTrust: trust.folderTrust.bind(trust),
  };
  const keep = (node: TreeNode): KeptRow => {
    const { label, icon, expansion } = presentNode(node, context);
    const servers =
      node.kind === 'pool' ? childNodes(node).filter(({ kind }) => kind === 'server') : [];
    return {
      kind: 'kept',
      id: nodeId(node),
      label,
      icon: node.kind === 'server' ? 'circle-outline' : icon,
      expansion,
      rows: servers.slice(0, maxServers).map(keep),
    };
  };
  return rootNodes(service).map(keep);
}

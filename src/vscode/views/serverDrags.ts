/** Rows of servers that are dragged to a folder, or to what is global, move there. */
import * as vscode from 'vscode';
import type { McpPool, McpServer, McpService } from '../../mcp/mcpApi.js';
import { poolOf, serverOf } from '../../presentation/tree/targets.js';
import type { TreeNode } from '../../presentation/tree/topNodes.js';
import { draggedServers, type RowActions } from './serversTree.js';

type Drags = RowActions['drags'];

export type MoveServers = (servers: readonly McpServer[], pool: McpPool) => Promise<void>;

export class ServerDrags implements Drags {
  constructor(
    private readonly service: McpService,
    private readonly move: MoveServers,
    private readonly onError: (error: unknown) => void,
  ) {}

  async handleDrag(nodes: readonly TreeNode[], data: vscode.DataTransfer): Promise<void> {
    const ids = nodes.flatMap((node) => (node.kind === 'server' ? [node.server.id] : []));
    if (ids.length > 0) {
      data.set(draggedServers, new vscode.DataTransferItem(ids));
    }
  }

  async handleDrop(target: TreeNode | undefined, data: vscode.DataTransfer): Promise<void> {
    const ids: unknown = data.get(draggedServers)?.value;
    const pool = poolOf(this.service, target);
    const servers = (Array.isArray(ids) ? ids : []).flatMap(
      (id: unknown) => serverOf(this.service, id) ?? [],
    );
    if (pool && servers.length > 0) {
      try {
        await this.move(servers, pool);
      } catch (error) {
        this.onError(error);
      }
    }
  }
}

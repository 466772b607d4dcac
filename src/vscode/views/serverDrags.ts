/** Rows of servers that are dragged to a folder, or to what is global, move there; bundles are shown, wherever they fall. */
import type * as vscode from 'vscode';
import { asList } from '../../base/json.js';
import { draggedServers } from '../../contributions.js';
import type { McpPool, McpServer, McpService } from '../../mcp/mcpApi.js';
import type { TreeNode } from '../../presentation/tree/nodes.js';
import { poolOf, serverOf } from '../../presentation/tree/targets.js';
import type { RowActions } from './serversTree.js';

type Drags = RowActions['drags'];

export type MoveServers = (servers: readonly McpServer[], pool: McpPool) => Promise<void>;

export type ShowBundles = (paths: readonly string[]) => Promise<void>;

export class ServerDrags implements Drags {
  constructor(
    private readonly api: Pick<typeof vscode, 'DataTransferItem' | 'Uri'>,
    private readonly service: McpService,
    private readonly uses: { readonly move: MoveServers; readonly showBundles: ShowBundles },
    private readonly onError: (error: unknown) => void,
  ) {}

  async handleDrag(nodes: readonly TreeNode[], data: vscode.DataTransfer): Promise<void> {
    const ids = nodes.flatMap((node) => (node.kind === 'server' ? [node.server.id] : []));
    if (ids.length > 0) {
      data.set(draggedServers, new this.api.DataTransferItem(ids));
    }
  }

  async handleDrop(target: TreeNode | undefined, data: vscode.DataTransfer): Promise<void> {
    const ids: unknown = data.get(draggedServers)?.value;
    const pool = poolOf(this.service, target);
    const servers = asList(ids).flatMap((id) => serverOf(this.service, id) ?? []);
    try {
      if (pool && servers.length > 0) {
        await this.uses.move(servers, pool);
      } else if (!Array.isArray(ids)) {
        const list = (await data.get('text/uri-list')?.asString()) ?? '';
        const bundles = bundlesIn(list).map((uri) => this.api.Uri.parse(uri).fsPath);
        await (bundles.length > 0 ? this.uses.showBundles(bundles) : undefined);
      }
    } catch (error) {
      this.onError(error);
    }
  }
}

/** Files of this machine, among the addresses. */
function bundlesIn(list: string): readonly string[] {
  return list.split(/\r?\n/).filter((line) => /^file:.*\.(?:mcpb|dxt)$/i.test(line));
}

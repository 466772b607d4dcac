import type { McpServerId } from '../../config/definition.js';
import type { McpService } from '../../mcp/mcpApi.js';
import { childNodes, nodeId, parentNode, presentNode, rootNodes, type TreeNode } from './nodes.js';
import type { NodePresentation, PresentationContext, TooltipPart } from './presentation.js';
import { nodeTooltip } from './tooltips/nodeTooltip.js';

/** Below one node; to draw all of it anew is less work than to draw more rows one by one. */
const maxChanges = 200;

/** A node as it was drawn last. */
interface DrawnNode {
  /** The same object as long as there is a node with this id; what it holds is renewed. */
  readonly node: TreeNode;
  /** What its row showed, as text; `undefined` before it was drawn. */
  row?: string;
  /** What its tooltip showed, as text; `undefined` unless somebody looked. */
  tooltip?: string;
  readonly children: DrawnChildren;
}

interface DrawnChildren {
  ids: readonly string[];
  /** Whether the host has them: it asks for them when they get in sight. */
  isDrawn: boolean;
}

/** All nodes have to be drawn anew, or these with what is below them. */
type TreeChange = 'all' | readonly TreeNode[];

type ServersToLookAt = 'all' | ReadonlySet<McpServerId>;

/**
 * What the tree showed last, to tell which of its nodes would show something else now. A host forgets what is below a
 * node while it draws it anew, and with that the clicks of its users: as few nodes as possible are named.
 */
export class DrawnTree {
  private readonly drawn = new Map</* node id */ string, DrawnNode>();
  private readonly roots: DrawnChildren = { ids: [], isDrawn: false };

  constructor(
    private readonly service: McpService,
    private readonly context: () => PresentationContext,
  ) {}

  idOf(node: TreeNode): string {
    return nodeId(node);
  }

  /** The children of a node, or the roots. */
  children(parent?: TreeNode): TreeNode[] {
    const children = parent ? this.drawnNode(parent).children : this.roots;
    const nodes = this.nodesBelow(parent).map((node) => this.known(node));
    const ids = nodes.map((node) => this.idOf(node));
    const kept = new Set(ids);
    for (const id of children.ids) {
      if (kept.has(id)) {
        this.leaveOut(id);
      } else {
        this.forget(id);
      }
    }
    children.ids = ids;
    children.isDrawn = true;
    return nodes;
  }

  /** The row of a node. Tooltips may take time: {@link tooltip} has them. */
  row(node: TreeNode): NodePresentation {
    const row = this.presentRow(node);
    const drawn = this.drawnNode(node);
    drawn.row = JSON.stringify(row);
    delete drawn.tooltip;
    return row;
  }

  tooltip(node: TreeNode): readonly TooltipPart[] {
    const parts = this.presentTooltip(node);
    if (parts) {
      this.drawnNode(node).tooltip = JSON.stringify(parts);
    }
    return parts ?? this.presentRow(node).tooltip;
  }

  /** The object by which the host finds the node, holding what it stands for now. */
  known(node: TreeNode): TreeNode {
    return Object.assign(this.drawnNode(node).node, node);
  }

  /** The parent of a node; `undefined` for a root. */
  parent(node: TreeNode): TreeNode | undefined {
    const parent = parentNode(node, this.service);
    return parent && this.known(parent);
  }

  /** What has to be drawn anew, if nothing but these servers and what holds them changed. */
  changes(servers: ServersToLookAt): TreeChange {
    const { roots } = this;
    if (!roots.isDrawn) {
      return [];
    }
    if (!this.isSameBelow(roots)) {
      for (const id of roots.ids) {
        this.leaveOut(id);
      }
      roots.isDrawn = false;
      return 'all';
    }
    return roots.ids.flatMap((id) => this.changesOf(id, servers));
  }

  private changesOf(id: string, servers: ServersToLookAt): readonly TreeNode[] {
    const drawn = this.drawn.get(id);
    const isMeant = drawn?.node.kind !== 'server' || servers === 'all' || servers.has(id);
    if (!drawn || !isMeant) {
      return [];
    }
    if (this.isOutdated(drawn)) {
      this.leaveOut(id);
      return [drawn.node];
    }
    const changes = drawn.children.isDrawn
      ? drawn.children.ids.flatMap((child) => this.changesOf(child, servers))
      : [];
    if (changes.length > maxChanges) {
      this.leaveOut(id);
      return [drawn.node];
    }
    return changes;
  }

  private isOutdated({ node, row, tooltip, children }: DrawnNode): boolean {
    return (
      (row !== undefined && row !== JSON.stringify(this.presentRow(node))) ||
      (tooltip !== undefined && tooltip !== JSON.stringify(this.presentTooltip(node))) ||
      (children.isDrawn && !this.isSameBelow(children, node))
    );
  }

  /** Nodes that stay stand for what they are about now. */
  private isSameBelow({ ids }: DrawnChildren, parent?: TreeNode): boolean {
    const nodes = this.nodesBelow(parent);
    const isSame =
      nodes.length === ids.length && nodes.every((one, at) => this.idOf(one) === ids[at]);
    if (isSame) {
      for (const node of nodes) {
        this.known(node);
      }
    }
    return isSame;
  }

  private nodesBelow(parent: TreeNode | undefined): readonly TreeNode[] {
    return parent ? childNodes(parent, this.context()) : rootNodes(this.service, this.context());
  }

  private presentRow(node: TreeNode): NodePresentation {
    return presentNode(node, this.context());
  }

  private presentTooltip(node: TreeNode): readonly TooltipPart[] | undefined {
    return nodeTooltip(node, this.context());
  }

  private drawnNode(node: TreeNode): DrawnNode {
    const id = this.idOf(node);
    const drawn = this.drawn.get(id) ?? { node, children: { ids: [], isDrawn: false } };
    this.drawn.set(id, drawn);
    return drawn;
  }

  /** The host asks for what is below a node that it draws anew, if that is in sight. */
  private leaveOut(id: string): void {
    const children = this.drawn.get(id)?.children;
    if (children?.isDrawn) {
      children.isDrawn = false;
      for (const child of children.ids) {
        this.leaveOut(child);
      }
    }
  }

  private forget(id: string): void {
    const ids = this.drawn.get(id)?.children.ids ?? [];
    this.drawn.delete(id);
    for (const child of ids) {
      this.forget(child);
    }
  }
}

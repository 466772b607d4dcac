import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.js';
import type { McpServerId } from '../../config/definition.js';
import type { McpServer, McpService } from '../../mcp/mcpApi.js';
import { DrawnTree } from '../../presentation/tree/drawnTree.js';
import { serverNode, type TreeNode } from '../../presentation/tree/nodes.js';
import type {
  NodePresentation,
  PresentationContext,
  RowFacts,
} from '../../presentation/tree/presentation.js';
import { untilNextStep } from '../../presentation/tree/waitedTime.js';
import { toDocumentUri } from '../documents/resourceUris.js';
import { collapsibleState, type RowSource } from './serversTree.js';
import { toMarkdown } from './tooltips.js';

const refreshDelayMs = 50;

/** Tells VS Code which nodes it has to ask for again: those alone that would show something else. */
export class McpTreeDataProvider implements RowSource, Disposable {
  private readonly store = new DisposableStore();
  private readonly changeEmitter = this.store.add(
    new vscode.EventEmitter<TreeNode | TreeNode[] | undefined>(),
  );
  readonly onDidChangeTreeData = this.changeEmitter.event;
  private readonly drawn: DrawnTree;
  private readonly changedServers = new Set<McpServerId>();
  private facts: RowFacts | undefined;
  private isAllChanged = false;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private waitTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly service: McpService) {
    this.drawn = new DrawnTree(service, () => this.context);
    this.store.add(
      service.accounts.onDidChange((id) => {
        this.changedServers.add(id);
        this.schedule();
      }),
    );
    this.store.add(service.onDidChangePools(() => this.refreshAll()));
    this.store.add(service.trust.onDidChange(() => this.refreshAll()));
    this.store.add(
      service.onDidChangeServer((server) => {
        this.changedServers.add(server.id);
        this.schedule();
      }),
    );
  }

  /** Rows say more from now on. Call it once. */
  addFacts(facts: RowFacts): void {
    this.facts = facts;
    this.store.add(facts.onDidChange(() => this.refreshAll()));
    this.refreshAll();
  }

  refreshAll(): void {
    this.isAllChanged = true;
    this.schedule();
  }

  nodeOf(server: McpServer): TreeNode {
    return this.drawn.known(serverNode(server));
  }

  /** What the user did to the rows themselves is taken back where it had no effect. Default: all rows. */
  redraw(nodes?: readonly TreeNode[]): void {
    this.changeEmitter.fire(nodes && [...nodes]);
  }

  getTreeItem(node: TreeNode): vscode.TreeItem {
    const item = toTreeItem(node, this.drawn.idOf(node), this.drawn.row(node));
    item.resourceUri = resourceUri(node);
    return item;
  }

  resolveTreeItem(item: vscode.TreeItem, node: TreeNode): vscode.TreeItem {
    const tooltip = this.drawn.tooltip(node);
    if (tooltip.length > 0) {
      item.tooltip = toMarkdown(tooltip);
    }
    return item;
  }

  getChildren(node?: TreeNode): TreeNode[] {
    return this.drawn.children(node);
  }

  getParent(node: TreeNode): TreeNode | undefined {
    return this.drawn.parent(node);
  }

  dispose(): void {
    clearTimeout(this.timer);
    clearTimeout(this.waitTimer);
    this.store.dispose();
  }

  get context(): PresentationContext {
    const { trust, accounts } = this.service;
    return {
      ...this.facts?.context,
      now: performance.now(),
      isWorkspaceTrusted: trust.isWorkspaceTrusted,
      folderTrust: (folderUri) => trust.folderTrust(folderUri),
      storedAccount: (server) => accounts.stored(server.id),
    };
  }

  private schedule(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.flush();
    }, refreshDelayMs);
  }

  /** Rows that say how long their server waits are drawn again when that has changed. */
  private followWaits(): void {
    clearTimeout(this.waitTimer);
    const waiting = this.service.servers.filter(({ state }) => state.value.kind === 'connecting');
    const states = waiting.map(({ state }) => state.value);
    const waitMs = untilNextStep(states, performance.now());
    if (waitMs !== undefined) {
      this.waitTimer = setTimeout(() => {
        for (const { id } of waiting) {
          this.changedServers.add(id);
        }
        this.schedule();
      }, waitMs);
    }
  }

  private flush(): void {
    this.followWaits();
    const changes = this.drawn.changes(this.isAllChanged ? 'all' : this.changedServers);
    this.isAllChanged = false;
    this.changedServers.clear();
    if (changes === 'all') {
      this.changeEmitter.fire(undefined);
    } else if (changes.length > 0) {
      this.changeEmitter.fire([...changes]);
    }
  }
}

/** What is dragged of a row that stands for a document. */
function resourceUri(node: TreeNode): vscode.Uri | undefined {
  return node.kind === 'resource' && 'uri' in node.resource
    ? toDocumentUri(node.server, node.resource.uri, node.resource.mimeType)
    : undefined;
}

/** Tooltips come when they are about to show. */
function toTreeItem(node: TreeNode, id: string, shown: NodePresentation): vscode.TreeItem {
  const item = new vscode.TreeItem(shown.label, collapsibleState(shown.expansion));
  item.id = id;
  item.description = shown.description;
  item.iconPath = iconPath(shown);
  item.accessibilityInformation = { label: shown.spoken };
  item.contextValue = shown.flags;
  if (shown.isChecked !== undefined) {
    item.checkboxState = shown.isChecked
      ? vscode.TreeItemCheckboxState.Checked
      : vscode.TreeItemCheckboxState.Unchecked;
  }
  item.command = shown.command && {
    command: shown.command.id,
    title: shown.command.title,
    // with arguments, VS Code forgets the command while it draws the row anew
    arguments: node.kind === 'review' || node.kind === 'starter' ? undefined : [node],
  };
  return item;
}

function iconPath({ picture, icon, color }: NodePresentation): vscode.TreeItem['iconPath'] {
  return picture
    ? { light: vscode.Uri.parse(picture.light), dark: vscode.Uri.parse(picture.dark) }
    : new vscode.ThemeIcon(icon, color === undefined ? undefined : new vscode.ThemeColor(color));
}

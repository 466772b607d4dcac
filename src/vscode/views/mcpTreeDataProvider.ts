import * as vscode from 'vscode';
import type { ToolOverview } from '../../agent/tools/toolOverview.js';
import { type Disposable, DisposableStore } from '../../base/disposable.js';
import type { McpServerId } from '../../config/definition.js';
import type { McpServer, McpService } from '../../mcp/mcpApi.js';
import type { OpenQuestions } from '../../mcp/service/openQuestions.js';
import type { ServerAdvice } from '../../presentation/language/serverAdvice.js';
import {
  childNodes,
  isLeaf,
  nodeId,
  parentNode,
  presentNode,
  rootNodes,
  serverNode,
  type TreeNode,
} from '../../presentation/tree/nodes.js';
import type { PresentationContext } from '../../presentation/tree/presentation.js';
import { costParts } from '../../presentation/tree/serverPresentation.js';
import { untilNextStep } from '../../presentation/tree/waitedTime.js';
import { toMarkdown, toTreeItem } from './treeItems.js';

const refreshDelayMs = 50;

/** Reads the service; keeps only which nodes VS Code has to ask for again. */
export class McpTreeDataProvider implements vscode.TreeDataProvider<TreeNode>, Disposable {
  private readonly store = new DisposableStore();
  private readonly changeEmitter = this.store.add(
    new vscode.EventEmitter<TreeNode | TreeNode[] | undefined>(),
  );
  readonly onDidChangeTreeData = this.changeEmitter.event;
  private readonly nodesById = new Map</* node id */ string, TreeNode>();
  private readonly changedServers = new Set<McpServerId>();
  private isAllChanged = false;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private waitTimer: ReturnType<typeof setTimeout> | undefined;

  /** @param loaded settles when the configuration was read the first time; the view shows progress until then. */
  constructor(
    private readonly service: McpService,
    private readonly loaded: Promise<void>,
    private readonly parts: {
      readonly tools: ToolOverview;
      readonly questions: OpenQuestions;
      readonly advice: ServerAdvice;
    },
  ) {
    this.store.add(parts.advice.onDidChange(() => this.refreshAll()));
    this.store.add(parts.tools.onDidChange(() => this.refreshAll()));
    this.store.add(parts.questions.onDidChange(() => this.refreshAll()));
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

  refreshAll(): void {
    this.isAllChanged = true;
    this.schedule();
  }

  nodeOf(server: McpServer): TreeNode {
    return this.known(serverNode(server));
  }

  getTreeItem(node: TreeNode): vscode.TreeItem {
    const item = toTreeItem(node, presentNode(node, this.context));
    if (node.kind === 'server') {
      // resolved when it is about to show
      delete item.tooltip;
    }
    return item;
  }

  resolveTreeItem(item: vscode.TreeItem, node: TreeNode): vscode.TreeItem {
    if (node.kind === 'server') {
      const { tooltip } = presentNode(node, this.context);
      item.tooltip = toMarkdown([...tooltip, ...costParts(node.server, this.context)]);
    }
    return item;
  }

  async getChildren(node?: TreeNode): Promise<TreeNode[]> {
    await this.loaded;
    if (!node) {
      this.forgetGoneNodes();
    }
    const nodes = node ? childNodes(node, this.context) : rootNodes(this.service);
    return nodes.map((one) => this.known(one));
  }

  getParent(node: TreeNode): TreeNode | undefined {
    const parent = parentNode(node, this.service);
    return parent && this.known(parent);
  }

  dispose(): void {
    clearTimeout(this.timer);
    clearTimeout(this.waitTimer);
    this.store.dispose();
  }

  private get context(): PresentationContext {
    const { trust, accounts } = this.service;
    const { tools, questions, advice } = this.parts;
    return {
      now: performance.now(),
      isWorkspaceTrusted: trust.isWorkspaceTrusted,
      folderTrust: (folderUri) => trust.folderTrust(folderUri),
      problemsOf: (server) => advice.of(server),
      toolFacts: (server, tool) => tools.factsOf(server, tool),
      serverStatistic: (server) => tools.statisticOf(server),
      appConsents: (server) => tools.appConsentsOf(server),
      storedAccount: (server) => accounts.stored(server.id),
      openQuestion: (server) => questions.of(server.id)[0]?.text,
    };
  }

  private forgetGoneNodes(): void {
    for (const [id, node] of this.nodesById) {
      if (
        'server' in node &&
        node.server &&
        this.service.getServer(node.server.id) !== node.server
      ) {
        this.nodesById.delete(id);
      }
    }
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
    const ids = [...this.changedServers];
    this.changedServers.clear();
    if (this.isAllChanged) {
      this.isAllChanged = false;
      this.changeEmitter.fire(undefined);
      return;
    }
    const servers = ids.flatMap((id) => this.service.getServer(id) ?? []);
    this.changeEmitter.fire(servers.map((server) => this.known(serverNode(server))));
  }

  /** VS Code finds nodes that change or have children by object identity: equal ones have to be the same object. */
  private known(node: TreeNode): TreeNode {
    if (isLeaf(node)) {
      return node;
    }
    const id = nodeId(node);
    const previous = this.nodesById.get(id);
    if (previous && isSameNode(previous, node)) {
      return previous;
    }
    this.nodesById.set(id, node);
    return node;
  }
}

function isSameNode(a: TreeNode, b: TreeNode): boolean {
  return Object.entries(b).every(([key, value]) => Reflect.get(a, key) === value);
}

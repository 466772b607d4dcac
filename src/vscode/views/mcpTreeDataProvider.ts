import * as vscode from 'vscode';
import type { ToolOverview } from '../../agent/tools/toolOverview.js';
import { type Disposable, DisposableStore } from '../../base/disposable.js';
import type { McpServerId } from '../../config/definition.js';
import type { FolderGateways } from '../../gateway/folderGateways.js';
import type { HandOvers } from '../../gateway/handOvers.js';
import type { McpServer, McpService } from '../../mcp/mcpApi.js';
import type { DoubleStarts } from '../../mcp/otherClients/doubleStarts.js';
import type { OpenQuestions } from '../../mcp/service/openQuestions.js';
import type { ServerAdvice } from '../../presentation/language/serverAdvice.js';
import { DrawnTree } from '../../presentation/tree/drawnTree.js';
import { serverNode, type TreeNode } from '../../presentation/tree/nodes.js';
import type { OtherUse, PresentationContext } from '../../presentation/tree/presentation.js';
import { untilNextStep } from '../../presentation/tree/waitedTime.js';
import { toMarkdown, toTreeItem } from './treeItems.js';

const refreshDelayMs = 50;

/** Tells VS Code which nodes it has to ask for again: those alone that would show something else. */
export class McpTreeDataProvider implements vscode.TreeDataProvider<TreeNode>, Disposable {
  private readonly store = new DisposableStore();
  private readonly changeEmitter = this.store.add(
    new vscode.EventEmitter<TreeNode | TreeNode[] | undefined>(),
  );
  readonly onDidChangeTreeData = this.changeEmitter.event;
  private readonly drawn: DrawnTree;
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
      readonly gateways: FolderGateways;
      readonly handOvers: HandOvers;
      readonly doubleStarts: DoubleStarts;
    },
  ) {
    this.drawn = new DrawnTree(service, () => this.context);
    this.store.add(parts.advice.onDidChange(() => this.refreshAll()));
    this.store.add(parts.tools.onDidChange(() => this.refreshAll()));
    this.store.add(parts.questions.onDidChange(() => this.refreshAll()));
    this.store.add(parts.gateways.onDidChange(() => this.refreshAll()));
    this.store.add(parts.handOvers.onDidChange(() => this.refreshAll()));
    this.store.add(parts.doubleStarts.onDidChange(() => this.refreshAll()));
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
    return this.drawn.known(serverNode(server));
  }

  /** What the user did to the rows themselves is taken back where it had no effect. */
  redraw(nodes: readonly TreeNode[]): void {
    this.changeEmitter.fire([...nodes]);
  }

  getTreeItem(node: TreeNode): vscode.TreeItem {
    const item = toTreeItem(node, this.drawn.row(node));
    if (node.kind === 'server') {
      // resolved when it is about to show
      delete item.tooltip;
    }
    return item;
  }

  resolveTreeItem(item: vscode.TreeItem, node: TreeNode): vscode.TreeItem {
    const tooltip = this.drawn.tooltip(node);
    if (tooltip) {
      item.tooltip = toMarkdown(tooltip);
    }
    return item;
  }

  async getChildren(node?: TreeNode): Promise<TreeNode[]> {
    await this.loaded;
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

  private get context(): PresentationContext {
    const { trust, accounts } = this.service;
    const { tools, questions, advice, gateways } = this.parts;
    return {
      now: performance.now(),
      isWorkspaceTrusted: trust.isWorkspaceTrusted,
      folderTrust: (folderUri) => trust.folderTrust(folderUri),
      problemsOf: (server) => advice.of(server),
      toolFacts: (server, tool) => tools.factsOf(server, tool),
      profileOf: (folderUri) => tools.profileOf(folderUri),
      unknownPatterns: (folderUri) => tools.unknownPatterns(folderUri),
      serverStatistic: (server) => tools.statisticOf(server),
      appConsents: (server) => tools.appConsentsOf(server),
      storedAccount: (server) => accounts.stored(server.id),
      isLent: (folderUri) => gateways.get(folderUri) !== undefined,
      otherUse: (server) => this.otherUseOf(server),
      openQuestion: (server) => questions.of(server.id)[0]?.text,
    };
  }

  private otherUseOf(server: McpServer): OtherUse {
    const { handOvers, doubleStarts } = this.parts;
    const start = doubleStarts.of(server);
    const folders = handOvers.foldersOf(server);
    if (folders.length === 0) {
      return { start };
    }
    const isOffered = folders.some((uri) => handOvers.isOffered(uri, server));
    return { start, handOver: isOffered ? 'offered' : 'waiting' };
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

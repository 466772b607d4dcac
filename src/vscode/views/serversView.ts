import * as vscode from 'vscode';
import type { SetAsideTools } from '../../agent/policy/setAsideTools.js';
import { placeOf, type ToolOverview } from '../../agent/tools/toolOverview.js';
import { type Disposable, DisposableStore } from '../../base/disposable.js';
import { contextKeys, viewIds } from '../../contributions.js';
import type { FolderGateways } from '../../gateway/folderGateways.js';
import type { HandOvers } from '../../gateway/handOvers.js';
import type { ToolSwitches } from '../../mcp/catalog/records/toolSwitches.js';
import type { McpServer, McpService } from '../../mcp/mcpApi.js';
import type { DoubleStarts } from '../../mcp/otherClients/doubleStarts.js';
import type { OpenQuestions } from '../../mcp/service/openQuestions.js';
import { awaitsConsent } from '../../mcp/stateText.js';
import type { ServerAdvice } from '../../presentation/language/serverAdvice.js';
import type { TreeNode } from '../../presentation/tree/nodes.js';
import { fileFaults, waitingText } from '../../presentation/tree/poolPresentation.js';
import { needsUser } from '../../presentation/tree/serverPresentation.js';
import { DoubleStartWatch } from '../gateway/doubleStartWatch.js';
import type { ReportError } from '../reportError.js';
import { McpTreeDataProvider } from './mcpTreeDataProvider.js';
import { type MoveServers, ServerDrags } from './serverDrags.js';

/** The view around the tree: badge, message and the context keys of its welcome content. */
export class ServersView implements Disposable {
  private readonly store = new DisposableStore();
  readonly provider: McpTreeDataProvider;
  private readonly view: vscode.TreeView<TreeNode>;
  private readonly contextValues = new Map</* context key */ string, boolean>();
  private isLoaded = false;

  constructor(
    private readonly service: McpService,
    loaded: Promise<void>,
    private readonly parts: {
      readonly tools: ToolOverview;
      readonly switches: ToolSwitches;
      readonly setAside: SetAsideTools;
      readonly questions: OpenQuestions;
      readonly advice: ServerAdvice;
      readonly gateways: FolderGateways;
      readonly handOvers: HandOvers;
      readonly doubleStarts: DoubleStarts;
      readonly move: MoveServers;
      readonly reportError: ReportError;
    },
  ) {
    this.provider = this.store.add(new McpTreeDataProvider(service, loaded, parts));
    this.view = this.store.add(
      vscode.window.createTreeView(viewIds.servers, {
        treeDataProvider: this.provider,
        showCollapseAll: true,
        manageCheckboxStateManually: true,
        dragAndDropController: new ServerDrags(service, parts.move, parts.reportError),
      }),
    );
    this.store.add(
      this.view.onDidChangeCheckboxState(({ items }) => {
        void this.switchTools(items).catch(parts.reportError);
      }),
    );
    this.store.add(new DoubleStartWatch(service, parts.doubleStarts, this.view));
    this.store.add(service.onDidChangePools(() => this.render()));
    this.store.add(service.onDidChangeServer(() => this.render()));
    this.store.add(service.trust.onDidChange(() => this.render()));
    this.store.add(parts.questions.onDidChange(() => this.render()));
    void loaded.then(() => {
      this.isLoaded = true;
      this.render();
    });
  }

  get isVisible(): boolean {
    return this.view.visible;
  }

  /** Shows the view with the server selected and opened. */
  async reveal(server: McpServer): Promise<void> {
    await this.view.reveal(this.provider.nodeOf(server), {
      select: true,
      focus: true,
      expand: true,
    });
  }

  private async switchTools(
    items: readonly (readonly [TreeNode, vscode.TreeItemCheckboxState])[],
  ): Promise<void> {
    const { switches, setAside } = this.parts;
    try {
      for (const [node, state] of items) {
        if (node.kind === 'tool') {
          const place = placeOf(node.server, node.tool.name);
          const isOn = state === vscode.TreeItemCheckboxState.Checked;
          setAside.restore(node.server.id, node.tool.name);
          await switches.set(place, switches.choiceFor(place, isOn));
        }
      }
    } finally {
      this.provider.redraw(items.map(([node]) => node));
    }
  }

  dispose(): void {
    this.store.dispose();
  }

  private render(): void {
    if (!this.isLoaded || this.store.isDisposed) {
      return;
    }
    const servers = this.service.servers;
    const { questions } = this.parts;
    const waiting =
      servers.filter((one) => needsUser(one) || questions.of(one.id).length > 0).length +
      this.service.pools.flatMap(fileFaults).length;
    this.view.badge =
      waiting === 0
        ? undefined
        : {
            value: waiting,
            tooltip:
              waiting === 1
                ? vscode.l10n.t('1 MCP server needs your attention')
                : vscode.l10n.t('{0} MCP servers need your attention', waiting),
          };
    const hasRestricted =
      !this.service.trust.isWorkspaceTrusted &&
      this.service.pools.some((pool) => pool.folder && pool.servers.length > 0);
    const toReview = servers.filter(awaitsConsent).length;
    this.view.message = hasRestricted
      ? vscode.l10n.t('Restricted Mode: nothing that this workspace declares is started.')
      : toReview > 0
        ? waitingText(toReview)
        : undefined;
    this.setContext(contextKeys.awaitsReview, toReview > 0);
    this.setContext(contextKeys.hasServers, servers.length > 0);
    this.setContext(contextKeys.isLoaded, true);
  }

  private setContext(key: string, value: boolean): void {
    if (this.contextValues.get(key) !== value) {
      this.contextValues.set(key, value);
      void vscode.commands.executeCommand('setContext', key, value);
    }
  }
}

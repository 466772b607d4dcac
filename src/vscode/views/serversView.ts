import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.js';
import { contextKeys } from '../../contributions.js';
import type { McpServer, McpService } from '../../mcp/mcpApi.js';
import { awaitsConsent } from '../../mcp/stateKinds.js';
import { fileFaults, waitingText } from '../../presentation/tree/poolPresentation.js';
import type { RowFacts } from '../../presentation/tree/presentation.js';
import { needsUser } from '../../presentation/tree/serverPresentation.js';
import type { ReportError } from '../reportError.js';
import { McpTreeDataProvider } from './mcpTreeDataProvider.js';
import { isNode, type RowActions, type ServersTree } from './serversTree.js';

/** What stands around the rows: badge, message and the context keys of its welcome content. */
export class ServersView implements Disposable {
  private readonly store = new DisposableStore();
  readonly provider: McpTreeDataProvider;
  private facts: RowFacts | undefined;
  private readonly contextValues = new Map</* context key */ string, boolean>();
  private isLoaded = false;

  constructor(
    private readonly service: McpService,
    private readonly tree: ServersTree,
    loaded: Promise<void>,
    loadActions: () => Promise<RowActions>,
    reportError: ReportError,
  ) {
    this.provider = this.store.add(new McpTreeDataProvider(service));
    this.store.add(
      this.view.onDidChangeCheckboxState(({ items }) => {
        const switched = items.flatMap(([row, state]) =>
          isNode(row) ? [[row, state] as const] : [],
        );
        this.switchTools(loadActions, switched).catch(reportError);
      }),
    );
    this.store.add(service.onDidChangePools(() => this.render()));
    this.store.add(service.onDidChangeServer(() => this.render()));
    this.store.add(service.trust.onDidChange(() => this.render()));
    void loaded.then(() => {
      this.isLoaded = true;
      tree.show(this.provider);
      this.render();
    });
  }

  get view(): ServersTree['view'] {
    return this.tree.view;
  }

  get isVisible(): boolean {
    return this.view.visible;
  }

  /** Rows say more from now on. Call it once. */
  addFacts(facts: RowFacts): void {
    this.facts = facts;
    this.store.add(facts.onDidChange(() => this.render()));
    this.provider.addFacts(facts);
    this.render();
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
    loadActions: () => Promise<RowActions>,
    items: Parameters<RowActions['switchTools']>[0],
  ): Promise<void> {
    try {
      await (await loadActions()).switchTools(items);
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
    const waiting =
      servers.filter(
        (one) => needsUser(one) || this.facts?.context.openQuestion?.(one) !== undefined,
      ).length + this.service.pools.flatMap(fileFaults).length;
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

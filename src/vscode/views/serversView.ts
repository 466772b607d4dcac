import * as vscode from 'vscode';
import { DisposableOwner } from '../../base/disposable.js';
import { Emitter } from '../../base/event.js';
import { commandIds } from '../../contributions.js';
import type { McpServer, McpService } from '../../mcp/mcpApi.js';
import { awaitsReview } from '../../mcp/stateKinds.js';
import { fileFaults, waitingText } from '../../presentation/tree/poolPresentation.js';
import type { PresentationContext, RowFacts } from '../../presentation/tree/presentation.js';
import { needsUser } from '../../presentation/tree/serverPresentation.js';
import { serverOf } from '../../presentation/tree/targets.js';
import { windowKeys } from '../../presentation/tree/windowKeys.js';
import type { CommandHandlers } from '../commandHandlers.js';
import type { ReportError } from '../reportError.js';
import { ContextValues } from '../workspace/contextValues.js';
import { McpTreeDataProvider } from './mcpTreeDataProvider.js';
import { isNode, type RowActions, type ServersTree } from './serversTree.js';

/** What stands around the rows: badge, message and the context keys of its welcome content. */
export class ServersView extends DisposableOwner {
  readonly provider: McpTreeDataProvider;
  private facts: RowFacts | undefined;
  private readonly keys = new ContextValues();
  private readonly changes = this.store.add(new Emitter<void>());
  /** Anything that is said of any server may have changed. */
  readonly onDidChange = this.changes.event;
  private isLoaded = false;

  constructor(
    private readonly service: McpService,
    private readonly tree: ServersTree,
    loaded: Promise<void>,
    private readonly actions: () => RowActions,
    reportError: ReportError,
  ) {
    super();
    this.provider = this.store.add(new McpTreeDataProvider(service));
    this.store.add(
      this.view.onDidChangeCheckboxState(({ items }) => {
        if (items.length === 0) {
          // a row was clicked while VS Code drew it anew, and it does not know which one
          this.provider.redraw();
          return;
        }
        const switched = items.flatMap(([row, state]) =>
          isNode(row) ? [[row, state] as const] : [],
        );
        this.switchTools(switched).catch(reportError);
      }),
    );
    this.store.add(service.onDidChangePools(() => this.render()));
    this.store.add(service.onDidChangeServer(() => this.render()));
    this.store.add(service.trust.onDidChange(() => this.render()));
    this.store.add(service.accounts.onDidChange(() => this.render()));
    void loaded.then(() => {
      this.isLoaded = true;
      tree.show(this.provider);
      this.render();
    });
  }

  /** What is known of servers beside what they are themselves. */
  get context(): PresentationContext {
    return this.provider.context;
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

  readonly commands: CommandHandlers = {
    [commandIds.revealServer]: async (argument) => {
      const server = serverOf(this.service, argument);
      if (server) {
        await this.reveal(server);
      }
    },
  };

  /** Shows the view with the server selected and opened. */
  async reveal(server: McpServer): Promise<void> {
    await this.view.reveal(this.provider.nodeOf(server), {
      select: true,
      focus: true,
      expand: true,
    });
  }

  private async switchTools(items: Parameters<RowActions['switchTools']>[0]): Promise<void> {
    try {
      await this.actions().switchTools(items);
    } finally {
      this.provider.redraw(items.map(([node]) => node));
    }
  }

  private render(): void {
    this.changes.fire();
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
            tooltip: vscode.l10n.t('{0} of {1} servers need attention.', waiting, servers.length),
          };
    const hasRestricted =
      !this.service.trust.isWorkspaceTrusted &&
      this.service.pools.some((pool) => pool.folder && pool.servers.length > 0);
    const toReview = servers.filter(awaitsReview).length;
    this.view.message = hasRestricted
      ? vscode.l10n.t('Restricted Mode: nothing in this workspace is started.')
      : toReview > 0
        ? waitingText(toReview)
        : undefined;
    this.keys.set(
      windowKeys(this.service, {
        ...this.facts?.context,
        storedAccount: (server) => this.service.accounts.stored(server.id),
      }),
    );
  }
}

import * as vscode from 'vscode';
import { Coalescer } from '../../base/async/coalescer.js';
import { DisposableOwner } from '../../base/disposable.js';
import { errorMessage } from '../../base/errors.js';
import type { Event } from '../../base/event.js';
import type { WorkspaceFolder } from '../../config/definition.js';
import { serverUnknown } from '../../config/errors.js';
import type { Machine } from '../../config/ports.js';
import { commandIds } from '../../contributions.js';
import type { McpService } from '../../mcp/mcpApi.js';
import { ConsentReview } from '../../presentation/consent/consentReview.js';
import { choicesParam, stringParam } from '../../presentation/params.js';
import type {
  ConsentEvents,
  ConsentOutcome,
  ConsentRequests,
  ConsentView,
} from '../../protocol/consent/consentProtocol.js';
import type { MessageChannel, MessageHandlers } from '../../protocol/messages.js';
import { ifOpen } from '../gateway/handOverCommands.js';
import { channelTo, type PageKit, webviewHtml } from '../webviews/webviewHtml.js';

export interface ConsentPanelParts extends PageKit {
  readonly service: McpService;
  readonly machine: Machine;
  /** The servers of this window are known. */
  readonly loaded: Promise<unknown>;
}

/** Who opened the page, and waits for an answer on it. */
export interface ConsentOwner {
  /** What the page is about. */
  readonly folders: readonly WorkspaceFolder[];
  readonly onDidChangeFolders: Event<void>;
  /** The user has answered on the page. */
  answer(): void;
}

/** Milliseconds. A start changes the state of a server several times. */
const updateDelayMs = 150;

/** What is behind the page of consent while that is open. */
export class OpenConsent extends DisposableOwner {
  private readonly channel: MessageChannel<ConsentEvents, ConsentRequests>;
  private readonly review: ConsentReview;

  constructor(
    private readonly panel: vscode.WebviewPanel,
    private readonly owner: ConsentOwner,
    parts: ConsentPanelParts,
  ) {
    super();
    const { extensionUri, service, machine, logError } = parts;
    const { environment } = machine;
    const { webview } = panel;
    this.review = new ConsentReview({ service, environment, folders: () => owner.folders });
    this.channel = channelTo(webview, this.store, { handlers: this.handlers(service), logError });
    const update = this.store.add(
      new Coalescer(async () => void (await this.update()), {
        delayMs: updateDelayMs,
        onError: (error) => logError(`consent: ${errorMessage(error)}`),
      }),
    );
    for (const event of [
      service.onDidChangeServer,
      service.onDidChangePools,
      service.trust.onDidChange,
      owner.onDidChangeFolders,
    ]) {
      this.store.add(event(() => update.request()));
    }
    webview.html = webviewHtml(webview, extensionUri, { name: 'consent', title: panel.title });
  }

  private handlers(service: ConsentPanelParts['service']): MessageHandlers<ConsentRequests> {
    return {
      look: () => this.review.look(),
      trust: async (params) => this.answered(await this.review.trust(choicesParam(params))),
      trustFolder: async (params) =>
        this.answered(
          await this.review.trustFolder(stringParam(params, 'uri'), choicesParam(params)),
        ),
      leave: () => this.panel.dispose(),
      // the command reports what goes wrong
      openFile: async (params) => {
        const id = stringParam(params, 'id');
        if (!service.getServer(id)) {
          throw serverUnknown();
        }
        await vscode.commands.executeCommand(commandIds.openConfiguration, id);
      },
      manageTrust: async () => {
        await vscode.commands.executeCommand(commandIds.manageWorkspaceTrust);
      },
    };
  }

  private async answered(outcome: ConsentOutcome): Promise<ConsentOutcome> {
    this.owner.answer();
    const { cards } = await this.update();
    if (cards.length === 0 && !this.store.isDisposed) {
      this.panel.dispose();
      void vscode.commands.executeCommand(commandIds.chooseStarter, ifOpen);
    }
    return outcome;
  }

  private async update(): Promise<ConsentView> {
    const view = await this.review.look();
    this.channel.notify('view', view);
    return view;
  }
}

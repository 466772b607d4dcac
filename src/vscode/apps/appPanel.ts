import * as vscode from 'vscode';
import { AppBridge, AppLinks, type AskToOpen } from '../../agent/apps/bridge.js';
import type { AppLife, AppState } from '../../agent/apps/life.js';
import type { AppCall } from '../../agent/apps/sessionApps.js';
import { type Disposable, DisposableStore, MutableDisposable } from '../../base/disposable.js';
import { Emitter } from '../../base/event.js';
import { nameToken } from '../../base/text/nameToken.js';
import type { AppDocument } from '../../mcp/apps/document.js';
import { type AppPolicy, reachableOrigins } from '../../mcp/apps/policy.js';
import type { Logger } from '../../platform/ports.js';
import type { AppPageFiles } from '../../presentation/apps/appPage.js';
import { objectParam, oneOfParam, surroundingsParam } from '../../presentation/params.js';
import type {
  AppContent,
  AppEvents,
  AppRequests,
  AppStatus,
  AppSurroundings,
} from '../../protocol/appProtocol.js';
import type { MessageChannel, MessageHandlers } from '../../protocol/messages.js';
import { showWarning } from '../notifications.js';
import { channelTo } from '../webviews/webviewHtml.js';
import { serverName } from '../workspace/serverName.js';
import { appHtml, appWebviewOptions } from './html.js';

const appPanelType = 'piMcp.app';

/** An app that the user agreed to see. */
interface AgreedApp {
  readonly call: AppCall;
  readonly document: AppDocument;
  readonly policy: AppPolicy;
}

export interface AppPanelParts {
  readonly app: AgreedApp;
  readonly files: AppPageFiles;
  /** Owned by the panel. */
  readonly life: AppLife;
  readonly hostVersion: string;
  readonly logger: Logger;
  readonly askToOpen: AskToOpen;
  /** Puts a text before the user, who may send it. */
  readonly suggest: (text: string, server: string) => void;
}

/** One app in an editor tab of its own. Ends with the tab, or when the app may not go on. */
export class AppPanel implements Disposable {
  private readonly store = new DisposableStore();
  private readonly disposeEmitter = new Emitter<void>();
  private readonly bridge = this.store.add(new MutableDisposable<AppBridge>());
  private readonly panel: vscode.WebviewPanel;
  private readonly channel: MessageChannel<AppEvents, AppRequests>;
  private readonly links: AppLinks;
  private notice: string | undefined;

  readonly onDidDispose = this.disposeEmitter.event;

  constructor(private readonly parts: AppPanelParts) {
    const { app, files, life, logger } = parts;
    const { call, policy } = app;
    this.links = new AppLinks(parts.askToOpen);
    this.panel = this.store.add(
      vscode.window.createWebviewPanel(
        appPanelType,
        vscode.l10n.t('App: {0}', nameToken(call.tool.title ?? call.tool.name)),
        vscode.ViewColumn.Active,
        { ...appWebviewOptions(), retainContextWhenHidden: true },
      ),
    );
    const { webview } = this.panel;
    this.channel = channelTo(webview, this.store, {
      handlers: this.handlers(),
      logError: (message) => logger.log('error', message),
    });
    this.store.add(life);
    this.store.add(life.state.onDidChange((state) => this.follow(state)));
    this.store.add(this.panel.onDidDispose(() => this.dispose()));
    webview.html = appHtml(files, policy.contentSecurityPolicy);
  }

  reveal(): void {
    this.panel.reveal();
  }

  dispose(): void {
    if (!this.store.isDisposed) {
      this.store.dispose();
      this.disposeEmitter.fire();
    }
  }

  private handlers(): MessageHandlers<AppRequests> {
    return {
      ready: (params) => this.start(surroundingsParam(params)),
      surroundings: (params) => this.bridge.value?.setSurroundings(surroundingsParam(params)),
      fromApp: (params) => this.bridge.value?.receive(objectParam(params).message),
      dropped: (params) => {
        if (oneOfParam(params, 'why', ['size', 'flood']) === 'flood') {
          this.stopFlood();
        } else {
          this.note(vscode.l10n.t('The app sends too much; the rest is dropped.'));
        }
      },
    };
  }

  private start(surroundings: AppSurroundings): AppContent {
    const { app, hostVersion, life, logger } = this.parts;
    const { call, document, policy } = app;
    const { name } = call.server.definition;
    this.bridge.value = new AppBridge({
      call,
      hostVersion,
      surroundings,
      domains: policy.domains,
      locale: vscode.env.language,
      post: (message) => this.channel.notify('toApp', { message }),
      openLink: (url, signal) => this.links.open(url, signal),
      suggest: (text) => this.parts.suggest(text, name),
      close: () => this.dispose(),
      onNotice: (sentence) => this.note(sentence),
      onFlood: () => this.stopFlood(),
      log: (level, message) => logger.log(level, message),
    });
    this.follow(life.state.value);
    const origins = reachableOrigins(policy.domains);
    return {
      html: document.html,
      title: vscode.l10n.t('App of MCP server: {0}', serverName(call.server.definition)),
      reach:
        origins.length > 0
          ? vscode.l10n.t('May reach {0}', origins.join(', '))
          : vscode.l10n.t('Requests to the network are blocked'),
      status: this.status(),
    };
  }

  private follow(state: AppState): void {
    switch (state.kind) {
      case 'live':
        this.bridge.value?.thaw();
        break;
      case 'frozen':
        this.bridge.value?.freeze(state.reason);
        break;
      case 'over':
        this.dispose();
        return;
    }
    this.channel.notify('status', this.status());
  }

  private status(): AppStatus {
    const state = this.parts.life.state.value;
    return state.kind === 'frozen'
      ? { kind: 'frozen', notice: state.reason }
      : { kind: 'live', notice: this.notice };
  }

  private note(sentence: string): void {
    if (this.notice !== sentence) {
      this.notice = sentence;
      this.parts.logger.log('warn', sentence);
      this.channel.notify('status', this.status());
    }
  }

  private stopFlood(): void {
    if (!this.store.isDisposed) {
      this.dispose();
      void showWarning(
        vscode.l10n.t(
          'The app of this MCP server was closed, since it did not stop sending messages: {0}',
          serverName(this.parts.app.call.server.definition),
        ),
      );
    }
  }
}

import * as vscode from 'vscode';
import { Coalescer } from '../../base/async/coalescer.js';
import { type Disposable, DisposableStore } from '../../base/disposable.js';
import { isHumanError } from '../../base/errors.js';
import type { TextRange, WorkspaceFolder } from '../../config/definition.js';
import { folderUnknown, serverUnknown } from '../../config/errors.js';
import type { SecretKeeper } from '../../config/fixes/secretKeeper.js';
import { commandIds, configPanelType } from '../../contributions.js';
import type { McpPool, McpServer, McpService } from '../../mcp/mcpApi.js';
import { stateText } from '../../mcp/trouble/stateText.js';
import { troubleOf, troubleText } from '../../mcp/trouble/trouble.js';
import { checkServer } from '../../presentation/configPage/checkServer.js';
import { toFormEntry } from '../../presentation/configPage/entryMapping.js';
import { formModels } from '../../presentation/configPage/formModel.js';
import {
  readSettings,
  saveServer,
  saveSettings,
} from '../../presentation/configPage/saveServer.js';
import { configViewState, workingText } from '../../presentation/configPage/viewState.js';
import type { ServerAdvice } from '../../presentation/language/serverAdvice.js';
import {
  booleanParam,
  formEntryParam,
  objectParam,
  optionalStringParam,
  saveParams,
  stringParam,
} from '../../presentation/params.js';
import type {
  ConfigEvents,
  ConfigRequests,
  ConfigViewState,
} from '../../protocol/configProtocol.js';
import { MessageChannel, type MessageHandlers } from '../../protocol/messages.js';
import { showWarning } from '../notifications.js';
import { type ProbeParts, removeServer, whenMayRun } from '../prompts/serverFlows.js';
import type { ReportError } from '../reportError.js';
import { PageTabs } from './pageTabs.js';
import { webviewHtml } from './webviewHtml.js';

// bursts of state changes, such as all servers connecting, become one message
const updateDelayMs = 30;

export interface ConfigPanelParts extends ProbeParts {
  readonly extensionUri: vscode.Uri;
  readonly service: McpService;
  readonly consent: ProbeParts['consent'] & { trust(folder: WorkspaceFolder): Promise<void> };
  readonly advice: ServerAdvice;
  readonly secrets: SecretKeeper;
  readonly showLog: (server: McpServer) => void;
  readonly openFile: (path: string, range?: TextRange) => Promise<void>;
  readonly reportError: ReportError;
  /** Logs what was not meant to happen. */
  readonly logError: (message: string) => void;
}

interface EditTarget {
  readonly poolId: string;
  readonly id?: string;
}

/** The page's open form, while the tab is hidden or closed and its page gone. */
interface KeptForm {
  readonly form: unknown;
  /** Its heading, when it has changes that are not saved. */
  readonly unsaved: string | undefined;
}

/**
 * The configuration editor: one tab, which also comes back after a reload of the window. A panel cannot keep its tab from
 * being closed, so what was typed outlives the tab until the user has said that it may go.
 */
export class ConfigPanel implements Disposable {
  private readonly store = new DisposableStore();
  readonly tabs: PageTabs<undefined, OpenPanel>;
  private kept: KeptForm | undefined;

  constructor(private readonly parts: ConfigPanelParts) {
    this.tabs = this.store.add(
      new PageTabs<undefined, OpenPanel>({
        type: configPanelType,
        extensionUri: parts.extensionUri,
        titleOf: () => titleOf(this.kept),
        read: () => undefined,
        open: (panel) => new OpenPanel(panel, this.parts, this.memoryOf(panel)),
        onDidClose: () => void this.askAboutForm().catch(this.parts.reportError),
      }),
    );
  }

  show(): OpenPanel {
    return this.tabs.show(undefined);
  }

  /** Opens the form on a new server of the pool. */
  add(poolId: string): void {
    this.show().edit({ poolId });
  }

  /** Opens the form on a server. */
  edit(serverId: string): void {
    const server = this.parts.service.getServer(serverId);
    const open = this.show();
    if (server) {
      open.edit({ poolId: server.definition.poolId, id: serverId });
    }
  }

  dispose(): void {
    this.store.dispose();
  }

  private memoryOf(panel: vscode.WebviewPanel): FormMemory {
    return {
      recall: () => this.kept?.form,
      keep: (kept) => {
        this.kept = kept;
        panel.title = titleOf(kept);
      },
    };
  }

  /** Leaving the question loses nothing: the next tab has the form. */
  private async askAboutForm(): Promise<void> {
    const { kept } = this;
    if (kept?.unsaved === undefined) {
      return;
    }
    const keep = vscode.l10n.t('Keep Editing');
    const discard = vscode.l10n.t('Discard Changes');
    const answer = await showWarning(
      vscode.l10n.t('{0}: your changes are not saved.', kept.unsaved),
      {
        modal: true,
        detail: vscode.l10n.t('Until this window closes, they come back with the editor.'),
      },
      // the first one is that of Enter
      keep,
      discard,
    );
    if (answer === discard) {
      this.kept = undefined;
    } else if (answer === keep) {
      this.show();
    }
  }
}

interface FormMemory {
  recall(): unknown;
  keep(kept: KeptForm): void;
}

/** Marked as VS Code marks the tabs of its own editors. */
function titleOf(kept: KeptForm | undefined): string {
  const title = vscode.l10n.t('MCP Servers');
  return kept?.unsaved === undefined ? title : `● ${title}`;
}

/** One life of the tab. */
class OpenPanel implements Disposable {
  private readonly store = new DisposableStore();
  private readonly channel: MessageChannel<ConfigEvents, ConfigRequests>;
  private readonly update: Coalescer;
  private isReady = false;
  /** Asked for before the page listened. */
  private pendingEdit: EditTarget | undefined;

  constructor(
    readonly panel: vscode.WebviewPanel,
    private readonly parts: ConfigPanelParts,
    private readonly memory: FormMemory,
  ) {
    const { service, extensionUri } = parts;
    const { webview } = panel;
    this.update = this.store.add(
      new Coalescer(async () => this.sendState(), { delayMs: updateDelayMs }),
    );
    this.channel = this.store.add(
      new MessageChannel<ConfigEvents, ConfigRequests>({
        post: (message) => void webview.postMessage(message),
        handlers: this.handlers(),
        onHandlerError: (type, error) => this.logUnexpected(type, error),
      }),
    );
    this.store.add(webview.onDidReceiveMessage((message) => this.channel.receive(message)));
    this.store.add(service.onDidChangePools(() => this.update.request()));
    this.store.add(service.onDidChangeServer(() => this.update.request()));
    this.store.add(service.trust.onDidChange(() => this.update.request()));
    this.store.add(parts.advice.onDidChange(() => this.update.request()));
    this.store.add(
      panel.onDidChangeViewState(() => {
        // a hidden tab has no page; the next one says when it listens
        this.isReady = this.isReady && panel.visible;
      }),
    );
    webview.html = webviewHtml(webview, extensionUri, {
      name: 'config',
      title: vscode.l10n.t('MCP Servers'),
    });
  }

  edit(target: EditTarget): void {
    if (this.isReady) {
      this.channel.notify('edit', target);
    } else {
      this.pendingEdit = target;
    }
  }

  dispose(): void {
    this.store.dispose();
  }

  private get state(): ConfigViewState {
    const { service, advice } = this.parts;
    return configViewState(service, { problemsOf: (server) => advice.of(server) });
  }

  private sendState(): void {
    if (this.isReady) {
      this.channel.notify('state', this.state);
    }
  }

  private handlers(): MessageHandlers<ConfigRequests> {
    const { service, showLog, openFile } = this.parts;
    const { configuration } = service;
    return {
      ready: () => this.ready(),
      keepForm: (params) => {
        const { form } = objectParam(params);
        this.memory.keep({ form, unsaved: optionalStringParam(params, 'unsaved') });
      },
      readServer: async (params) => {
        const { name, entry } = await configuration.read(this.server(params).id);
        return { name, entry: toFormEntry(entry) };
      },
      saveServer: async (params) => this.shown(await saveServer(this.parts, saveParams(params))),
      checkServer: (params) => checkServer(this.parts, saveParams(params)),
      readSettings: async (params) => ({
        entry: await readSettings(service, this.pool(params).id),
      }),
      saveSettings: (params) =>
        saveSettings(service, this.pool(params).id, formEntryParam(params, 'entry')),
      removeServer: async (params) =>
        this.shown({ removed: await removeServer(service, this.server(params)) }),
      setEnabled: (params) =>
        configuration.setEnabled(this.server(params).id, booleanParam(params, 'enabled')),
      // the command reports what goes wrong
      switchServers: async () => {
        await vscode.commands.executeCommand(commandIds.switchServers);
      },
      setMasterDisabled: (params) =>
        configuration.setMasterDisabled(this.pool(params).id, booleanParam(params, 'disabled')),
      test: (params) => this.test(stringParam(params, 'id')),
      start: async (params) => void (await this.test(stringParam(params, 'id'))),
      stop: (params) => this.server(params).stop(),
      signIn: (params) => service.accounts.signIn(this.server(params).id),
      showLog: (params) => showLog(this.server(params)),
      openFile: async (params) => {
        const { path, range } = await this.fileOf(params);
        await openFile(path, range);
      },
      trustFolder: async (params) => {
        await this.parts.consent.trust(this.folder(params));
      },
      // the command asks first, and reports what goes wrong
      revokeTrust: async (params) => {
        await vscode.commands.executeCommand(commandIds.manageTrust, this.folder(params).uri);
      },
      manageWorkspaceTrust: async () => {
        await vscode.commands.executeCommand(commandIds.manageWorkspaceTrust);
      },
    };
  }

  /** The page has the new state when it reads the reply. */
  private shown<T>(reply: T): T {
    this.sendState();
    return reply;
  }

  private ready(): ConfigRequests['ready']['result'] {
    this.isReady = true;
    const target = this.pendingEdit;
    this.pendingEdit = undefined;
    if (target) {
      // after the reply, so that the page has its state when the form opens
      queueMicrotask(() => queueMicrotask(() => this.edit(target)));
    }
    return {
      state: this.state,
      forms: formModels(),
      form: this.memory.recall(),
    };
  }

  private async test(id: string): Promise<ConfigRequests['test']['result']> {
    const { service } = this.parts;
    // a server that was just saved appears with the next reading of the files
    if (!service.getServer(id)) {
      await service.reload();
    }
    const server = this.server({ id });
    const restarted = await whenMayRun(server, this.parts, () => server.restart());
    const state = restarted ?? server.state.value;
    const trouble = troubleOf(state);
    const text =
      state.kind === 'connected'
        ? workingText(state, server)
        : trouble
          ? troubleText(trouble)
          : stateText(state).sentence;
    return { state: state.kind, text };
  }

  /** Only files that the domain itself names are opened. */
  private async fileOf(params: unknown): Promise<{ path: string; range?: TextRange }> {
    const pool = this.pool(params);
    if (optionalStringParam(params, 'id') !== undefined) {
      const { origin } = this.server(params).definition;
      return { path: origin.path, range: origin.nameRange };
    }
    const wanted = optionalStringParam(params, 'path');
    const found = pool.fileProblems.find(({ path }) => path === wanted);
    if (found) {
      const { range } = found.problem;
      return { path: found.path, range };
    }
    return { path: await this.parts.service.configuration.ensureFile(pool.id) };
  }

  /** @throws {HumanError} when the page shows a server that is gone. */
  private server(params: unknown): McpServer {
    const server = this.parts.service.getServer(stringParam(params, 'id'));
    if (!server) {
      throw serverUnknown();
    }
    return server;
  }

  private pool(params: unknown): McpPool {
    const id = stringParam(params, 'poolId');
    const pool = this.parts.service.getPool(id);
    if (!pool) {
      throw folderUnknown();
    }
    return pool;
  }

  private folder(params: unknown): WorkspaceFolder {
    const { folder } = this.pool(params);
    if (!folder) {
      throw new Error('Servers of the user need no consent');
    }
    return folder;
  }

  private logUnexpected(type: string, error: unknown): void {
    if (!isHumanError(error)) {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      this.parts.logError(`configuration editor, ${type}: ${text}`);
    }
  }
}

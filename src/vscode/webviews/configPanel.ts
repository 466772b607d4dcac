import * as vscode from 'vscode';
import { Coalescer } from '../../base/async/coalescer.js';
import { DisposableOwner } from '../../base/disposable.js';
import type { Event } from '../../base/event.js';
import type { ServerSwitch } from '../../config/configuration.js';
import type { TextRange, WorkspaceFolder } from '../../config/definition.js';
import { folderUnknown } from '../../config/errors.js';
import { commandIds, configPanelType } from '../../contributions.js';
import { ToolCatalog } from '../../mcp/catalog/toolCatalog.js';
import type { McpPool, McpService } from '../../mcp/mcpApi.js';
import { listRunningServers } from '../../mcp/service/runningServers.js';
import { configViewState } from '../../presentation/configPage/viewState.js';
import { memoryTexts } from '../../presentation/consent/runningServersText.js';
import {
  booleanParam,
  optionalStringParam,
  stringParam,
  stringsParam,
} from '../../presentation/params.js';
import { type PreviewParts, previewSwitches } from '../../presentation/switching/switchPreview.js';
import { switchPreviewView } from '../../presentation/switching/switchPreviewText.js';
import type { PresentationContext } from '../../presentation/tree/presentation.js';
import type {
  ConfigEvents,
  ConfigRequests,
  ConfigViewState,
} from '../../protocol/configProtocol.js';
import type { MessageChannel, MessageHandlers } from '../../protocol/messages.js';
import { PageTabs } from './pageTabs.js';
import { channelTo, type PageKit, webviewHtml } from './webviewHtml.js';

// bursts of state changes, such as all servers connecting, become one message
const updateDelayMs = 30;

export interface ConfigPanelParts extends PageKit {
  readonly service: McpService;
  readonly facts: {
    /** Anything that is said of any server may have changed. */
    readonly onDidChange: Event<void>;
    readonly context: PresentationContext;
  };
  readonly consent: { trust(folder: WorkspaceFolder): Promise<void> };
  /** What the agent's tools cost with other servers. */
  readonly switching: Omit<PreviewParts, 'service'>;
  /** A form of a new server of the pool, or of the settings of its file. */
  readonly openForm: (poolId: string, isSettings: boolean) => void;
  readonly openFile: (path: string, range?: TextRange) => Promise<void>;
}

/** The list of all servers, in one tab. */
export function configPanel(parts: ConfigPanelParts): PageTabs<void, OpenPanel> {
  return new PageTabs({
    type: configPanelType,
    extensionUri: parts.extensionUri,
    titleOf: () => vscode.l10n.t('MCP Servers'),
    open: (panel) => new OpenPanel(panel, parts),
  });
}

/** One life of the tab. */
class OpenPanel extends DisposableOwner {
  private readonly channel: MessageChannel<ConfigEvents, ConfigRequests>;
  private isReady = false;
  /** Counts each tool once while the list is open. */
  private readonly catalog = new ToolCatalog();

  constructor(
    panel: vscode.WebviewPanel,
    private readonly parts: ConfigPanelParts,
  ) {
    super();
    const { service, facts, extensionUri, logError } = parts;
    const { webview, title } = panel;
    const update = this.store.add(
      new Coalescer(async () => this.sendState(), { delayMs: updateDelayMs }),
    );
    this.channel = channelTo(webview, this.store, { handlers: this.handlers(), logError });
    this.store.add(service.onDidChangePools(() => update.request()));
    this.store.add(service.onDidChangeServer(() => update.request()));
    this.store.add(service.trust.onDidChange(() => update.request()));
    this.store.add(facts.onDidChange(() => update.request()));
    this.store.add(
      panel.onDidChangeViewState(() => {
        // a hidden tab has no page; the next one says when it listens
        this.isReady = this.isReady && panel.visible;
      }),
    );
    webview.html = webviewHtml(webview, extensionUri, { name: 'config', title });
  }

  private sendState(): void {
    if (this.isReady) {
      this.channel.notify('state', this.state);
    }
  }

  private get state(): ConfigViewState {
    const { service, facts } = this.parts;
    return configViewState(service, facts.context);
  }

  private handlers(): MessageHandlers<ConfigRequests> {
    const { service, openForm, openFile } = this.parts;
    const { configuration } = service;
    return {
      ready: () => {
        this.isReady = true;
        return this.state;
      },
      previewSwitches: async (params) => {
        const preview = await previewSwitches(this.switches(params), {
          service,
          catalog: this.catalog,
          ...this.parts.switching,
        });
        return switchPreviewView(preview);
      },
      applySwitches: async (params) => {
        await configuration.setEnabledTogether(this.switches(params));
        return this.state;
      },
      setMasterDisabled: (params) =>
        configuration.setMasterDisabled(this.pool(params).id, booleanParam(params, 'disabled')),
      // commands report themselves what goes wrong
      openServer: (params) => run(commandIds.openServer, stringParam(params, 'id')),
      fixServer: (params) => run(commandIds.fixServer, stringParam(params, 'id')),
      openForm: (params) => openForm(this.pool(params).id, booleanParam(params, 'isSettings')),
      openFile: async (params) => {
        const pool = this.pool(params);
        const wanted = optionalStringParam(params, 'path');
        // only files that the domain itself names are opened
        const found = pool.fileProblems.find(({ path }) => path === wanted);
        await (found
          ? openFile(found.path, found.problem.range)
          : openFile(await configuration.ensureFile(pool.id)));
      },
      trustFolder: (params) => this.parts.consent.trust(this.folder(params)),
      revokeTrust: (params) => run(commandIds.manageTrust, this.folder(params).uri),
      manageWorkspaceTrust: () => run(commandIds.manageWorkspaceTrust),
      setLent: (params) =>
        run(
          booleanParam(params, 'isLent') ? commandIds.startGateway : commandIds.stopGateway,
          this.pool(params).id,
        ),
      measure: async () => ({ memory: memoryTexts(await listRunningServers(service)) }),
      selectProfile: (params) => run(commandIds.selectProfile, this.pool(params).id),
    };
  }

  /** Servers may be gone by now. */
  private switches(params: unknown): readonly ServerSwitch[] {
    const of = (field: string, isEnabled: boolean) =>
      stringsParam(params, field)
        .filter((id) => this.parts.service.getServer(id) !== undefined)
        .map((id) => ({ id, isEnabled }));
    return [...of('enable', true), ...of('disable', false)];
  }

  /** @throws {HumanError} when the page shows a pool that is gone. */
  private pool(params: unknown): McpPool {
    const pool = this.parts.service.getPool(stringParam(params, 'poolId'));
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
}

async function run(command: string, ...args: readonly string[]): Promise<void> {
  await vscode.commands.executeCommand(command, ...args);
}

import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.js';
import { isHumanError } from '../../base/errors.js';
import { isJsonObject } from '../../base/json.js';
import type { PastedServer } from '../../config/paste/addedServer.js';
import { serverOfQuery } from '../../config/paste/installLink.js';
import { commandIds, registryPanelType } from '../../contributions.js';
import type { McpService } from '../../mcp/mcpApi.js';
import { objectParam, optionalStringParam, stringParam } from '../../presentation/params.js';
import type { RegistryInstaller } from '../../presentation/registry/registryInstaller.js';
import { MessageChannel, type MessageHandlers } from '../../protocol/messages.js';
import type {
  InstallParams,
  RegistryDetails,
  RegistryEvents,
  RegistryRequests,
} from '../../protocol/registry/registryProtocol.js';
import type { ReportError } from '../reportError.js';
import { PageTabs } from '../webviews/pageTabs.js';
import { webviewHtml } from '../webviews/webviewHtml.js';
import type { RegistrySetting } from './registrySetting.js';

export interface RegistryPanelParts {
  readonly extensionUri: vscode.Uri;
  readonly service: McpService;
  readonly installer: RegistryInstaller;
  readonly setting: RegistrySetting;
  readonly openFile: (path: string) => Promise<void>;
  readonly reportError: ReportError;
  /** Logs what was not meant to happen. */
  readonly logError: (message: string) => void;
}

/** The tab that finds servers in the registry, and adds those of links. */
export class RegistryPanel implements Disposable, vscode.UriHandler {
  private readonly store = new DisposableStore();
  readonly tabs: PageTabs<undefined, OpenPanel>;

  constructor(private readonly parts: RegistryPanelParts) {
    this.tabs = this.store.add(
      new PageTabs<undefined, OpenPanel>({
        type: registryPanelType,
        extensionUri: parts.extensionUri,
        titleOf: title,
        read: () => undefined,
        open: (panel) => new OpenPanel(panel, this.parts),
      }),
    );
  }

  show(): OpenPanel {
    return this.tabs.show(undefined);
  }

  /** Shows what a link has brought; nothing is added before the user says so. */
  showLinked(server: PastedServer): void {
    this.show().showLinked(this.parts.installer.showLinked(server));
  }

  /** `vscode://pi-mcp.pi-mcp/add?name=…&config=…`; a link only ever shows what it would add. */
  handleUri({ path, query }: vscode.Uri): void {
    try {
      this.showLinked(serverOfQuery(path, query));
    } catch (error) {
      this.parts.reportError(error);
    }
  }

  dispose(): void {
    this.store.dispose();
  }
}

function title(): string {
  return vscode.l10n.t('Add MCP Server');
}

/** One life of the tab. */
class OpenPanel implements Disposable {
  private readonly store = new DisposableStore();
  private readonly channel: MessageChannel<RegistryEvents, RegistryRequests>;
  private linked: RegistryDetails | undefined;
  private search: AbortController | undefined;

  constructor(
    panel: vscode.WebviewPanel,
    private readonly parts: RegistryPanelParts,
  ) {
    const { extensionUri, service, installer, logError } = parts;
    const { webview } = panel;
    this.channel = this.store.add(
      new MessageChannel<RegistryEvents, RegistryRequests>({
        post: (message) => void webview.postMessage(message),
        handlers: this.handlers(),
        onHandlerError: (type, error) => {
          if (!isHumanError(error)) {
            logError(`registry page, ${type}: ${String(error)}`);
          }
        },
      }),
    );
    this.store.add(webview.onDidReceiveMessage((message) => this.channel.receive(message)));
    this.store.add(service.onDidChangePools(() => this.channel.notify('places', installer.places)));
    webview.html = webviewHtml(webview, extensionUri, { name: 'registry', title: title() });
  }

  /** The page gets it now, and again when it is made anew. */
  showLinked(details: RegistryDetails): void {
    this.linked = details;
    this.channel.notify('linked', details);
  }

  dispose(): void {
    this.search?.abort();
    this.store.dispose();
  }

  private handlers(): MessageHandlers<RegistryRequests> {
    const { installer, setting, openFile } = this.parts;
    return {
      ready: () => ({
        address: setting.client.address.replace(/^https:\/\//, ''),
        places: installer.places,
        linked: this.linked,
      }),
      search: async (params) => {
        this.search?.abort();
        const search = new AbortController();
        this.search = search;
        return await installer.search(
          stringParam(params, 'text'),
          optionalStringParam(params, 'cursor'),
          search.signal,
        );
      },
      open: (params) => {
        this.linked = undefined;
        return installer.open(stringParam(params, 'name'));
      },
      preview: (params) => installer.preview(installParams(params)),
      add: async (params) => {
        const added = await installer.add(installParams(params));
        this.linked = undefined;
        return added;
      },
      openLink: async (params) => {
        const address = installer.linkOf(stringParam(params, 'id'), stringParam(params, 'link'));
        if (address !== undefined) {
          await vscode.env.openExternal(vscode.Uri.parse(address, true));
        }
      },
      // the commands report what goes wrong
      reveal: async (params) => {
        await vscode.commands.executeCommand(commandIds.revealServer, stringParam(params, 'id'));
      },
      test: async (params) => {
        await vscode.commands.executeCommand(commandIds.probeServer, stringParam(params, 'id'));
      },
      openFile: async (params) => {
        const path = stringParam(params, 'path');
        if (installer.places.some((place) => place.path === path)) {
          await openFile(path);
        }
      },
      openSetting: async () => {
        await vscode.commands.executeCommand('workbench.action.openSettings', 'piMcp.registry.url');
      },
    };
  }
}

/** @throws when the page sends something else. */
function installParams(params: unknown): InstallParams {
  const { answers } = objectParam(params);
  const pairs = Object.entries(isJsonObject(answers) ? answers : {});
  return {
    id: stringParam(params, 'id'),
    way: stringParam(params, 'way'),
    place: stringParam(params, 'place'),
    name: stringParam(params, 'name'),
    answers: Object.fromEntries(
      pairs.flatMap(([field, value]) => (typeof value === 'string' ? [[field, value]] : [])),
    ),
  };
}

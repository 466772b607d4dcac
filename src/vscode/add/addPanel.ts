import * as vscode from 'vscode';
import { DisposableOwner, toDisposable } from '../../base/disposable.js';
import { isHumanError } from '../../base/errors.js';
import { asString, readEntries } from '../../base/json.js';
import type { PastedServer } from '../../config/paste/addedServer.js';
import { serverOfQuery } from '../../config/paste/installLink.js';
import { addPanelType, commandIds } from '../../contributions.js';
import type { McpService } from '../../mcp/mcpApi.js';
import type { BroughtForm } from '../../presentation/add/addViews.js';
import type { ServerInstaller } from '../../presentation/add/serverInstaller.js';
import {
  booleanParam,
  objectParam,
  oneOfParam,
  optionalStringParam,
  stringParam,
  stringsParam,
} from '../../presentation/params.js';
import type {
  AddEvents,
  AddReading,
  AddRequests,
  InstallParams,
} from '../../protocol/add/addProtocol.js';
import type { MessageChannel, MessageHandlers } from '../../protocol/messages.js';
import type { ReportError } from '../reportError.js';
import { PageTabs } from '../webviews/pageTabs.js';
import { channelTo, type PageKit, webviewHtml } from '../webviews/webviewHtml.js';
import type { RegistrySetting } from './registrySetting.js';

export interface AddPanelParts extends PageKit {
  readonly service: McpService;
  readonly installer: ServerInstaller;
  readonly setting: RegistrySetting;
  /** A form with every field, for a server of the pool. */
  readonly openForm: (poolId: string) => void;
  readonly reportError: ReportError;
}

/** The tab that adds servers, whatever they come from. */
export class AddPanel extends DisposableOwner implements vscode.UriHandler {
  readonly tabs: PageTabs<void, OpenPanel>;

  constructor(private readonly parts: AddPanelParts) {
    super();
    this.tabs = this.store.add(
      new PageTabs({
        type: addPanelType,
        extensionUri: parts.extensionUri,
        titleOf: title,
        open: (panel) => new OpenPanel(panel, this.parts),
      }),
    );
  }

  /** @param poolId whose files come first */
  show(poolId?: string): void {
    this.tabs.show().prefer(poolId);
  }

  /** Only ever shows what they would add. @param paths absolute */
  async showBundles(paths: readonly string[]): Promise<void> {
    const reading = await this.parts.installer.showBundles(paths);
    this.tabs.show().showReading(reading);
  }

  /** `vscode://pi-mcp.pi-mcp/add?name=…&config=…`; a link only ever shows what it would add. */
  handleUri({ path, query }: vscode.Uri): void {
    void this.showLinked(path, query).catch(this.parts.reportError);
  }

  /** Only ever shows what it would add. @param poolId whose files come first */
  async showServer(
    server: PastedServer,
    form: BroughtForm = 'command',
    poolId?: string,
  ): Promise<void> {
    const reading = await this.parts.installer.show([server], form);
    const tab = this.tabs.show();
    tab.prefer(poolId);
    tab.showReading(reading);
  }

  private async showLinked(path: string, query: string): Promise<void> {
    await this.showServer(serverOfQuery(path, query), 'link');
  }
}

function title(): string {
  return vscode.l10n.t('Add Server');
}

/** One life of the tab. */
class OpenPanel extends DisposableOwner {
  private readonly channel: MessageChannel<AddEvents, AddRequests>;
  private shown: AddReading | undefined;
  private search: AbortController | undefined;
  private poolId: string | undefined;

  constructor(
    private readonly panel: vscode.WebviewPanel,
    private readonly parts: AddPanelParts,
  ) {
    super();
    const { extensionUri, service, logError } = parts;
    const { webview } = panel;
    this.store.add(toDisposable(() => this.search?.abort()));
    this.channel = channelTo(webview, this.store, { handlers: this.handlers(), logError });
    this.store.add(service.onDidChangePools(() => this.tellPlaces()));
    webview.html = webviewHtml(webview, extensionUri, { name: 'add', title: title() });
  }

  prefer(poolId: string | undefined): void {
    if (poolId !== undefined) {
      this.poolId = poolId;
      this.tellPlaces();
    }
  }

  /** The page gets it now, and again when it is made anew. */
  showReading(reading: AddReading): void {
    this.shown = reading;
    this.channel.notify('shown', reading);
  }

  private tellPlaces(): void {
    this.channel.notify('places', this.parts.installer.places.list(this.poolId));
  }

  private handlers(): MessageHandlers<AddRequests> {
    const { installer, openForm } = this.parts;
    return {
      ready: async () => ({
        address: this.address(),
        places: installer.places.list(this.poolId),
        imports: await installer.imports(),
        clipboard: await this.describeClipboard(),
        shown: this.shown,
      }),
      read: (params) => {
        this.shown = undefined;
        const wish = oneOfParam({ wish: '', ...objectParam(params) }, 'wish', wishes);
        return installer.read(stringParam(params, 'text'), wish === '' ? undefined : wish);
      },
      readClipboard: async () => await vscode.env.clipboard.readText(),
      import: (params) => installer.showImports(stringParam(params, 'source')),
      openBundle: async () => {
        const uris = await vscode.window.showOpenDialog({
          title: vscode.l10n.t('MCP bundles'),
          canSelectMany: true,
          filters: { [vscode.l10n.t('MCP bundles')]: ['mcpb', 'dxt'] },
        });
        return uris && (await installer.showBundles(uris.map(({ fsPath }) => fsPath)));
      },
      openPackage: (params) =>
        installer.openPackage(
          stringParam(params, 'id'),
          stringParam(params, 'way'),
          this.newSearch(),
        ),
      search: async (params) =>
        await installer.search(
          stringParam(params, 'text'),
          optionalStringParam(params, 'cursor'),
          this.newSearch(),
        ),
      discover: (params) => installer.discover(stringParam(params, 'text'), this.newSearch()),
      open: (params) => installer.open(stringParam(params, 'name')),
      preview: (params) => installer.preview(installParams(params)),
      add: (params) => installer.add(installParams(params)),
      show: (params) =>
        this.showAdded(
          stringParam(params, 'id'),
          booleanParam(params, 'isStarted'),
          booleanParam(params, 'isLast'),
        ),
      openForm: (params) => openForm(installer.places.find(stringParam(params, 'place')).pool.id),
      openLink: async (params) => {
        const address = installer.linkOf(stringParam(params, 'id'), stringParam(params, 'link'));
        if (address !== undefined) {
          await vscode.env.openExternal(vscode.Uri.parse(address, true));
        }
      },
      openSetting: async () => {
        await vscode.commands.executeCommand('workbench.action.openSettings', 'piMcp.registry.url');
      },
    };
  }

  /** Ends the one before. */
  private newSearch(): AbortSignal {
    this.search?.abort();
    this.search = new AbortController();
    return this.search.signal;
  }

  /** Of the registry; empty for a setting that names none, which a search says. */
  private address(): string {
    try {
      return this.parts.setting.client.address.replace(/^https:\/\//, '');
    } catch (error) {
      if (isHumanError(error)) {
        return '';
      }
      throw error;
    }
  }

  /** What it would add; browsers ask their users before they let anybody read it. */
  private async describeClipboard(): Promise<string | undefined> {
    return vscode.env.uiKind === vscode.UIKind.Desktop
      ? this.parts.installer.describe(await vscode.env.clipboard.readText())
      : undefined;
  }

  /** The commands report what goes wrong, and lead through consent. */
  private async showAdded(id: string, isStarted: boolean, isLast: boolean): Promise<void> {
    const { service } = this.parts;
    if (!service.getServer(id)) {
      await service.reload();
    }
    await vscode.commands.executeCommand(commandIds.openServer, id);
    if (isLast) {
      this.panel.dispose();
    }
    if (isStarted) {
      await vscode.commands.executeCommand(commandIds.restartServer, id);
    }
  }
}

const wishes = ['', 'command', 'search'] as const;

/** @throws when the page sends something else. */
function installParams(params: unknown): InstallParams {
  const { answers } = objectParam(params);
  return {
    id: stringParam(params, 'id'),
    way: stringParam(params, 'way'),
    place: stringParam(params, 'place'),
    name: stringParam(params, 'name'),
    answers: readEntries(answers, asString),
    plain: stringsParam(params, 'plain'),
  };
}

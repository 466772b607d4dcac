/** Where the user sees conversations: one in the view, others in tabs. */
import * as vscode from 'vscode';
import type { AgentPanel } from '../../agent/panel/agentPanel.js';
import type { ConversationTabs } from '../../agent/panel/options.js';
import type { TabConversation } from '../../agent/panel/shownSessions.js';
import { type Disposable, DisposableStore } from '../../base/disposable.js';
import { stackText } from '../../base/errors.js';
import { Emitter } from '../../base/event.js';
import type { McpServerId } from '../../config/definition.js';
import { agentTabType, viewIds } from '../../contributions.js';
import { booleanParam } from '../../presentation/params.js';
import { tabHeading } from '../../presentation/statusBar/agentHeading.js';
import { readTabState } from '../../presentation/tabState.js';
import type { NewsKind } from '../../protocol/waitingConversation.js';
import { CodeTarget } from '../documents/codeTarget.js';
import { AgentPageHandlers, type PageServices } from './agentPageHandlers.js';
import { AgentPlace, type PanelMembers } from './agentPlace.js';
import { type AgentSurface, tabSurface, viewSurface } from './agentSurfaces.js';
import { HiddenTabs } from './hiddenTabs.js';
import { holdFocus } from './pageFocus.js';
import { TabKind } from './pageTabs.js';
import type { PageKit } from './webviewHtml.js';

export interface AgentViewParts extends PageServices, PageKit {
  /** Of the view. */
  readonly panel: PanelMembers;
  /** What belongs to the panel of a tab, which it ends with. */
  readonly createParts: (model: AgentPanel) => PanelMembers;
  readonly folders: () => readonly { readonly uri: string }[];
  /** Of the workspace. */
  readonly memory: vscode.Memento;
}

/** From where a command was called. */
export type CommandSource = 'view' | 'tab' | 'elsewhere';

/**
 * A conversation has its input in one place: its tab while there is one, else the view. A page is discarded while
 * hidden; the model keeps everything.
 */
export class AgentViewProvider
  implements vscode.WebviewViewProvider, vscode.WebviewPanelSerializer, ConversationTabs, Disposable
{
  private readonly store = new DisposableStore();
  private readonly visibilityEmitter = this.store.add(new Emitter<void>());
  private readonly placesEmitter = this.store.add(new Emitter<void>());
  private readonly code = this.store.add(new CodeTarget());
  private readonly view: AgentPlace;
  private readonly hidden: HiddenTabs;
  private readonly tabKind: TabKind;
  private tabs: readonly AgentPlace[] = [];
  /** Where the user was last. */
  private last: AgentPlace;
  /** Whose page has the keys. */
  private focused: AgentPlace | undefined;

  /** What the user sees. */
  readonly onDidChangeVisibility = this.visibilityEmitter.event;

  constructor(private readonly parts: AgentViewParts) {
    this.view = this.store.add(
      this.createPlace(parts.panel, () => !this.hasTab(this.view.conversation)),
    );
    this.hidden = this.store.add(new HiddenTabs(parts.memory, () => this.tabs.length));
    this.store.add(this.hidden.onDidChange(() => this.placesEmitter.fire()));
    this.store.add(this.placesEmitter.event(() => this.rememberTabs()));
    this.last = this.view;
    this.tabKind = new TabKind(
      { type: agentTabType, extensionUri: parts.extensionUri, extra: { enableFindWidget: true } },
      (panel, saved) => this.restore(panel, saved),
    );
  }

  /** Ids of the conversations that the user sees. */
  get seen(): ReadonlySet<string> {
    const places = [this.view, ...this.tabs].filter(({ isSeen }) => isSeen);
    return new Set(places.flatMap(({ conversation }) => conversation ?? []));
  }

  /** The user sees a page that shows what the server asks. */
  shows(server: McpServerId): boolean {
    const places = [this.view, ...this.tabs];
    return places.some(({ isSeen, panel }) => isSeen && panel.inputs.isAbout(server));
  }

  /** Plays a sound in a page that is in sight, of whatever conversation. */
  ring(kind: NewsKind): void {
    [this.view, ...this.tabs].find(({ surface }) => surface?.isVisible)?.ring(kind);
  }

  /** Where a command goes. */
  target(source: CommandSource): AgentPlace {
    const active = this.tabs.find(({ surface }) => surface?.isActive);
    this.last =
      source === 'view' ? this.view : source === 'tab' ? (active ?? this.last) : this.last;
    return this.last;
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    const surface = viewSurface(view, this.view.panel.model, () => this.seen);
    this.view.attach(surface);
    surface.store.add(this.onDidChangeVisibility(() => surface.render()));
  }

  deserializeWebviewPanel(panel: vscode.WebviewPanel, saved: unknown): Promise<void> {
    return this.tabKind.deserializeWebviewPanel(panel, saved);
  }

  /** Call before a question of VS Code. @returns what brings the user back to the page that had the focus */
  holdFocus(): () => Promise<void> {
    return holdFocus(
      () => this.focused,
      (place) => this.reach(place),
    );
  }

  /** Shows the agent where the user was last. */
  async show(): Promise<void> {
    const tab = this.tabOf(this.view.conversation);
    await this.reach(this.last === this.view ? (tab ?? this.view) : this.last);
  }

  async reach(place: AgentPlace): Promise<void> {
    this.last = place;
    if (place === this.view) {
      await vscode.commands.executeCommand(`${viewIds.agent}.focus`);
    } else {
      place.surface?.reveal();
    }
  }

  /** Shows a live conversation of any folder, where it is. */
  async showConversation(id: string): Promise<void> {
    if (!this.reveal(id)) {
      await this.reach(this.view);
      await this.view.panel.model.showConversation(id);
    }
  }

  reveal(id: string): boolean {
    const tab = this.tabOf(id);
    if (tab) {
      this.last = tab;
      tab.surface?.reveal();
    }
    return tab !== undefined;
  }

  async open(folder: string, id: string | undefined): Promise<void> {
    if (id === undefined || !this.reveal(id)) {
      const tab = this.adopt(this.tabKind.create(vscode.l10n.t('Pi Agent')), { folder, id });
      this.last = tab;
      await tab.panel.model.ensureSession();
    }
  }

  /** Gives the conversation of the view a tab, or shows the one that it has. */
  async openInEditor(): Promise<void> {
    const { model } = this.view.panel;
    await model.ensureSession();
    await this.open(model.folder, model.conversation);
  }

  /** Closes the tab of a conversation, which the view shows from then on. */
  async bringBack(id: string | undefined): Promise<void> {
    this.hidden.leave(id);
    this.tabOf(id)?.surface?.close();
    this.placesEmitter.fire();
    this.last = this.view;
    if (id !== undefined && this.view.conversation !== id) {
      await this.view.panel.model.showConversation(id);
    }
  }

  /** Puts a text into the draft where the user was last; the user decides whether to send it. */
  async suggest(text: string, server: string): Promise<void> {
    this.last.suggest(text, server);
    await this.reach(this.last);
  }

  dispose(): void {
    this.store.dispose();
    for (const tab of this.tabs) {
      tab.dispose();
    }
  }

  private hasTab(id: string | undefined): boolean {
    return this.tabOf(id) !== undefined || this.hidden.has(id);
  }

  private async closeHidden({ conversation, panel }: AgentPlace): Promise<void> {
    if (this.hidden.has(conversation)) {
      await this.hidden.close(tabHeading({ ...panel.model.snapshot().state, waiting: [] }).title);
    }
  }

  private rememberTabs(): void {
    const open = this.tabs.flatMap(({ conversation }) => conversation ?? []);
    this.hidden
      .remember(open)
      .then(undefined, (error: unknown) =>
        this.parts.logError(`remember tabs: ${stackText(error)}`),
      );
  }

  private tabOf(id: string | undefined): AgentPlace | undefined {
    return id === undefined ? undefined : this.tabs.find((tab) => tab.conversation === id);
  }

  private restore(panel: vscode.WebviewPanel, saved: unknown): void {
    const { conversation, folder, isBegun } = readTabState(saved);
    const open = this.parts.folders().map(({ uri }) => uri);
    this.adopt(panel, {
      folder: folder !== undefined && open.includes(folder) ? folder : (open[0] ?? ''),
      id: conversation,
      isBegun,
    });
  }

  private adopt(panel: vscode.WebviewPanel, conversation: TabConversation): AgentPlace {
    this.hidden.leave(conversation.id);
    // a second tab, restored from a window that had one, takes the place of the first
    this.tabOf(conversation.id)?.surface?.close();
    const parts = this.parts.createParts(this.parts.panel.model.openTab(conversation));
    const tab = this.createPlace(parts, () => true);
    const surface = tabSurface(panel, parts.model, this.parts.extensionUri);
    this.tabs = [...this.tabs, tab];
    let id = tab.conversation;
    surface.store.add(
      parts.model.onDidReset(() => {
        if (tab.conversation !== id) {
          id = tab.conversation;
          this.placesEmitter.fire();
        }
      }),
    );
    surface.onDidClose(() => {
      this.tabs = this.tabs.filter((one) => one !== tab);
      this.last = this.last === tab ? this.view : this.last;
      tab.dispose();
      parts.dispose();
      this.placesEmitter.fire();
      this.visibilityEmitter.fire();
    });
    tab.attach(surface);
    this.followFocus(tab, surface);
    this.placesEmitter.fire();
    return tab;
  }

  private followFocus(tab: AgentPlace, surface: AgentSurface): void {
    const note = () => {
      if (surface.isActive) {
        this.last = tab;
      }
    };
    surface.store.add(surface.onDidChangeVisibility(note));
    note();
  }

  private createPlace(panel: PanelMembers, isShown: () => boolean): AgentPlace {
    const { handlers } = new AgentPageHandlers({
      ...this.parts,
      panel,
      code: this.code,
      holdFocus: () => this.holdFocus(),
      place: async (action) => {
        const id = place.conversation;
        if (action === 'show' && this.hidden.has(id)) {
          // VS Code restores a tab for nobody but the user
          await this.closeHidden(place);
          await this.open(place.panel.model.folder, id);
        } else if (action === 'bringBack') {
          await this.closeHidden(place);
          await this.bringBack(id);
        }
        await this.show();
      },
      showConversation: (id) => this.showConversation(id),
    });
    const place: AgentPlace = new AgentPlace({
      extensionUri: this.parts.extensionUri,
      panel,
      handlers: {
        ...handlers,
        pageFocus: (params) => {
          if (booleanParam(params, 'isFocused')) {
            this.last = place;
            this.focused = place;
          } else if (this.focused === place) {
            this.focused = undefined;
          }
          return handlers.pageFocus(params);
        },
      },
      isShown,
      onDidChangePlace: this.placesEmitter.event,
      logError: this.parts.logError,
    });
    place.onDidChangeVisibility(() => this.visibilityEmitter.fire());
    return place;
  }
}

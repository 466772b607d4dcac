/** One place in which the user sees a conversation: the view, or a tab. */
import type * as vscode from 'vscode';
import type { AgentPanel } from '../../agent/panel/agentPanel.js';
import type { Attachments } from '../../agent/panel/attachments/attachments.js';
import type { PanelCommands } from '../../agent/panel/commands/panelCommands.js';
import type { PanelInputs } from '../../agent/panel/inputs.js';
import { type Disposable, DisposableOwner, MutableDisposable } from '../../base/disposable.js';
import { Emitter } from '../../base/event.js';
import type { StartOverview } from '../../presentation/start/startOverview.js';
import type { NewsKind } from '../../protocol/waitingConversation.js';
import type { ChangeReview } from '../changes/changeReview.js';
import type { Attaching } from '../mentions/attaching.js';
import { feedPage, type PageParts, SuggestedTexts } from './agentPageFeed.js';
import type { AgentSurface } from './agentSurfaces.js';

/** What belongs to one panel. */
export interface PanelMembers extends Disposable {
  readonly model: AgentPanel;
  readonly inputs: PanelInputs;
  readonly commands: PanelCommands;
  readonly review: ChangeReview;
  readonly attachments: Attachments;
  readonly attaching: Attaching;
  readonly start: StartOverview;
}

export interface PlaceParts
  extends Omit<PageParts, 'model' | 'inputs' | 'start' | 'onDidRing' | 'texts'> {
  readonly extensionUri: vscode.Uri;
  readonly panel: PanelMembers;
}

export class AgentPlace extends DisposableOwner {
  private readonly shownSurface = this.store.add(new MutableDisposable<AgentSurface>());
  private readonly visibilityEmitter = this.store.add(new Emitter<void>());
  private readonly texts = this.store.add(new SuggestedTexts());
  private readonly ringEmitter = this.store.add(new Emitter<NewsKind>());

  readonly onDidChangeVisibility = this.visibilityEmitter.event;

  constructor(private readonly parts: PlaceParts) {
    super();
  }

  get panel(): PanelMembers {
    return this.parts.panel;
  }

  /** Absent while VS Code has not asked for it. */
  get surface(): AgentSurface | undefined {
    return this.shownSurface.value;
  }

  /** Id of its conversation; absent while there is none. */
  get conversation(): string | undefined {
    return this.parts.panel.model.conversation;
  }

  /** The user sees its conversation. */
  get isSeen(): boolean {
    return (this.surface?.isVisible ?? false) && this.parts.isShown();
  }

  attach(surface: AgentSurface): void {
    this.shownSurface.value = surface;
    surface.store.add(surface.onDidChangeVisibility(() => this.visibilityEmitter.fire()));
    const { texts } = this;
    const onDidRing = this.ringEmitter.event;
    feedPage(surface, { ...this.parts, ...this.panel, onDidRing, texts });
    this.visibilityEmitter.fire();
  }

  /** Puts a text into the draft; the user decides whether to send it. */
  suggest(text: string, server: string): void {
    this.texts.suggest({ text, server });
  }

  /** Plays a sound; none while it is out of sight. */
  ring(kind: NewsKind): void {
    this.ringEmitter.fire(kind);
  }
}

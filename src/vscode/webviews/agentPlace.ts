/** One place in which the user sees a conversation: the view, or a tab. */
import type * as vscode from 'vscode';
import type { AgentPanel } from '../../agent/panel/agentPanel.js';
import type { Attachments } from '../../agent/panel/attachments/attachments.js';
import type { PanelCommands } from '../../agent/panel/commands/panelCommands.js';
import type { PanelInputs } from '../../agent/panel/inputs.js';
import { type Disposable, DisposableOwner, MutableDisposable } from '../../base/disposable.js';
import { Emitter, type Event } from '../../base/event.js';
import type { StartOverview } from '../../presentation/start/startOverview.js';
import type { NewsKind } from '../../protocol/waitingConversation.js';
import type { ChangeReview } from '../changes/changeReview.js';
import type { Attaching } from '../mentions/attaching.js';
import { type CallHandlers, feedPage, SuggestedTexts } from './agentPageFeed.js';
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

export interface PlaceParts {
  readonly extensionUri: vscode.Uri;
  readonly panel: PanelMembers;
  readonly handlers: CallHandlers;
  /** Whether this place has the conversation; otherwise another one has it, and this one says so. */
  readonly isShown: () => boolean;
  /** Places of conversations are others. */
  readonly onDidChangePlaces: Event<void>;
  readonly logError: (message: string) => void;
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
    const { extensionUri, panel, handlers, isShown, onDidChangePlaces, logError } = this.parts;
    this.shownSurface.value = surface;
    surface.store.add(surface.onDidChangeVisibility(() => this.visibilityEmitter.fire()));
    feedPage(surface, {
      extensionUri,
      model: panel.model,
      inputs: panel.inputs,
      start: panel.start,
      handlers,
      isShown,
      onDidChangePlace: onDidChangePlaces,
      onDidRing: this.ringEmitter.event,
      texts: this.texts,
      logError,
    });
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

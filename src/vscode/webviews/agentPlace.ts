/** One place in which the user sees a conversation, the view or a tab, and what its page gets from the panel's model. */
import * as vscode from 'vscode';
import type { AgentPanel } from '../../agent/panel/agentPanel.js';
import type { Attachments } from '../../agent/panel/attachments/attachments.js';
import type { PanelCommands } from '../../agent/panel/commands/panelCommands.js';
import type { PanelInputs } from '../../agent/panel/inputs.js';
import { Coalescer } from '../../base/async/coalescer.js';
import {
  type Disposable,
  DisposableOwner,
  type DisposableStore,
  MutableDisposable,
  toDisposable,
} from '../../base/disposable.js';
import { stackText } from '../../base/errors.js';
import { Emitter, type Event } from '../../base/event.js';
import type { StartOverview } from '../../presentation/start/startOverview.js';
import type { AgentEvents, AgentRequests, AgentSnapshot } from '../../protocol/agentProtocol.js';
import type { MessageHandlers } from '../../protocol/messages.js';
import type { StartView } from '../../protocol/start/startView.js';
import type { NewsKind } from '../../protocol/waitingConversation.js';
import type { ChangeReview } from '../changes/changeReview.js';
import type { Attaching } from '../mentions/attaching.js';
import type { AgentSurface } from './agentSurfaces.js';
import { setAgentFocused } from './messageHandlers.js';
import { channelTo, type PageKit, webviewHtml, webviewOptions } from './webviewHtml.js';

const maxSuggestions = 10;
/** Milliseconds; a server that connects changes several lists at once. */
const inputsDelayMs = 100;
/** Milliseconds: what it says is read from disk. */
const startDelayMs = 50;

/** What a page asks for, beside its own life. */
export type CallHandlers = Omit<MessageHandlers<AgentRequests>, 'ready' | 'reloadView'>;

type Suggestion = AgentEvents['suggestion']['params'];

/** Texts that join the draft, once there is a page that has it. */
class SuggestedTexts implements Disposable {
  private readonly emitter = new Emitter<void>();
  private readonly suggestions: Suggestion[] = [];

  readonly onDidSuggest = this.emitter.event;

  suggest(suggestion: Suggestion): void {
    if (this.suggestions.length < maxSuggestions) {
      this.suggestions.push(suggestion);
    }
    this.emitter.fire();
  }

  takeSuggestions(): readonly Suggestion[] {
    return this.suggestions.splice(0);
  }

  dispose(): void {
    this.emitter.dispose();
  }
}

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

interface PageParts extends PageKit {
  readonly panel: PanelMembers;
  readonly handlers: CallHandlers;
  /** Whether this page has the conversation; another one says where it is. */
  readonly isShown: () => boolean;
  readonly onDidChangePlace: Event<void>;
  readonly onDidRing: Event<NewsKind>;
  readonly texts: SuggestedTexts;
}

export class AgentPlace extends DisposableOwner {
  private readonly shownSurface = this.store.add(new MutableDisposable<AgentSurface>());
  private readonly visibilityEmitter = this.store.add(new Emitter<void>());
  private readonly texts = this.store.add(new SuggestedTexts());
  private readonly ringEmitter = this.store.add(new Emitter<NewsKind>());

  readonly onDidChangeVisibility = this.visibilityEmitter.event;

  constructor(private readonly parts: Omit<PageParts, 'onDidRing' | 'texts'>) {
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
    feedPage(surface, { ...this.parts, onDidRing, texts });
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

/** Loads the page and tells it everything, until the surface ends. */
function feedPage(surface: AgentSurface, parts: PageParts): void {
  const { extensionUri, isShown, texts } = parts;
  const { model, inputs } = parts.panel;
  const { store, webview } = surface;
  let sentIcons = '[]';
  let isListening = false;
  const snapshot = () => (isShown() ? model.snapshot() : elsewhere(model.snapshot()));
  const channel = channelTo<AgentEvents, AgentRequests>(webview, store, {
    handlers: {
      ...parts.handlers,
      // loading the agent takes seconds; until then the state says so
      ready: () => {
        if (isShown()) {
          // what the page before this one began to change is left as it was
          model.queue?.release();
        }
        void model
          .ensureSession()
          .then(() => {
            channel.notify('snapshot', snapshot());
            // a new page knows nothing
            sentIcons = '[]';
            isListening = true;
            sendInputs();
            sendTexts();
            updateStart.request();
          })
          .catch((error: unknown) => parts.logError(`ready: ${stackText(error)}`));
        return snapshot();
      },
      reloadView: () => load(),
    },
    logError: parts.logError,
  });
  const whenVisible = (send: () => void) => {
    // a hidden one has no page; the next one asks for everything
    if (surface.isVisible) {
      send();
    }
  };
  const whenShown = (send: () => void) => whenVisible(() => isShown() && send());
  const sendInputs = () =>
    whenShown(() => {
      channel.notify('inputs', inputs.view);
      const icons = JSON.stringify(inputs.icons);
      if (icons !== sentIcons) {
        sentIcons = icons;
        channel.notify('icons', inputs.icons);
      }
    });
  const sendTexts = () => {
    if (isListening && isShown()) {
      for (const suggestion of texts.takeSuggestions()) {
        channel.notify('suggestion', suggestion);
      }
    }
  };
  const start = () => {
    whenVisible(() => channel.notify('snapshot', snapshot()));
    // another folder has other servers
    sendInputs();
    updateStart.request();
  };
  const load = () => {
    isListening = false;
    webview.html = pageHtml(surface, extensionUri);
  };
  const updateInputs = store.add(
    new Coalescer(async () => sendInputs(), { delayMs: inputsDelayMs }),
  );
  const updateStart = followStart(parts, {
    store,
    isEmpty: () => isListening && isShown() && model.snapshot().transcript.length === 0,
    send: (view) => whenShown(() => channel.notify('start', view)),
  });
  store.add(
    surface.onDidChangeVisibility(() => {
      isListening &&= surface.isVisible;
    }),
  );
  store.add(texts.onDidSuggest(sendTexts));
  store.add(model.onDidAskToFind(() => whenShown(() => channel.notify('find', undefined))));
  store.add(parts.onDidRing((kind) => whenVisible(() => channel.notify('ring', kind))));
  store.add(toDisposable(() => setAgentFocused(false)));
  store.add(inputs.onDidChange(() => updateInputs.request()));
  store.add(model.onDidChangeState((state) => whenShown(() => channel.notify('state', state))));
  store.add(
    model.onDidChangeEntries((entries) => whenShown(() => channel.notify('entries', entries))),
  );
  store.add(model.onDidReset(start));
  store.add(
    parts.onDidChangePlace(() => {
      start();
      sendTexts();
    }),
  );
  webview.options = webviewOptions(extensionUri);
  load();
}

function pageHtml({ webview, place }: AgentSurface, extensionUri: vscode.Uri): string {
  const title = vscode.l10n.t('Pi Agent');
  return webviewHtml(webview, extensionUri, { name: 'agent', title, place });
}

/** Tells what an empty conversation says, and what becomes of it. */
function followStart(
  { panel: { start }, logError }: PageParts,
  page: {
    readonly store: DisposableStore;
    readonly isEmpty: () => boolean;
    readonly send: (view: StartView) => void;
  },
): Coalescer {
  const { store, isEmpty, send } = page;
  const update = store.add(
    new Coalescer(
      async () => {
        if (isEmpty()) {
          send(await start.read());
        }
      },
      { delayMs: startDelayMs, onError: (error) => logError(`start: ${stackText(error)}`) },
    ),
  );
  store.add(start.onDidChange(() => update.request()));
  return update;
}

/** What a page gets while another one has the conversation. */
function elsewhere(snapshot: AgentSnapshot): AgentSnapshot {
  return { ...snapshot, transcript: [], earlier: 0, isElsewhere: true };
}

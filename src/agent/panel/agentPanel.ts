/** The model behind a panel of the agent, in the view or in a tab: what it shows, and what the user does there. */
import * as l10n from '@vscode/l10n';
import { CancellationError } from '../../base/async/cancellation.js';
import { DisposableOwner, toDisposable } from '../../base/disposable.js';
import { HumanError } from '../../base/errors.js';
import { Emitter } from '../../base/event.js';
import { folderUnknown } from '../../config/errors.js';
import type { AgentSnapshot, AgentViewState } from '../../protocol/agentProtocol.js';
import type { FoundText } from '../../protocol/conversationFind.js';
import type { DraftView } from '../../protocol/drafts.js';
import type { SendKind } from '../../protocol/sending.js';
import type { AgentMode } from '../../protocol/tools/modes.js';
import type { AppCall } from '../apps/sessionApps.js';
import { AttachedFiles } from '../conversations/attachedFile.js';
import { conversationPath } from '../conversations/conversations.js';
import { DraftFile } from '../conversations/draftFile.js';
import { SessionHost } from '../live/sessionHost.js';
import { type ModelChoice, modelChoices } from '../models/choices.js';
import { ModelLogin } from '../models/login.js';
import type { ModelUse } from '../models/models.js';
import { ModelServers } from '../models/servers/modelServers.js';
import type { ThinkingLevel } from '../pi/controls.js';
import type { Approvals } from '../policy/approvals.js';
import type { ConversationRules } from '../policy/listRules.js';
import { wordsOfMode } from '../policy/modeWords.js';
import { type MessageQueue, type NewMessage, plainMessage } from '../queue/messageQueue.js';
import type { AgentSession } from '../session/agentSession.js';
import { modelGone } from '../transcript/modelFailure.js';
import { emptyTranscript } from '../transcript/transcript.js';
import type { AttachmentStore } from './attachments/attachments.js';
import { PanelFeed } from './feed.js';
import { findText } from './find/conversationFind.js';
import { ConversationLibrary } from './library.js';
import type { AgentPanelOptions } from './options.js';
import { PanelContext } from './panelContext.js';
import { Restoring } from './restoring.js';
import { SentMessages } from './sentMessages.js';
import { ShownSessions, type TabConversation } from './shownSessions.js';
import { panelState } from './state.js';

/** Methods reject with a {@link HumanError} only for misuse; failures of a run are transcript notices. */
export class AgentPanel extends DisposableOwner {
  /** What the page has of it. */
  readonly feed = this.store.add(
    new PanelFeed({
      state: () => this.state(),
      transcript: () => this.shown?.transcript ?? emptyTranscript,
      conversation: () => this.sessions.id ?? '',
      draft: () => this.shown?.conversation?.draft?.value,
    }),
  );
  private readonly sessions: ShownSessions;
  private readonly modelAccess = {
    models: () => this.sessions.loadedModels(),
    reload: () => this.reloadModels(),
  };
  readonly logins = new ModelLogin(this.modelAccess);
  /** Of models, on this machine or elsewhere. */
  readonly servers = new ModelServers({ ...this.modelAccess, modelsPath: () => this.modelsPath });
  readonly library: ConversationLibrary;
  private readonly attachedFiles = new AttachedFiles();
  private readonly findEmitter = this.store.add(new Emitter<void>());
  readonly onDidAskToFind = this.findEmitter.event;
  readonly messages = new SentMessages(() => this.sessions.required());
  readonly context: PanelContext;
  readonly restoring: Restoring;
  readonly onDidChangeState = this.feed.onDidChangeState;
  readonly onDidChangeEntries = this.feed.onDidChangeEntries;
  readonly onDidReset = this.feed.onDidReset;

  private readonly host: SessionHost;

  /**
   * @param tab the one conversation of a tab. Default: that of the folder, which may change
   * @param shared of the panel beside which the tab is
   */
  constructor(
    private readonly options: AgentPanelOptions,
    tab?: TabConversation,
    shared?: SessionHost,
  ) {
    super();
    this.host = shared ?? this.store.add(new SessionHost(options));
    this.sessions = this.store.add(new ShownSessions(options, this.host, this.feed, tab));
    this.library = new ConversationLibrary(this.sessions, options);
    this.context = new PanelContext(this.sessions, this.host);
    const redraw = () => this.feed.requestFlush();
    this.restoring = this.store.add(new Restoring(this.sessions, redraw));
    this.store.add(options.cards?.onDidChange(redraw) ?? toDisposable(() => undefined));
    this.store.add(options.defaultMode.onDidChange(redraw));
  }

  /** A panel of one conversation, beside this one. The caller disposes it. */
  openTab(tab: TabConversation): AgentPanel {
    return new AgentPanel(this.options, tab, this.host);
  }

  /** Of the conversations of all folders. */
  get onDidGetNews() {
    return this.host.onDidGetNews;
  }

  /** Name of the conversation, also before it is live. Absent while there is none. */
  get conversation(): string | undefined {
    return this.sessions.id;
  }

  /** The folder in which the conversation is; empty in a window without folders. */
  get folder(): string {
    return this.sessions.folder;
  }

  /** Absolute path of Pi's models.json, for `openModels`; the file may not exist. */
  get modelsPath(): string {
    return this.host.modelsPath;
  }

  /** Loads Pi and the folder's session on the first call. Never rejects: problems are in `state.problem`. */
  async ensureSession(): Promise<AgentSnapshot> {
    await this.sessions.ensure();
    return this.snapshot();
  }

  /** Resolves when the shown conversation has started, where it starts or starts again. Loads nothing. */
  async whenStarted(): Promise<void> {
    await this.sessions.whenStarted();
  }

  /** The current snapshot without loading anything. */
  snapshot(): AgentSnapshot {
    return this.feed.snapshot();
  }

  /** Lets the page ask the user what to look for. */
  askToFind(): void {
    this.findEmitter.fire();
  }

  /** Looks through the shown conversation, all of it. */
  find(text: string): FoundText {
    return findText(this.shown?.transcript.entries ?? [], text);
  }

  /**
   * Starts a run, or joins the queue. Resolves when the message was accepted.
   * @param conversation id of the one that the user wrote it for; default: the shown one
   */
  async prompt(
    message: NewMessage | string,
    kind: SendKind = 'next',
    conversation?: string,
  ): Promise<void> {
    const { queue } = await this.sessions.ready(conversation);
    await queue.submit(typeof message === 'string' ? plainMessage(message) : message, kind);
  }

  /** `undefined` before there is one. */
  get shown(): AgentSession | undefined {
    return this.sessions.current;
  }

  get queue(): MessageQueue | undefined {
    return this.shown?.queue;
  }

  /** Ends the run, open approvals included, or else what the user runs; resolves when it has ended. What waits is paused. */
  async stop(): Promise<void> {
    const session = this.shown;
    // what the user runs beside it goes on
    await session?.stop(session.isRunning);
  }

  /**
   * Runs a line that the user typed in the folder of the shown conversation, for which that needs no model. Resolves when
   * it has begun. @param isPrivate the model does not get it
   */
  async runForUser(command: string, isPrivate: boolean): Promise<void> {
    (await this.sessions.readyWithoutModel()).builtInCalls.user.start(command, isPrivate);
  }

  /** See {@link Approvals.decide}. */
  decide(...answer: Parameters<Approvals['decide']>): void {
    const session = this.shown;
    const [id, decision] = answer;
    const isPlan = session?.approvals.open.some((one) => one.id === id && one.plan);
    session?.approvals.decide(...answer);
    if (session && isPlan && (decision === 'startEdits' || decision === 'startAsk')) {
      // after the answer: the question is one of Plan
      switchMode(session, decision === 'startEdits' ? 'acceptEdits' : 'ask');
    }
  }

  /** Ends one running call of an MCP server, which is told, or what the user runs, by its entry in the transcript. */
  cancelCall(entryId: string): void {
    const session = this.shown;
    if (session?.transcript.commandId === entryId) {
      void session.builtInCalls.user.stop();
    } else {
      session?.cancelCall(entryId);
    }
  }

  /** Keeps what the user has written and not sent in the conversation of that name. Resolves when the disk has it. */
  async keepDraft(conversation: string, draft: DraftView): Promise<void> {
    const open = this.live(conversation)?.conversation?.draft;
    await (open ?? (await DraftFile.open(await this.pathOf(conversation)))).keep(draft);
  }

  /** What is attached to messages that are not sent, beside their conversations. */
  readonly attachmentStore: AttachmentStore = {
    read: async (conversation) => await this.attachedFiles.read(await this.pathOf(conversation)),
    write: async (conversation, list) =>
      await this.attachedFiles.write(await this.pathOf(conversation), list),
  };

  /** A live conversation of any folder, by its name. */
  live(conversation: string): AgentSession | undefined {
    return this.host.sessions?.find(conversation)?.session;
  }

  /** @throws {HumanError} when it is not kept any more or has no app. */
  async appCall(callId: string): Promise<AppCall> {
    return await this.sessions.required().apps.callOf(callId);
  }

  /** The model of the shown conversation, for other uses. `undefined` when there is none. */
  async currentModel(): Promise<ModelUse | undefined> {
    await this.ensureSession();
    const { models } = this.host;
    const model = this.shown?.model ?? models?.first;
    return models && model && { runtime: models.runtime, model };
  }

  /** Those to choose from. */
  get models(): readonly ModelChoice[] {
    const { models } = this.host;
    return models ? modelChoices(models) : [];
  }

  /** What the user chose and pinned. */
  get modelMemory() {
    return this.options.modelSources.memory;
  }

  /** For the shown conversation, and for the next ones with its model. @returns what it became */
  async chooseThinking(level: ThinkingLevel): Promise<ThinkingLevel> {
    const session = this.sessions.required();
    const became = session.controls.setThinkingLevel(level);
    if (session.model) {
      await this.modelMemory.rememberLevel(session.model, level);
    }
    this.feed.requestFlush();
    return became;
  }

  /** Asks what it costs, where somebody has to; rejects with a cancellation when the user does not agree. */
  async selectModel(provider: string, id: string): Promise<void> {
    await this.ensureSession();
    const model = this.host.models?.find({ provider, id });
    if (!model) {
      throw new HumanError('model_unknown', modelGone(), { remedy: l10n.t('Choose another one.') });
    }
    if (!(await this.host.models?.agree(model))) {
      throw new CancellationError();
    }
    // there is none while the user had no model to choose
    await this.sessions.ensureShown();
    const session = this.sessions.required();
    const { modelMemory } = this;
    const level = modelMemory.level(model) ?? session.controls.wantedLevel;
    await session.setModel(model);
    session.controls.setThinkingLevel(level);
    await modelMemory.remember({ provider, id });
    this.feed.requestFlush();
  }

  /** Of the shown conversation, from the next call on. Rejects with a cancellation when the user does not agree. */
  async setMode(mode: AgentMode): Promise<void> {
    await this.ensureSession();
    const session = this.sessions.required();
    if (!this.options.machine.workspace.isTrusted) {
      throw new HumanError('no_mode', l10n.t('In Restricted Mode Pi only reads.'), {
        remedy: l10n.t('Trust the workspace.'),
      });
    }
    const isNew = mode === 'runFreely' && session.mode.value !== mode;
    if (isNew && (await this.options.agreeToRunFreely?.(this.state().folder)) === false) {
      throw new CancellationError();
    }
    switchMode(session, mode);
  }

  async selectFolder(uri: string): Promise<void> {
    if (!this.options.machine.workspace.folders.some((folder) => folder.uri === uri)) {
      throw folderUnknown();
    }
    await this.ensureSession();
    if (!this.sessions.isTab) {
      await this.sessions.show(uri);
    }
  }

  /** Shows a live conversation of any folder, by its id. No effect when it is not live any more. */
  async showConversation(id: string): Promise<void> {
    await this.sessions.showLive(id);
  }

  /** The one before goes on. */
  async newSession(): Promise<void> {
    await this.sessions.switchTo(undefined);
  }

  /** What was allowed in the conversations that are live, those of all folders. */
  get allowedInConversations(): readonly ConversationRules[] {
    const live = this.host.sessions?.all ?? [];
    return live.map(({ title, session }) => ({ title, rules: session.approvals.rules }));
  }

  /** Reads models and logins again; loads Pi again when that failed before. */
  async reloadModels(): Promise<void> {
    await this.sessions.reloadModels();
  }

  private async pathOf(conversation: string): Promise<string> {
    return await conversationPath(await this.sessions.places(), conversation);
  }

  private state(): AgentViewState {
    const { machine, defaultMode, cards } = this.options;
    return panelState({
      sessions: this.sessions,
      workspace: machine.workspace,
      restore: this.restoring.view,
      waiting: this.host.sessions?.waiting ?? [],
      cards: cards?.value ?? 'compact',
      defaultMode: defaultMode.value,
    });
  }
}

function switchMode(session: Pick<AgentSession, 'mode' | 'tell'>, mode: AgentMode): void {
  if (session.mode.choose(mode)) {
    session.tell(l10n.t('Mode: {0}', wordsOfMode(mode).name));
  }
}

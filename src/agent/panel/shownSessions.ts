/** What one panel shows of the conversations: that of a folder, whichever it is, or always the same one. */
import { type Disposable, DisposableStore } from '../../base/disposable.js';
import { Emitter } from '../../base/event.js';
import {
  type ConversationPlace,
  conversationPath,
  isStored,
} from '../conversations/conversations.js';
import type { SessionChange } from '../live/agentSessions.js';
import type { ReplacedConversation } from '../live/inSight.js';
import { type FolderKey, type LiveConversation, noFolder } from '../live/liveConversation.js';
import { conversationGone, unavailable } from '../live/problem.js';
import type { SessionHost } from '../live/sessionHost.js';
import type { AgentProblem, Models } from '../models/models.js';
import type { AgentSession } from '../session/agentSession.js';
import {
  type ConversationFiles,
  createConversationFiles,
} from '../session/stored/conversationFile.js';
import type { AgentPanelOptions } from './options.js';

/** What has to be drawn. */
interface Drawing {
  /** Everything. */
  reset(): void;
  /** The transcript, which is of another branch. */
  resetBranch(): void;
  /** What has changed. */
  requestFlush(): void;
}

/** The conversation of a tab. */
export interface TabConversation {
  readonly folder: FolderKey;
  /** Default: a new one. */
  readonly id?: string | undefined;
  /** Something was said in it, so there is nothing to show when its file is gone. */
  readonly isBegun?: boolean | undefined;
}

export class ShownSessions implements Disposable {
  private readonly store = new DisposableStore();
  private readonly changeEmitter = this.store.add(new Emitter<void>());
  private tabId: string | undefined;
  private isGone = false;
  private failure: AgentProblem | undefined;
  private opening: Promise<void> | undefined;
  /** What is shown was opened before there was any. */
  private isWithoutModel = false;
  folder: FolderKey;

  /** A live conversation is in another state. */
  readonly onDidChangeLive = this.changeEmitter.event;

  /** @param tab default: what the folder shows */
  constructor(
    private readonly options: AgentPanelOptions,
    private readonly host: SessionHost,
    private readonly drawing: Drawing,
    private readonly tab: TabConversation | undefined,
  ) {
    this.tabId = tab?.id;
    this.folder = tab?.folder ?? options.machine.workspace.folders[0]?.uri ?? noFolder;
    this.store.add(host.onDidReset(() => drawing.reset()));
    this.store.add(host.onDidChangeModels(() => host.inBackground(this.followModels())));
    this.store.add(host.onDidChangeFolders(() => host.inBackground(this.followFolders())));
    this.store.add(host.onDidReplace((replaced) => this.followReplaced(replaced)));
    this.store.add(host.onDidChange((change) => this.follow(change)));
  }

  get isTab(): boolean {
    return this.tab !== undefined;
  }

  /** Where the conversations of the shown folder are. */
  async places(): Promise<readonly [ConversationPlace, ...ConversationPlace[]]> {
    return await this.host.placesOf(this.folder);
  }

  get current(): AgentSession | undefined {
    return this.shown?.session;
  }

  get shown(): LiveConversation | undefined {
    const { sessions } = this.host;
    return this.tab ? sessions?.find(this.tabId ?? '') : sessions?.shown(this.folder);
  }

  /** Name of the conversation, also before it is live. Absent while there is none. */
  get id(): string | undefined {
    return this.tab ? this.tabId : this.shown?.id;
  }

  /** Those of the shown folder. */
  get live(): readonly LiveConversation[] {
    return (this.host.sessions?.all ?? []).filter(({ key }) => key === this.folder);
  }

  get currentProblem(): AgentProblem | undefined {
    return this.isGone ? conversationGone() : (this.failure ?? this.host.problem);
  }

  /** Loads Pi and opens the conversation, once. Never rejects: what fails becomes the problem. */
  async ensure(): Promise<void> {
    this.opening ??= this.open();
    await this.opening;
  }

  /** Resolves when the conversation has started, where it starts or starts again. Loads nothing. */
  async whenStarted(): Promise<void> {
    await this.opening;
    await this.host.whenStarted();
  }

  /** @throws {HumanError} when there is no conversation */
  required(): AgentSession {
    const session = this.current;
    if (!session) {
      throw unavailable(this.currentProblem);
    }
    return session;
  }

  /**
   * The conversation that a message goes to.
   * @param id default: the shown one
   * @throws {HumanError} when there is none
   */
  async ready(id: string | undefined): Promise<AgentSession> {
    await this.ensure();
    const wanted = id ?? this.tabId;
    return (await this.host.sessions?.ready(this.folder, wanted)) ?? this.required();
  }

  /** The shown conversation, which is opened although there may be no model. @throws {HumanError} when there is none */
  async readyWithoutModel(): Promise<AgentSession> {
    await this.ensure();
    await this.ensureShown(false);
    return await this.ready(undefined);
  }

  /** @throws {HumanError} when Pi could not be loaded */
  async loadedModels(): Promise<Models> {
    await this.ensure();
    const { models } = this.host;
    if (!models) {
      throw unavailable(this.currentProblem);
    }
    return models;
  }

  /** Opens the conversation once there is a model for it. */
  async ensureShown(needsModel = true): Promise<void> {
    if (!this.current || this.isWithoutModel) {
      await this.attempt(() => this.start(needsModel));
      this.drawing.reset();
    }
  }

  async show(key: FolderKey): Promise<void> {
    this.folder = key;
    await this.attempt(() => this.start());
    if (this.folder === key) {
      this.drawing.reset();
    }
  }

  /** A conversation that has a tab is shown there, and a tab shows no other one. @param id default: a new conversation */
  async switchTo(id: string | undefined): Promise<void> {
    const { tabs } = this.options;
    if (id !== undefined && tabs?.reveal(id)) {
      return;
    }
    if (this.tab) {
      await tabs?.open(this.folder, id);
      return;
    }
    await this.ensure();
    await this.attempt(async () => {
      if (!this.host.models?.problem) {
        await this.host.sessions?.show(this.folder, id);
        this.host.inBackground(this.host.tidyUp());
      }
    });
    this.drawing.reset();
  }

  /** Shows a live conversation of any folder. No effect when it is not live any more. */
  async showLive(id: string): Promise<void> {
    const conversation = this.host.sessions?.find(id);
    if (!conversation || conversation === this.shown) {
      return;
    }
    if (!this.tab && !this.options.tabs?.reveal(id)) {
      this.folder = conversation.key;
      await this.switchTo(id);
    } else if (this.tab) {
      await this.switchTo(id);
    }
  }

  /** What stands where a conversation was that is about to be deleted. */
  async leave(): Promise<void> {
    if (!this.tab) {
      await this.switchTo(undefined);
    }
  }

  async close(id: string): Promise<void> {
    await this.host.sessions?.close(id);
  }

  rename({ session }: LiveConversation, name: string): void {
    session.conversation?.rename(name);
    this.drawing.requestFlush();
    this.changeEmitter.fire();
  }

  /** Opens files of conversations that are not live. */
  async files(): Promise<ConversationFiles> {
    await this.ensure();
    const [{ directory }] = await this.places();
    return createConversationFiles(this.host.pi, directory, this.host.sessions?.files);
  }

  /** Reads models and logins again; loads Pi again when that failed before. */
  async reloadModels(): Promise<void> {
    await this.host.reloadModels();
    await this.attempt(() => this.start());
    this.drawing.reset();
  }

  dispose(): void {
    if (this.tabId !== undefined) {
      this.host.sessions?.letGo(this.tabId);
    }
    this.store.dispose();
  }

  private async open(): Promise<void> {
    await this.host.ensure();
    await this.attempt(() => this.start());
    this.drawing.reset();
    if (!this.tab) {
      this.host.inBackground(this.host.tidyUp());
    }
  }

  /** Failures become the problem. */
  private async attempt(work: () => Promise<void>): Promise<void> {
    this.failure = undefined;
    try {
      await work();
    } catch (error) {
      this.failure = this.host.problemOf(error);
    }
  }

  private async start(needsModel = true): Promise<void> {
    this.host.requireDisk(this.folder);
    if (needsModel && this.host.problem) {
      return;
    }
    if (this.tab) {
      await this.startTab(this.tab);
    } else {
      await this.host.sessions?.ensure(this.folder);
    }
    const { models } = this.host;
    const model = models?.find(this.options.modelSources.memory.recall()) ?? models?.first;
    await (model && this.isWithoutModel && this.current?.setModel(model));
    this.isWithoutModel = this.host.problem !== undefined && this.current !== undefined;
  }

  private async startTab({ isBegun }: TabConversation): Promise<void> {
    const { sessions } = this.host;
    const { tabId: id } = this;
    if (this.shown || !sessions) {
      return;
    }
    const isThere = id === undefined || !isBegun || sessions.find(id) || (await this.isStored(id));
    this.isGone = !isThere;
    if (isThere) {
      this.tabId = (await sessions.hold(this.folder, id))?.id ?? id;
      if (this.store.isDisposed && this.tabId !== undefined) {
        sessions.letGo(this.tabId);
      }
    }
  }

  private async isStored(id: string): Promise<boolean> {
    return await isStored(await conversationPath(await this.places(), id));
  }

  private follow({ conversation, change }: SessionChange): void {
    // of the others it shows what waits for the user
    if (conversation === this.shown && change === 'moved') {
      this.drawing.resetBranch();
    } else if (conversation === this.shown || change === 'state') {
      this.drawing.requestFlush();
    }
    if (change === 'state') {
      this.changeEmitter.fire();
    }
  }

  private followReplaced({ key, before, after }: ReplacedConversation): void {
    if (this.tab && before === this.tabId) {
      this.isGone = after === undefined;
      this.tabId = after ?? before;
      this.drawing.reset();
    } else if (!this.tab && key === this.folder) {
      if (after === undefined && !this.shown && this.isOpen(key)) {
        // deleted in its tab
        this.host.inBackground(this.show(key));
      } else {
        this.drawing.reset();
      }
    }
    this.changeEmitter.fire();
  }

  private async followModels(): Promise<void> {
    if (this.opening && !this.isGone && !this.host.problem) {
      await this.ensureShown();
    }
    this.drawing.requestFlush();
  }

  private isOpen(key: FolderKey): boolean {
    const { folders } = this.options.machine.workspace;
    return folders.length === 0 ? key === noFolder : folders.some(({ uri }) => uri === key);
  }

  private async followFolders(): Promise<void> {
    if (this.isOpen(this.folder) || this.tab) {
      this.drawing.requestFlush();
      return;
    }
    const next = this.options.machine.workspace.folders[0]?.uri ?? noFolder;
    if (this.host.sessions) {
      await this.show(next);
    } else {
      this.folder = next;
      this.drawing.reset();
    }
  }
}

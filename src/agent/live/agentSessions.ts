/** The conversations that are live, several in each folder: one of them is shown, some have tabs, the others go on behind them. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import { Coalescer } from '../../base/async/coalescer.js';
import { Sequencer } from '../../base/async/sequencer.js';
import { DisposableMap, DisposableOwner, DisposableStore } from '../../base/disposable.js';
import { errorMessage } from '../../base/errors.js';
import { conversationDir, conversationPath } from '../conversations/conversations.js';
import type { ConversationMemory } from '../conversations/memory.js';
import type { ConversationPlaces } from '../conversations/places.js';
import type { Models } from '../models/models.js';
import type { PiModule } from '../pi/piModule.js';
import { AgentSession, type AgentSessionChange } from '../session/agentSession.js';
import { sessionClosed } from '../session/piMessages.js';
import type { ResumePoint } from '../session/stored/conversationFile.js';
import type { OutsideWrites } from '../session/stored/outsideWrites.js';
import { InSight, type ReplacedConversation } from './inSight.js';
import { type FolderKey, LiveConversation } from './liveConversation.js';
import type { SessionHostOptions } from './options.js';

export interface AgentSessionsOptions extends SessionHostOptions {
  readonly pi: PiModule;
  readonly models: Models;
  readonly places: ConversationPlaces;
  readonly memory: ConversationMemory;
  readonly onDidChange: (change: SessionChange) => void;
  readonly onDidReplace: (replaced: ReplacedConversation) => void;
}

export interface SessionChange {
  readonly conversation: LiveConversation;
  readonly change: AgentSessionChange;
}

/** Conversations behind those in sight that stay live although nothing runs in them, in the whole window. */
export const maxIdle = 3;
/** Milliseconds: a run that ends changes several things. */
const tidyDelayMs = 100;

export class AgentSessions extends DisposableOwner {
  private readonly live = this.store.add(
    new DisposableMap</* conversation id */ string, LiveConversation>(),
  );
  private readonly inSight: InSight;
  private readonly work = new Sequencer();
  private readonly tidying = this.store.add(
    new Coalescer(() => this.work.queue(async () => this.closeIdle()), { delayMs: tidyDelayMs }),
  );
  private clock = 0;

  constructor(private readonly options: AgentSessionsOptions) {
    super();
    const isDone = ({ isUnfinished }: OutsideWrites) => !isUnfinished;
    this.inSight = this.store.add(
      new InSight({
        ...options,
        onWrite: (id, isWanted) =>
          this.work.queue(async () => {
            const written = isWanted() ? this.live.get(id) : undefined;
            await (written && this.catchUp(written, isDone));
          }),
      }),
    );
  }

  /** The conversation that a folder shows. */
  shown(key: FolderKey): LiveConversation | undefined {
    return this.live.get(this.inSight.shownIn(key) ?? '');
  }

  find(id: string): LiveConversation | undefined {
    return this.live.get(id);
  }

  /** Of all folders. */
  get all(): readonly LiveConversation[] {
    return [...this.live.values()];
  }

  /** Those that wait for the user, in the order in which they began to. */
  get waiting(): readonly LiveConversation[] {
    return this.all
      .filter(({ waiting }) => waiting > 0)
      .sort((a, b) => (a.waitingSince ?? 0) - (b.waitingSince ?? 0));
  }

  /** Files of the conversations that are live. */
  get files(): ReadonlySet<string> {
    return new Set(this.all.flatMap(({ session }) => session.file ?? []));
  }

  /** Without those that nobody sees and nothing runs in. */
  get busyFiles(): ReadonlySet<string> {
    const busy = this.all.filter((one) => this.inSight.has(one) || !one.isAtRest);
    return new Set(busy.flatMap(({ session }) => session.file ?? []));
  }

  /** The conversation that the folder shows: the one that it showed last, or a new one. */
  ensure(key: FolderKey): Promise<AgentSession | undefined> {
    return this.work.queue(async () => {
      return (
        this.shown(key)?.session ?? (await this.open(key, await this.options.memory.recall(key)))
      );
    });
  }

  /** Shows another conversation of the folder; the one before goes on. @param id default: a new one */
  show(key: FolderKey, id?: string): Promise<AgentSession | undefined> {
    return this.work.queue(async () => {
      // what the user began to change there is left as it was
      this.shown(key)?.session?.queue.release();
      const known = id === undefined ? undefined : this.live.get(id);
      const session = known ? await this.setShown(known) : await this.open(key, id);
      this.closeIdle();
      return session;
    });
  }

  /**
   * Makes a conversation live beside the one that the folder shows, for a tab.
   * @param id default: a new one
   */
  hold(key: FolderKey, id?: string): Promise<LiveConversation | undefined> {
    return this.work.queue(async () => {
      const held = await this.openConversation(key, id);
      if (!held) {
        return undefined;
      }
      this.inSight.hold(held);
      const session = await this.catchUp(held);
      return this.all.find((one) => one.session === session);
    });
  }

  /** Its tab was closed; what runs in it goes on. */
  letGo(id: string): void {
    if (!this.inSight.letGo(id)) {
      this.tidying.request();
    }
  }

  /**
   * The conversation that a message goes to, with what another program has written into it.
   * @param id default: the one that the folder shows
   * @throws {HumanError} when that one is not live any more
   */
  ready(key: FolderKey, id?: string): Promise<AgentSession | undefined> {
    return this.work.queue(async () => {
      const conversation = id === undefined ? this.shown(key) : this.live.get(id);
      if (id !== undefined && !conversation) {
        throw sessionClosed();
      }
      return conversation && (await this.catchUp(conversation));
    });
  }

  /** Ends a conversation and everything that runs in it. */
  close(id: string): Promise<void> {
    return this.work.queue(async () => {
      const conversation = this.live.get(id);
      await conversation?.session.stop();
      this.live.delete(id);
      if (conversation) {
        this.replace(conversation);
      }
    });
  }

  /**
   * Starts the conversations in sight, or not saved, again where they were, for a change of Workspace Trust. Runs under
   * way end, and the others start again when they are shown.
   */
  restartAll(): Promise<void> {
    return this.work.queue(async () => {
      for (const conversation of this.all) {
        const { key, session } = conversation;
        const isInSight = this.inSight.has(conversation);
        await session.stop();
        const resume = session.resumePoint;
        this.live.delete(conversation.id);
        const isKept = isInSight || resume.unsaved?.length;
        const next = isKept ? await this.createOrNew(key, async () => resume) : undefined;
        if (isInSight) {
          this.replace(conversation, next);
        }
      }
    });
  }

  /** Resolves when what starts by now has started. */
  whenStarted(): Promise<void> {
    return this.work.queue(async () => undefined);
  }

  /** Some folder's extensions may run now and do not, or run and may not any more. */
  get hasStaleExtensions(): boolean {
    const { trust } = this.options.service;
    return this.all.some(({ key, session }) => {
      const { folder } = session.controls.extensions;
      return folder !== undefined && trust.mayLoadExtensions(key, folder.hash) !== folder.isLoaded;
    });
  }

  /** Ends the conversations of folders that left the workspace. */
  keepOnly(keys: ReadonlySet<FolderKey>): void {
    for (const conversation of this.all.filter(({ key }) => !keys.has(key))) {
      this.live.delete(conversation.id);
      this.replace(conversation);
    }
  }

  private async open(key: FolderKey, id?: string): Promise<AgentSession | undefined> {
    const conversation = await this.openConversation(key, id);
    if (conversation) {
      this.inSight.show(conversation);
    }
    await this.remember(key, conversation);
    return conversation?.session;
  }

  private async openConversation(key: FolderKey, id?: string) {
    // a tab may have it already
    const known = this.live.get(id ?? '');
    return known || id === undefined
      ? (known ?? (await this.create(key)))
      : await this.createOrNew(key, async () => ({
          sessionFile: await conversationPath((await this.placesOf(key)).places, id),
        }));
  }

  /** In the place of one that cannot be read stands a new one that says so. */
  private async createOrNew(
    key: FolderKey,
    resume: () => Promise<ResumePoint>,
  ): Promise<LiveConversation | undefined> {
    try {
      return await this.create(key, await resume());
    } catch (error) {
      const reason = errorMessage(error);
      this.options.machine.loggers.main.log('error', reason);
      const conversation = await this.create(key);
      conversation?.session.report(
        l10n.t('The conversation could not be read, so this is a new one: {0}', reason),
      );
      return conversation;
    }
  }

  /** There is none where window or folder were closed meanwhile: the next window shows the same again. */
  private async remember(key: FolderKey, shown: LiveConversation | undefined): Promise<void> {
    await (shown && this.options.memory.remember(key, shown.id || undefined));
  }

  /** It is live, and not yet in sight. `undefined`: window or folder were closed meanwhile. */
  private async create(
    key: FolderKey,
    resume?: ResumePoint,
  ): Promise<LiveConversation | undefined> {
    const { machine, models, modelSources, storageDir, memory, questions, defaultMode } =
      this.options;
    const { workspace } = machine;
    const folder = this.folderOf(key);
    const { places, cwd: placeCwd } = await this.placesOf(key);
    const home = conversationDir(storageDir, key);
    const cwd = folder?.fsPath ?? join(home, 'workspace');
    await mkdir(folder ? home : cwd, { recursive: true, mode: 0o700 });
    const session = await AgentSession.create({
      ...this.options,
      model: models.find(modelSources.memory.recall()),
      folderUri: folder?.uri,
      cwd,
      sessionDir: home,
      place: { directory: places[0].directory, cwd: placeCwd ?? cwd },
      isWorkspaceTrusted: workspace.isTrusted,
      mode: await memory.openMode(resume?.sessionFile, { defaultMode, workspace }),
      resume,
    });
    if (this.store.isDisposed || (folder && !this.folderOf(key))) {
      session.dispose();
      return undefined;
    }
    const level = resume || !session.model ? undefined : modelSources.memory.level(session.model);
    if (level !== undefined) {
      session.controls.setThinkingLevel(level);
    }
    const subscriptions = new DisposableStore();
    subscriptions.add(session.onDidChange((change) => this.follow(conversation, change)));
    subscriptions.add(questions.onDidChange(() => this.follow(conversation, 'state')));
    const told = (path: string) => this.tellOthers(conversation, path);
    subscriptions.add(session.builtInCalls.changes.onDidWrite(told));
    const conversation = new LiveConversation(key, session, subscriptions, questions);
    const logError = (error: unknown) => machine.loggers.main.log('error', errorMessage(error));
    subscriptions.add(memory.keepMode(conversation.id, session.mode, logError));
    this.live.set(conversation.id, conversation);
    return conversation;
  }

  /** It is in sight where the one before was. @param after default: none */
  private replace(before: LiveConversation, after?: LiveConversation): void {
    const { id, key } = before;
    this.inSight.replace(before, after);
    this.options.onDidReplace({ key, before: id, after: after?.id });
  }

  private folderOf(key: FolderKey) {
    return this.options.machine.workspace.folders.find(({ uri }) => uri === key);
  }

  private placesOf(key: FolderKey) {
    return this.options.places.of(key, this.folderOf(key)?.fsPath);
  }

  private async setShown(conversation: LiveConversation): Promise<AgentSession> {
    this.inSight.show(conversation);
    await this.options.memory.remember(conversation.key, conversation.id);
    return await this.catchUp(conversation);
  }

  /** Reads a conversation again with which another program went on. One that runs is left alone until it rests. */
  private async catchUp(
    conversation: LiveConversation,
    isWanted: (found: OutsideWrites) => boolean = () => true,
  ): Promise<AgentSession> {
    const { id, key, session, isAtRest } = conversation;
    const found = isAtRest ? session.conversation?.findOutside() : undefined;
    const leafId = session.conversation?.manager.getLeafId();
    if (!found || !leafId || !isWanted(found)) {
      return session;
    }
    const outside = found.isContinued
      ? ({ kind: 'continued' } as const)
      : ({ kind: 'diverged', leafId } as const);
    const sessionFile = session.file;
    this.live.delete(id);
    const next = await this.createOrNew(key, async () => ({ sessionFile, outside }));
    const wasShown = this.inSight.isShown(conversation);
    this.replace(conversation, next);
    if (wasShown) {
      await this.remember(key, next);
    }
    return next?.session ?? session;
  }

  /** What they have under review of the file is not the last word on it any more. */
  private tellOthers(writer: LiveConversation, path: string): void {
    for (const { session } of this.all.filter((one) => one !== writer)) {
      session.builtInCalls.changes.otherWrote(path, writer.title ?? '');
    }
  }

  private follow(conversation: LiveConversation, change: AgentSessionChange): void {
    conversation.followWaiting(() => ++this.clock);
    this.options.onDidChange({ conversation, change });
    if (change === 'state' && !this.inSight.has(conversation)) {
      this.tidying.request();
    }
  }

  /** What nobody sees and nothing runs in costs memory; its file has it all. */
  private closeIdle(): void {
    const hidden = this.all
      .filter((one) => !this.inSight.has(one) && one.isAtRest)
      .sort((a, b) => b.usedAt - a.usedAt);
    const told = hidden.filter(({ isEmpty }) => !isEmpty);
    for (const { id } of [...hidden.filter(({ isEmpty }) => isEmpty), ...told.slice(maxIdle)]) {
      this.live.delete(id);
    }
  }
}

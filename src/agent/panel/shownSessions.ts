/** Loads Pi on first use and keeps the conversations of all folders, of which the panel shows one. */

import { basename, join } from 'node:path';
import * as l10n from '@vscode/l10n';
import { type Disposable, DisposableStore, MutableDisposable } from '../../base/disposable.js';
import { errorMessage, HumanError } from '../../base/errors.js';
import { Emitter } from '../../base/event.js';
import { changedFiles } from '../conversations/changedFiles.js';
import { type ConversationPlace, pruneConversations } from '../conversations/conversations.js';
import type { OpenConversation } from '../conversations/library.js';
import { ConversationMemory } from '../conversations/memory.js';
import { ConversationPlaces } from '../conversations/places.js';
import { AgentSessions } from '../live/agentSessions.js';
import { type FolderKey, type LiveConversation, noFolder } from '../live/liveConversation.js';
import { type AgentProblem, Models, modelsPathOf } from '../models/models.js';
import { piNeedsNewerNode } from '../pi/nodeVersion.js';
import type { PiModule } from '../pi/piModule.js';
import type { AgentSession } from '../session/agentSession.js';
import type { AgentPanelOptions } from './options.js';
import { problemOf, unavailable } from './state.js';

/** What has to be drawn. */
interface Drawing {
  /** Everything. */
  reset(): void;
  /** The transcript, which is of another branch. */
  resetBranch(): void;
  /** What has changed. */
  requestFlush(): void;
}

export class ShownSessions implements Disposable {
  private readonly store = new DisposableStore();
  private readonly sessions = this.store.add(new MutableDisposable<AgentSessions>());
  private readonly changeEmitter = this.store.add(new Emitter<void>());
  /** Of the user's Pi. */
  readonly agentDir: string;
  private readonly allPlaces: ConversationPlaces;
  private problem: AgentProblem | undefined;
  private opening: Promise<void> | undefined;
  /** `undefined` until Pi was loaded. */
  pi: PiModule | undefined;
  /** `undefined` until Pi was loaded. */
  models: Models | undefined;
  folder: FolderKey;

  /** A live conversation is in another state. */
  readonly onDidChangeLive = this.changeEmitter.event;

  constructor(
    private readonly options: AgentPanelOptions,
    private readonly drawing: Drawing,
  ) {
    const { workspace, environment } = options;
    this.agentDir =
      options.agentDir ||
      environment.getVariable('PI_CODING_AGENT_DIR') ||
      join(environment.homeDir, '.pi', 'agent');
    this.allPlaces = new ConversationPlaces({
      storageDir: this.conversationRoot,
      agentDir: this.agentDir,
      environment,
      keeper: options.conversationKeeper ?? (() => 'own'),
    });
    this.folder = workspace.folders[0]?.uri ?? noFolder;
    this.store.add(workspace.onDidChangeFolders(() => this.inBackground(this.followFolders())));
    const restart = () => this.inBackground(this.restartAll());
    this.store.add(workspace.onDidChangeTrust(restart));
    this.store.add(options.extensions.isOn.onDidChange(restart));
    const followConsent = () => this.sessions.value?.hasStaleExtensions && restart();
    this.store.add(options.service.trust.onDidChange(followConsent));
  }

  /** Absolute path of Pi's models.json. */
  get modelsPath(): string {
    return modelsPathOf(this.agentDir);
  }

  /** Where the conversations of the shown folder are. */
  async places(): Promise<readonly [ConversationPlace, ...ConversationPlace[]]> {
    return (await this.placesOf(this.folder)).places;
  }

  private get conversationRoot(): string {
    return join(this.options.storageDir, 'sessions');
  }

  get current(): AgentSession | undefined {
    return this.shown?.session;
  }

  get shown(): LiveConversation | undefined {
    return this.sessions.value?.shown(this.folder);
  }

  /** Those of all folders. */
  get allLive(): readonly AgentSession[] {
    return (this.sessions.value?.all ?? []).map(({ session }) => session);
  }

  /** Those of the shown folder. */
  get live(): readonly OpenConversation[] {
    const all = this.sessions.value?.all ?? [];
    return all.filter(({ key }) => key === this.folder).map((one) => this.openConversation(one));
  }

  /** Those of all folders that wait for the user, in the order in which they began to. */
  get waiting(): readonly LiveConversation[] {
    return this.sessions.value?.waiting ?? [];
  }

  /** The open conversation whose file has that name. */
  named(conversation: string): AgentSession | undefined {
    return this.sessions.value?.find(conversation)?.session;
  }

  /** Files of the conversations that are open. */
  get files(): ReadonlySet<string> | undefined {
    return this.sessions.value?.files;
  }

  get currentProblem(): AgentProblem | undefined {
    return this.problem ?? this.models?.problem;
  }

  /** Loads Pi and opens the shown folder's conversation, once. Never rejects: what fails becomes the problem. */
  async ensure(): Promise<void> {
    this.opening ??= this.load();
    await this.opening;
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
    return (await this.sessions.value?.ready(this.folder, id)) ?? this.required();
  }

  /** @throws {HumanError} when Pi could not be loaded */
  async loadedModels(): Promise<Models> {
    await this.ensure();
    if (!this.models) {
      throw unavailable(this.problem);
    }
    return this.models;
  }

  /** Opens the shown folder's conversation once there is a model for it. */
  async ensureShown(): Promise<void> {
    if (!this.current) {
      await this.attempt(() => this.startShown());
      this.drawing.reset();
    }
  }

  async show(key: FolderKey): Promise<void> {
    this.folder = key;
    await this.attempt(() => this.startShown());
    if (this.folder === key) {
      this.drawing.reset();
    }
  }

  /** @param id default: a new conversation */
  async switchTo(id: string | undefined): Promise<void> {
    await this.ensure();
    await this.attempt(async () => {
      if (!this.models?.problem) {
        await this.sessions.value?.show(this.folder, id);
        this.inBackground(this.tidyUp());
      }
    });
    this.drawing.reset();
  }

  /** Shows a live conversation of any folder. No effect when it is not live any more. */
  async showLive(id: string): Promise<void> {
    const conversation = this.sessions.value?.find(id);
    if (conversation && conversation !== this.shown) {
      this.folder = conversation.key;
      await this.switchTo(id);
    }
  }

  async close(id: string): Promise<void> {
    await this.sessions.value?.close(id);
  }

  /** Reads models and logins again; loads Pi again when that failed before. */
  async reloadModels(): Promise<void> {
    await this.opening;
    if (!this.models) {
      this.opening = this.load();
      await this.opening;
      return;
    }
    const { models } = this;
    await this.attempt(async () => {
      await models.reload();
      await this.startShown();
    });
    this.drawing.reset();
  }

  dispose(): void {
    this.store.dispose();
  }

  private async load(): Promise<void> {
    await this.attempt(async () => {
      const tooOld = piNeedsNewerNode(this.options.nodeVersion ?? process.versions.node);
      if (tooOld) {
        throw tooOld;
      }
      this.pi ??= await this.options.loadPi();
      const { editorModels } = this.options;
      const models = this.store.add(await Models.create(this.pi, this.agentDir, editorModels));
      this.models = models;
      models.onDidChangeEditor?.(() => this.inBackground(this.followEditor(models)));
      if (this.store.isDisposed) {
        return;
      }
      this.sessions.value = this.createSessions(this.pi, models);
      await this.startShown();
      this.inBackground(this.tidyUp());
    });
    this.drawing.reset();
  }

  private async tidyUp(): Promise<void> {
    const { conversationLimits, workspace } = this.options;
    const sessions = this.sessions.value;
    const found = await Promise.all(workspace.folders.map(({ uri }) => this.placesOf(uri)));
    const others = found.flatMap(({ places, cwd }) =>
      cwd === undefined ? [] : places[0].directory,
    );
    await pruneConversations(this.conversationRoot, conversationLimits(), {
      kept: sessions?.busyFiles ?? new Set(),
      release: async (path) => await sessions?.close(basename(path)),
      others,
    });
  }

  private placesOf(key: FolderKey) {
    const folder = this.options.workspace.folders.find(({ uri }) => uri === key);
    return this.allPlaces.of(key, folder?.fsPath);
  }

  private openConversation(one: LiveConversation): OpenConversation {
    const { id, session, title, state, openedAt } = one;
    const changes = session.builtInCalls.changes.state;
    return {
      id,
      file: session.file,
      isShown: one === this.shown,
      openedAt,
      title,
      state,
      changedFiles: changes ? changedFiles(changes) : 0,
      rename: (name) => {
        session.conversation?.rename(name);
        this.drawing.requestFlush();
        this.changeEmitter.fire();
      },
    };
  }

  private createSessions(pi: PiModule, models: Models): AgentSessions {
    const { yolo, modelMemory, service, workspace, environment, logger } = this.options;
    const sessions = new AgentSessions({
      pi,
      models,
      service,
      workspace,
      environment,
      logger,
      agentDir: this.agentDir,
      storageDir: this.conversationRoot,
      places: this.allPlaces,
      watcher: this.options.watcher,
      isYolo: () => yolo.value,
      editors: this.options.editors,
      tools: this.options.tools,
      extensions: this.options.extensions,
      preferredModel: () => modelMemory.recall(),
      preferredLevel: (model) => modelMemory.level(model),
      memory: new ConversationMemory(this.options.conversationMemoryPath),
    });
    sessions.onDidReplace((key) => {
      if (key === this.folder) {
        this.drawing.reset();
      }
      this.changeEmitter.fire();
    });
    sessions.onDidChange(({ conversation, change }) => {
      // of the others it shows what waits for the user
      if (conversation === this.shown && change === 'moved') {
        this.drawing.resetBranch();
      } else if (conversation === this.shown || change === 'state') {
        this.drawing.requestFlush();
      }
      if (change === 'state') {
        this.changeEmitter.fire();
      }
    });
    return sessions;
  }

  private async startShown(): Promise<void> {
    const folder = this.options.workspace.folders.find(({ uri }) => uri === this.folder);
    if (folder && folder.fsPath === undefined) {
      throw new HumanError(
        'folder_virtual',
        l10n.t('The folder {0} is not on this machine, where Pi runs.', folder.name),
        { remedy: l10n.t('Open a folder on disk.') },
      );
    }
    if (!this.models?.problem) {
      await this.sessions.value?.ensure(this.folder);
    }
  }

  /** Failures become the panel's problem. */
  private async attempt(work: () => Promise<void>): Promise<void> {
    this.problem = undefined;
    try {
      await work();
    } catch (error) {
      this.options.logger.log('error', errorMessage(error));
      this.problem = problemOf(error);
    }
  }

  private async followFolders(): Promise<void> {
    const keys = new Set(this.options.workspace.folders.map(({ uri }) => uri));
    this.sessions.value?.keepOnly(keys.size > 0 ? keys : new Set([noFolder]));
    if (keys.has(this.folder)) {
      this.drawing.requestFlush();
      return;
    }
    const next = [...keys][0] ?? noFolder;
    if (this.sessions.value) {
      await this.show(next);
    } else {
      this.folder = next;
      this.drawing.reset();
    }
  }

  /** Conversations whose model the editor does not lend any more say so. */
  private async followEditor(models: Models): Promise<void> {
    const hadProblem = this.currentProblem !== undefined;
    const gone = await models.readEditor();
    for (const { session } of this.sessions.value?.all ?? []) {
      const { model } = session;
      if (gone.some(({ provider, id }) => provider === model?.provider && id === model.id)) {
        session.report(
          l10n.t(
            'VS Code does not offer the model {0} any more. Choose another one.',
            model?.name ?? '',
          ),
        );
      }
    }
    if (hadProblem && !models.problem) {
      await this.attempt(() => this.startShown());
      this.drawing.reset();
    } else {
      this.drawing.requestFlush();
    }
  }

  private async restartAll(): Promise<void> {
    await this.opening;
    await this.attempt(async () => await this.sessions.value?.restartAll());
    this.drawing.reset();
  }

  private inBackground(work: Promise<void>): void {
    work.catch((error: unknown) => this.options.logger.log('error', errorMessage(error)));
  }
}

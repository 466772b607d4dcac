/** Loads Pi on first use, and keeps the conversations of all folders for whoever shows some of them. */
import { basename, join } from 'node:path';
import * as l10n from '@vscode/l10n';
import { DisposableOwner, MutableDisposable } from '../../base/disposable.js';
import { errorMessage, HumanError } from '../../base/errors.js';
import { Emitter } from '../../base/event.js';
import { nameToken } from '../../base/text/nameToken.js';
import { piAgentDir } from '../../config/parse/configLocations.js';
import { type ConversationPlace, pruneConversations } from '../conversations/conversations.js';
import { ConversationMemory } from '../conversations/memory.js';
import { ConversationPlaces } from '../conversations/places.js';
import { type AgentProblem, isSameModel, Models, modelsPathOf } from '../models/models.js';
import { findModelServers } from '../models/servers/modelServers.js';
import { LocalServers } from '../models/start/localServers.js';
import { modelProblem } from '../models/start/modelWays.js';
import type { PiModule } from '../pi/piModule.js';
import { modelGone, tryAgain } from '../transcript/modelFailure.js';
import { AgentSessions, type SessionChange } from './agentSessions.js';
import { NewsOfConversations } from './conversationNews.js';
import type { ReplacedConversation } from './inSight.js';
import { type FolderKey, noFolder } from './liveConversation.js';
import type { SessionHostOptions } from './options.js';
import { piNeedsNewerNode, problemOf } from './problem.js';

export class SessionHost extends DisposableOwner {
  private readonly live = this.store.add(new MutableDisposable<AgentSessions>());
  private readonly changeEmitter = this.store.add(new Emitter<SessionChange>());
  private readonly replaceEmitter = this.store.add(new Emitter<ReplacedConversation>());
  private readonly resetEmitter = this.store.add(new Emitter<void>());
  private readonly modelsEmitter = this.store.add(new Emitter<void>());
  private readonly folderEmitter = this.store.add(new Emitter<void>());
  /** Of the user's Pi. */
  readonly agentDir: string;
  private readonly allPlaces: ConversationPlaces;
  private failure: AgentProblem | undefined;
  private opening: Promise<void> | undefined;
  /** `undefined` until Pi was loaded. */
  pi: PiModule | undefined;
  /** `undefined` until Pi was loaded. */
  models: Models | undefined;

  private readonly local: LocalServers;
  private readonly news = this.store.add(new NewsOfConversations(() => this.live.value?.all ?? []));

  readonly onDidChange = this.changeEmitter.event;
  /** For whoever does not look at the conversation. */
  readonly onDidGetNews = this.news.onDidGetNews;
  readonly onDidReplace = this.replaceEmitter.event;
  /** Whether there are conversations at all. */
  readonly onDidReset = this.resetEmitter.event;
  readonly onDidChangeModels = this.modelsEmitter.event;
  /** Conversations of folders that left the workspace have ended. */
  readonly onDidChangeFolders = this.folderEmitter.event;

  constructor(private readonly options: SessionHostOptions) {
    super();
    const { workspace, environment } = options.machine;
    this.agentDir = piAgentDir(environment);
    this.allPlaces = new ConversationPlaces({
      storageDir: this.conversationRoot,
      agentDir: this.agentDir,
      environment,
      keeper: options.conversations.keeper ?? (() => 'own'),
    });
    this.local = this.store.add(
      new LocalServers((signal) => findModelServers(signal, options.modelSources.localPorts)),
    );
    this.store.add(this.local.onDidChange(() => this.modelsEmitter.fire()));
    this.store.add(workspace.onDidChangeFolders(() => this.followFolders()));
    const restart = () => this.inBackground(this.restartAll());
    this.store.add(workspace.onDidChangeTrust(restart));
    this.store.add(options.extensions.isOn.onDidChange(restart));
    const followConsent = async () => {
      if (!this.live.value?.hasStaleExtensions) {
        // what starts runs what it was allowed when it began
        await this.whenStarted();
      }
      await (this.live.value?.hasStaleExtensions && this.restartAll());
    };
    this.store.add(options.service.trust.onDidChange(() => this.inBackground(followConsent())));
  }

  /** `undefined` until Pi was loaded. */
  get sessions(): AgentSessions | undefined {
    return this.live.value;
  }

  /** Absolute path of Pi's models.json. */
  get modelsPath(): string {
    return modelsPathOf(this.agentDir);
  }

  get problem(): AgentProblem | undefined {
    return this.failure ?? (this.models && modelProblem(this.models, this.local.found));
  }

  /** Where the conversations of a folder are. */
  async placesOf(key: FolderKey): Promise<readonly [ConversationPlace, ...ConversationPlace[]]> {
    return (await this.allPlacesOf(key)).places;
  }

  /** Loads Pi, once. Never rejects: what fails becomes the problem. */
  async ensure(): Promise<void> {
    this.opening ??= this.load();
    await this.opening;
  }

  /** Reads models and logins again; loads Pi again when that failed before. Never rejects. */
  async reloadModels(): Promise<void> {
    await this.opening;
    const { models } = this;
    if (models) {
      await this.attempt(() => models.reload());
      this.lookAround();
    } else {
      this.opening = this.load();
      await this.opening;
    }
  }

  /** @throws {HumanError} for a folder that is not on this machine */
  requireDisk(key: FolderKey): void {
    const folder = this.folders.find(({ uri }) => uri === key);
    if (folder && folder.fsPath === undefined) {
      throw new HumanError(
        'folder_virtual',
        l10n.t('The folder {0} is not on this machine, where Pi runs.', folder.name),
        { remedy: l10n.t('Open a folder on disk.') },
      );
    }
  }

  async tidyUp(): Promise<void> {
    const { conversations } = this.options;
    const { sessions } = this;
    const found = await Promise.all(this.folders.map(({ uri }) => this.allPlacesOf(uri)));
    const others = found.flatMap(({ places, cwd }) =>
      cwd === undefined ? [] : places[0].directory,
    );
    await pruneConversations(this.conversationRoot, conversations.limits(), {
      kept: sessions?.busyFiles ?? new Set(),
      release: async (path) => await sessions?.close(basename(path)),
      others,
    });
  }

  /** Logs it. */
  problemOf(error: unknown): AgentProblem {
    this.options.machine.loggers.main.log('error', errorMessage(error));
    return problemOf(error);
  }

  inBackground(work: Promise<void>): void {
    work.catch((error: unknown) =>
      this.options.machine.loggers.main.log('error', errorMessage(error)),
    );
  }

  private get folders() {
    return this.options.machine.workspace.folders;
  }

  private get conversationRoot(): string {
    return join(this.options.storageDir, 'sessions');
  }

  private allPlacesOf(key: FolderKey) {
    const folder = this.folders.find(({ uri }) => uri === key);
    return this.allPlaces.of(key, folder?.fsPath);
  }

  private async load(): Promise<void> {
    await this.attempt(async () => {
      const tooOld = piNeedsNewerNode(this.options.nodeVersion ?? process.versions.node);
      if (tooOld) {
        throw tooOld;
      }
      this.pi ??= await this.options.loadPi();
      const { editor, memory } = this.options.modelSources;
      const models = this.store.add(
        await Models.create(this.pi, this.agentDir, editor, memory.recall()),
      );
      this.models = models;
      models.editor?.onDidChange(() => this.inBackground(this.followEditor(models)));
      models.start();
      if (!this.store.isDisposed) {
        this.live.value = this.createSessions(this.pi, models);
      }
    });
    this.lookAround();
    this.resetEmitter.fire();
  }

  /** For servers of this machine that could be a first model. In Restricted Mode nothing is looked for. */
  private lookAround(): void {
    if (this.models?.isEmpty && this.options.machine.workspace.isTrusted) {
      this.inBackground(this.local.refresh());
    }
  }

  private async attempt(work: () => Promise<void>): Promise<void> {
    this.failure = undefined;
    try {
      await work();
    } catch (error) {
      this.failure = this.problemOf(error);
    }
  }

  private createSessions(pi: PiModule, models: Models): AgentSessions {
    return new AgentSessions({
      ...this.options,
      pi,
      models,
      storageDir: this.conversationRoot,
      places: this.allPlaces,
      memory: new ConversationMemory(this.options.conversations.memoryPath),
      onDidReplace: (replaced) => {
        this.news.forget(replaced.before);
        this.replaceEmitter.fire(replaced);
      },
      onDidChange: (change) => {
        this.news.follow(change.conversation);
        this.changeEmitter.fire(change);
      },
    });
  }

  /** Conversations whose model the editor does not lend any more say so. */
  private async followEditor(models: Models): Promise<void> {
    const gone = await models.readEditor();
    for (const { session } of this.live.value?.all ?? []) {
      const { model } = session;
      if (model && gone.some((one) => isSameModel(one, model))) {
        session.report(
          [
            modelGone(),
            tryAgain(),
            l10n.t('{0}: {1}', l10n.t('Model'), nameToken(model.name)),
          ].join(' '),
        );
      }
    }
    this.modelsEmitter.fire();
  }

  private followFolders(): void {
    const keys = new Set(this.folders.map(({ uri }) => uri));
    this.live.value?.keepOnly(keys.size > 0 ? keys : new Set([noFolder]));
    this.folderEmitter.fire();
  }

  /** Resolves when the conversations that start by now have started, or have started again. Loads nothing. */
  async whenStarted(): Promise<void> {
    await this.opening;
    await this.live.value?.whenStarted();
  }

  private async restartAll(): Promise<void> {
    await this.opening;
    const before = this.failure;
    await this.attempt(async () => await this.live.value?.restartAll());
    // each conversation that was replaced has told so itself
    if (before !== this.failure || (this.live.value?.all.length ?? 0) === 0) {
      this.resetEmitter.fire();
    }
  }
}

/** The model behind the agent panel: loads Pi on first use, shows one folder's conversation, batches its changes. */

import { basename, join } from 'node:path';
import * as l10n from '@vscode/l10n';
import { DisposableStore, MutableDisposable } from '../../base/disposable.js';
import { errorMessage, HumanError } from '../../base/errors.js';
import { folderUnknown } from '../../config/errors.js';
import { createMask } from '../../config/secrets/secretMask.js';
import { readWholeResult } from '../../mcp/catalog/results/wholeResult.js';
import { secretsOfServers } from '../../mcp/service/serverSecrets.js';
import type {
  AgentSnapshot,
  AgentViewState,
  ApprovalDecision,
  SendKind,
} from '../../protocol/agentProtocol.js';
import type { AppCall } from '../apps/call.js';
import { conversationDir, pruneConversations } from '../conversations/conversations.js';
import { ConversationLibrary, type OpenConversation } from '../conversations/library.js';
import { ConversationMemory } from '../conversations/memory.js';
import { ModelLogin } from '../models/login.js';
import { type AgentProblem, Models, type ModelUse, modelsPathOf } from '../models/models.js';
import { piNeedsNewerNode } from '../pi/nodeVersion.js';
import type { PiModule } from '../pi/piModule.js';
import { type MessageQueue, type NewMessage, plainMessage } from '../queue/messageQueue.js';
import type { AgentSession } from '../session/agentSession.js';
import { AgentSessions, type FolderKey, noFolder } from '../session/agentSessions.js';
import { createConversationFiles } from '../session/conversationFile.js';
import { resultGone } from '../tools/resultStore.js';
import { emptyTranscript } from '../transcript/transcript.js';
import type { AgentPanelModel, ShownConversation, WholeToolResult } from './agentApi.js';
import { PanelFeed } from './feed.js';
import type { ReviewedSession } from './fileTexts.js';
import type { AgentPanelOptions } from './options.js';
import { panelState, problemOf, unavailable } from './state.js';

export class AgentPanel implements AgentPanelModel {
  private readonly store = new DisposableStore();
  private readonly feed = this.store.add(
    new PanelFeed({
      state: () => this.state(),
      transcript: () => this.session()?.transcript ?? emptyTranscript,
      conversation: () => basename(this.session()?.file ?? ''),
    }),
  );
  private readonly sessions = this.store.add(new MutableDisposable<AgentSessions>());
  private readonly agentDir: string;
  readonly logins = new ModelLogin({
    models: () => this.loadedModels(),
    reload: () => this.reloadModels(),
  });
  readonly library = new ConversationLibrary({
    directory: () => this.conversationDir(),
    shown: () => this.openConversation(),
    show: (id) => this.switchConversation(id),
    folderName: () => this.state().folder?.name,
    mask: () => createMask(secretsOfServers(this.options.service, this.options.environment)),
    files: async () => {
      await this.ensureSession();
      return createConversationFiles(this.pi, this.conversationDir(), this.sessions.value?.files);
    },
  });
  private pi: PiModule | undefined;
  private models: Models | undefined;
  private problem: AgentProblem | undefined;
  private opening: Promise<void> | undefined;
  private shownFolder: FolderKey;

  readonly onDidChangeState = this.feed.onDidChangeState;
  readonly onDidChangeEntries = this.feed.onDidChangeEntries;
  readonly onDidReset = this.feed.onDidReset;

  constructor(private readonly options: AgentPanelOptions) {
    const { workspace, yolo, environment } = options;
    this.agentDir =
      options.agentDir ||
      environment.getVariable('PI_CODING_AGENT_DIR') ||
      join(environment.homeDir, '.pi', 'agent');
    this.shownFolder = workspace.folders[0]?.uri ?? noFolder;
    this.store.add(workspace.onDidChangeFolders(() => this.inBackground(this.followFolders())));
    const restart = () => this.inBackground(this.restartAll());
    this.store.add(workspace.onDidChangeTrust(restart));
    this.store.add(options.extensions.isOn.onDidChange(restart));
    const followConsent = () => this.sessions.value?.hasStaleExtensions && restart();
    this.store.add(options.service.trust.onDidChange(followConsent));
    this.store.add(yolo.onDidChange(() => this.feed.requestFlush()));
  }

  private get conversationRoot(): string {
    return join(this.options.storageDir, 'sessions');
  }

  private readonly conversationDir = () => conversationDir(this.conversationRoot, this.shownFolder);

  get modelsPath(): string {
    return modelsPathOf(this.agentDir);
  }

  async ensureSession(): Promise<AgentSnapshot> {
    this.opening ??= this.load();
    await this.opening;
    return this.snapshot();
  }

  snapshot(): AgentSnapshot {
    return this.feed.snapshot();
  }

  showEarlier(): AgentSnapshot {
    return this.feed.showEarlier();
  }

  showLatest(): AgentSnapshot {
    return this.feed.showLatest();
  }

  async prompt(message: NewMessage | string, kind: SendKind = 'next'): Promise<void> {
    await this.ensureSession();
    const { queue } = this.shownSession();
    await queue.submit(typeof message === 'string' ? plainMessage(message) : message, kind);
  }

  get queue(): MessageQueue | undefined {
    return this.session()?.queue;
  }

  async stop(): Promise<void> {
    await this.session()?.stop();
  }

  decide(approvalId: string, decision: ApprovalDecision, args?: string): void {
    this.session()?.approvals.decide(approvalId, decision, args);
  }

  cancelCall(entryId: string): void {
    this.session()?.cancelCall(entryId);
  }

  detachTask(callId: string): void {
    this.session()?.tasks.detach(callId);
  }

  async cancelTask(callId: string): Promise<void> {
    await this.session()?.tasks.cancel(callId);
  }

  wholeResult(callId: string): WholeToolResult {
    const stored = this.session()?.result(callId);
    if (!stored) {
      throw resultGone();
    }
    const { server, tool, result } = stored;
    return { server, tool, ...readWholeResult(result) };
  }

  get reviewed(): ReviewedSession | undefined {
    return this.session();
  }

  appCall(callId: string): AppCall {
    return this.shownSession().apps.callOf(callId);
  }

  /** The model of the shown conversation, for other uses. `undefined` when there is none. */
  async currentModel(): Promise<ModelUse | undefined> {
    await this.ensureSession();
    const model = this.session()?.model ?? this.models?.first;
    return this.models && model && { runtime: this.models.runtime, model };
  }

  async selectModel(provider: string, id: string): Promise<void> {
    await this.ensureSession();
    const model = this.models?.find({ provider, id });
    if (!model) {
      throw new HumanError(
        'model_unknown',
        l10n.t('Pi has no usable model {0} of provider {1}.', id, provider),
        { remedy: l10n.t('Reload the models and choose again.') },
      );
    }
    await this.shownSession().setModel(model);
    await this.options.modelMemory.remember({ provider, id });
  }

  async selectFolder(uri: string): Promise<void> {
    if (!this.options.workspace.folders.some((folder) => folder.uri === uri)) {
      throw folderUnknown();
    }
    await this.ensureSession();
    await this.show(uri);
  }

  async newSession(): Promise<void> {
    await this.switchConversation(undefined);
  }

  get shown(): ShownConversation | undefined {
    return this.session();
  }

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
    this.feed.reset();
  }

  dispose(): void {
    this.store.dispose();
  }

  // #region loading

  /** Never rejects. */
  private async load(): Promise<void> {
    await this.attempt(async () => {
      const tooOld = piNeedsNewerNode(this.options.nodeVersion ?? process.versions.node);
      if (tooOld) {
        throw tooOld;
      }
      this.pi ??= await this.options.loadPi();
      this.models = await Models.create(this.pi, this.agentDir);
      if (this.store.isDisposed) {
        return;
      }
      this.sessions.value = this.createSessions(this.pi, this.models);
      await this.startShown();
      this.inBackground(this.tidyUp());
    });
    this.feed.reset();
  }

  private async switchConversation(id: string | undefined): Promise<void> {
    await this.ensureSession();
    await this.attempt(async () => {
      if (!this.models?.problem) {
        await this.sessions.value?.renew(this.shownFolder, id);
        this.inBackground(this.tidyUp());
      }
    });
    this.feed.reset();
  }

  private async tidyUp(): Promise<void> {
    const { conversationLimits } = this.options;
    const open = this.sessions.value?.files ?? new Set<string>();
    await pruneConversations(this.conversationRoot, conversationLimits(), open);
  }

  private async loadedModels(): Promise<Models> {
    await this.ensureSession();
    if (!this.models) {
      throw unavailable(this.problem);
    }
    return this.models;
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
      isYolo: () => yolo.value,
      editors: this.options.editors,
      tools: this.options.tools,
      extensions: this.options.extensions,
      preferredModel: () => modelMemory.recall(),
      memory: new ConversationMemory(this.options.conversationMemoryPath),
    });
    sessions.onDidChange(({ key, change }) => {
      // of other folders it shows what waits for the user
      if (key === this.shownFolder || change === 'state') {
        this.feed.requestFlush();
      }
    });
    return sessions;
  }

  private async startShown(): Promise<void> {
    const folder = this.options.workspace.folders.find(({ uri }) => uri === this.shownFolder);
    if (folder && folder.fsPath === undefined) {
      throw new HumanError(
        'folder_virtual',
        l10n.t('The folder {0} is not on this machine, where Pi runs.', folder.name),
        { remedy: l10n.t('Open a folder on disk.') },
      );
    }
    if (!this.models?.problem) {
      await this.sessions.value?.ensure(this.shownFolder);
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

  private async show(key: FolderKey): Promise<void> {
    this.shownFolder = key;
    await this.attempt(() => this.startShown());
    if (this.shownFolder === key) {
      this.feed.reset();
    }
  }

  private async followFolders(): Promise<void> {
    const keys = new Set(this.options.workspace.folders.map(({ uri }) => uri));
    this.sessions.value?.keepOnly(keys.size > 0 ? keys : new Set([noFolder]));
    if (keys.has(this.shownFolder)) {
      this.feed.requestFlush();
      return;
    }
    const next = [...keys][0] ?? noFolder;
    if (this.sessions.value) {
      await this.show(next);
    } else {
      this.shownFolder = next;
      this.feed.reset();
    }
  }

  private async restartAll(): Promise<void> {
    await this.opening;
    await this.attempt(async () => await this.sessions.value?.restartAll());
    this.feed.reset();
  }

  private inBackground(work: Promise<void>): void {
    work.catch((error: unknown) => this.options.logger.log('error', errorMessage(error)));
  }

  // #endregion

  // #region view

  private session(): AgentSession | undefined {
    return this.sessions.value?.get(this.shownFolder);
  }

  private openConversation(): OpenConversation | undefined {
    const conversation = this.session()?.conversation;
    return (
      conversation && {
        file: conversation.file,
        rename: (name) => {
          conversation.rename(name);
          this.feed.requestFlush();
        },
      }
    );
  }

  private shownSession(): AgentSession {
    const session = this.session();
    if (!session) {
      throw unavailable(this.currentProblem());
    }
    return session;
  }

  private currentProblem(): AgentProblem | undefined {
    return this.problem ?? this.models?.problem;
  }

  private state(): AgentViewState {
    const { workspace, yolo } = this.options;
    return panelState({
      shown: this.shownFolder,
      session: this.session(),
      problem: this.currentProblem(),
      folders: workspace.folders,
      models: this.models?.views ?? [],
      waiting: (uri) => this.sessions.value?.waiting(uri) ?? 0,
      isYolo: yolo.value,
      isRestricted: !workspace.isTrusted,
    });
  }

  // #endregion
}

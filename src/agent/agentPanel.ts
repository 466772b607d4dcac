/** The model behind the agent panel: loads Pi on first use, shows one folder's conversation, batches its changes. */
import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import { DisposableStore, MutableDisposable } from '../base/disposable.js';
import { errorMessage, HumanError, isHumanError } from '../base/errors.js';
import { Emitter } from '../base/event.js';
import type { ObservableValue } from '../base/valueEmitter.js';
import { readWholeResult } from '../mcp/catalog/wholeResult.js';
import type { McpService } from '../mcp/mcpApi.js';
import type { HostEnvironment, Logger, Workspace } from '../mcp/ports.js';
import type {
  AgentSnapshot,
  AgentViewState,
  ApprovalDecision,
  TranscriptEntry,
} from '../protocol/agentProtocol.js';
import type { AgentPanelModel, WholeToolResult } from './agentApi.js';
import type { AgentSession } from './agentSession.js';
import { AgentSessions, type FolderKey, noFolder } from './agentSessions.js';
import type { PromptImage } from './composePrompt.js';
import {
  type AgentProblem,
  type ModelRef,
  Models,
  type ModelUse,
  modelsPathOf,
  modelView,
} from './models.js';
import { piNeedsNewerNode } from './nodeVersion.js';
import type { PiLoader, PiModule } from './piModule.js';
import type { ToolPolicy } from './toolPolicy.js';
import { changedEntries, emptyTranscript, type Transcript } from './transcript.js';

export interface AgentPanelOptions {
  readonly loadPi: PiLoader;
  readonly service: McpService;
  readonly workspace: Workspace;
  readonly environment: HostEnvironment;
  readonly logger: Logger;
  /** Absolute; conversations are kept under it. */
  readonly storageDir: string;
  /** The user's own switch: tool calls run without asking. A workspace must not be able to set it. */
  readonly yolo: ObservableValue<boolean>;
  readonly modelMemory: ModelMemory;
  /** Default: every tool is on, with the default budget. */
  readonly tools?: ToolPolicy;
  /** Default: `$PI_CODING_AGENT_DIR`, else `~/.pi/agent`. */
  readonly agentDir?: string;
  /** Default: the running Node's. */
  readonly nodeVersion?: string;
}

/** Remembers the user's choice of a model. */
export interface ModelMemory {
  recall(): ModelRef | undefined;
  remember(model: ModelRef): Promise<void>;
}

/** Milliseconds: about one frame and a half. */
const flushDelayMs = 25;

export class AgentPanel implements AgentPanelModel {
  private readonly store = new DisposableStore();
  private readonly stateEmitter = this.store.add(new Emitter<AgentViewState>());
  private readonly entriesEmitter = this.store.add(new Emitter<readonly TranscriptEntry[]>());
  private readonly resetEmitter = this.store.add(new Emitter<AgentSnapshot>());
  private readonly sessions = this.store.add(new MutableDisposable<AgentSessions>());
  private readonly agentDir: string;
  private pi: PiModule | undefined;
  private models: Models | undefined;
  private problem: AgentProblem | undefined;
  private opening: Promise<void> | undefined;
  private shownFolder: FolderKey;
  private sent: Transcript = emptyTranscript;
  private sentState = '';
  private flushTimer: ReturnType<typeof setTimeout> | undefined;

  readonly onDidChangeState = this.stateEmitter.event;
  readonly onDidChangeEntries = this.entriesEmitter.event;
  readonly onDidReset = this.resetEmitter.event;

  constructor(private readonly options: AgentPanelOptions) {
    const { workspace, yolo, environment } = options;
    this.agentDir =
      options.agentDir ||
      environment.getVariable('PI_CODING_AGENT_DIR') ||
      join(environment.homeDir, '.pi', 'agent');
    this.shownFolder = workspace.folders[0]?.uri ?? noFolder;
    this.store.add(workspace.onDidChangeFolders(() => this.inBackground(this.followFolders())));
    this.store.add(workspace.onDidChangeTrust(() => this.inBackground(this.followTrust())));
    this.store.add(yolo.onDidChange(() => this.requestFlush()));
  }

  get modelsPath(): string {
    return modelsPathOf(this.agentDir);
  }

  async open(): Promise<AgentSnapshot> {
    this.opening ??= this.load();
    await this.opening;
    return this.snapshot();
  }

  snapshot(): AgentSnapshot {
    return { state: this.state(), transcript: this.shownTranscript().entries };
  }

  async prompt(text: string, images: readonly PromptImage[] = []): Promise<void> {
    await this.open();
    await this.shownSession().prompt(text, images);
  }

  async stop(): Promise<void> {
    await this.session()?.stop();
  }

  decide(approvalId: string, decision: ApprovalDecision, args?: string): void {
    this.session()?.approvals.decide(approvalId, decision, args);
  }

  wholeResult(callId: string): WholeToolResult {
    const stored = this.session()?.result(callId);
    if (!stored) {
      throw new HumanError('result_gone', l10n.t('This result is not kept any more.'), {
        remedy: l10n.t('Let the agent call the tool again.'),
      });
    }
    const { server, tool, result } = stored;
    return { server, tool, ...readWholeResult(result) };
  }

  /** The model of the shown conversation, for other uses. `undefined` when there is none. */
  async currentModel(): Promise<ModelUse | undefined> {
    await this.open();
    const model = this.session()?.model ?? this.models?.first;
    return this.models && model && { runtime: this.models.runtime, model };
  }

  async selectModel(provider: string, id: string): Promise<void> {
    await this.open();
    const model = this.models?.find({ provider, id });
    if (!model) {
      throw new HumanError(
        'unknown_model',
        l10n.t('Pi has no usable model {0} of provider {1}.', id, provider),
        { remedy: l10n.t('Reload the models and choose again.') },
      );
    }
    await this.shownSession().setModel(model);
    await this.options.modelMemory.remember({ provider, id });
  }

  async selectFolder(uri: string): Promise<void> {
    if (!this.options.workspace.folders.some((folder) => folder.uri === uri)) {
      throw new HumanError('unknown_folder', l10n.t('That folder is not open any more.'), {
        remedy: l10n.t('Choose one of the folders of this workspace.'),
      });
    }
    await this.open();
    await this.show(uri);
  }

  async newSession(): Promise<void> {
    await this.open();
    await this.attempt(async () => {
      if (!this.models?.problem) {
        await this.sessions.value?.renew(this.shownFolder);
      }
    });
    this.reset();
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
    this.reset();
  }

  dispose(): void {
    clearTimeout(this.flushTimer);
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
    });
    this.reset();
  }

  private createSessions(pi: PiModule, models: Models): AgentSessions {
    const { yolo, modelMemory, storageDir, service, workspace, environment, logger } = this.options;
    const sessions = new AgentSessions({
      pi,
      models,
      service,
      workspace,
      environment,
      logger,
      agentDir: this.agentDir,
      storageDir: join(storageDir, 'sessions'),
      isYolo: () => yolo.value,
      tools: this.options.tools,
      preferredModel: () => modelMemory.recall(),
    });
    sessions.onDidChange(({ key }) => {
      if (key === this.shownFolder) {
        this.requestFlush();
      }
    });
    return sessions;
  }

  private async startShown(): Promise<void> {
    const folder = this.options.workspace.folders.find(({ uri }) => uri === this.shownFolder);
    if (folder && folder.fsPath === undefined) {
      throw new HumanError(
        'virtual_folder',
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
      this.reset();
    }
  }

  private async followFolders(): Promise<void> {
    const keys = new Set(this.options.workspace.folders.map(({ uri }) => uri));
    this.sessions.value?.keepOnly(keys.size > 0 ? keys : new Set([noFolder]));
    if (keys.has(this.shownFolder)) {
      this.requestFlush();
      return;
    }
    const next = [...keys][0] ?? noFolder;
    if (this.sessions.value) {
      await this.show(next);
    } else {
      this.shownFolder = next;
      this.reset();
    }
  }

  private async followTrust(): Promise<void> {
    await this.opening;
    await this.attempt(async () => await this.sessions.value?.restartAll());
    this.reset();
  }

  private inBackground(work: Promise<void>): void {
    work.catch((error: unknown) => this.options.logger.log('error', errorMessage(error)));
  }

  // #endregion

  // #region view

  private session(): AgentSession | undefined {
    return this.sessions.value?.get(this.shownFolder);
  }

  private shownSession(): AgentSession {
    const session = this.session();
    if (!session) {
      const { message, remedy } = this.currentProblem() ?? problemOf(undefined);
      throw new HumanError('agent_unavailable', message, { remedy });
    }
    return session;
  }

  private shownTranscript(): Transcript {
    return this.session()?.transcript ?? emptyTranscript;
  }

  private currentProblem(): AgentProblem | undefined {
    return this.problem ?? this.models?.problem;
  }

  private state(): AgentViewState {
    const { workspace, yolo } = this.options;
    const session = this.session();
    const problem = this.currentProblem();
    const folders = workspace.folders.map(({ uri, name }) => ({ uri, name }));
    const folder = folders.find(({ uri }) => uri === this.shownFolder);
    return {
      status: problem
        ? 'unavailable'
        : session
          ? session.isRunning
            ? 'running'
            : 'ready'
          : 'loading',
      ...(problem && { problem }),
      ...(folder && { folder }),
      folders,
      ...(session?.model && { model: modelView(session.model) }),
      models: this.models?.views ?? [],
      tools: session?.toolCounts ?? { mcp: 0, builtIn: 0 },
      approvals: session?.approvals.open ?? [],
      ...(session?.usage && { usage: session.usage }),
      isYolo: yolo.value,
    };
  }

  private requestFlush(): void {
    if (!this.store.isDisposed) {
      this.flushTimer ??= setTimeout(() => this.flush(), flushDelayMs);
    }
  }

  private flush(): void {
    this.flushTimer = undefined;
    const transcript = this.shownTranscript();
    const entries = changedEntries(this.sent, transcript);
    this.sent = transcript;
    if (entries.length > 0) {
      this.entriesEmitter.fire(entries);
    }
    const state = this.state();
    const text = JSON.stringify(state);
    if (text !== this.sentState) {
      this.sentState = text;
      this.stateEmitter.fire(state);
    }
  }

  private reset(): void {
    if (!this.store.isDisposed) {
      clearTimeout(this.flushTimer);
      this.flushTimer = undefined;
      const snapshot = this.snapshot();
      this.sent = this.shownTranscript();
      this.sentState = JSON.stringify(snapshot.state);
      this.resetEmitter.fire(snapshot);
    }
  }

  // #endregion
}

function problemOf(error: unknown): AgentProblem {
  const remedy = l10n.t('Reload the agent; the extension log has the details.');
  return isHumanError(error)
    ? { message: error.message, remedy: error.remedy ?? remedy, action: 'reload' }
    : {
        message: l10n.t('The Pi agent could not be started: {0}', errorMessage(error)),
        remedy,
        action: 'reload',
      };
}

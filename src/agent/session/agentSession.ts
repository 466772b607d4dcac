/** One conversation of a Pi agent in one folder: tools, approvals and transcript around a Pi session. */
import { type Disposable, DisposableStore } from '../../base/disposable.js';
import { errorMessage } from '../../base/errors.js';
import { Emitter } from '../../base/event.js';
import type { ActivityView } from '../../protocol/agent/activity.js';
import { SessionApps } from '../apps/sessionApps.js';
import { SessionBranches } from '../branches/sessionBranches.js';
import { BuiltInCalls } from '../builtIn/builtInCalls.js';
import { builtInToolNames, runsWithoutAsking } from '../builtIn/builtInTools.js';
import { Pruning } from '../context/pruning.js';
import { RetryWaits } from '../context/retryWaits.js';
import { changesContext, SessionContext } from '../context/sessionContext.js';
import { PiControls } from '../pi/controls.js';
import { startExtensions } from '../pi/extensionUi.js';
import type {
  PiEvent,
  PiExtensionApi,
  PiModel,
  PiSession,
  PiSessionManager,
} from '../pi/piModule.js';
import { Approvals } from '../policy/approvals.js';
import type { SessionMode } from '../policy/sessionMode.js';
import { storedRules } from '../policy/toolPolicy.js';
import type { MessageQueue } from '../queue/messageQueue.js';
import { BackgroundTasks } from '../tools/backgroundTasks.js';
import type { ConversationTools } from '../tools/choice/conversationTools.js';
import { ResultStore } from '../tools/resultStore.js';
import type { ToolBridge } from '../tools/toolBridge.js';
import type { Transcript } from '../transcript/entries.js';
import type { TranscriptInput } from '../transcript/transcript.js';
import { CallGate } from './callGate.js';
import { CallRules } from './callRules.js';
import { bridgeTools, createIdentities, sessionTokens, type ToolCounting } from './createTools.js';
import { deliverData, keepFailedResults, sessionClosed } from './piMessages.js';
import { type AgentSessionOptions, createPiSession, endPiSession } from './piSession.js';
import { refusalsOf } from './resendWithout.js';
import { addInstructions, serverTexts } from './serverInstructions.js';
import { SessionCalls } from './sessionCalls.js';
import { SessionRuns } from './sessionRuns.js';
import { SessionTools } from './sessionTools.js';
import { SessionTranscript } from './sessionTranscript.js';
import { SideWork } from './side/sideWork.js';
import { ConversationFile, type ResumePoint } from './stored/conversationFile.js';
import { takeUpTasks } from './takeUpTasks.js';

/** `moved`: the transcript is another one. */
export type AgentSessionChange = 'transcript' | 'state' | 'moved';

export class AgentSession implements Disposable {
  private readonly store = new DisposableStore();
  private readonly changeEmitter = this.store.add(new Emitter<AgentSessionChange>());
  readonly bridge: ToolBridge;
  private readonly tools: SessionTools;
  private readonly builtIns: readonly string[];
  /** Which tools the user wants the conversation to have. */
  readonly choice: ConversationTools;
  /** What servers sent. */
  readonly results: ResultStore;
  /** Calls that run as tasks. */
  readonly tasks: BackgroundTasks;
  private readonly shown: SessionTranscript;
  private readonly apply = (input: TranscriptInput) => this.shown.apply(input);
  /** Absent until the session has started. */
  conversation: ConversationFile | undefined;
  private piSession: PiSession | undefined;
  private runs: SessionRuns | undefined;
  private branchesOfSession: SessionBranches | undefined;
  private extension: PiExtensionApi | undefined;

  private readonly gate: CallGate;
  private readonly calls: SessionCalls;
  readonly builtInCalls: BuiltInCalls;
  readonly controls = new PiControls(() => this.live());
  readonly approvals: Approvals;
  /** What the user does with rules from cards. */
  readonly rules: CallRules;
  readonly apps: SessionApps;
  readonly context: SessionContext;
  readonly mode: SessionMode;
  readonly retries: RetryWaits;
  readonly pruning: Pruning;
  readonly side: SideWork;
  readonly onDidChange = this.changeEmitter.event;

  private constructor(
    private readonly options: AgentSessionOptions,
    counting: ToolCounting,
  ) {
    const { service, folderUri, machine, isWorkspaceTrusted, resume, tools } = options;
    this.mode = this.store.add(options.mode);
    this.shown = new SessionTranscript({
      resumed: resume?.transcript,
      mcpCall: (tool, args) => this.calls.atServer(tool, args),
      isKept: (callId) => this.results.isKept(callId),
      idleTimeoutMs: () => this.piSession?.settingsManager.getHttpIdleTimeoutMs() ?? 0,
      onDidChange: () => this.changeEmitter.fire('transcript'),
      onError: (error) => this.options.machine.loggers.main.log('error', errorMessage(error)),
    });
    this.builtIns = builtInToolNames(machine.environment, isWorkspaceTrusted);
    this.tasks = this.store.add(
      new BackgroundTasks({
        show: this.apply,
        deliver: (content) => this.extension && deliverData(this.extension, content),
      }),
    );
    this.results = new ResultStore(options);
    const { results, tasks } = this;
    const offered = bridgeTools(options, this.builtIns, { ...counting, results, tasks });
    this.choice = this.store.add(offered.choice);
    this.bridge = this.store.add(offered.bridge);
    const say = (text: string) => this.shown.addNotice(text);
    this.tools = this.store.add(new SessionTools(this.bridge, this.choice, say, options.mode));
    const identities = createIdentities(options, this.bridge);
    this.approvals = this.store.add(
      new Approvals({
        identify: (tool, args) => identities.identify(tool, args),
        runsWithoutAsking,
        mode: options.mode,
        alwaysAsk: options.tools?.alwaysAsk,
        onUse: (rule) => options.tools?.uses?.mark(rule),
      }),
    );
    const { bridge, approvals } = this;
    this.apps = this.store.add(
      new SessionApps({ service, folderUri, identities, bridge, approvals, results, tools }),
    );
    const session = () => this.piSession;
    const { countTokens } = counting;
    const onDidEnd = () => this.context.update();
    const user = { session, show: this.apply, countTokens, onDidEnd };
    this.builtInCalls = this.store.add(new BuiltInCalls(options, user));
    this.store.add(this.builtInCalls.summary.onDidChange(() => this.changeEmitter.fire('state')));
    const calls = new SessionCalls(bridge, identities, this.builtInCalls, session);
    this.calls = calls;
    this.retries = new RetryWaits(() => this.controls.providerName, this.apply);
    this.context = new SessionContext({
      pi: options.pi,
      countTokens,
      session,
      servers: () => serverTexts(service.serversFor(folderUri)),
      groupOf: (tool) => calls.groupOf(tool),
      onDidUpdate: () => this.changeEmitter.fire('state'),
    });
    this.pruning = new Pruning(options.pi, session, this.apply);
    this.side = this.store.add(
      new SideWork(options, {
        session,
        transcript: () => this.transcript,
        conversation: () => this.conversation,
        cost: () => this.context.usage?.cost ?? 0,
        say: (text) => this.tell(text),
        onDidSpend: () => this.context.update(),
        onDidChange: () => this.changeEmitter.fire('state'),
      }),
    );
    const stored = storedRules(options.tools);
    this.rules = new CallRules({ transcript: () => this.transcript, calls, approvals, stored });
    this.gate = new CallGate({
      approvals,
      describe: (tool, args) => calls.describe(tool, args),
      isOffered: (tool, args) => calls.isOffered(tool, args),
      show: this.apply,
      onRun: (callId, identity) => {
        this.builtInCalls.begin(callId, identity);
        return service.trust.whileAgentActs();
      },
    });
    this.store.add(this.choice.onDidChangeView(() => this.offerTools()));
    this.store.add(options.mode.onDidChange(() => this.offerTools()));
    this.store.add(approvals.onDidChange(() => this.changeEmitter.fire('state')));
  }

  /** Waits for no server: late tools join the session. */
  static async create(options: AgentSessionOptions): Promise<AgentSession> {
    const session = new AgentSession(options, await sessionTokens(options));
    try {
      await session.start();
    } catch (error) {
      session.dispose();
      throw error;
    }
    return session;
  }

  get transcript(): Transcript {
    return this.shown.value;
  }

  /** What Pi is at. */
  get activity(): ActivityView | undefined {
    return this.shown.activity;
  }

  /** Pi answers, or summarizes the conversation. */
  get isRunning(): boolean {
    return this.piSession?.isIdle === false;
  }

  get model(): PiModel | undefined {
    return this.piSession?.model;
  }

  /** Where Pi keeps the conversation; exists once there is a request. */
  get file(): string | undefined {
    return this.piSession?.sessionFile;
  }

  get resumePoint(): ResumePoint {
    const unsaved = this.conversation?.unwritten ?? [];
    return { sessionFile: this.file, transcript: this.shown.value, unsaved: [...unsaved] };
  }

  /** Shows a full sentence about something that went wrong. */
  report(text: string): void {
    this.apply({ type: 'failure', text });
  }

  /** Shows a full sentence that is of this window alone. */
  tell(...notice: Parameters<SessionTranscript['addNotice']>): void {
    this.shown.addNotice(...notice);
    this.changeEmitter.fire('transcript');
  }

  /** What is to be sent, now or later. @throws {HumanError} when the conversation was closed */
  get queue(): MessageQueue {
    return this.started(this.runs).queue;
  }

  /** @throws {HumanError} when the conversation was closed */
  get branches(): SessionBranches {
    return this.started(this.branchesOfSession);
  }

  /** Ends one running call, by its entry; the run goes on without its result. */
  cancelCall(entryId: string): void {
    const callId = this.shown.callOf(entryId);
    if (callId !== undefined) {
      this.bridge.caller.cancel(callId);
    }
  }

  /** Ends the run, every open approval and what the user runs; resolves when nothing does. What waits is paused. */
  async stop(isRunAlone = false): Promise<void> {
    await Promise.all([this.runs?.stop(), isRunAlone || this.builtInCalls.user.stop()]);
  }

  async setModel(model: PiModel): Promise<void> {
    await this.live().setModel(model);
    this.offerTools();
    this.context.update();
  }

  /** Ends a run in the background. */
  dispose(): void {
    if (this.isRunning) {
      this.shown.keepInterrupted();
    }
    this.shown.keepIn(undefined);
    this.store.dispose();
    const session = this.piSession;
    this.piSession = undefined;
    void endPiSession(session, this.options.machine.loggers.main).finally(() => {
      this.gate.end();
      this.conversation?.dispose();
    });
  }

  private async start(): Promise<void> {
    const stored = await ConversationFile.open(this.options);
    this.conversation = stored;
    this.store.add(stored.onDidChangeUnsaved(() => this.changeEmitter.fire('state')));
    const { manager: sessionManager } = stored;
    await this.builtInCalls.changes.open(stored.file);
    await this.results.open(stored.file);
    const entries = sessionManager.getBranch();
    this.tools.open(sessionManager);
    await this.shown.restore(sessionManager);
    if (stored.note !== undefined) {
      this.shown.addNotice(stored.note);
    }
    const session = await createPiSession(this.options, {
      sessionManager,
      builtIns: this.builtIns,
      createTools: (settings) => this.builtInCalls.createTools(settings),
      connect: (api) => this.connectExtension(api),
      gate: this.gate,
      controls: this.controls,
      fixedTokens: () => this.context.fixedTokens,
      requests: {
        limits: this.side.limits,
        retries: this.retries,
        refusals: refusalsOf(this.bridge, this.apply),
      },
      say: (text, actions) => this.tell(text, actions),
    });
    if (this.store.isDisposed) {
      session.dispose();
      return;
    }
    this.piSession = session;
    this.shown.keepIn(this.extension);
    const runs = this.store.add(this.createRuns(session));
    this.branchesOfSession = new SessionBranches({
      session,
      whileIdle: (work) => runs.whileIdle(work),
      hasTasks: () => this.tasks.isOpen,
      show: (isQuiet) => this.showBranch(sessionManager, isQuiet),
      onStored: (input) => {
        this.apply(input);
        this.builtInCalls.onStored(input);
      },
    });
    const { main } = this.options.machine.loggers;
    await startExtensions(session, this.options.extensions.ui, (text) => main.log('error', text));
    await runs.restore();
    this.runs = runs;
    this.store.add({ dispose: session.subscribe((event) => this.onPiEvent(event)) });
    const { bridge, tasks } = this;
    this.store.add(takeUpTasks({ ...this.options, bridge, tasks, show: this.apply }, entries));
    this.offerTools();
    this.context.update();
  }

  private async showBranch(manager: PiSessionManager, isQuiet: boolean): Promise<void> {
    this.tools.restore(manager.getBranch());
    await this.shown.follow(manager, isQuiet);
    this.offerTools();
    this.context.update();
    this.changeEmitter.fire('moved');
  }

  private createRuns(session: PiSession): SessionRuns {
    const runs = new SessionRuns({
      session,
      show: this.apply,
      endCalls: () => {
        this.gate.end();
        this.approvals.cancelAll();
      },
      onDidStart: () => this.changeEmitter.fire('state'),
      log: (error) => this.options.machine.loggers.main.log('error', errorMessage(error)),
    });
    this.store.add(runs.queue.onDidChange(() => this.changeEmitter.fire('state')));
    return runs;
  }

  private connectExtension(api: PiExtensionApi): void {
    this.extension = api;
    this.tools.connect(api);
    addInstructions(api, this.options.service, this.options.folderUri);
    keepFailedResults(api);
    api.on('turn_end', async ({ message }) => {
      if (message.role === 'assistant' && message.stopReason !== 'error') {
        this.pruning.prune();
        await this.runs?.queue.onStep();
      }
    });
  }

  private offerTools(): void {
    if (this.piSession) {
      this.tools.offer(this.piSession);
      this.changeEmitter.fire('state');
    }
  }

  /** Must not throw: Pi would end the run with the error of a listener. */
  private onPiEvent(event: PiEvent): void {
    try {
      this.apply(event);
      this.gate.follow(event);
      this.retries.follow(event);
      this.runs?.follow(event);
      this.builtInCalls.follow(event);
      this.branchesOfSession?.follow(event);
      this.side.follow(event);
      if (changesContext(event)) {
        this.context.update();
      } else if (event.type === 'agent_start' || event.type === 'compaction_start') {
        this.changeEmitter.fire('state');
      }
    } catch (error) {
      this.options.machine.loggers.main.log('error', errorMessage(error));
    }
  }

  private started<T>(part: T | undefined): T {
    if (part === undefined || !this.piSession) {
      throw sessionClosed();
    }
    return part;
  }

  private live(): PiSession {
    return this.started(this.piSession);
  }
}

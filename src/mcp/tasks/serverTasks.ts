import { delay } from '../../base/async/cancellation.js';
import { Coalescer } from '../../base/async/coalescer.js';
import { type Disposable, DisposableStore } from '../../base/disposable.js';
import { Emitter } from '../../base/event.js';
import type { McpSession, ToolAnswer } from '../connection/session/engine.js';
import type { McpCallOptions } from '../mcpApi.js';
import type { McpProgress, McpToolResult } from '../mcpTypes.js';
import { hasEnded, type McpServerTasks, type McpTask, type McpTaskRun } from '../taskTypes.js';
import { tooManyTasks } from './taskErrors.js';
import type { TaskLink } from './taskInputs.js';
import { TaskRun, type TaskStart } from './taskRun.js';

const maxRunning = 50;
/** Tasks that have ended and are still shown. */
const maxEnded = 20;
const changeDelayMs = 100;
const settleLimitMs = 1000;

export interface ServerTasksOptions extends TaskLink {
  /** Keeps the server from being stopped as idle. */
  readonly hold: (holder: string) => Disposable;
}

/** The tasks of one server that somebody here waits for or has waited for. */
export class ServerTasks implements McpServerTasks, Disposable {
  private readonly store = new DisposableStore();
  private readonly changeEmitter = this.store.add(new Emitter<void>());
  /** Coalesced: listeners read the whole server again. */
  private readonly changes = this.store.add(
    new Coalescer(async () => this.changeEmitter.fire(), { delayMs: changeDelayMs }),
  );
  private readonly runs = new Set<TaskRun>();
  private session: McpSession | undefined;

  readonly onDidChange = this.changeEmitter.event;

  constructor(private readonly options: ServerTasksOptions) {}

  get all(): readonly TaskRun[] {
    return [...this.runs];
  }

  /** @throws {HumanError} before a call that might become one task too many. */
  assertRoom(): void {
    const running = this.all.filter((run) => !hasEnded(run.state.value)).length;
    if (running >= maxRunning) {
      throw tooManyTasks(running);
    }
  }

  /**
   * Calls a tool and waits for its result, as a task if the server makes one of it.
   * @param send asks the server; must not be repeated when it may have been executed.
   */
  async call(
    tool: string,
    options: McpCallOptions,
    send: (options: McpCallOptions) => Promise<ToolAnswer>,
  ): Promise<McpToolResult> {
    let run: TaskRun | undefined;
    const onProgress = (progress: McpProgress) => {
      run?.receiveProgress(progress);
      options.onProgress?.(progress);
    };
    const answer = await send({ ...options, onProgress });
    if (answer.kind === 'result') {
      return answer.result;
    }
    const { task, immediateResponse } = answer;
    const { signal, origin } = options;
    run = this.add({ task, tool, immediateResponse, signal, origin });
    options.onTask?.(run);
    return run.result;
  }

  async listOthers(signal = new AbortController().signal): Promise<readonly McpTask[]> {
    const listed = await this.options.request(
      (session, options) => session.tasks.list(options),
      signal,
    );
    return listed.filter(({ taskId }) => !this.find(taskId));
  }

  async resume(task: McpTask, tool?: string): Promise<McpTaskRun> {
    const run = this.add({ task, tool });
    run.detach();
    return run;
  }

  forget(run: McpTaskRun): void {
    if (hasEnded(run.state.value) && this.runs.delete(run as TaskRun)) {
      this.changes.request();
    }
  }

  /** Hears what this session says of tasks, from now on. */
  attach(session: McpSession | undefined): void {
    if (session !== this.session) {
      this.session = session;
      session?.tasks.onDidChange((task) => this.find(task.taskId)?.receive(task));
    }
  }

  /** The server is not wanted any more: nobody follows its tasks. */
  abandonAll(): void {
    for (const run of this.runs) {
      run.abandon();
    }
  }

  /** Something is being cancelled right now. */
  get isCancelling(): boolean {
    return this.all.some(({ cancelling }) => cancelling);
  }

  /** Bounded; resolves when the server has been told what is cancelled. */
  async settled(): Promise<void> {
    const limit = new AbortController();
    const told = Promise.all(this.all.map(({ cancelling }) => cancelling));
    await Promise.race([told, delay(settleLimitMs, limit.signal).catch(() => undefined)]);
    limit.abort();
  }

  dispose(): void {
    this.abandonAll();
    this.store.dispose();
  }

  private find(taskId: string): TaskRun | undefined {
    return this.all.find((run) => run.taskId === taskId && !hasEnded(run.state.value));
  }

  private add(start: TaskStart): TaskRun {
    const known = this.find(start.task.taskId);
    if (known) {
      return known;
    }
    const run = new TaskRun(this.options, start);
    this.runs.add(run);
    const held = this.options.hold(`task ${start.tool ?? run.taskId}`);
    let { status } = run.state.value;
    run.state.onDidChange((state) => {
      if (state.status !== status) {
        status = state.status;
        this.changes.request();
      }
    });
    const end = () => {
      held.dispose();
      this.dropOldest();
    };
    run.result.then(end, end);
    this.changes.request();
    return run;
  }

  private dropOldest(): void {
    const ended = this.all.filter((run) => hasEnded(run.state.value));
    for (const run of ended.slice(0, Math.max(0, ended.length - maxEnded))) {
      this.runs.delete(run);
    }
  }
}

import {
  CancellationError,
  isCancellationError,
  raceWithSignal,
} from '../../base/async/cancellation.js';
import type { Disposable } from '../../base/disposable.js';
import { errorCode, errorMessage } from '../../base/errors.js';
import { stableStringify } from '../../base/json.js';
import { ValueEmitter } from '../../base/valueEmitter.js';
import type { McpServerId } from '../../config/definition.js';
import { backoffMs } from '../../platform/clock.js';
import type { McpSession, McpTaskReport, RequestOptions } from '../connection/session/engine.js';
import type { McpProgress, McpToolResult } from '../mcpTypes.js';
import type { RequestOrigin } from '../originTypes.js';
import { hasEnded, type McpTask, type McpTaskRun, type McpTaskState } from '../taskTypes.js';
import {
  isConnectionTrouble,
  isServerError,
  isTaskUnknown,
  taskAbandoned,
  taskCancelled,
  taskFailed,
  taskGone,
  taskUnreachable,
} from './taskErrors.js';
import { TaskInputs, type TaskLink } from './taskInputs.js';

export interface TaskStart {
  readonly task: McpTask;
  readonly tool: string | undefined;
  readonly immediateResponse?: string | undefined;
  /** Of who waits for the result; until {@link McpTaskRun.detach}, its end is the task's end. */
  readonly signal?: AbortSignal | undefined;
  /** Who answers its questions. Default: the user of this window. */
  readonly origin?: RequestOrigin | undefined;
}

/** Milliseconds between questions, whatever the server asks for. */
const shortestPollMs = 100;
const longestPollMs = 60_000;
/** Many tasks end soon; the first question comes no later than this. */
const firstPollMs = 500;
const defaultPollMs = 1000;
/** For how long a server that cannot be reached is asked again. */
const maxSilenceMs = 10 * 60_000;
/** The longest time for which a task is followed: a day. */
const maxTaskMs = 24 * 60 * 60_000;
const maxServerErrors = 3;
const cancelTimeoutMs = 10_000;

/** Asks for a task until it has ended; a lost connection interrupts the asking, never the task. */
export class TaskRun implements McpTaskRun {
  readonly serverId: McpServerId;
  readonly taskId: string;
  readonly tool: string | undefined;
  readonly immediateResponse: string | undefined;
  readonly startedAt: number;
  readonly state: ValueEmitter<McpTaskState>;
  private running: Promise<McpToolResult> | undefined;
  private readonly following = new AbortController();
  private readonly inputs: TaskInputs;
  isDetached = false;
  /** Resolves when the server knows of the cancellation, or cannot be told; `undefined` while it need not be told. */
  cancelling: Promise<unknown> | undefined;
  /** The open request for the result, through which an older server asks what it needs. */
  private waiting: Promise<void> | undefined;
  private outcome: McpToolResult | undefined;
  private wake: () => void = () => undefined;
  private heardAt: number;

  constructor(
    private readonly link: TaskLink,
    private readonly start: TaskStart,
  ) {
    this.serverId = link.serverId;
    this.taskId = start.task.taskId;
    this.tool = start.tool;
    this.immediateResponse = start.immediateResponse;
    this.startedAt = link.clock.now();
    this.heardAt = link.clock.elapsed();
    this.state = new ValueEmitter<McpTaskState>(stateOf(start.task), isSameState);
    this.inputs = new TaskInputs(link, this.taskId, this.following.signal, start.origin);
  }

  /** The first look starts the asking. */
  get result(): Promise<McpToolResult> {
    this.running ??= this.run();
    return this.running;
  }

  detach(): void {
    this.isDetached = true;
    this.start.signal?.removeEventListener('abort', this.onCallerAbort);
  }

  async cancel(): Promise<void> {
    if (hasEnded(this.state.value)) {
      return;
    }
    const isOver = await this.tellServer();
    if (isOver) {
      // its outcome is on the way
      this.wake();
    } else {
      this.following.abort(taskCancelled(undefined));
    }
  }

  /** Stops following; the task itself may go on. */
  abandon(): void {
    this.following.abort(taskAbandoned());
  }

  /** The server says by itself how the task is. */
  receive(task: McpTask): void {
    this.heardAt = this.link.clock.elapsed();
    if (!hasEnded(task)) {
      this.show(task);
    }
    this.wake();
  }

  receiveProgress(progress: McpProgress): void {
    if (!hasEnded(this.state.value)) {
      this.state.set({ ...this.state.value, progress });
    }
  }

  private async run(): Promise<McpToolResult> {
    const { signal: caller } = this.start;
    caller?.addEventListener('abort', this.onCallerAbort, { once: true });
    if (caller?.aborted) {
      this.onCallerAbort();
    }
    const deadline = this.link.clock.after(maxTaskMs, () => void this.cancel());
    try {
      const result = await this.follow(this.start.task);
      this.finish({ status: result.isError ? 'failed' : 'completed' });
      return result;
    } catch (error) {
      const isCancelled = isCancellationError(error) || errorCode(error) === 'task_cancelled';
      this.finish({
        status: isCancelled ? 'cancelled' : 'failed',
        message: isCancelled ? undefined : errorMessage(error),
      });
      throw error;
    } finally {
      deadline.dispose();
      caller?.removeEventListener('abort', this.onCallerAbort);
      this.following.abort(new CancellationError('The task has ended'));
    }
  }

  private async follow(created: McpTask): Promise<McpToolResult> {
    const { signal } = this.following;
    let report: McpTaskReport = created;
    for (let polls = 0; ; polls++) {
      signal.throwIfAborted();
      if (hasEnded(report)) {
        return await this.readOutcome(report);
      }
      this.show(report);
      if (report.status === 'input_required') {
        this.attend(report);
      }
      await this.pause(pollDelayMs(report, polls));
      if (this.outcome) {
        return this.outcome;
      }
      report = await this.ask((session, options) =>
        session.tasks.get(this.taskId, this.tool, options),
      );
    }
  }

  private attend({ inputs }: McpTaskReport): void {
    if (inputs) {
      this.inputs.answer(inputs, (reason) => {
        void this.tellServer();
        this.following.abort(reason);
      });
      return;
    }
    const { signal } = this.following;
    this.waiting ??= this.link
      .request(
        (session, options) =>
          session.tasks.result(this.taskId, this.tool, {
            ...options,
            origin: this.start.origin,
            timeoutMs: maxTaskMs,
            maxTotalMs: maxTaskMs,
          }),
        signal,
      )
      .then(
        (result) => {
          this.outcome = result;
          this.wake();
        },
        // the next question about the status, in its time, says what is wrong
        () => undefined,
      )
      .finally(() => {
        this.waiting = undefined;
      });
  }

  private async readOutcome(report: McpTaskReport): Promise<McpToolResult> {
    const { status, message, outcome } = report;
    if (status === 'cancelled') {
      throw taskCancelled(message);
    }
    if (outcome?.kind === 'result') {
      return outcome.result;
    }
    if (outcome) {
      throw taskFailed(outcome.error.message, outcome.error);
    }
    try {
      return await this.ask((session, options) =>
        session.tasks.result(this.taskId, this.tool, options),
      );
    } catch (error) {
      const isAnswer = isServerError(error) || errorCode(error) === 'task_gone';
      throw status === 'failed' && isAnswer
        ? taskFailed(message ?? errorMessage(error), error)
        : error;
    }
  }

  /** Asks again while the connection is at fault. */
  private async ask<T>(
    send: (session: McpSession, options: RequestOptions) => Promise<T>,
  ): Promise<T> {
    const { clock, request, log } = this.link;
    const { signal } = this.following;
    let serverErrors = 0;
    for (let failures = 1; ; failures++) {
      try {
        const answer = await request(send, signal);
        this.heardAt = clock.elapsed();
        return answer;
      } catch (error) {
        signal.throwIfAborted();
        if (isTaskUnknown(error)) {
          throw taskGone(error);
        }
        serverErrors += isServerError(error) ? 1 : 0;
        const isTried = isConnectionTrouble(error) || isServerError(error);
        if (!isTried || serverErrors >= maxServerErrors) {
          throw error;
        }
        if (clock.elapsed() - this.heardAt > maxSilenceMs) {
          throw taskUnreachable(error);
        }
        log(`Task ${this.taskId} could not be asked for: ${errorMessage(error)}`);
        this.state.set({ ...this.state.value, isUnreachable: true });
        await this.pause(
          isServerError(error) ? defaultPollMs : backoffMs(failures, clock.random()),
        );
        signal.throwIfAborted();
      }
    }
  }

  /** @returns whether the server says that there is nothing to cancel any more. Never rejects. */
  private tellServer(): Promise<boolean> {
    const telling = this.requestCancel().finally(() => {
      this.cancelling = undefined;
    });
    this.cancelling = telling;
    return telling;
  }

  private async requestCancel(): Promise<boolean> {
    const limit = new AbortController();
    const timer = this.link.clock.after(cancelTimeoutMs, () => limit.abort());
    try {
      await this.link.request(
        (session, options) =>
          session.tasks.cancel(this.taskId, { ...options, timeoutMs: cancelTimeoutMs }),
        limit.signal,
      );
      return false;
    } catch (error) {
      this.link.log(`Task ${this.taskId} could not be cancelled: ${errorMessage(error)}`);
      return isTaskUnknown(error);
    } finally {
      timer.dispose();
    }
  }

  /** Ends early when there is news. Rejects with the reason for not following any more. */
  private async pause(ms: number): Promise<void> {
    let timer: Disposable | undefined;
    const over = new Promise<void>((resolve) => {
      this.wake = resolve;
      timer = this.link.clock.after(ms, resolve);
    });
    await raceWithSignal(over, this.following.signal).finally(() => timer?.dispose());
  }

  private readonly onCallerAbort = () => {
    void this.tellServer();
    this.following.abort(this.start.signal?.reason);
  };

  private show(task: McpTask): void {
    const { progress } = this.state.value;
    // news of a task that was cancelled here may be on the way
    if (!hasEnded(this.state.value)) {
      this.state.set({ ...stateOf(task), progress });
    }
  }

  private finish(state: McpTaskState): void {
    const { progress } = this.state.value;
    this.state.set({ progress, ...state });
  }
}

function pollDelayMs({ pollIntervalMs }: McpTask, polls: number): number {
  const wanted = pollIntervalMs ?? Math.min(5 * defaultPollMs, defaultPollMs * 1.5 ** polls);
  const bounded = Math.min(longestPollMs, Math.max(shortestPollMs, wanted));
  return polls === 0 ? Math.min(firstPollMs, bounded) : bounded;
}

function stateOf({ status, message }: McpTask): McpTaskState {
  return { status, message };
}

function isSameState(a: McpTaskState, b: McpTaskState): boolean {
  return stableStringify(a) === stableStringify(b);
}

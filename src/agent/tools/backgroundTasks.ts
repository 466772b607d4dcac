/** Calls of a conversation that run as tasks, and what becomes of those that the user sends into the background. */
import { delay, raceWithSignal } from '../../base/async/cancellation.js';
import { type Disposable, DisposableStore } from '../../base/disposable.js';
import { errorMessage } from '../../base/errors.js';
import { Emitter } from '../../base/event.js';
import type { NamedTool } from '../../mcp/catalog/toolNames.js';
import { taskProgress } from '../../mcp/tasks/taskText.js';
import type { McpTaskRun } from '../../mcp/taskTypes.js';
import { taskResultName } from '../builtIn/builtInTools.js';
import type { PiTool, PiToolResult } from '../pi/piModule.js';
import type { TaskInput, TaskRef } from '../transcript/tasks.js';
import { isFailed, type OfferedTool, textResult } from './bridgedTool.js';
import { insideMark } from './serverMark.js';

export interface BackgroundTasksOptions {
  readonly show: (input: TaskInput) => void;
  /** Gives the model something with its next request; data, not an instruction. */
  readonly deliver: (content: PiToolResult['content']) => void;
}

/** A call that may become a task. */
export interface WatchedCall extends Disposable {
  readonly onTask: (run: McpTaskRun) => void;
  /** Resolves, with what the model is told, once the user has sent the task into the background. */
  readonly detached: Promise<PiToolResult>;
}

interface RunningCall {
  readonly ref: TaskRef;
  readonly run: McpTaskRun;
  readonly leave: (task: BackgroundTask) => void;
}

interface BackgroundTask {
  /** For the model; short, as it is written often. */
  readonly id: string;
  readonly callId: string;
  readonly tool: NamedTool;
  readonly run: McpTaskRun;
  /** Calls that wait for the result, and will return it. */
  waiting: number;
}

/** Milliseconds for which the model's question waits for the end. */
const waitMs = 20_000;
const resultMark = 'mcp-task-result';

export class BackgroundTasks implements Disposable {
  private readonly store = new DisposableStore();
  private readonly changeEmitter = this.store.add(new Emitter<void>());
  private readonly running = new Map</* call id */ string, RunningCall>();
  private readonly open = new Map</* task id */ string, BackgroundTask>();
  private readonly outcomes = new Map</* task id */ string, Promise<PiToolResult>>();
  private nextId = 1;

  /** What the model is offered has changed. */
  readonly onDidChange = this.changeEmitter.event;

  constructor(private readonly options: BackgroundTasksOptions) {}

  /** The way to a result, while there is one to wait for. */
  get offered(): readonly OfferedTool[] {
    const { definition } = this;
    return this.open.size > 0
      ? [{ name: taskResultName, signature: definition.description, definition }]
      : [];
  }

  /** Calls go on whose results the conversation has not got. */
  get isOpen(): boolean {
    return this.open.size > 0;
  }

  /** @param launch of the server; see `hashOf` */
  watch(callId: string, tool: NamedTool, launch = ''): WatchedCall {
    let leave: (result: PiToolResult) => void = () => undefined;
    const detached = new Promise<PiToolResult>((resolve) => {
      leave = resolve;
    });
    const changes = new DisposableStore();
    return {
      detached,
      onTask: (run) => {
        const { name, serverId, server } = tool;
        const names = { name, serverId, server, tool: tool.tool };
        const ref = { ...names, launch, taskId: run.taskId };
        this.running.set(callId, { ref, run, leave: (task) => leave(notice(task)) });
        changes.add(run.state.onDidChange(() => this.show(callId, run)));
        this.show(callId, run, ref);
      },
      dispose: () => {
        this.running.delete(callId);
        changes.dispose();
      },
    };
  }

  /** Sends the task of a call into the background; no effect when the call is over or no task. */
  detach(callId: string): void {
    const call = this.running.get(callId);
    if (!call) {
      return;
    }
    const { ref, run } = call;
    const task = { id: `task-${this.nextId++}`, callId, tool: ref, run, waiting: 0 };
    run.detach();
    this.open.set(task.id, task);
    this.show(callId, run, { ...ref, label: task.id });
    call.leave(task);
    this.changeEmitter.fire();
  }

  /** To be called with all that may be taken up: what the model knows by a name keeps it. */
  reserve(refs: readonly TaskRef[]): void {
    for (const ref of refs) {
      this.nextId = Math.max(this.nextId, (numberOf(ref) ?? 0) + 1);
    }
  }

  /** Follows a task that an earlier window left. */
  takeUp(callId: string, ref: TaskRef, run: McpTaskRun, outcome: Promise<PiToolResult>): void {
    const id = `task-${numberOf(ref) ?? this.nextId++}`;
    const task = { id, callId, tool: ref, run, waiting: 0 };
    this.open.set(task.id, task);
    this.show(callId, run, ref.label === task.id ? undefined : { ...ref, label: task.id });
    this.follow(callId, outcome);
    this.changeEmitter.fire();
  }

  /** What a detached call comes to. To be called once {@link WatchedCall.detached} has resolved. */
  follow(callId: string, outcome: Promise<PiToolResult>): void {
    const task = [...this.open.values()].find((one) => one.callId === callId);
    if (!task) {
      return;
    }
    this.outcomes.set(task.id, outcome);
    const changes = task.run.state.onDidChange(() => this.show(callId, task.run));
    this.store.add(changes);
    const end = (status: 'done' | 'failed', result: PiToolResult) => {
      this.store.delete(changes);
      this.finish(task, status, result);
    };
    outcome.then(
      (result) => end(isFailed(result) ? 'failed' : 'done', result),
      (error: unknown) => end('failed', errorResult(error)),
    );
  }

  async cancel(callId: string): Promise<void> {
    const task = [...this.open.values()].find((one) => one.callId === callId);
    await (task ?? this.running.get(callId))?.run.cancel();
  }

  dispose(): void {
    this.open.clear();
    this.running.clear();
    this.store.dispose();
  }

  private show(toolCallId: string, run: McpTaskRun, ref?: TaskRef): void {
    const { isDetached, state } = run;
    const news = { toolCallId, isDetached, state: state.value };
    this.options.show({ type: 'tool_task', ...news, ref });
  }

  private finish(task: BackgroundTask, status: 'done' | 'failed', result: PiToolResult): void {
    if (!this.open.delete(task.id)) {
      return;
    }
    this.outcomes.delete(task.id);
    this.options.show({ type: 'tool_task_end', toolCallId: task.callId, status, result });
    if (task.waiting === 0) {
      this.options.deliver(resultMessage(task, result));
    }
    this.changeEmitter.fire();
  }

  private readonly definition: PiTool = {
    name: taskResultName,
    label: taskResultName,
    description:
      'Returns the result of a tool call that continues in the background, or how far it is. Results also arrive by themselves: ask only when you cannot go on without one.',
    parameters: {
      type: 'object',
      properties: { task: { type: 'string', description: 'Such as task-1' } },
      required: ['task'],
    } as unknown as PiTool['parameters'],
    execute: (_id, args, signal) => this.answer((args as { task: string }).task, signal),
  };

  private async answer(id: string, signal: AbortSignal | undefined): Promise<PiToolResult> {
    const task = this.open.get(id);
    const outcome = this.outcomes.get(id);
    if (!task || !outcome) {
      return textResult(`There is no task ${id} in the background; its result was given before.`);
    }
    const timer = new AbortController();
    task.waiting++;
    try {
      const late = delay(waitMs, timer.signal).then(() => undefined);
      const result = await raceWithSignal(Promise.race([outcome.catch(errorResult), late]), signal);
      return result ?? textResult(`${id} still runs: ${taskProgress(task.run.state.value)}`);
    } finally {
      // after the outcome has been shown, which must not give it to the model a second time
      void delay(0).then(() => {
        task.waiting--;
      });
      timer.abort();
    }
  }
}

/** In the name by which the model knows the task, as far as it does. */
function numberOf({ label = '' }: TaskRef): number | undefined {
  const [, digits] = /^task-(\d{1,9})$/.exec(label) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

function notice({ id, tool, run }: BackgroundTask): PiToolResult {
  const { immediateResponse } = run;
  const text = [
    `The user lets this call continue in the background as ${id}. Its result will be given to you when it is there; ${taskResultName} asks for it before. Go on without it, or tell the user that it is under way.`,
    ...(immediateResponse ? [`The server says meanwhile: ${immediateResponse}`] : []),
  ].join('\n');
  return {
    content: [{ type: 'text', text }],
    details: {
      isMcp: true,
      isError: false,
      isBackground: true,
      server: tool.server,
      tool: tool.tool,
    },
  };
}

/** For the model: what a server sent, marked as that. */
function resultMessage(
  { id, tool }: BackgroundTask,
  result: PiToolResult,
): PiToolResult['content'] {
  const names = `task=${JSON.stringify(id)} server=${JSON.stringify(tool.server)} tool=${JSON.stringify(tool.tool)}`;
  return [
    { type: 'text', text: `<${resultMark} ${insideMark(resultMark, names)}>` },
    ...result.content.map((part) =>
      part.type === 'text' ? { ...part, text: insideMark(resultMark, part.text) } : part,
    ),
    { type: 'text', text: `</${resultMark}>` },
  ];
}

function errorResult(error: unknown): PiToolResult {
  return textResult(`[error] ${errorMessage(error)}`);
}

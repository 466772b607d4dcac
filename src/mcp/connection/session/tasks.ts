import * as l10n from '@vscode/l10n';
import { type Disposable, DisposableStore } from '../../../base/disposable.js';
import { Emitter } from '../../../base/event.js';
import { asObject, isJsonObject, type JsonObject } from '../../../base/json.js';
import { rpcCode } from '../../../base/jsonRpc.js';
import type { McpProgress, McpToolResult } from '../../mcpTypes.js';
import type { McpTask } from '../../taskTypes.js';
import { parseProgress } from '../reading/parseItems.js';
import { notValid } from '../reading/repairResponse.js';
import {
  type EngineError,
  type McpSessionTasks,
  type McpTaskReport,
  type RequestOptions,
  serverError,
} from './engine.js';
import type { SessionClient } from './sessionClient.js';
import { canUseTasks, parseInputs, parseTask } from './taskDialect.js';

const maxListed = 100;
const maxListPages = 10;
/** Listeners to progress; the oldest make room. */
const maxProgressTokens = 200;
/** No request has a token like this, so it stays a task's when the request is over. */
const tokenPrefix = 'pi-mcp-task-';

export class SessionTasks implements McpSessionTasks, Disposable {
  private readonly store = new DisposableStore();
  private readonly changeEmitter = this.store.add(new Emitter<McpTask>());
  private readonly progress = new Map</* token */ string, (progress: McpProgress) => void>();
  private nextToken = 1;

  readonly onDidChange = this.changeEmitter.event;

  constructor(
    private readonly client: SessionClient,
    private readonly toResult: (tool: string | undefined, raw: JsonObject) => McpToolResult,
  ) {}

  async get(
    taskId: string,
    tool: string | undefined,
    options: RequestOptions,
  ): Promise<McpTaskReport> {
    const { client } = this;
    const answer = await client.request('tasks/get', { taskId }, options);
    const task = parseTask(answer);
    if (!task) {
      throw serverError(rpcCode.internalError, notValid('tasks/get', 'task'));
    }
    if (client.taskDialect !== 'extension') {
      return task;
    }
    if (task.status === 'completed' && isJsonObject(answer.result)) {
      return { ...task, outcome: { kind: 'result', result: this.toResult(tool, answer.result) } };
    }
    return task.status === 'failed'
      ? { ...task, outcome: { kind: 'error', error: errorOf(answer.error, task) } }
      : { ...task, inputs: parseInputs(answer.inputRequests) };
  }

  async result(
    taskId: string,
    tool: string | undefined,
    options: RequestOptions,
  ): Promise<McpToolResult> {
    return this.toResult(tool, await this.client.request('tasks/result', { taskId }, options));
  }

  async update(
    taskId: string,
    inputResponses: Readonly<Record<string, JsonObject>>,
    options: RequestOptions,
  ): Promise<void> {
    await this.client.request('tasks/update', { taskId, inputResponses }, options);
  }

  async cancel(taskId: string, options: RequestOptions): Promise<boolean> {
    const { client } = this;
    if (!canUseTasks(client.taskDialect, client.capabilities, 'cancel')) {
      return false;
    }
    await client.request('tasks/cancel', { taskId }, options);
    return true;
  }

  async list(options: RequestOptions): Promise<readonly McpTask[]> {
    const { client } = this;
    if (!canUseTasks(client.taskDialect, client.capabilities, 'list')) {
      return [];
    }
    const tasks = new Map<string, McpTask>();
    let cursor: string | undefined;
    for (let page = 1; page <= maxListPages && tasks.size < maxListed; page++) {
      const answer = await client.request('tasks/list', cursor ? { cursor } : undefined, options);
      for (const item of Array.isArray(answer.tasks) ? (answer.tasks as readonly unknown[]) : []) {
        const task = parseTask(item);
        if (task && tasks.size < maxListed) {
          tasks.set(task.taskId, task);
        }
      }
      cursor = typeof answer.nextCursor === 'string' ? answer.nextCursor : undefined;
      if (cursor === undefined) {
        break;
      }
    }
    return [...tasks.values()];
  }

  /** A token under which progress arrives also after the request is over. */
  listenForProgress(onProgress: ((progress: McpProgress) => void) | undefined): string {
    const token = `${tokenPrefix}${this.nextToken++}`;
    if (onProgress) {
      this.progress.set(token, onProgress);
      for (const old of [...this.progress.keys()].slice(0, -maxProgressTokens)) {
        this.progress.delete(old);
      }
    }
    return token;
  }

  stopListening(token: string): void {
    this.progress.delete(token);
  }

  receiveStatus(params: unknown): void {
    const task = parseTask(params);
    if (task) {
      this.changeEmitter.fire(task);
    }
  }

  receiveProgress(params: unknown): void {
    const progress = parseProgress(params);
    if (progress && isJsonObject(params)) {
      this.progress.get(String(params.progressToken))?.(progress);
    }
  }

  dispose(): void {
    this.progress.clear();
    this.store.dispose();
  }
}

function errorOf(error: unknown, task: McpTask): EngineError {
  const { code, message } = asObject(error);
  const text = typeof message === 'string' ? message : task.message;
  return serverError(
    typeof code === 'number' ? code : rpcCode.internalError,
    text ?? l10n.t('no reason given'),
  );
}

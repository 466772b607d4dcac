import * as l10n from '@vscode/l10n';
import { Coalescer } from '../../../base/async/coalescer.js';
import { DisposableStore } from '../../../base/disposable.js';
import { HumanError } from '../../../base/errors.js';
import { Emitter } from '../../../base/event.js';
import { asObject, asTexts, isJsonObject, type JsonObject } from '../../../base/json.js';
import { rpcCode } from '../../../base/jsonRpc.js';
import type {
  CompletionReference,
  McpListKind,
  McpPromptResult,
  McpResourceContents,
  McpTool,
  McpToolResult,
} from '../../mcpTypes.js';
import { parsePromptMessage, parseResourceContents } from '../reading/parseItems.js';
import { skillsExtension } from '../reading/parseSkill.js';
import {
  type ListHint,
  type ListItems,
  type ListReading,
  listReadings,
  type McpList,
  readList,
} from '../reading/readList.js';
import { notValid } from '../reading/repairResponse.js';
import { ResultReader } from '../reading/resultReader.js';
import { cutText, maxCompletionLength, maxDescriptionLength } from '../reading/serverBounds.js';
import type { Answer } from './directRequests.js';
import { isEngineError, type McpSession, type RequestOptions, type ToolAnswer } from './engine.js';
import { type HeardLogLine, parseLogNotification } from './serverLog.js';
import {
  type HandshakeResult,
  SessionClient,
  type SessionClientOptions,
  type ToolCallParams,
} from './sessionClient.js';
import { boundedText, createdTask, type TaskDialect } from './taskDialect.js';
import { SessionTasks } from './tasks.js';

/** A burst of announcements of one list counts as one. */
const burstMs = 100;
const maxCompletions = 100;
/** How long a server is asked to keep a task, its work included: a day. */
const taskTtlMs = 24 * 60 * 60_000;
const immediateResponseKey = 'io.modelcontextprotocol/model-immediate-response';

/** A session over either SDK. The engine calls {@link receive} and, when the wire is down, {@link markClosed}. */
export class EngineSession extends SessionClient implements McpSession {
  private readonly store = new DisposableStore();
  private readonly _onDidClose = this.store.add(new Emitter<void>());
  private readonly _onDidChangeList = this.store.add(new Emitter<McpListKind>());
  private readonly _onDidUpdateResource = this.store.add(new Emitter<string>());
  private readonly _onDidLog = this.store.add(new Emitter<HeardLogLine>());
  readonly onDidClose = this._onDidClose.event;
  readonly onDidChangeList = this._onDidChangeList.event;
  readonly onDidUpdateResource = this._onDidUpdateResource.event;
  readonly onDidLog = this._onDidLog.event;
  private readonly listChanges: Readonly<Record<McpListKind, Coalescer>> = {
    tools: this.listChange('tools'),
    resources: this.listChange('resources'),
    prompts: this.listChange('prompts'),
  };
  private readonly tools = new Map</* name */ string, McpTool>();
  readonly listHints = new Map<keyof ListItems, ListHint>();
  private readonly results = new ResultReader((sentence) =>
    this.options.features.onNotice('warn', sentence),
  );
  readonly tasks: SessionTasks;
  private isClosed = false;

  constructor(handshake: HandshakeResult, options: SessionClientOptions) {
    super(handshake, options);
    this.tasks = this.store.add(
      new SessionTasks(this, (tool, raw) => this.results.toolResult(tool, raw)),
    );
  }

  async list<K extends keyof ListItems>(
    key: K,
    options: RequestOptions,
  ): Promise<McpList<ListItems[K]>> {
    if (!this.isDeclared(key)) {
      return { items: [], notices: [] };
    }
    const list = await this.readWholeList(key, options);
    return key === 'tools' ? (this.keepTools(list as McpList<McpTool>) as typeof list) : list;
  }

  async startTool(name: string, args: JsonObject, options: RequestOptions): Promise<ToolAnswer> {
    const { taskDialect: dialect } = this;
    const support = this.tools.get(name)?.taskSupport;
    const isWanted = support === 'required' || (support === 'optional' && options.asTask !== false);
    if (dialect === 'core' && isWanted) {
      return this.startTask(name, args, options);
    }
    const answer = await this.requestTool({ name, arguments: args }, options);
    return (
      (dialect === 'extension' && taskAnswer(dialect, answer.result)) || {
        kind: 'result',
        result: this.resultOf(name, answer),
      }
    );
  }

  async readResource(
    uri: string,
    options: RequestOptions,
  ): Promise<readonly McpResourceContents[]> {
    const params = withMeta({ uri }, options);
    const { contents } = await this.request('resources/read', params, options);
    return this.results
      .parts(uri, contents)
      .map(parseResourceContents)
      .filter((item) => item !== undefined);
  }

  async getPrompt(
    name: string,
    args: Readonly<Record<string, string>>,
    options: RequestOptions,
  ): Promise<McpPromptResult> {
    const params = withMeta({ name, arguments: { ...args } }, options);
    const answer = await this.ask('prompts/get', params, options);
    const { result } = answer;
    if (!Array.isArray(result.messages)) {
      const sentence = notValid('prompts/get', 'messages');
      answer.fault(sentence);
      throw new HumanError('server_error', sentence, {
        remedy: l10n.t('Update the server.'),
      });
    }
    const messages = this.results.parts(name, result.messages);
    const { description } = result;
    return {
      messages: messages.map(parsePromptMessage).filter((message) => message !== undefined),
      description:
        typeof description === 'string' ? cutText(description, maxDescriptionLength) : undefined,
    };
  }

  async complete(
    reference: CompletionReference,
    argument: { readonly name: string; readonly value: string },
    context: Readonly<Record<string, string>>,
    options: RequestOptions,
  ): Promise<readonly string[]> {
    if (this.capabilities.completions === undefined) {
      return [];
    }
    const ref =
      reference.kind === 'prompt'
        ? { type: 'ref/prompt', name: reference.name }
        : { type: 'ref/resource', uri: reference.uriTemplate };
    const given = { ref, argument: { ...argument }, context: { arguments: { ...context } } };
    const params = withMeta(given, options);
    const { completion } = await this.request('completion/complete', params, options);
    return asTexts(asObject(completion).values)
      .filter(({ length }) => length <= maxCompletionLength)
      .slice(0, maxCompletions);
  }

  async watchResource(uri: string, isWatched: boolean, options: RequestOptions): Promise<void> {
    const { resources } = this.capabilities;
    if (!isJsonObject(resources) || resources.subscribe !== true) {
      return;
    }
    if (this.isModern) {
      this.options.watchResource?.(uri, isWatched);
    } else {
      const method = isWatched ? 'resources/subscribe' : 'resources/unsubscribe';
      await this.request(method, { uri }, options);
    }
  }

  async setLogLevel(level: string, options: RequestOptions): Promise<void> {
    if (this.capabilities.logging === undefined) {
      return;
    }
    this.logLevel = level;
    if (!this.isModern) {
      await this.request('logging/setLevel', { level }, options);
    }
  }

  /** A notification that the SDK has no use for. */
  receive({ method, params }: { readonly method: string; readonly params?: unknown }): void {
    switch (method) {
      case 'notifications/tools/list_changed':
        this.listChanges.tools.request();
        break;
      case 'notifications/resources/list_changed':
        this.listChanges.resources.request();
        break;
      case 'notifications/prompts/list_changed':
        this.listChanges.prompts.request();
        break;
      case 'notifications/resources/updated':
        if (isJsonObject(params) && typeof params.uri === 'string') {
          this._onDidUpdateResource.fire(params.uri);
        }
        break;
      case 'notifications/progress':
        this.tasks.receiveProgress(params);
        break;
      case 'notifications/tasks':
      case 'notifications/tasks/status':
        this.tasks.receiveStatus(params);
        break;
      case 'notifications/message':
        this._onDidLog.fire(parseLogNotification(params, this.cause));
        break;
    }
  }

  markClosed(): void {
    if (this.isClosed) {
      return;
    }
    this.isClosed = true;
    this._onDidClose.fire();
    this.store.dispose();
  }

  /** Tools are asked for whatever a server declares. */
  private isDeclared(key: keyof ListItems): boolean {
    const { extensions, prompts, resources } = this.capabilities;
    switch (key) {
      case 'tools':
        return true;
      case 'prompts':
        return prompts !== undefined;
      case 'resources':
      case 'resourceTemplates':
        return resources !== undefined;
      case 'skills':
        return isJsonObject(extensions) && isJsonObject(extensions[skillsExtension]);
    }
  }

  /** Without those that cannot be called. */
  private keepTools({ items, notices }: McpList<McpTool>): McpList<McpTool> {
    const rejected = new Map(items.map((tool) => [tool, this.rejectTool(tool)]));
    const usable = items.filter((tool) => rejected.get(tool) === undefined);
    this.results.setTools(usable);
    this.tools.clear();
    for (const tool of usable) {
      this.tools.set(tool.name, tool);
    }
    const reasons = [...rejected.values()].filter((reason) => reason !== undefined);
    return { items: usable, notices: [...notices, ...reasons] };
  }

  private async readWholeList<K extends keyof ListItems>(
    key: K,
    options: RequestOptions,
  ): Promise<McpList<ListItems[K]>> {
    const reading: ListReading<ListItems[K]> = listReadings[key];
    try {
      const { hint, ...list } = await readList(
        reading,
        (cursor) =>
          this.ask(reading.method, cursor === undefined ? undefined : { cursor }, options),
        (error) =>
          options.signal?.aborted === true || (isEngineError(error) && error.kind === 'closed'),
      );
      this.listHints.set(key, hint);
      return list;
    } catch (error) {
      if (isEngineError(error) && error.code === rpcCode.methodNotFound) {
        return { items: [], notices: [] };
      }
      throw error;
    }
  }

  /** Of a server that makes a task of a call only when it is asked to. */
  private async startTask(
    name: string,
    args: JsonObject,
    options: RequestOptions,
  ): Promise<ToolAnswer> {
    const progressToken = this.tasks.listenForProgress(options.onProgress);
    let answer: ToolAnswer | undefined;
    try {
      const asTask = { task: { ttl: taskTtlMs }, _meta: { progressToken } };
      const raw = await this.requestTool({ name, arguments: args, ...asTask }, options);
      answer = taskAnswer('core', raw.result);
      return answer ?? { kind: 'result', result: this.resultOf(name, raw) };
    } finally {
      if (!answer) {
        this.tasks.stopListening(progressToken);
      }
    }
  }

  private resultOf(name: string, answer: Answer): McpToolResult {
    return this.results.toolResult(name, answer.result, answer);
  }

  private requestTool(params: ToolCallParams, options: RequestOptions): Promise<Answer> {
    return this.requestCall(this.tools.get(params.name), withMeta(params, options), options);
  }

  private listChange(kind: McpListKind): Coalescer {
    const announce = async () => this._onDidChangeList.fire(kind);
    return this.store.add(new Coalescer(announce, { delayMs: burstMs }));
  }
}

/** What the parameters have of it themselves stays. */
function withMeta<T extends JsonObject>(params: T, { meta }: RequestOptions): T {
  return meta ? { ...params, _meta: { ...meta, ...asObject(params._meta) } } : params;
}

function taskAnswer(dialect: TaskDialect, raw: JsonObject): ToolAnswer | undefined {
  const task = createdTask(dialect, raw);
  if (!task) {
    return undefined;
  }
  const immediateResponse = boundedText(asObject(raw._meta)[immediateResponseKey]);
  return { kind: 'task', task, immediateResponse };
}

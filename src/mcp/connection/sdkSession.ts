import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import * as l10n from '@vscode/l10n';
import { z } from 'zod';
import { Coalescer } from '../../base/coalescer.js';
import { DisposableStore } from '../../base/disposable.js';
import { Emitter } from '../../base/event.js';
import type { JsonObject } from '../../base/json.js';
import type {
  McpCatalog,
  McpPrompt,
  McpPromptResult,
  McpResource,
  McpResourceContents,
  McpResourceTemplate,
  McpTool,
  McpToolResult,
} from '../mcpTypes.js';
import type { LogLevel } from '../ports.js';
import type { McpList, McpListKind, McpSession, RequestOptions } from './engine.js';
import { OutputSchemas } from './outputSchemas.js';
import {
  isContentBlock,
  parsePrompt,
  parsePromptMessage,
  parseResource,
  parseResourceContents,
  parseResourceTemplate,
  parseTool,
} from './parseItems.js';
import { type ListReading, readList } from './readList.js';
import { parseLogNotification } from './serverLog.js';

const listChangedDelayMs = 100;
const methodNotFound = -32601;
const connectionClosed = -32000;

const anyResult = z.looseObject({});

const toolList: ListReading<McpTool> = {
  method: 'tools/list',
  key: 'tools',
  parse: parseTool,
  identify: (tool) => tool.name,
};
const resourceList: ListReading<McpResource> = {
  method: 'resources/list',
  key: 'resources',
  parse: parseResource,
  identify: (resource) => resource.uri,
};
const templateList: ListReading<McpResourceTemplate> = {
  method: 'resources/templates/list',
  key: 'resourceTemplates',
  parse: parseResourceTemplate,
  identify: (template) => template.uriTemplate,
};
const promptList: ListReading<McpPrompt> = {
  method: 'prompts/list',
  key: 'prompts',
  parse: parsePrompt,
  identify: (prompt) => prompt.name,
};

export interface SdkSessionOptions {
  readonly transport: McpSession['transport'];
  readonly protocolVersion: () => string | undefined;
  readonly onNotice: (level: LogLevel, message: string) => void;
  readonly closeError: () => unknown;
  /** Ends the wire politely; bounded, never rejects. */
  readonly close: () => Promise<void>;
}

/** An initialized SDK client as a session. The owner calls {@link SdkSession.markClosed} when the wire is down. */
export class SdkSession implements McpSession {
  private readonly store = new DisposableStore();
  private readonly _onDidClose = this.store.add(new Emitter<void>());
  private readonly _onDidChangeList = this.store.add(new Emitter<McpListKind>());
  private readonly _onDidLog = this.store.add(
    new Emitter<{ readonly level: LogLevel; readonly message: string }>(),
  );
  readonly onDidClose = this._onDidClose.event;
  readonly onDidChangeList = this._onDidChangeList.event;
  readonly onDidLog = this._onDidLog.event;
  private readonly listChanges: Readonly<Record<McpListKind, Coalescer>> = {
    tools: this.listChange('tools'),
    resources: this.listChange('resources'),
    prompts: this.listChange('prompts'),
  };
  private readonly outputSchemas = new OutputSchemas();
  private isClosed = false;

  constructor(
    private readonly client: Client,
    private readonly options: SdkSessionOptions,
  ) {
    client.fallbackNotificationHandler = async (notification) => this.receive(notification);
  }

  get transport(): McpSession['transport'] {
    return this.options.transport;
  }

  get serverInfo(): McpCatalog['serverInfo'] {
    const info = this.client.getServerVersion();
    return (
      info && {
        name: info.name,
        version: info.version,
        ...(info.title === undefined ? {} : { title: info.title }),
      }
    );
  }

  get instructions(): string | undefined {
    return this.client.getInstructions();
  }

  get protocolVersion(): string | undefined {
    return this.options.protocolVersion();
  }

  get capabilities(): JsonObject {
    return (this.client.getServerCapabilities() ?? {}) as JsonObject;
  }

  get closeError(): unknown {
    return this.options.closeError();
  }

  async listTools(options: RequestOptions): Promise<McpList<McpTool>> {
    const list = await this.readWholeList(toolList, options);
    this.outputSchemas.replace(list.items);
    return list;
  }

  listResources(options: RequestOptions): Promise<McpList<McpResource>> {
    return this.readDeclaredList('resources', resourceList, options);
  }

  listResourceTemplates(options: RequestOptions): Promise<McpList<McpResourceTemplate>> {
    return this.readDeclaredList('resources', templateList, options);
  }

  listPrompts(options: RequestOptions): Promise<McpList<McpPrompt>> {
    return this.readDeclaredList('prompts', promptList, options);
  }

  async callTool(name: string, args: JsonObject, options: RequestOptions): Promise<McpToolResult> {
    const result = await this.request('tools/call', { name, arguments: args }, options);
    const blocks = Array.isArray(result.content) ? (result.content as readonly unknown[]) : [];
    const content = blocks.filter(isContentBlock);
    if (content.length < blocks.length) {
      this.options.onNotice(
        'warn',
        l10n.t(
          '"{0}" returned {1} malformed content blocks.',
          name,
          blocks.length - content.length,
        ),
      );
    }
    const isError = result.isError === true;
    const mismatch = isError ? undefined : this.outputSchemas.check(name, result.structuredContent);
    if (mismatch) {
      this.options.onNotice('warn', mismatch);
    }
    return {
      content,
      isError,
      ...(result.structuredContent === undefined
        ? {}
        : { structuredContent: result.structuredContent }),
    };
  }

  async readResource(
    uri: string,
    options: RequestOptions,
  ): Promise<readonly McpResourceContents[]> {
    const { contents } = await this.request('resources/read', { uri }, options);
    return (Array.isArray(contents) ? contents : [])
      .map(parseResourceContents)
      .filter((item) => item !== undefined);
  }

  async getPrompt(
    name: string,
    args: Readonly<Record<string, string>>,
    options: RequestOptions,
  ): Promise<McpPromptResult> {
    const result = await this.request('prompts/get', { name, arguments: { ...args } }, options);
    const messages = Array.isArray(result.messages) ? result.messages : [];
    return {
      messages: messages.map(parsePromptMessage).filter((message) => message !== undefined),
      ...(typeof result.description === 'string' ? { description: result.description } : {}),
    };
  }

  async ping(options: RequestOptions): Promise<void> {
    await this.request('ping', undefined, options);
  }

  close(): Promise<void> {
    return this.options.close();
  }

  markClosed(): void {
    if (this.isClosed) {
      return;
    }
    this.isClosed = true;
    this._onDidClose.fire();
    this.store.dispose();
  }

  private async readDeclaredList<T>(
    capability: 'resources' | 'prompts',
    reading: ListReading<T>,
    options: RequestOptions,
  ): Promise<McpList<T>> {
    return this.capabilities[capability] === undefined
      ? { items: [], notices: [] }
      : this.readWholeList(reading, options);
  }

  private async readWholeList<T>(
    reading: ListReading<T>,
    options: RequestOptions,
  ): Promise<McpList<T>> {
    try {
      return await readList(
        reading,
        (cursor) =>
          this.request(reading.method, cursor === undefined ? undefined : { cursor }, options),
        (error) => options.signal?.aborted === true || jsonRpcCode(error) === connectionClosed,
      );
    } catch (error) {
      if (jsonRpcCode(error) === methodNotFound) {
        return { items: [], notices: [] };
      }
      throw error;
    }
  }

  /** Rejects with the signal's reason when it aborts; the server is told. */
  private async request(
    method: string,
    params: Record<string, unknown> | undefined,
    options: RequestOptions,
  ): Promise<JsonObject> {
    options.signal?.throwIfAborted();
    // a signal of its own: the SDK never lets go of the one it gets and would cancel finished requests
    const cancellation = new AbortController();
    const onAbort = () => cancellation.abort(options.signal?.reason);
    options.signal?.addEventListener('abort', onAbort, { once: true });
    const limit =
      options.maxTotalMs === undefined
        ? undefined
        : setTimeout(() => cancellation.abort(timeoutError()), options.maxTotalMs);
    try {
      return await this.client.request(
        params === undefined ? { method } : { method, params },
        anyResult,
        {
          signal: cancellation.signal,
          timeout: options.timeoutMs,
          // without a listener the server gets no progress token, and progress could not reset the time-out
          onprogress: (progress) => options.onProgress?.(progress),
          resetTimeoutOnProgress: true,
        },
      );
    } catch (error) {
      options.signal?.throwIfAborted();
      // "connection closed" says less than why it was closed
      throw (jsonRpcCode(error) === connectionClosed && this.closeError) || error;
    } finally {
      clearTimeout(limit);
      options.signal?.removeEventListener('abort', onAbort);
    }
  }

  private receive(notification: { method: string; params?: unknown }): void {
    switch (notification.method) {
      case 'notifications/tools/list_changed':
        this.listChanges.tools.request();
        break;
      case 'notifications/resources/list_changed':
        this.listChanges.resources.request();
        break;
      case 'notifications/prompts/list_changed':
        this.listChanges.prompts.request();
        break;
      case 'notifications/message':
        this._onDidLog.fire(parseLogNotification(notification.params));
        break;
    }
  }

  private listChange(kind: McpListKind): Coalescer {
    return this.store.add(
      new Coalescer(async () => this._onDidChangeList.fire(kind), { delayMs: listChangedDelayMs }),
    );
  }
}

/** As the SDK's own, whose limit on the total does not tell the server to stop. */
function timeoutError(): McpError {
  return McpError.fromError(ErrorCode.RequestTimeout, 'Request timed out');
}

function jsonRpcCode(error: unknown): number | undefined {
  const code = (error as { code?: unknown } | undefined)?.code;
  return typeof code === 'number' ? code : undefined;
}

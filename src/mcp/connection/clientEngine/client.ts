import { type Client, LOG_LEVEL_META_KEY } from '@modelcontextprotocol/client';
import type { JsonObject } from '../../../base/json.js';
import type { LogLevel } from '../../../platform/ports.js';
import type { McpCatalog, McpTool } from '../../mcpTypes.js';
import { SessionLostError } from '../http/httpWatch.js';
import { serverInfoOf } from '../reading/serverInfo.js';
import { boundRequest } from '../session/boundedRequest.js';
import { type FeatureHost, RefusedRequestError } from '../session/clientFeatures.js';
import { EngineError, type McpSession, type RequestOptions } from '../session/engine.js';
import type { EngineClient, ToolCallParams } from '../session/engineClient.js';
import { type TaskDialect, taskDialectOf } from '../session/taskDialect.js';
import { timeoutError, toEngineError } from './errors.js';
import { paramHeaderFault } from './paramHeaders.js';
import { anyObject } from './schema.js';
import { extensionMethodPrefix, refusedBySession, uncoverParts } from './wire.js';

const connectionClosed = -32000;
const urlElicitationRequired = -32042;
const headerMismatch = -32020;
const methodNotFound = -32601;
/** The largest delay of a timer; our own limits strike before. */
const noTimeout = 2 ** 31 - 1;

export interface ClientEngineClientOptions {
  readonly transport: McpSession['transport'];
  readonly onNotice: (level: LogLevel, message: string) => void;
  readonly closeError: () => unknown;
  /** The server's clock stands still while the user or another authority is asked. */
  readonly isWaitingForUser: () => boolean;
  readonly features: FeatureHost | undefined;
  /** For servers of the newer generation. */
  readonly watchResource: (uri: string, isWatched: boolean) => void;
  readonly readIcon: McpSession['readIcon'];
  readonly close: () => Promise<void>;
}

/** A connected client of `@modelcontextprotocol/client`. */
export class ClientEngineClient implements EngineClient {
  /** For servers of the newer generation, which are told with every request. */
  private logLevel: string | undefined;

  constructor(
    private readonly client: Client,
    private readonly options: ClientEngineClientOptions,
  ) {}

  get transport(): McpSession['transport'] {
    return this.options.transport;
  }

  get serverInfo(): McpCatalog['serverInfo'] {
    return serverInfoOf(this.client.getServerVersion());
  }

  get instructions(): string | undefined {
    return this.client.getInstructions();
  }

  get protocolVersion(): string | undefined {
    return this.client.getNegotiatedProtocolVersion();
  }

  get capabilities(): JsonObject {
    return (this.client.getServerCapabilities() ?? {}) as JsonObject;
  }

  get closeError(): unknown {
    return this.options.closeError();
  }

  get onNotice(): (level: LogLevel, message: string) => void {
    return this.options.onNotice;
  }

  request(
    method: string,
    params: Record<string, unknown> | undefined,
    options: RequestOptions,
  ): Promise<JsonObject> {
    const name =
      this.isModern && method.startsWith('tasks/') ? `${extensionMethodPrefix}${method}` : method;
    const whole = this.logLevel === undefined ? params : { ...params, ...this.requestMeta };
    const request = whole === undefined ? { method: name } : { method: name, params: whole };
    return this.run(options, async (bounds) =>
      uncoverParts(await this.client.request(request, anyObject, bounds)),
    );
  }

  async callTool(
    tool: McpTool | undefined,
    params: ToolCallParams,
    options: RequestOptions,
  ): Promise<JsonObject> {
    try {
      return await this.callToolOnce(tool, params, options);
    } catch (error) {
      const signal = options.signal ?? new AbortController().signal;
      const isPageWanted = error instanceof EngineError && error.code === urlElicitationRequired;
      if (!isPageWanted || !(await this.options.features?.visitPages(error.data, signal))) {
        throw error;
      }
      return this.callToolOnce(tool, params, options);
    }
  }

  get taskDialect(): TaskDialect | undefined {
    return taskDialectOf(this.capabilities, this.isModern);
  }

  async respond(method: string, params: JsonObject, signal: AbortSignal): Promise<JsonObject> {
    const handle = this.options.features?.handlers.get(method);
    if (!handle) {
      throw new RefusedRequestError(methodNotFound, `Nothing here answers ${method}`);
    }
    return handle(params, signal);
  }

  /** Only on a wire with headers does an annotation of parameters as headers mean anything. */
  rejectTool(tool: McpTool): string | undefined {
    const isAffected = this.isModern && this.options.transport !== 'stdio';
    return isAffected ? paramHeaderFault(tool) : undefined;
  }

  /** @returns false when the server wants to be asked by a request. */
  watchResource(uri: string, isWatched: boolean): boolean {
    if (this.isModern) {
      this.options.watchResource(uri, isWatched);
    }
    return this.isModern;
  }

  /** @returns false when the server wants to be told by a request. */
  setLogLevel(level: string): boolean {
    this.logLevel = this.isModern ? level : undefined;
    return this.isModern;
  }

  get readIcon(): McpSession['readIcon'] {
    return this.options.readIcon;
  }

  async ping(options: RequestOptions): Promise<void> {
    // the newer generation has no `ping`; every server answers this
    await this.request(this.isModern ? 'server/discover' : 'ping', undefined, options);
  }

  close(): Promise<void> {
    return this.options.close();
  }

  private get requestMeta(): { readonly _meta?: Record<string, unknown> } {
    return this.logLevel === undefined ? {} : { _meta: { [LOG_LEVEL_META_KEY]: this.logLevel } };
  }

  private get isModern(): boolean {
    return this.client.getProtocolEra() === 'modern';
  }

  private async callToolOnce(
    tool: McpTool | undefined,
    params: ToolCallParams,
    options: RequestOptions,
  ): Promise<JsonObject> {
    const call = (definition: McpTool | undefined) =>
      this.run(options, async (bounds) => {
        const { onprogress, ...limits } = bounds;
        const result = await this.client.callTool(
          { ...params, arguments: { ...params.arguments }, ...this.requestMeta },
          {
            ...limits,
            // progress under a token of the caller's own is not this request's alone
            ...(params._meta ? {} : { onprogress }),
            ...(definition ? { toolDefinition: forHeaders(definition) } : {}),
          },
        );
        return uncoverParts(result as JsonObject);
      });
    try {
      return await call(tool);
    } catch (error) {
      // refused before it ran, because parameters that the server now wants as headers were not
      const fresh =
        error instanceof EngineError && error.code === headerMismatch && this.isModern
          ? await this.readTool(params.name, options)
          : undefined;
      if (!fresh) {
        throw error;
      }
      return call(fresh);
    }
  }

  private async readTool(name: string, options: RequestOptions): Promise<McpTool | undefined> {
    const { tools } = await this.request('tools/list', undefined, options);
    const list: readonly unknown[] = Array.isArray(tools) ? tools : [];
    return list.find((tool) => (tool as McpTool | undefined)?.name === name) as McpTool | undefined;
  }

  private async run<T>(
    options: RequestOptions,
    send: (bounds: {
      readonly signal: AbortSignal;
      readonly timeout: number;
      readonly onprogress: (progress: {
        progress: number;
        total?: number;
        message?: string;
      }) => void;
    }) => Promise<T>,
  ): Promise<T> {
    options.signal?.throwIfAborted();
    const { features } = this.options;
    const bounds = boundRequest(options, timeoutError, this.options.isWaitingForUser);
    features?.beginRequest();
    try {
      return await send({
        signal: bounds.signal,
        timeout: noTimeout,
        // without a listener the server gets no progress token, and progress could not reset the time-out
        onprogress: (progress) => {
          bounds.touch();
          options.onProgress?.(progress);
        },
      });
    } catch (error) {
      options.signal?.throwIfAborted();
      const known = toEngineError(error);
      const { closeError } = this;
      if (!(known instanceof EngineError)) {
        throw known;
      }
      if (closeError instanceof SessionLostError && known.data === refusedBySession) {
        throw new SessionLostError(closeError.status, closeError.refusedId, true);
      }
      // "connection closed" says less than why it was closed
      throw (known.code === connectionClosed && closeError) || known;
    } finally {
      features?.endRequest(options.signal?.aborted === true);
      bounds.dispose();
    }
  }
}

/** Without the output schema, which we check ourselves and only warn about. */
function forHeaders({ name, inputSchema }: McpTool): {
  name: string;
  inputSchema: { type: 'object' };
} {
  return { name, inputSchema: inputSchema as { type: 'object' } };
}

import { asList, asObject, type JsonObject } from '../../../base/json.js';
import { rpcCode } from '../../../base/jsonRpc.js';
import type { McpCatalog, McpTool } from '../../mcpTypes.js';
import { type Cause, isCausing, type RequestOrigin } from '../../originTypes.js';
import { serverInfoOf } from '../reading/parseItems.js';
import type { FeatureHost } from './clientFeatures.js';
import type { Answer, RequestContext } from './directRequests.js';
import { EngineError, type McpSession, type RequestOptions, type TaskRequest } from './engine.js';
import { paramHeaderFault, paramHeaders } from './paramHeaders.js';
import { RefusedRequestError } from './runningOrigins.js';
import type { SessionWire } from './sessionWire.js';
import { type TaskDialect, taskDialectOf } from './taskDialect.js';

const quietPingMs = 1000;

export type ToolCallParams = {
  readonly name: string;
  readonly arguments: JsonObject;
  /** Asks an older server to run the tool as a task. */
  readonly task?: { readonly ttl: number };
  /** A progress token in it is one that the client does not know. */
  readonly _meta?: JsonObject;
};

/** What the client of either SDK knows of a server after the handshake. */
export interface HandshakeResult {
  getServerVersion(): Parameters<typeof serverInfoOf>[0];
  getServerCapabilities(): object | undefined;
  getInstructions(): string | undefined;
}

export interface SessionClientOptions {
  readonly transport: McpSession['transport'];
  readonly wire: SessionWire;
  readonly features: FeatureHost;
  /** While the user signs in, no time-out of a request strikes. */
  readonly isWaitingForUser?: () => boolean;
  /** For servers of the newer generation, which announce changes to who listens. */
  readonly watchResource?: (uri: string, isWatched: boolean) => void;
  readonly readIcon?: McpSession['readIcon'] | undefined;
  /** Bounded, never rejects. */
  readonly close: () => Promise<void>;
}

/** A server that an SDK's client has shaken hands with, in either generation of the protocol, and how it is asked. */
export class SessionClient {
  private readonly context: RequestContext = {
    isWaitingForUser: ({ origin }) =>
      this.options.features.isWaitingFor(origin) || this.options.isWaitingForUser?.() === true,
    onEnd: ({ signal }) => this.options.features.endRequest(signal?.aborted === true),
  };
  private readonly causing: RequestContext = {
    ...this.context,
    onEnd: (options) => {
      this.options.features.relays.end(options.origin);
      this.context.onEnd?.(options);
    },
  };

  constructor(
    private readonly handshake: HandshakeResult,
    protected readonly options: SessionClientOptions,
  ) {}

  /** For servers of the newer generation, which are told with every request. */
  logLevel: string | undefined;

  get transport(): McpSession['transport'] {
    return this.options.transport;
  }

  get serverInfo(): McpCatalog['serverInfo'] {
    return serverInfoOf(this.handshake.getServerVersion());
  }

  get instructions(): string | undefined {
    return this.handshake.getInstructions();
  }

  get protocolVersion(): string | undefined {
    return this.options.wire.protocolVersion;
  }

  get capabilities(): JsonObject {
    return (this.handshake.getServerCapabilities() ?? {}) as JsonObject;
  }

  /** How the server speaks of tasks. `undefined`: it runs no tool as a task. */
  get taskDialect(): TaskDialect | undefined {
    return taskDialectOf(this.capabilities, this.isModern);
  }

  /** Of what the server says now. */
  get cause(): Cause {
    return this.options.features.relays.origins.cause;
  }

  get closeError(): unknown {
    return this.options.wire.closeError;
  }

  get readIcon(): McpSession['readIcon'] {
    return this.options.readIcon;
  }

  /** Rejects with the signal's reason when it aborts; the server is told. */
  request(
    method: string,
    params: JsonObject | undefined,
    options: RequestOptions,
  ): Promise<JsonObject> {
    return this.ask(method, params, options).then(({ result }) => result);
  }

  /** As {@link request}, for who looks closer at what comes. */
  ask(
    method: string,
    params: JsonObject | undefined,
    options: RequestOptions,
    headers?: RequestContext['headers'],
  ): Promise<Answer> {
    const { features } = this.options;
    features.beginRequest();
    const isCause = isCausing(method);
    if (isCause) {
      features.relays.origins.begin(options.origin);
    }
    const base = isCause ? this.causing : this.context;
    const context = headers ? { ...base, headers } : base;
    return this.options.wire.requests.ask(method, params, options, context);
  }

  /** @param tool what the last list said about it. */
  async requestCall(
    tool: McpTool | undefined,
    params: ToolCallParams,
    options: RequestOptions,
  ): Promise<Answer> {
    try {
      return await this.sendCall(tool, params, options);
    } catch (error) {
      return this.callAgain(error, tool, params, options);
    }
  }

  /** What the user or the model answers to a request of the server within another. */
  async respond(
    { key, method, params }: TaskRequest,
    signal: AbortSignal,
    origin: RequestOrigin | undefined,
  ): Promise<JsonObject> {
    const handle = this.options.features.handlers.get(method);
    if (!handle) {
      throw new RefusedRequestError(rpcCode.methodNotFound, `Nothing here answers ${method}`);
    }
    return handle(params, signal, { origin, key });
  }

  /** Why a tool cannot be used, as one sentence. */
  rejectTool(tool: McpTool): string | undefined {
    return this.hasParamHeaders ? paramHeaderFault(tool) : undefined;
  }

  async ping(options: RequestOptions): Promise<void> {
    // the newer generation has no `ping`; every server answers this
    await this.request(this.isModern ? 'server/discover' : 'ping', undefined, options);
  }

  /** For its order among other messages alone. Bounded, never rejects. */
  quietPing(): Promise<void> {
    return this.ping({ timeoutMs: quietPingMs }).catch(() => undefined);
  }

  close(): Promise<void> {
    return this.options.close();
  }

  protected get isModern(): boolean {
    return this.options.wire.requests.modern !== undefined;
  }

  /** Only on a wire with headers does an annotation of parameters as headers mean anything. */
  private get hasParamHeaders(): boolean {
    return this.isModern && this.transport !== 'stdio';
  }

  private async sendCall(
    tool: McpTool | undefined,
    params: ToolCallParams,
    options: RequestOptions,
  ): Promise<Answer> {
    const roots = this.options.features.givenRoots;
    if (roots.isOpen && !this.isModern) {
      await roots.settle(() => this.quietPing());
      options.signal?.throwIfAborted();
    }
    const headers = tool && this.hasParamHeaders ? paramHeaders(tool, params.arguments) : undefined;
    return this.ask('tools/call', params, options, headers);
  }

  /** A call that was refused before it ran, as often as a new cause can be removed. */
  private async callAgain(
    refusal: unknown,
    tool: McpTool | undefined,
    params: ToolCallParams,
    options: RequestOptions,
  ): Promise<Answer> {
    const removed = new Set<EngineError['code']>();
    let error = refusal;
    let definition = tool;
    while (error instanceof EngineError && !removed.has(error.code)) {
      removed.add(error.code);
      definition = await this.removeCause(error, definition, params.name, options);
      try {
        return await this.sendCall(definition, params, options);
      } catch (next) {
        error = next;
      }
    }
    throw error;
  }

  /** @returns how to call the tool then. Rejects with `error` when the cause stays. */
  private async removeCause(
    error: EngineError,
    tool: McpTool | undefined,
    name: string,
    options: RequestOptions,
  ): Promise<McpTool | undefined> {
    if (error.code === rpcCode.headerMismatch && this.isModern) {
      // parameters that the server wants as headers by now were not
      const fresh = await this.readTool(name, options);
      if (fresh) {
        return fresh;
      }
    }
    if (error.code === rpcCode.urlElicitationRequired) {
      const { signal = new AbortController().signal, origin } = options;
      if (await this.options.features.visitPages(error.data, signal, { origin })) {
        return tool;
      }
    }
    throw error;
  }

  private async readTool(name: string, options: RequestOptions): Promise<McpTool | undefined> {
    const { tools } = await this.request('tools/list', undefined, options);
    const list = asList(tools);
    return list.find((tool): tool is McpTool & JsonObject => asObject(tool).name === name);
  }
}

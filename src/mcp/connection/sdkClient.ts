import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import { looseObject } from 'zod';
import { isJsonObject, type JsonObject } from '../../base/json.js';
import type { McpCatalog, McpTool } from '../mcpTypes.js';
import type { LogLevel } from '../ports.js';
import { boundRequest } from './boundedRequest.js';
import type { FeatureHost } from './clientFeatures.js';
import type { McpSession, RequestOptions } from './engine.js';
import type { EngineClient, ToolCallParams } from './engineClient.js';
import { serverInfoOf } from './serverInfo.js';
import { type TaskDialect, taskDialectOf } from './taskDialect.js';

const anyResult = looseObject({});
const urlElicitationRequired = -32042;
/** The largest delay of a timer; our own limits strike before. */
const noTimeout = 2 ** 31 - 1;

export interface SdkClientOptions {
  readonly transport: McpSession['transport'];
  readonly protocolVersion: () => string | undefined;
  readonly onNotice: (level: LogLevel, message: string) => void;
  readonly features: FeatureHost | undefined;
  /** Bounded, never rejects. */
  readonly close: () => Promise<void>;
}

/** An initialized client of `@modelcontextprotocol/sdk`. */
export class SdkClient implements EngineClient {
  constructor(
    private readonly client: Client,
    private readonly options: SdkClientOptions,
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
    return this.options.protocolVersion();
  }

  get capabilities(): JsonObject {
    return (this.client.getServerCapabilities() ?? {}) as JsonObject;
  }

  get taskDialect(): TaskDialect | undefined {
    return taskDialectOf(this.capabilities, false);
  }

  /** The process knows better. */
  readonly closeError = undefined;

  get onNotice(): (level: LogLevel, message: string) => void {
    return this.options.onNotice;
  }

  async request(
    method: string,
    params: Record<string, unknown> | undefined,
    options: RequestOptions,
  ): Promise<JsonObject> {
    const { features } = this.options;
    options.signal?.throwIfAborted();
    const bounds = boundRequest(options, timeoutError, () => features?.isWaitingForUser === true);
    features?.beginRequest();
    try {
      return await this.client.request(
        params === undefined ? { method } : { method, params },
        anyResult,
        {
          signal: bounds.signal,
          timeout: noTimeout,
          // without a listener the server gets no progress token, and progress could not reset the time-out
          ...(hasProgressToken(params)
            ? {}
            : {
                onprogress: (progress) => {
                  bounds.touch();
                  options.onProgress?.(progress);
                },
              }),
        },
      );
    } catch (error) {
      options.signal?.throwIfAborted();
      throw error;
    } finally {
      features?.endRequest(options.signal?.aborted === true);
      bounds.dispose();
    }
  }

  async callTool(
    _tool: McpTool | undefined,
    params: ToolCallParams,
    options: RequestOptions,
  ): Promise<JsonObject> {
    try {
      return await this.request('tools/call', { ...params }, options);
    } catch (error) {
      const signal = options.signal ?? new AbortController().signal;
      const isPageWanted = error instanceof McpError && error.code === urlElicitationRequired;
      if (!isPageWanted || !(await this.options.features?.visitPages(error.data, signal))) {
        throw error;
      }
      return this.request('tools/call', { ...params }, options);
    }
  }

  async ping(options: RequestOptions): Promise<void> {
    await this.request('ping', undefined, options);
  }

  close(): Promise<void> {
    return this.options.close();
  }
}

/** Progress under a token of the caller's own is not this request's alone. */
function hasProgressToken(params: Record<string, unknown> | undefined): boolean {
  return isJsonObject(params?._meta) && params._meta.progressToken !== undefined;
}

/** As the SDK's own, whose limit on the total does not tell the server to stop. */
function timeoutError(): McpError {
  return McpError.fromError(ErrorCode.RequestTimeout, 'Request timed out');
}

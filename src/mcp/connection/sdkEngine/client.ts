import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { McpError } from '@modelcontextprotocol/sdk/types.js';
import type { JsonObject } from '../../../base/json.js';
import type { LogLevel } from '../../../platform/ports.js';
import type { McpCatalog, McpTool } from '../../mcpTypes.js';
import { serverInfoOf } from '../reading/serverInfo.js';
import type { FeatureHost } from '../session/clientFeatures.js';
import type { McpSession, RequestOptions } from '../session/engine.js';
import type { EngineClient, ToolCallParams } from '../session/engineClient.js';
import { type TaskDialect, taskDialectOf } from '../session/taskDialect.js';
import type { DirectRequests } from './directRequests.js';

const urlElicitationRequired = -32042;

export interface SdkClientOptions {
  readonly transport: McpSession['transport'];
  readonly protocolVersion: () => string | undefined;
  readonly onNotice: (level: LogLevel, message: string) => void;
  readonly features: FeatureHost | undefined;
  readonly requests: DirectRequests;
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
    const { features, requests } = this.options;
    options.signal?.throwIfAborted();
    features?.beginRequest();
    try {
      return await requests.request(
        method,
        params,
        options,
        () => features?.isWaitingForUser === true,
      );
    } finally {
      features?.endRequest(options.signal?.aborted === true);
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

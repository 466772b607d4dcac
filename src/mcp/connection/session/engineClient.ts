import type { JsonObject } from '../../../base/json.js';
import type { LogLevel } from '../../../platform/ports.js';
import type { McpCatalog, McpTool } from '../../mcpTypes.js';
import type { McpSession, RequestOptions } from './engine.js';
import type { TaskDialect } from './taskDialect.js';

export interface ToolCallParams {
  readonly name: string;
  readonly arguments: JsonObject;
  /** Asks an older server to run the tool as a task. */
  readonly task?: { readonly ttl: number };
  /** A progress token in it is one that the client does not know. */
  readonly _meta?: { readonly progressToken: string };
}

/** A connected SDK client, as far as a session needs it. */
export interface EngineClient {
  readonly transport: McpSession['transport'];
  readonly serverInfo: McpCatalog['serverInfo'];
  readonly instructions: string | undefined;
  readonly protocolVersion: string | undefined;
  readonly capabilities: JsonObject;
  readonly closeError: unknown;
  readonly onNotice: (level: LogLevel, message: string) => void;
  /** Rejects with the signal's reason when it aborts; the server is told. */
  request(
    method: string,
    params: Record<string, unknown> | undefined,
    options: RequestOptions,
  ): Promise<JsonObject>;
  /** `tool` is what the last list said about it. Default: an ordinary request. */
  callTool?(
    tool: McpTool | undefined,
    params: ToolCallParams,
    options: RequestOptions,
  ): Promise<JsonObject>;
  /** How the server speaks of tasks. Default: it runs no tool as a task. */
  readonly taskDialect?: TaskDialect | undefined;
  /** What the user or the model answers to a request within a task. Default: such requests come by themselves. */
  respond?(method: string, params: JsonObject, signal: AbortSignal): Promise<JsonObject>;
  /** Why the engine cannot use a tool, as one sentence. Default: it can use all. */
  rejectTool?(tool: McpTool): string | undefined;
  /** @returns false, which is the default, when a request has to do it. */
  watchResource?(uri: string, isWatched: boolean): boolean;
  /** @returns false, which is the default, when a request has to do it. */
  setLogLevel?(level: string): boolean;
  /** Default: no icons are loaded. */
  readonly readIcon?: McpSession['readIcon'];
  ping(options: RequestOptions): Promise<void>;
  /** Ends the wire politely; bounded, never rejects. */
  close(): Promise<void>;
}

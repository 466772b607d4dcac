/**
 * The port behind which an MCP SDK speaks the protocol. One adapter per SDK implements it; no other file knows which
 * one runs. Transports arrive ready-made, so that every engine shares our stdio transport.
 */
import type { Event } from '../../base/event.js';
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
  ResolvedHttpLaunch,
} from '../mcpTypes.js';
import type { LogLevel } from '../ports.js';

/** A JSON-RPC message; the engine validates what it needs. */
export type JsonRpcMessage = JsonObject;

/** A wire, in the shape both SDKs accept. `onclose` fires exactly once; `send` rejects when the peer is gone. */
export interface McpTransport {
  start(): Promise<void>;
  send(message: JsonRpcMessage): Promise<void>;
  close(): Promise<void>;
  onmessage?: (message: JsonRpcMessage) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  sessionId?: string;
  setProtocolVersion?(version: string): void;
}

export interface EngineConnectOptions {
  readonly clientInfo: { readonly name: string; readonly version: string };
  /** Ends the attempt; the engine closes what it opened. */
  readonly signal: AbortSignal;
  /** Milliseconds for `initialize`. */
  readonly timeoutMs: number;
  /** Protocol trouble that does not end the connection: one sentence each. */
  readonly onNotice: (level: LogLevel, message: string) => void;
  /** Every message as it passes; unmasked. Default: nobody looks. */
  readonly onTraffic?:
    | ((direction: 'sent' | 'received', message: JsonRpcMessage) => void)
    | undefined;
}

export interface McpEngine {
  /** Speaks MCP over a transport that it starts. Rejects with the transport's or the protocol's error. */
  connect(transport: McpTransport, options: EngineConnectOptions): Promise<McpSession>;
  /** Streamable HTTP with fallback to SSE as `launch.transport` allows. */
  connectHttp(launch: ResolvedHttpLaunch, options: EngineConnectOptions): Promise<McpSession>;
}

export interface RequestOptions {
  readonly signal?: AbortSignal;
  /** Milliseconds; progress resets it. */
  readonly timeoutMs: number;
  /** Milliseconds that no progress extends. Default: no limit. */
  readonly maxTotalMs?: number;
  readonly onProgress?: (progress: McpProgress) => void;
}

export interface McpProgress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

export type McpListKind = 'tools' | 'resources' | 'prompts';

/** A list read to its last page. Items that do not parse are left out and named in `notices`. */
export interface McpList<T> {
  readonly items: readonly T[];
  readonly notices: readonly string[];
}

/** One initialized conversation with a server. */
export interface McpSession {
  readonly transport: 'stdio' | 'streamable-http' | 'sse';
  readonly serverInfo: McpCatalog['serverInfo'];
  readonly instructions: string | undefined;
  readonly protocolVersion: string | undefined;
  readonly capabilities: JsonObject;
  /** Fires once when the peer is gone or after {@link close}. */
  readonly onDidClose: Event<void>;
  /** Why the session closed by itself, when the engine knows; set before `onDidClose` fires. */
  readonly closeError: unknown;
  readonly onDidChangeList: Event<McpListKind>;
  readonly onDidLog: Event<{ readonly level: LogLevel; readonly message: string }>;
  listTools(options: RequestOptions): Promise<McpList<McpTool>>;
  listResources(options: RequestOptions): Promise<McpList<McpResource>>;
  listResourceTemplates(options: RequestOptions): Promise<McpList<McpResourceTemplate>>;
  listPrompts(options: RequestOptions): Promise<McpList<McpPrompt>>;
  callTool(name: string, args: JsonObject, options: RequestOptions): Promise<McpToolResult>;
  readResource(uri: string, options: RequestOptions): Promise<readonly McpResourceContents[]>;
  getPrompt(
    name: string,
    args: Readonly<Record<string, string>>,
    options: RequestOptions,
  ): Promise<McpPromptResult>;
  ping(options: RequestOptions): Promise<void>;
  /** Bounded; resolves when the wire is down. Never rejects. */
  close(): Promise<void>;
}

/** Loads an engine on the first connect; bundles keep it out of the activation path. */
export type EngineLoader = () => Promise<McpEngine>;

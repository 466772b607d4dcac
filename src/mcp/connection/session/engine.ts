/**
 * The port behind which an MCP SDK speaks the protocol. One adapter per SDK implements it; no other file knows which
 * one runs. Transports arrive ready-made, so that every engine shares our stdio transport.
 */
import type { Event } from '../../../base/event.js';
import type { JsonObject } from '../../../base/json.js';
import type {
  ProtocolPreference,
  ResolvedHttpLaunch,
  ResolvedLaunch,
} from '../../../config/definition.js';
import type { MaskText } from '../../../config/secrets/secretMask.js';
import type { LogLevel } from '../../../platform/ports.js';
import type {
  CompletionReference,
  McpCatalog,
  McpListKind,
  McpPromptResult,
  McpRequestOptions,
  McpResourceContents,
  McpToolResult,
} from '../../mcpTypes.js';
import type { ServerAuthorization } from '../../oauth/serverAuthorization.js';
import type { RequestOrigin } from '../../originTypes.js';
import type { McpTask } from '../../taskTypes.js';
import type { TrafficDirection } from '../../trafficTypes.js';
import type { Fetch } from '../http/fetch.js';
import type { ListHint, ListItems, McpList } from '../reading/readList.js';
import type { JsonRpcMessage, McpTransport } from '../reading/transport.js';
import type { ClientFeatures } from './clientFeatures.js';
import type { HeardLogLine } from './serverLog.js';

export interface EngineConnectOptions {
  readonly clientInfo: { readonly name: string; readonly version: string };
  /** Ends the attempt; the engine closes what it opened. */
  readonly signal: AbortSignal;
  /** Milliseconds for `initialize`. */
  readonly timeoutMs: number;
  /** Protocol trouble that does not end the connection: one sentence each. */
  readonly onNotice: (level: LogLevel, message: string) => void;
  /** Every message as it passes, unmasked, and as JSON where the wire has that at hand. Default: nobody looks. */
  readonly onTraffic?:
    | ((direction: TrafficDirection, message: JsonRpcMessage, text?: string) => void)
    | undefined;
  /** What looks at every HTTP request as it goes over the network. Default: nobody does. */
  readonly tapHttp?: ((next: Fetch) => Fetch) | undefined;
  /** Hides secrets in what goes to others. Default: those that look like some. */
  readonly mask?: MaskText | undefined;
  /** What servers may ask of us; only what is given is declared. Default: nothing. */
  readonly features?: ClientFeatures | undefined;
  /** Default `legacy`. */
  readonly protocolVersion?: ProtocolPreference | undefined;
  /** Remembers which generation of the protocol the server speaks. Default: asked on every connect. */
  readonly protocolVerdict?: ProtocolVerdictStore | undefined;
  /** Signs requests to a remote server. Default: requests go out as the launch says. */
  readonly authorization?: ServerAuthorization | undefined;
}

/**
 * Whether one server is known to speak only the older generation, so that it need not be asked. Newer servers are
 * asked on every connect: their answer is also the proof that they are there. Both methods never reject.
 */
export interface ProtocolVerdictStore {
  /** `undefined` when nothing is known or what was known has expired. */
  read(): Promise<'legacy' | undefined>;
  /** `undefined` forgets. */
  write(verdict: 'legacy' | undefined): Promise<void>;
}

export type EngineErrorKind =
  | 'server_error'
  | 'request_timeout'
  | 'closed'
  | 'protocol_version'
  /** The process ended when it was asked for its version; a verdict is stored, so a new process will not be asked. */
  | 'ended_by_probe'
  | 'not_spawned'
  | 'http_status'
  | 'redirected'
  | 'session_lost'
  /** As `session_lost`, and nothing of the request was executed. */
  | 'session_refused'
  | 'stream_dropped'
  /** Nobody ended the stream; it was given up, since nothing came for so long. */
  | 'stream_silent'
  /** `fetch` itself gave up, since nothing came for minutes. */
  | 'silent'
  | 'unreachable'
  /** Who listens there does not speak HTTP or, where that is asked for, TLS. */
  | 'not_http'
  /** HTTP, but none of it is of the protocol, as of a web page. */
  | 'not_mcp'
  | 'certificate';

interface EngineErrorDetails {
  /** Of JSON-RPC, of an error of the server. */
  readonly code?: number;
  /** Of JSON-RPC, beside `code`. */
  readonly data?: unknown;
  readonly httpStatus?: number | undefined;
  /** Such as `ECONNREFUSED`. */
  readonly systemCode?: string | undefined;
  readonly cause?: unknown;
}

const brand: unique symbol = Symbol.for('piMcp.EngineError');

/** A failure in the one form that is known outside of the engines, whichever SDK or system call it came from. */
export class EngineError extends Error {
  override readonly name = 'EngineError';
  readonly [brand] = true;
  readonly code: EngineErrorDetails['code'];
  readonly data: unknown;
  readonly httpStatus: EngineErrorDetails['httpStatus'];
  readonly systemCode: EngineErrorDetails['systemCode'];

  constructor(
    readonly kind: EngineErrorKind,
    message: string,
    { code, data, httpStatus, systemCode, cause }: EngineErrorDetails = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.data = data;
    this.httpStatus = httpStatus;
    this.systemCode = systemCode;
  }
}

/** By brand, since every engine is a bundle of its own, with a class of its own. */
export function isEngineError(error: unknown): error is EngineError {
  return error instanceof Error && brand in error;
}

/** An error that the server answered with, or what its answer comes to. */
export function serverError(
  code: number,
  text: string,
  details: Pick<EngineErrorDetails, 'data' | 'cause'> = {},
): EngineError {
  // servers made with the official SDK write the code before what they say, some twice
  const message = text.replace(/^(?:MCP error -?\d+: )+/, '');
  return new EngineError('server_error', message, { ...details, code });
}

export interface McpEngine {
  /** Speaks MCP over a transport that it starts. Rejects with the transport's or the protocol's error. */
  connect(transport: McpTransport, options: EngineConnectOptions): Promise<McpSession>;
  /** Streamable HTTP with fallback to SSE as `launch.transport` allows. Undefined for engines without HTTP. */
  connectHttp?(launch: ResolvedHttpLaunch, options: EngineConnectOptions): Promise<McpSession>;
  /**
   * Takes the user through an authorization and keeps what comes of it in `authorization`.
   * @throws {HumanError} or the signal's reason. Undefined for engines without OAuth.
   */
  signIn?(launch: ResolvedHttpLaunch, options: SignInOptions): Promise<void>;
  /** Tells the authorization server, if it can be told, that the tokens are not needed any more. Never rejects. */
  revokeTokens?(launch: ResolvedHttpLaunch, options: SignInOptions): Promise<void>;
}

export interface SignInOptions {
  readonly authorization: ServerAuthorization;
  readonly signal: AbortSignal;
  readonly onNotice: (level: LogLevel, message: string) => void;
}

export interface RequestOptions extends McpRequestOptions {
  readonly timeoutMs: number;
  /** Milliseconds that no progress extends. Default: no limit. */
  readonly maxTotalMs?: number;
}

/** What a tool call came to. */
export type ToolAnswer =
  | { readonly kind: 'result'; readonly result: McpToolResult }
  | {
      readonly kind: 'task';
      readonly task: McpTask;
      /** What the model may be told meanwhile: the server's claim. */
      readonly immediateResponse?: string;
    };

/** Something that a task wants from us before it goes on. */
export interface TaskRequest {
  /** Unique in its task. */
  readonly key: string;
  readonly method: string;
  readonly params: JsonObject;
}

/** A task with what some servers hand out along with its status. */
export interface McpTaskReport extends McpTask {
  /** Default: {@link McpSessionTasks.result} knows it. */
  readonly outcome?:
    | { readonly kind: 'result'; readonly result: McpToolResult }
    | { readonly kind: 'error'; readonly error: EngineError };
  /** Default: the server asks by itself while it is waited for {@link McpSessionTasks.result}. */
  readonly inputs?: readonly TaskRequest[];
}

/** The tasks of a server, in whichever way it speaks of them. Every method is one request. */
export interface McpSessionTasks {
  /** The server says by itself how a task is. */
  readonly onDidChange: Event<McpTask>;
  /** @param tool whose output schema a result is checked against. */
  get(taskId: string, tool: string | undefined, options: RequestOptions): Promise<McpTaskReport>;
  /** Waits for the end of the task; questions of the server arrive meanwhile. */
  result(taskId: string, tool: string | undefined, options: RequestOptions): Promise<McpToolResult>;
  /** Sends answers, by the keys of their inputs. */
  update(
    taskId: string,
    responses: Readonly<Record<string, JsonObject>>,
    options: RequestOptions,
  ): Promise<void>;
  /** @returns false when the server has no way to stop tasks. */
  cancel(taskId: string, options: RequestOptions): Promise<boolean>;
  /** Empty when the server does not list them. */
  list(options: RequestOptions): Promise<readonly McpTask[]>;
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
  /** What the server says of how the list may be kept that was read last. */
  readonly listHints: ReadonlyMap<keyof ListItems, ListHint>;
  readonly onDidLog: Event<HeardLogLine>;
  /** Empty where the server does not declare it. */
  list<K extends keyof ListItems>(key: K, options: RequestOptions): Promise<McpList<ListItems[K]>>;
  /** As a task where server and tool allow it; progress then goes on until the session closes. */
  startTool(name: string, args: JsonObject, options: RequestOptions): Promise<ToolAnswer>;
  readonly tasks: McpSessionTasks;
  /** What the user or the model answers to something that a task wants. Rejects when they refuse. */
  respond(
    input: TaskRequest,
    signal: AbortSignal,
    origin: RequestOrigin | undefined,
  ): Promise<JsonObject>;
  readResource(uri: string, options: RequestOptions): Promise<readonly McpResourceContents[]>;
  getPrompt(
    name: string,
    args: Readonly<Record<string, string>>,
    options: RequestOptions,
  ): Promise<McpPromptResult>;
  /** At most 100 values for `argument`, given the values of the other arguments. Empty without the capability. */
  complete(
    reference: CompletionReference,
    argument: { readonly name: string; readonly value: string },
    context: Readonly<Record<string, string>>,
    options: RequestOptions,
  ): Promise<readonly string[]>;
  /** Fires with the URI of a subscribed resource that changed. */
  readonly onDidUpdateResource: Event<string>;
  /** Until it is said otherwise. No effect on a server that does not offer it. */
  watchResource(uri: string, isWatched: boolean, options: RequestOptions): Promise<void>;
  /** Asks for log messages from this level of the protocol on. No effect on a server that logs nothing. */
  setLogLevel(level: string, options: RequestOptions): Promise<void>;
  /** A `data:` image behind an address of the server's own origin. Never rejects. Undefined where no one loads any. */
  readIcon?(address: string): Promise<string | undefined>;
  /** As it is written, and its result as it came. */
  request(method: string, params: JsonObject, options: RequestOptions): Promise<JsonObject>;
  ping(options: RequestOptions): Promise<void>;
  /** Bounded; resolves when the wire is down. Never rejects. */
  close(): Promise<void>;
}

/** Loads an engine on the first connect; bundles keep it out of the activation path. */
export type EngineLoader = (launch: ResolvedLaunch) => Promise<McpEngine>;

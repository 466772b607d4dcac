/**
 * The vocabulary of the MCP domain: definitions (what files declare), states (what is true now) and catalogs (what
 * servers offer). Data only; every type is JSON-serialisable unless it says otherwise.
 */
import type { JsonObject } from '../base/json.js';
import { encodeAnyText } from '../base/wellFormed.js';
import type { FolderIdentity } from './trust/folderIdentity.js';
import type { LaunchDescription } from './trust/launchDescription.js';
import type { LaunchTrait } from './trust/launchTraits.js';

// #region identity

/** A workspace folder as the domain sees it. */
export interface WorkspaceFolder {
  /** `vscode.Uri.toString()`; for the CLI a `file:` URI. The folder's identity. */
  readonly uri: string;
  /** For display only. */
  readonly name: string;
  /** Absolute path; `undefined` for a virtual folder, whose servers cannot be started. */
  readonly fsPath: string | undefined;
}

export type McpScope = 'global' | 'folder';

/** Globally unique key of a server: scope, folder URI and name. See {@link serverId}. */
export type McpServerId = string;

/** Key of a pool: `global` or the folder URI. */
export type McpPoolId = string;

export const globalPoolId: McpPoolId = 'global';

/** For every name, whatever a file holds. */
export function serverId(poolId: McpPoolId, name: string): McpServerId {
  return `${poolId}#${encodeAnyText(name)}`;
}

// #endregion

// #region configuration

/** Half-open range of character offsets (UTF-16) in a configuration file's text. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** `error`: the entry cannot be used. `warning`: it is used, but not as written. `info`: worth knowing. */
export type ConfigProblemSeverity = 'error' | 'warning' | 'info';

export interface ConfigProblem {
  /** Stable id of the rule, such as `command-and-url`; also the diagnostic code. */
  readonly code: string;
  readonly severity: ConfigProblemSeverity;
  /** Full sentence that names the place and the cause. Never contains file contents beyond names. */
  readonly message: string;
  /** Full sentence: what to do. */
  readonly remedy: string;
  readonly range?: TextRange;
  /** Name of the server that the problem belongs to; `undefined` for the file as a whole. */
  readonly server?: string;
}

/** Where a definition was found. */
export interface ConfigOrigin {
  /** Which layer of design §5, such as `project` or `user`. */
  readonly layer: ConfigLayer;
  /** Absolute path of the file. */
  readonly path: string;
  /** Range of the whole entry (`"name": { … }`) in the file. */
  readonly range?: TextRange;
  /** Range of the entry's name, quotes excluded. */
  readonly nameRange?: TextRange;
}

/** Lowest to highest precedence within their scope (design §5). */
export const configLayers = [
  'import',
  'shared', // ~/.config/mcp/mcp.json
  'forge', // $FORGE_DATA_DIR/mcp.json
  'pi-settings', // `mcp` block of ~/.pi/agent/settings.json
  'user', // ~/.pi/agent/mcp.json, the file that the UI writes
  'project', // <folder>/.mcp.json
  'pi-project', // <folder>/.pi/mcp.json
  'pilot-project', // <folder>/.pilot/mcp.json
] as const;
export type ConfigLayer = (typeof configLayers)[number];

/** How to start a stdio server, as written: variables not yet resolved. */
export interface McpStdioLaunch {
  readonly kind: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Pass the whole environment of the extension host to the child. Default false. */
  readonly inheritEnv: boolean;
  /** Default `legacy`. */
  readonly protocolVersion?: ProtocolPreference;
}

/** Which generation of the protocol is spoken; `legacy` when a launch does not say. */
export type ProtocolPreference = 'legacy' | 'auto' | '2026-07-28';

export type HttpTransportPreference = 'auto' | 'streamable-http' | 'sse';

/** How to reach a remote server, as written: variables not yet resolved. */
export interface McpHttpLaunch {
  readonly kind: 'http';
  readonly url: string;
  /** Default `auto`: Streamable HTTP first, then SSE. */
  readonly transport: HttpTransportPreference;
  readonly headers: Readonly<Record<string, string>>;
  readonly ignoreCertificateErrors: boolean;
  readonly bearerToken?: string;
  /** Name of the environment variable that holds the bearer token. */
  readonly bearerTokenEnv?: string;
  /** `false`: never authenticate, not even on 401. */
  readonly auth?: 'bearer' | 'oauth' | false;
  /** How to get tokens, where the server's metadata does not say it all. */
  readonly oauth?: OAuthSettings;
  /** Default `legacy`. */
  readonly protocolVersion?: ProtocolPreference;
}

/** Who authorizes: the user in a browser (default), the client itself, or an identity it already has. */
export type OAuthGrant =
  | 'authorization_code'
  | 'client_credentials'
  | 'cross_app_access'
  | 'workload_identity';

/** Client settings of one server. Values may hold variables; {@link ResolvedHttpLaunch} has them resolved. */
export interface OAuthSettings {
  /** Default `authorization_code`. */
  readonly grant?: OAuthGrant;
  /** Of a client registered beforehand. Default: the client registers itself. */
  readonly clientId?: string;
  readonly clientSecret?: string;
  /** Address of a client metadata document, which is then the client id where the server allows it. */
  readonly clientMetadataUrl?: string;
  /** Separated by spaces. Default: what the server asks for. */
  readonly scope?: string;
  /** The only authorization server that may get the client's credentials. Default: the first one found. */
  readonly issuer?: string;
  /** Loopback address for the browser to return to. Default: any free port of 127.0.0.1. */
  readonly redirectUrl?: string;
  /** PEM (PKCS #8); the client then authenticates with a signed JWT. */
  readonly privateKey?: string;
  /** Of `privateKey`. Default `ES256`. */
  readonly algorithm?: string;
  /** JWT that proves the workload's identity. */
  readonly assertion?: string;
  readonly identityProvider?: OAuthIdentityProvider;
  /** Bind tokens to a key (DPoP). Default: when the server's metadata demands it. */
  readonly dpop?: boolean;
  /** Accept metadata that names another issuer than the address it came from. Default false. */
  readonly skipIssuerMetadataValidation?: boolean;
}

/** Where a company's identity provider exchanges an ID token for a grant. */
export interface OAuthIdentityProvider {
  /** One of `issuer` and `tokenEndpoint`. */
  readonly issuer?: string;
  readonly tokenEndpoint?: string;
  readonly clientId: string;
  readonly clientSecret?: string;
  readonly idToken: string;
}

export type McpServerLaunch = McpStdioLaunch | McpHttpLaunch;

/** A stdio launch with every variable resolved. Holds secrets: never shown, logged or sent anywhere. */
export interface ResolvedStdioLaunch {
  readonly kind: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  /** Only what the entry sets; the safe default environment is added at spawn. */
  readonly env: Readonly<Record<string, string>>;
  /** Absolute. */
  readonly cwd: string;
  readonly inheritEnv: boolean;
  /** Default `legacy`. */
  readonly protocolVersion?: ProtocolPreference;
  /** Values that must be masked wherever the launch is mentioned. */
  readonly secrets: readonly string[];
}

/** A remote launch with every variable resolved. Holds secrets. */
export interface ResolvedHttpLaunch {
  readonly kind: 'http';
  readonly url: string;
  readonly transport: HttpTransportPreference;
  readonly headers: Readonly<Record<string, string>>;
  readonly ignoreCertificateErrors: boolean;
  readonly auth?: McpHttpLaunch['auth'];
  readonly oauth?: OAuthSettings;
  /** Default `legacy`. */
  readonly protocolVersion?: ProtocolPreference;
  readonly secrets: readonly string[];
}

export type ResolvedLaunch = ResolvedStdioLaunch | ResolvedHttpLaunch;

export type McpLifecycle = 'lazy' | 'eager' | 'keep-alive' | 'lazy-keep-alive';
export type ToolPrefix = 'server' | 'short' | 'none' | 'mcp';
export type ToolExposure = 'auto' | 'direct' | 'search' | 'proxy' | 'hidden';

/** How a server is used once it may run; changing one of these never restarts it. */
export interface McpServerOptions {
  /** Default `lazy`. */
  readonly lifecycle: McpLifecycle;
  /** Minutes; 0 = never. Default 10. */
  readonly idleTimeout: number;
  /** Milliseconds. Default 30 000. */
  readonly startupTimeoutMs: number;
  /** Milliseconds; progress resets it. Default 60 000. */
  readonly requestTimeoutMs: number;
  /** Milliseconds between closing stdin and SIGTERM, from 500 to 10 000. Default 2 000. */
  readonly stopGraceMs: number;
  /** Default true. */
  readonly exposeResources: boolean;
  /** `true`, `false` or the tool names that are always active. Default undefined: by exposure. */
  readonly directTools?: boolean | readonly string[];
  readonly includeTools?: readonly string[];
  readonly excludeTools?: readonly string[];
  readonly exposure?: ToolExposure;
  /** Default: the pool's setting, else `server`. */
  readonly toolPrefix?: ToolPrefix;
  /** Default false. */
  readonly debug: boolean;
}

/** One configured server after merging all layers of its pool. */
export interface McpServerDefinition {
  readonly id: McpServerId;
  readonly poolId: McpPoolId;
  readonly scope: McpScope;
  readonly name: string;
  /** Set when `scope` is `folder`. */
  readonly folder?: WorkspaceFolder;
  readonly origin: ConfigOrigin;
  /** Files whose entry of this name this one replaces, nearest first. */
  readonly hides: readonly ConfigOrigin[];
  /** `undefined` when the entry is invalid; `problems` then says why. */
  readonly launch: McpServerLaunch | undefined;
  /** The user's switch. Default true. */
  readonly enabled: boolean;
  readonly options: McpServerOptions;
  readonly problems: readonly ConfigProblem[];
}

// #endregion

// #region trust

/** Why a server waits for the user (design §6). */
export type TrustReason =
  | { readonly kind: 'workspace_untrusted' }
  | { readonly kind: 'never_consented' }
  /** The definition differs from what the user consented to. */
  | { readonly kind: 'changed'; readonly consented: LaunchDescription }
  /** The user consented to another folder, which stood at this path before. */
  | {
      readonly kind: 'folder_replaced';
      readonly before: FolderIdentity | undefined;
      readonly now: FolderIdentity | undefined;
    }
  /** A project remote entry that needs consent; says which of its traits asks for it. */
  | { readonly kind: 'sensitive_remote'; readonly traits: readonly LaunchTrait[] };

// #endregion

// #region state

/** Why a connection failed or ended. JSON-serialisable; secrets are masked before it is built. */
export interface McpServerFailure {
  /** Stable, such as `spawn_enoent`, `exited`, `initialize_timeout`, `http_status`, `unreachable`. */
  readonly code: string;
  /** Full sentence. */
  readonly message: string;
  /** Full sentence: the next step. */
  readonly remedy: string;
  readonly exitCode?: number;
  readonly signal?: string;
  readonly httpStatus?: number;
  /** Last lines the server wrote to stderr, oldest first. */
  readonly stderrTail: readonly string[];
  /** The command line that was run, or would have been; for stdio. */
  readonly ran?: string;
}

/**
 * What is true about a server now. Each kind has one icon, one sentence and one primary action (design §4); user
 * enablement is part of the definition and shows here as `disabled`.
 */
export type McpServerState =
  | { readonly kind: 'disabled'; readonly by: 'server' | 'master' }
  | { readonly kind: 'invalid'; readonly problems: readonly ConfigProblem[] }
  | { readonly kind: 'trust_required'; readonly reason: TrustReason }
  | { readonly kind: 'idle' }
  | { readonly kind: 'connecting'; readonly note?: ConnectingNote }
  | {
      readonly kind: 'connected';
      readonly transport: 'stdio' | 'streamable-http' | 'sse';
      /** Milliseconds since the epoch. */
      readonly since: number;
      /** Milliseconds from start to ready, catalog included. */
      readonly connectMs: number;
      readonly pid?: number;
    }
  | { readonly kind: 'needs_auth'; readonly failure: McpServerFailure }
  | {
      readonly kind: 'error';
      readonly failure: McpServerFailure;
      /** Milliseconds since the epoch; undefined = not before the next use. */
      readonly nextRetryAt?: number;
    };

/** The package of a server is fetched for the first time, or waits until that of another is there. */
export type ConnectingNote = 'fetching' | 'waiting';

export type McpServerStateKind = McpServerState['kind'];

// #endregion

// #region catalog

/** A picture that stands for what a server offers; never without words beside it. */
export interface McpIcon {
  /** A `data:` image, or an `https:` address that nobody but the core loads; see `iconOf`. */
  readonly src: string;
  /** Kind of theme that it was drawn for. Default: any. */
  readonly theme?: 'light' | 'dark';
}

/** How a tool takes part in an MCP App, by the extension `io.modelcontextprotocol/ui`. */
export interface McpToolUi {
  /** The `ui://` resource that shows results of this tool. */
  readonly resourceUri?: string;
  /** Who may call the tool. Default: both. */
  readonly visibility?: readonly ('model' | 'app')[];
}

/** What an app asks its host for, as the server wrote it. */
export interface McpAppNeeds {
  readonly connectDomains: readonly string[];
  readonly resourceDomains: readonly string[];
  readonly frameDomains: readonly string[];
  readonly baseUriDomains: readonly string[];
  /** Such as `camera`. */
  readonly permissions: readonly string[];
}

export interface McpToolAnnotations {
  readonly title?: string;
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

/** A tool as its server describes it. Everything in it is the server's claim: data, never instructions. */
export interface McpTool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject;
  readonly annotations?: McpToolAnnotations;
  readonly ui?: McpToolUi;
  readonly icons?: readonly McpIcon[];
  /** Whether it may or must run as a task. Default: it must not. */
  readonly taskSupport?: 'optional' | 'required';
}

export interface McpResource {
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  readonly size?: number;
  readonly ui?: McpAppNeeds;
  readonly icons?: readonly McpIcon[];
}

export interface McpResourceTemplate {
  readonly uriTemplate: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  readonly icons?: readonly McpIcon[];
}

export interface McpPromptArgument {
  readonly name: string;
  readonly description?: string;
  readonly required?: boolean;
}

export interface McpPrompt {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly arguments: readonly McpPromptArgument[];
  readonly icons?: readonly McpIcon[];
}

/** What a server offers. Lists are complete (paginated to the end) unless `notices` says otherwise. */
export interface McpCatalog {
  readonly tools: readonly McpTool[];
  readonly resources: readonly McpResource[];
  readonly resourceTemplates: readonly McpResourceTemplate[];
  readonly prompts: readonly McpPrompt[];
  readonly instructions?: string;
  readonly serverInfo?: {
    readonly name: string;
    readonly version: string;
    readonly title?: string;
    readonly icons?: readonly McpIcon[];
  };
  readonly protocolVersion?: string;
  /** Full sentences about items that were dropped or bounds that were hit. */
  readonly notices: readonly string[];
}

export const emptyCatalog: McpCatalog = {
  tools: [],
  resources: [],
  resourceTemplates: [],
  prompts: [],
  notices: [],
};

/** Result of `tools/call`, each content block as the server sent it. */
export interface McpToolResult {
  readonly content: readonly JsonObject[];
  readonly structuredContent?: unknown;
  /** How `structuredContent` differs from the tool's output schema; a full sentence. */
  readonly mismatch?: string;
  readonly isError: boolean;
}

/** Result of `resources/read`. */
export interface McpResourceContents {
  readonly uri: string;
  readonly mimeType?: string;
  readonly text?: string;
  /** Base64. */
  readonly blob?: string;
  readonly ui?: McpAppNeeds;
}

/** Result of `prompts/get`. */
export interface McpPromptResult {
  readonly description?: string;
  readonly messages: readonly {
    readonly role: 'user' | 'assistant';
    readonly content: JsonObject;
  }[];
}

// #endregion

/**
 * What configuration files declare, as every floor above names it: servers, where they were found and how they are
 * started. Data only; every type is JSON-serialisable.
 */
import type { ProblemCode } from '../base/errorCodes.js';
import type { JsonObject } from '../base/json.js';
import { encodeAnyText } from '../base/text/wellFormed.js';

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

/** Half-open range of character offsets (UTF-16) in a configuration file's text. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/**
 * `error`: the entry cannot be used. `warning`: it is used, but not as written. `info`: worth knowing.
 * `hint`: advice that is shown where somebody looks, and not marked in the text.
 */
export type ConfigProblemSeverity = 'error' | 'warning' | 'info' | 'hint';

export interface ConfigProblem {
  /** The rule; also the diagnostic code. */
  readonly code: ProblemCode | 'folder_virtual';
  readonly severity: ConfigProblemSeverity;
  /** Full sentence that names the place and the cause. Never contains file contents beyond names. */
  readonly message: string;
  /** Full sentence: what to do. */
  readonly remedy: string;
  readonly range?: TextRange;
  /** Where it begins, from 1; of what keeps an entry from being used. */
  readonly line?: number;
  /** Path of the field in its entry, such as `oauth.clientId`, where it is about one. */
  readonly field?: string;
  /** What belongs in place of the text at `range`, where that alone mends it. */
  readonly rename?: string | undefined;
  /** Name of the server that the problem belongs to; `undefined` for the file as a whole. */
  readonly server?: string;
}

/** Nothing that anybody has to do something about. */
export function isAdvice({ severity }: ConfigProblem): boolean {
  return severity === 'info' || severity === 'hint';
}

/** The one that keeps an entry from being used, if any does. */
export function gravestProblem(problems: readonly ConfigProblem[]): ConfigProblem | undefined {
  const severities: readonly ConfigProblemSeverity[] = ['error', 'warning', 'info', 'hint'];
  return severities
    .map((severity) => problems.find((problem) => problem.severity === severity))
    .find((problem) => problem !== undefined);
}

export interface FileProblem {
  readonly path: string;
  readonly problem: ConfigProblem;
}

/** One `inputs` item of a VS Code file: a value that the user is asked for once. */
export interface ConfigInput {
  readonly id: string;
  readonly description?: string;
  readonly isPassword: boolean;
  readonly defaultValue?: string;
  /** Set for `pickString`. */
  readonly options?: readonly string[];
}

/** Other programs whose servers can be taken over, opt-in. */
export const importSources = [
  'cursor',
  'claude-code',
  'claude-desktop',
  'codex',
  'windsurf',
  'vscode',
  'opencode',
  'copilot',
  'cline',
  'gemini',
  'zed',
  'pi',
] as const;

export type ImportSource = (typeof importSources)[number];

/** Where a definition was found. */
export interface ConfigOrigin {
  /** Which layer of files, such as `project` or `user`. */
  readonly layer: ConfigLayer;
  /** Absolute path of the file. */
  readonly path: string;
  /** Range of the entry's name, quotes excluded. */
  readonly nameRange?: TextRange;
  /** Of the name, from 1. */
  readonly line?: number;
}

/** Lowest to highest precedence within their scope. */
export const configLayers = [
  'import',
  'shared', // ~/.config/mcp/mcp.json
  'forge', // $FORGE_DATA_DIR/mcp.json
  'pilot', // $PILOT_DIR/mcp.json
  'pi-settings', // `mcp` block of ~/.pi/agent/settings.json
  'user', // ~/.pi/agent/mcp.json, the file that the UI writes
  'project', // <folder>/.mcp.json
  'pi-project', // <folder>/.pi/mcp.json
  'pilot-project', // <folder>/.pilot/mcp.json
  'local', // the user's own file for one folder, which is not in it
] as const;

export type ConfigLayer = (typeof configLayers)[number];

/** How to start a stdio server, as written: variables not yet resolved. */
export interface McpStdioLaunch {
  readonly kind: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** A file with further variables, relative to the folder, or to the home directory for an entry of the user. */
  readonly envFile?: string;
  /** Pass the whole environment of the extension host to the child. */
  readonly inheritEnv: boolean;
  readonly protocolVersion?: ProtocolPreference;
}

/** Which generation of the protocol is spoken. */
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
  readonly protocolVersion?: ProtocolPreference;
}

/** Who authorizes: the user in a browser (default), the client itself, or an identity it already has. */
type OAuthGrant =
  | 'authorization_code'
  | 'client_credentials'
  | 'cross_app_access'
  | 'workload_identity';

/** Client settings of one server. Values may hold variables; {@link ResolvedHttpLaunch} has them resolved. */
export interface OAuthSettings {
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
  /** Endpoints in place of what the servers say; with `tokenUrl` nobody is asked for them. */
  readonly authorizationUrl?: string;
  readonly tokenUrl?: string;
  readonly registrationUrl?: string;
  /** Whom tokens are for (RFC 8707). Default: what the server's metadata say. */
  readonly resource?: string;
  /** The same, as some authorization servers want it. */
  readonly audience?: string;
  /** Of the sign-in page and of each request for tokens, beside our own. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** Loopback address for the browser to return to. Default: one of ten ports of 127.0.0.1, or any when all are in use. */
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
  /** Only what the entry and its file set; the safe default environment is added at spawn. */
  readonly env: Readonly<Record<string, string>>;
  /** What was read for it. */
  readonly envFile?: ResolvedEnvFile;
  /** Absolute. */
  readonly cwd: string;
  readonly inheritEnv: boolean;
  readonly protocolVersion?: ProtocolPreference;
  /** Values that must be masked wherever the launch is mentioned. */
  readonly secrets: readonly string[];
}

/** The file of `envFile` as it was read for one start. */
interface ResolvedEnvFile {
  /** Absolute. */
  readonly path: string;
  readonly names: readonly string[];
  /** Of the whole text. */
  readonly digest: string;
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
  readonly protocolVersion?: ProtocolPreference;
  readonly secrets: readonly string[];
}

export type ResolvedLaunch = ResolvedStdioLaunch | ResolvedHttpLaunch;

type McpLifecycle = 'lazy' | 'eager' | 'keep-alive' | 'lazy-keep-alive';

export type ToolPrefix = 'server' | 'short' | 'none' | 'mcp';

export type ToolExposure = 'auto' | 'direct' | 'search' | 'proxy' | 'hidden';

/** What becomes of a definition that its server changes: held back, shown with a mark, or taken as it is. */
export type DefinitionsMode = 'hold' | 'announce' | 'accept';

/** Folders that a server is told of: those of its workspace, none, or these, as written. */
export type RootsChoice = 'folder' | 'none' | readonly string[];

/** What a person says of a tool in place of its server. */
export interface ToolOverride {
  /** In place of the server's. */
  readonly description?: string;
  /** Before the description, whoever wrote that. */
  readonly descriptionPrefix?: string;
  readonly title?: string;
  readonly readOnly?: boolean;
  /** Sent with every call in place of what the caller gives; nobody is asked for them. As written, variables in them. */
  readonly arguments?: JsonObject;
  /** No model gets it. */
  readonly hidden?: boolean;
}

/**
 * How a server is used once it may run; changing one of these never restarts it, `roots` apart, which are settled when
 * it connects. The defaults are in `schema/`. */
export interface McpServerOptions {
  readonly lifecycle: McpLifecycle;
  /** Minutes; 0 = never. */
  readonly idleTimeout: number;
  readonly startupTimeoutMs: number;
  /** Milliseconds; progress resets it. */
  readonly requestTimeoutMs: number;
  /** Milliseconds between closing stdin and SIGTERM. */
  readonly stopGraceMs: number;
  /** Default: the folder, or none where the arguments name another one. */
  readonly roots?: RootsChoice;
  readonly exposeResources: boolean;
  /** `true`, `false` or the tool names that are always active. Default undefined: by exposure. */
  readonly directTools?: boolean | readonly string[];
  readonly includeTools?: readonly string[];
  readonly excludeTools?: readonly string[];
  readonly exposure?: ToolExposure;
  /** By the server's own names of tools, of which it may have any: ask for own properties. */
  readonly toolOverrides?: Readonly<Record<string, ToolOverride>>;
  /** Default: the pool's setting. */
  readonly toolPrefix?: ToolPrefix;
  /** Default: by where the entry and the server are. */
  readonly definitions?: DefinitionsMode;
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
  /** A file of the user names the roots, which may then be anywhere; those of a folder's file are inside of it. */
  readonly hasRootsOfUser?: boolean;
  readonly problems: readonly ConfigProblem[];
}

/**
 * The vocabulary of the MCP domain: states (what is true now) and catalogs (what servers offer). Data only; every type
 * is JSON-serialisable unless it says otherwise.
 */
import type { ErrorCode } from '../base/errorCodes.js';
import type { ErrorFacts } from '../base/errors.js';
import type { JsonObject } from '../base/json.js';
import type { ConfigProblem } from '../config/definition.js';
import type { LaunchDescription } from '../config/launch/launchDescription.js';
import type { LaunchTrait } from '../config/launch/launchTraits.js';
import type { FolderIdentity } from '../platform/folderIdentity.js';
import type { RequestOrigin } from './originTypes.js';

// #region trust

/** Why a server waits for the user. */
export type TrustReason =
  | { readonly kind: 'workspace_untrusted' }
  | { readonly kind: 'never_consented' }
  /** A call of the agent wrote the entry: trust in the folder does not cover it. */
  | { readonly kind: 'agent_wrote' }
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

/** Identities, as `folderIdentity` gives them. */
export interface FolderReplaced {
  readonly before: FolderIdentity | undefined;
  readonly now: FolderIdentity | undefined;
}

// #endregion

// #region state

/** Why a connection failed or ended. JSON-serialisable; secrets are masked before it is built. */
export interface McpServerFailure {
  readonly code: ErrorCode;
  /** Full sentence. */
  readonly message: string;
  /** Full sentence: the next step. */
  readonly remedy: string;
  readonly exitCode?: number;
  readonly signal?: string;
  readonly httpStatus?: number;
  /** It passes: milliseconds after which it is tried again. */
  readonly retryAfterMs?: number;
  /** Last lines the server wrote to stderr, oldest first. */
  readonly stderrTail: readonly string[];
  /** The command line that was run, or would have been; for stdio. */
  readonly ran?: string;
  /** What it is about; nothing secret. */
  readonly facts?: ErrorFacts | undefined;
}

/** A file of a folder, or the user's own for it, switches a global server off there. */
export interface FolderSwitch {
  readonly folderName: string;
  /** The file. */
  readonly path: string;
}

/**
 * What is true about a server now. Each kind has one icon, one sentence and one primary action; user
 * enablement is part of the definition and shows here as `disabled`.
 */
export type McpServerState =
  | { readonly kind: 'disabled'; readonly by: 'server' | 'master' }
  | ({ readonly kind: 'disabled'; readonly by: 'folder' } & FolderSwitch)
  | { readonly kind: 'invalid'; readonly problems: readonly ConfigProblem[] }
  | { readonly kind: 'trust_required'; readonly reason: TrustReason }
  | { readonly kind: 'idle' }
  | {
      readonly kind: 'connecting';
      readonly note?: ConnectingNote;
      /** When `note` began to be true, on the measuring clock. */
      readonly since?: number;
    }
  | {
      readonly kind: 'connected';
      readonly transport: 'stdio' | 'streamable-http' | 'sse';
      /** Milliseconds since the epoch. */
      readonly since: number;
      /** Milliseconds from start to ready, catalog included. */
      readonly connectMs: number;
      readonly pid?: number;
      readonly slowLists?: SlowLists;
    }
  | { readonly kind: 'needs_auth'; readonly failure: McpServerFailure }
  | {
      readonly kind: 'error';
      readonly failure: McpServerFailure;
      /** Milliseconds since the epoch; undefined = not before the next use. */
      readonly nextRetryAt?: number;
    };

/**
 * What a server that connects waits for: until the package of another one is there (`waiting`), for its own package,
 * which is fetched for the first time (`fetching`), for its answer to `initialize` (`starting`), for its lists (`listing`).
 */
export type ConnectingNote = 'waiting' | 'fetching' | 'starting' | 'listing';

/** Lists of which a server says so often that they have changed that they are read after a pause only. */
export interface SlowLists {
  readonly lists: readonly McpListKind[];
  readonly pauseMs: number;
}

export type McpServerStateKind = McpServerState['kind'];

/** States in which nothing may run. */
export type BlockedState = Extract<
  McpServerState,
  { readonly kind: 'disabled' | 'invalid' | 'trust_required' }
>;

// #endregion

// #region catalog

/** What servers list, and of what they announce changes. */
export type McpListKind = 'tools' | 'resources' | 'prompts';

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
  readonly title?: string;
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

/** One file of a skill, as the server lists it. */
export interface McpSkillFile {
  readonly uri: string;
  /** Below the folder of the skill, such as `references/FORMS.md`. */
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** Hexadecimal. */
  readonly sha256: string;
}

/** A skill as its server lists it (SEP-2640). Nothing of it has been read. */
export interface McpSkill {
  /** Of its `SKILL.md`. */
  readonly uri: string;
  readonly name: string;
  readonly description: string;
  /** Of its `SKILL.md`, which has to say the same. */
  readonly frontmatter: JsonObject;
  /** All that it has. */
  readonly files: readonly McpSkillFile[];
}

/** A file of a skill, which is what the server lists. */
export interface McpSkillContents {
  readonly skill: McpSkill;
  readonly file: McpSkillFile;
  /** Default: it is no text. */
  readonly text?: string | undefined;
}

/** What a server offers. Lists are complete (paginated to the end) unless `notices` says otherwise. */
export interface McpCatalog {
  readonly tools: readonly McpTool[];
  readonly resources: readonly McpResource[];
  readonly resourceTemplates: readonly McpResourceTemplate[];
  readonly prompts: readonly McpPrompt[];
  /** Default: it has none. */
  readonly skills?: readonly McpSkill[];
  readonly instructions?: string;
  readonly serverInfo?: {
    readonly name: string;
    readonly version: string;
    readonly title?: string;
    readonly icons?: readonly McpIcon[];
  };
  readonly protocolVersion?: string;
  /** The server says that some of it is for this account alone. Default: it does not. */
  readonly isPrivate?: boolean;
  /** Full sentences about items that were dropped or bounds that were hit. */
  readonly notices: readonly string[];
  /** What the server says in other words than a person agreed to. Default: nothing. */
  readonly changes?: readonly DefinitionChange[];
  /** Tools that the entry changes, as the server describes them. Default: it changes none. */
  readonly replaced?: readonly McpTool[];
}

/** A tool, a prompt, a skill or the instructions of a server that are not, or not yet, what a person agreed to. */
export interface DefinitionChange {
  readonly kind: 'tool' | 'prompt' | 'skill' | 'instructions';
  /** Empty for instructions. */
  readonly name: string;
  /** Of what the server says now. */
  readonly fingerprint: string;
  /** What was agreed to. Default: it is new. */
  readonly before: JsonObject | undefined;
  /** What the server says now. */
  readonly definition: JsonObject;
  /** What is used: what was agreed to, nothing, or what the server says now. */
  readonly shown: 'before' | 'nothing' | 'now';
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

export interface McpPromptResult {
  readonly description?: string;
  readonly messages: readonly {
    readonly role: 'user' | 'assistant';
    readonly content: JsonObject;
  }[];
}

/** How a request is made. */
export interface McpRequestOptions {
  readonly signal?: AbortSignal;
  /** Milliseconds; progress resets it. Default: what the server's entry says. */
  readonly timeoutMs?: number;
  readonly onProgress?: (progress: McpProgress) => void;
  /** Goes with the request as `_meta`, where the server does something for whoever asks. */
  readonly meta?: JsonObject | undefined;
  /**
   * Whether a tool that may run as a task does. Of no effect where it must, or where the server decides. Default: true.
   */
  readonly asTask?: boolean;
  /** Who else has caused it, and answers what the server asks meanwhile. Default: the user of this window. */
  readonly origin?: RequestOrigin | undefined;
}

export interface McpProgress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** What an argument belongs to whose values a server completes. */
export type CompletionReference =
  | { readonly kind: 'prompt'; readonly name: string }
  | { readonly kind: 'resource'; readonly uriTemplate: string };

// #endregion

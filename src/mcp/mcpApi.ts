/**
 * The MCP domain as its users see it: the tree, the status bar, the webviews, the agent, the CLI and the extension
 * API. `createMcpCore` (service/mcpCore.ts) returns the implementation; tests of the layers above fake these interfaces.
 */
import type { Disposable } from '../base/disposable.js';
import type { Event } from '../base/event.js';
import type { JsonObject } from '../base/json.js';
import type { ObservableValue } from '../base/valueEmitter.js';
import type { McpConfiguration, PoolConfiguration } from '../config/configuration.js';
import type {
  McpPoolId,
  McpServerDefinition,
  McpServerId,
  McpServerLaunch,
} from '../config/definition.js';
import type { LaunchDescription } from '../config/launch/launchDescription.js';
import type { FolderIdentity } from '../platform/folderIdentity.js';
import type { Leftover, LeftoverOutcome } from '../platform/process/leftovers.js';
import type { ServerLogLevel, ServerLogMessage } from './logTypes.js';
import type {
  CompletionReference,
  FolderReplaced,
  McpCatalog,
  McpPromptResult,
  McpRequestOptions,
  McpResourceContents,
  McpServerState,
  McpSkillContents,
  McpToolResult,
  TrustReason,
} from './mcpTypes.js';
import type { CallMaker, Cause } from './originTypes.js';
import type { McpServerTasks, McpTaskRun } from './taskTypes.js';
import type { McpTraffic } from './trafficTypes.js';

/** One configured server: its definition, its state and what it offers. */
export interface McpServer {
  readonly id: McpServerId;
  /** Replaced when the file changes; identity stays while the name stays in its pool. */
  readonly definition: McpServerDefinition;
  readonly state: ObservableValue<McpServerState>;
  /** Empty until the first connect; kept while the server is idle or failing. */
  readonly catalog: ObservableValue<McpCatalog>;
  /** True when a same-named server of the folder hides this global one from the folder's agent. */
  isHiddenIn(folderUri: string): boolean;

  /**
   * Connects if necessary (single flight), as far as the trust gate allows.
   * @throws {HumanError} that says what stands in the way and what to do.
   */
  ensureConnected(signal?: AbortSignal): Promise<void>;
  /** Reads the list of tools again; connects first if necessary. Rejects as a call does. */
  readTools(signal?: AbortSignal): Promise<void>;
  /** For whoever is about to use the lists: reads again what the server says is good no more. Connects nothing. Never rejects. */
  refreshLists(): Promise<void>;
  /** Disconnects if connected and connects afresh; the catalog is re-read. Never rejects: the state says it. */
  restart(signal?: AbortSignal): Promise<McpServerState>;
  /** Disconnects; resolves when the process or stream is gone. The state becomes `idle`. Never rejects. */
  stop(): Promise<void>;

  /**
   * Connects first if necessary. A tool that the server runs as a task is waited for, over lost connections too.
   * @throws {HumanError} or a cancellation. A tool's own failure is a result.
   */
  callTool(name: string, args: JsonObject, options?: McpCallOptions): Promise<McpToolResult>;
  /**
   * Agrees to changes of its catalog exactly as they were shown; what has changed again since stays held.
   * @param fingerprints of the changes @throws when that could not be stored
   */
  acceptDefinitions(fingerprints: readonly string[]): Promise<void>;
  /** @throws {HumanError} */
  readResource(uri: string, options?: McpCallOptions): Promise<readonly McpResourceContents[]>;
  /** Calls back when the server says that the resource changed. Reads nothing and starts nothing. */
  watchResource(uri: string, onDidChange: () => void): Disposable;
  /** @throws {HumanError} */
  getPrompt(
    name: string,
    args: Readonly<Record<string, string>>,
    options?: McpCallOptions,
  ): Promise<McpPromptResult>;

  /**
   * Reads a skill, or another file of it, and checks that it is what the server lists. Before the first file of a skill,
   * and once it is another one, the user is shown all of it and asked. Runs nothing.
   * @param path of the file; default: `SKILL.md` @throws {HumanError}
   */
  loadSkill(name: string, path?: string, options?: McpCallOptions): Promise<McpSkillContents>;

  /** Values for an argument of a prompt or a resource template; empty when the server offers none. */
  complete(
    reference: CompletionReference,
    argument: { readonly name: string; readonly value: string },
    context?: Readonly<Record<string, string>>,
    options?: McpCallOptions,
  ): Promise<readonly string[]>;

  /** What the server logs, for others than its own log. */
  readonly log: {
    /** Calls back with every message that is at least so severe, with secrets masked. Starts nothing. */
    watch(
      level: ServerLogLevel,
      onMessage: (message: ServerLogMessage, cause: Cause) => void,
    ): Disposable;
  };
  /** What whoever looks at the server itself sends it. */
  readonly direct: McpDirectRequests;
  /** Keeps the server from being stopped as idle until the result is disposed. */
  hold(holder: string): Disposable;
  /** What is going on now; a snapshot. */
  readonly activity: McpActivity;
  /** Calls of tools that run as tasks. */
  readonly tasks: McpServerTasks;
}

/** Each connects first if necessary. @throws {HumanError} or a cancellation. */
interface McpDirectRequests {
  /** A request as it is written, of which nothing is read; never a call of a tool. */
  send(method: string, params: JsonObject, options?: McpCallOptions): Promise<void>;
  ping(options?: McpCallOptions): Promise<void>;
  /** Until the connection ends, or its log asks for another level. */
  setLogLevel(level: string, options?: McpCallOptions): Promise<void>;
}

export interface McpActivity {
  /** How often it connected again after the first time. */
  readonly restarts: number;
  /** Requests under way. */
  readonly calls: number;
  /** Who holds it, one entry per hold. */
  readonly holders: readonly string[];
}

export interface McpCallOptions extends McpRequestOptions {
  /** Once connected and before anything is sent: throws when the call is not to be made any more. */
  readonly assertWanted?: () => void;
  /** What the log of calls says of who makes it. Default: the user of this window, by hand. */
  readonly maker?: CallMaker | undefined;
  /** The call has become a task, which may be left to itself. */
  readonly onTask?: (task: McpTaskRun) => void;
}

/** The servers of one workspace folder, or of the user (`global`). */
export interface McpPool extends PoolConfiguration {
  /** In file order. */
  readonly servers: readonly McpServer[];
}

export interface McpService extends Disposable {
  /** Global first, then the folders in workspace order. */
  readonly pools: readonly McpPool[];
  /** Pools came, went or changed their list of servers, definitions or file problems. */
  readonly onDidChangePools: Event<void>;
  /** Any server's state, catalog or tasks changed. */
  readonly onDidChangeServer: Event<McpServer>;
  /** Of all pools, in their order. */
  readonly servers: readonly McpServer[];
  getPool(id: McpPoolId): McpPool | undefined;
  getServer(id: McpServerId): McpServer | undefined;
  /**
   * What a folder's agent may use: the folder's servers and the global ones that none of them hides.
   * @param name the only one that is looked for, in the same time however many servers there are; default: all
   */
  serversFor(folderUri: string | undefined, name?: string): readonly McpServer[];
  /** The user's settings, under those of the folder as far as it is trusted and may set them. */
  settingsFor(folderUri: string | undefined): JsonObject;
  /** Reads all files again and resolves when the pools match them. */
  reload(): Promise<void>;
  /** Resolves when the files have been read for the first time. Never rejects. */
  whenRead(): Promise<void>;
  /** Resolves when the start-up connects of eager and not-yet-known servers have settled. */
  whenStarted(): Promise<void>;
  readonly trust: McpTrust;
  readonly accounts: McpAccounts;
  readonly configuration: McpConfiguration;
  readonly traffic: McpTraffic;
  readonly trials: McpTrials;
  readonly leftovers: McpLeftovers;
  /** Stops everything; resolves when no process of ours is left. */
  shutdown(): Promise<void>;
}

/** Servers that run on although the window that started them is gone, such as one that crashed. */
export interface McpLeftovers {
  /** Ends nothing. Undefined where nobody keeps record of processes, or knows who runs. Never rejects. */
  list(): Promise<readonly Leftover[] | undefined>;
  /** Ends what is still what the keys stand for. Never rejects. @returns what became of each, in their order. */
  end(keys: readonly string[]): Promise<readonly LeftoverOutcome[]>;
}

/** What is stored for the account of a server. */
export interface StoredAccount {
  /** The user is signed in, as far as this side knows. */
  readonly hasTokens: boolean;
  /** This client is registered with the authorization server. */
  readonly hasClient: boolean;
}

/** What is stored for the account that is used here, which may be one of several. */
export interface ServerAccount extends StoredAccount {
  /** `undefined`: the one without a name. */
  readonly name: string | undefined;
  /** Those that have one. */
  readonly names: readonly string[];
}

/** The accounts that servers are used with. Every method that waits rejects with a {@link HumanError}. */
export interface McpAccounts {
  readonly onDidChange: Event<McpServerId>;
  /** Nothing until the storage has been looked into, which {@link McpAccounts.onDidChange} announces. */
  stored(id: McpServerId): ServerAccount;
  /** Takes the user through the authorization in a browser, then connects. */
  signIn(id: McpServerId, signal?: AbortSignal): Promise<void>;
  /**
   * Uses another account in this folder from now on, whether or not the user is signed in with it, and connects. Resolves
   * when {@link stored} knows.
   * @param name of a known or a new one; `undefined`: the one without a name
   */
  use(id: McpServerId, name: string | undefined): Promise<void>;
  /**
   * Forgets the tokens, and disconnects what uses them.
   * @param account Default: the one that is used here.
   */
  signOut(id: McpServerId, account?: Pick<ServerAccount, 'name'>): Promise<void>;
  /** Forgets the registration of the client as well, so that the next sign-in starts from nothing. */
  forgetClient(id: McpServerId): Promise<void>;
}

// #region trust

/** Launches that no file has, tried out. */
export interface McpTrials {
  /** What the user is to agree to. Runs nothing. @throws {HumanError} */
  describe(id: McpServerId, launch: McpServerLaunch): Promise<ConsentRequest>;
  /**
   * Starts it, reads what it offers, and ends it; nothing of it is kept. Call it only for what the user agreed to.
   * @throws {HumanError} where it may not start, or did not
   */
  run(launch: McpServerLaunch, agreed: ConsentRequest, signal: AbortSignal): Promise<McpCatalog>;
}

/** One server that waits for consent, with everything the user must see to decide. */
export interface ConsentRequest {
  readonly serverId: McpServerId;
  readonly name: string;
  readonly reason: TrustReason;
  /** Complete, with the literals that the repository wrote: only for the question itself. */
  readonly description: LaunchDescription;
  /** Hash of the launch that is shown, to which {@link McpTrust.trustServers} binds the consent; refused without. */
  readonly launchHash?: string;
}

export type FolderTrust =
  | { readonly kind: 'none' }
  | { readonly kind: 'folder'; readonly grantedAt: string }
  /** Consent for single definitions only. */
  | { readonly kind: 'servers'; readonly count: number };

/** What the user has consented to in one folder, which need not be open nor exist any more. */
export interface TrustRecord {
  readonly folderUri: string;
  /** When the folder as a whole was trusted (ISO); `undefined`: it was not. */
  readonly grantedAt: string | undefined;
  /** The folder that it is about. */
  readonly identity: FolderIdentity | undefined;
  /** The folder is open, and is another one now: the record covers nothing. */
  readonly replaced: FolderReplaced | undefined;
  /** Consent to single servers; literal secrets are masked. */
  readonly servers: readonly { readonly name: string; readonly description: LaunchDescription }[];
  /** Files of Pi extensions that may run inside of the editor. */
  readonly extensions: readonly string[];
}

export interface McpTrust {
  readonly isWorkspaceTrusted: boolean;
  /** Consent was granted or revoked, or Workspace Trust changed. */
  readonly onDidChange: Event<void>;
  folderTrust(folderUri: string): FolderTrust;
  /** Why the server would wait for the user, were it switched on; `undefined`: it may run. */
  reasonToWait(definition: McpServerDefinition): TrustReason | undefined;
  /** Everything that was ever granted and not revoked. */
  records(): Promise<readonly TrustRecord[]>;
  /** Servers of the folder in `trust_required`; empty while the workspace is untrusted only if none exist. */
  pendingConsent(folderUri: string): Promise<readonly ConsentRequest[]>;
  /** Trusts the folder's files: every present and later entry may start. */
  trustFolder(folderUri: string): Promise<void>;
  /** Consents to exactly what the requests show. A definition that changed since then stays gated. */
  trustServers(folderUri: string, requests: readonly ConsentRequest[]): Promise<void>;
  /** Whether the user has consented to Pi extensions with exactly these texts. */
  mayLoadExtensions(folderUri: string, hash: string): boolean;
  /** @param extensions as they were shown */
  trustExtensions(
    folderUri: string,
    extensions: { readonly hash: string; readonly files: readonly string[] },
  ): Promise<void>;
  /**
   * A call of the agent begins: server entries that come or change until it has ended count as written by it.
   * @returns what says that it has ended
   */
  whileAgentActs(): () => void;
  /** Withdraws all consent of the folder, open or not, and stops its pool, connects in flight included. */
  revoke(folderUri: string): Promise<void>;
}

// #endregion

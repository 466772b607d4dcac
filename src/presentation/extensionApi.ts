/** What `activate` returns to other extensions. Plain data; secrets are redacted; only the user grants trust. */
import type { JsonObject } from '../base/json.js';
import type { McpServerEntry } from '../config/configuration.js';
import type { ConfigProblem } from '../config/definition.js';
import type { SettledExposure } from '../mcp/catalog/exposure.js';
import type { FolderTrust } from '../mcp/mcpApi.js';
import type { McpServerStateKind, McpTool } from '../mcp/mcpTypes.js';

export interface PiMcpApi {
  /** Changes incompatibly only with a new number; members may be added to it. */
  readonly version: 1;
  /** Ids of pools are `global` or a folder URI. Fires after anything that {@link servers} may show changed. */
  readonly onDidChange: PiMcpEvent<void>;
  /** Servers came, went or are shown otherwise by {@link servers}; a burst of changes fires once. */
  readonly onDidChangeServers: PiMcpEvent<readonly PiMcpServerKey[]>;
  /** What {@link agentTools} lists for the user or an open folder is another; a burst of changes fires once. */
  readonly onDidChangeTools: PiMcpEvent<void>;
  settings(): PiMcpSettings;
  /** The master switch of the user's own file. Rejects when the file cannot be written. */
  updateSettings(change: { readonly enabled: boolean }): Promise<PiMcpSettings>;
  /** @param poolId default: all pools. Resolves when the configuration was read. */
  servers(poolId?: string): Promise<readonly PiMcpServer[]>;
  /**
   * Adds a server to the pool's primary file, or replaces the fields of an existing one. A secret that is sent back
   * as `***REDACTED***` keeps its stored value. Never grants trust. Rejects for an entry that would be invalid.
   */
  upsert(poolId: string, name: string, entry: McpServerEntry): Promise<PiMcpServer>;
  /** Rejects for an unknown server. */
  remove(poolId: string, name: string): Promise<void>;
  /** Connects afresh, as far as trust allows; the state says how it went. */
  probe(poolId: string, name: string): Promise<PiMcpServer>;
  /** Connects unless it is connected, as far as trust and switches allow; the state says how it went. */
  start(poolId: string, name: string): Promise<PiMcpServer>;
  /** Disconnects; resolves when the process or stream is gone. It starts again on its next use. */
  stop(poolId: string, name: string): Promise<PiMcpServer>;
  /** The tools a server offers, from the cache while it is not running. */
  tools(poolId: string, name: string): Promise<readonly McpTool[]>;
  /**
   * All tools that an agent session of the folder has now, each as its model sees it: those of the folder and of the
   * user, without what is switched off, hidden or kept back. Those of servers that do not run are known from the cache.
   * @param folderUri default: the user's own servers alone
   */
  agentTools(folderUri?: string): Promise<readonly PiMcpTool[]>;
  /** Tells the user that servers of the folder wait for review; resolves with what they decided, if anything. */
  requestTrust(folderUri: string): Promise<FolderTrust>;
  /** Revokes trust and stops the folder's servers at once. */
  revokeTrust(folderUri: string): Promise<FolderTrust>;
}

/** Dispose the result to hear no more. */
export type PiMcpEvent<T> = (listener: (event: T) => void) => { dispose(): void };

interface PiMcpServerKey {
  readonly poolId: string;
  readonly name: string;
}

export interface PiMcpTool {
  /** What the model calls. */
  readonly name: string;
  /** Whose server it is; see {@link PiMcpServer.poolId}. */
  readonly poolId: string;
  readonly server: string;
  /** What the server calls it. */
  readonly tool: string;
  readonly description: string;
  /** As the model gets it, which providers of models accept; `tools` has the server's own. */
  readonly inputSchema: JsonObject;
  /** In every request, found by ToolSearch, or called through the tool `mcp`. */
  readonly exposure: Exclude<SettledExposure, 'hidden'>;
}

export interface PiMcpSettings {
  readonly enabled: boolean;
  readonly connected: number;
  readonly total: number;
}

export interface PiMcpServer extends PiMcpServerKey {
  readonly kind: 'stdio' | 'http' | 'invalid';
  readonly enabled: boolean;
  readonly state: McpServerStateKind;
  /** One sentence, in the user's language. */
  readonly stateText: string;
  readonly toolCount: number;
  /** What the user has consented to in the folder of the server. Absent for the user's own, which need no consent. */
  readonly folderTrust?: FolderTrust;
  /** Path of the file that declares it. */
  readonly source: string;
  readonly problems: readonly ConfigProblem[];
  /** As the file holds it, secrets redacted. Absent while the file is broken and in files of other programs. */
  readonly entry?: McpServerEntry;
}

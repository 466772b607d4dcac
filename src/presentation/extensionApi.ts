/** What `activate` returns to other extensions. Plain data; secrets are redacted; only the user grants trust. */
import type { McpServerEntry } from '../config/configuration.js';
import type { ConfigProblem } from '../config/definition.js';
import type { FolderTrust } from '../mcp/mcpApi.js';
import type { McpServerStateKind, McpTool } from '../mcp/mcpTypes.js';

export interface PiMcpApi {
  /** Changes incompatibly only with a new number. */
  readonly version: 1;
  /** Ids of pools are `global` or a folder URI. Fires after any change of {@link servers}. */
  readonly onDidChange: (listener: () => void) => { dispose(): void };
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
  /** The tools a server offers, from the cache while it is not running. */
  tools(poolId: string, name: string): Promise<readonly McpTool[]>;
  /** Tells the user that servers of the folder wait for review; resolves with what they decided, if anything. */
  requestTrust(folderUri: string): Promise<FolderTrust>;
  /** Withdraws consent and stops the folder's servers at once. */
  revokeTrust(folderUri: string): Promise<FolderTrust>;
}

export interface PiMcpSettings {
  readonly enabled: boolean;
  readonly connected: number;
  readonly total: number;
}

export interface PiMcpServer {
  readonly poolId: string;
  readonly name: string;
  readonly kind: 'stdio' | 'http' | 'invalid';
  readonly enabled: boolean;
  readonly state: McpServerStateKind;
  /** One sentence, in the user's language. */
  readonly stateText: string;
  readonly toolCount: number;
  /** Path of the file that declares it. */
  readonly source: string;
  readonly problems: readonly ConfigProblem[];
  /** As the file holds it, secrets redacted. Absent while the file is broken and in files of other programs. */
  readonly entry?: McpServerEntry;
}

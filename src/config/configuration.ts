/** Entries of configuration files as forms, commands and other extensions edit them. */
import type { HumanError } from '../base/errors.js';
import type { JsonObject } from '../base/json.js';
import type {
  ConfigInput,
  ConfigLayer,
  ConfigProblem,
  FileProblem,
  ImportSource,
  McpPoolId,
  McpServerId,
  WorkspaceFolder,
} from './definition.js';

/** What the files of one workspace folder, or of the user (`global`), say beside their servers. */
export interface PoolConfiguration {
  readonly id: McpPoolId;
  /** `undefined` for the global pool. */
  readonly folder: WorkspaceFolder | undefined;
  /** Problems that belong to a file rather than to one server, such as a syntax error. */
  readonly fileProblems: readonly FileProblem[];
  /** Configuration files that exist, lowest precedence first; absolute paths. */
  readonly files: readonly string[];
  /** Where new servers are written; may not exist yet. Empty for a virtual folder. */
  readonly primaryFile: string;
  /** Top-level `disabled` of the files. */
  readonly isMasterDisabled: boolean;
  /** Top-level `settings` of the files; those in a folder never hold what guards the user. */
  readonly settings: JsonObject;
  /** What the files say about the values that `${input:id}` stands for. */
  readonly inputs: readonly ConfigInput[];
}

/** A server entry as a file holds it, for forms. Secret values are {@link redactedSentinel}. */
export type McpServerEntry = JsonObject;

export interface McpServerChange {
  /** New name. Default: stays. */
  readonly name?: string;
  readonly entry: McpServerEntry;
  /**
   * Field (`env`, `headers`) → new key → key under which its value is stored, for sentinels under renamed keys.
   * Default: one renamed key is recognised by itself.
   */
  readonly renamedKeys?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** As in {@link NewServer}. */
  readonly inputs?: readonly JsonObject[];
}

/** One read-only view of an entry for an editor. */
export interface EditableServer {
  readonly name: string;
  readonly entry: McpServerEntry;
}

/** A server that is about to be added. */
export interface NewServer {
  readonly name: string;
  readonly entry: McpServerEntry;
  /** Declarations for the `inputs` of its file that the entry refers to. Default: none. */
  readonly inputs?: readonly JsonObject[];
}

/** Where a name is to be used. */
export interface NamePlace {
  readonly poolId: McpPoolId;
  readonly file: PoolFile;
  /** The server that is to be renamed, in its own file. Default: a new one. */
  readonly id?: McpServerId | undefined;
}

/** A file of a pool that new servers are written to; `local`: the user's own for a folder, which is not in it. */
export type PoolFile = 'primary' | 'local';

/** Where a declaration is to stand. */
export interface TransferTarget {
  readonly poolId: McpPoolId;
  readonly file: PoolFile;
  /** Default: as it is called now. */
  readonly name?: string | undefined;
  /** The old one stays where it is. */
  readonly isCopy: boolean;
}

/** What the switch of a server is to say. */
export interface ServerSwitch {
  readonly id: McpServerId;
  readonly isEnabled: boolean;
}

/** What a file of the user says of a tool in place of its server. Secret values are {@link redactedSentinel}. */
export interface StoredOverride {
  readonly path: string;
  readonly override: JsonObject;
}

export interface OverrideChange {
  /** The whole of it; sentinels keep the stored values. Nothing: the tool is left to its server. */
  readonly override: JsonObject;
  /** As in {@link NewServer}. */
  readonly inputs?: readonly JsonObject[];
}

/** What an edit would do to a file. Holds secrets as the file does. */
export interface FileChange {
  readonly path: string;
  /** Empty for a file that does not exist yet. */
  readonly before: string;
  readonly after: string;
}

/**
 * Edits configuration files: minimal text edits, compare-before-write, never on a file with syntax errors.
 * Every method rejects with a {@link HumanError} that names the file, the place and the remedy.
 */
export interface McpConfiguration {
  /**
   * The entry as its file holds it, secrets redacted.
   * @param path one of the files that declare the server. Default: the one that counts.
   */
  read(id: McpServerId, path?: string): Promise<EditableServer>;
  /** The file, which need not exist yet. Rejects where there is none. */
  location(
    poolId: McpPoolId,
    file: PoolFile,
  ): { readonly path: string; readonly layer: ConfigLayer };
  /** The text of a file of a pool, as it was read last; `undefined` where it could not be. */
  knownText(path: string): string | undefined;
  /** Adds a server to the pool's primary file. Rejects when the name is taken there. */
  addServer(poolId: McpPoolId, name: string, entry: McpServerEntry): Promise<void>;
  /** Adds all of them to the file, or none. Default: the pool's primary file. */
  addServers(poolId: McpPoolId, servers: readonly NewServer[], file?: PoolFile): Promise<void>;
  /** What {@link addServers} would do, without writing. */
  previewAdd(
    poolId: McpPoolId,
    servers: readonly NewServer[],
    file?: PoolFile,
  ): Promise<FileChange>;
  /** Why a server cannot have the name, as {@link addServer} and {@link updateServer} would refuse it. */
  checkName(name: string, place: NamePlace): Promise<HumanError | undefined>;
  /** Names sources whose servers the pool then shows as live references. */
  addImports(poolId: McpPoolId, sources: readonly ImportSource[]): Promise<void>;
  /**
   * Changes single fields in the file that holds the server: a field of `entry` is set, `null` or `undefined` removes
   * it, a field that is left out stays. Setting `command` removes the fields of remote servers and the other way round.
   * Sentinels keep the stored values, also when the server is renamed.
   */
  updateServer(id: McpServerId, change: McpServerChange): Promise<void>;
  /** For a server of a folder from the user's own file for that folder, whoever declares it. */
  readToolOverride(id: McpServerId, tool: string): Promise<StoredOverride>;
  /** Writes to the file of {@link readToolOverride}, and creates the entry there that it needs. */
  updateToolOverride(id: McpServerId, tool: string, change: OverrideChange): Promise<void>;
  /** @param path one of the files that declare the server. Default: the one that counts. */
  removeServer(id: McpServerId, path?: string): Promise<void>;
  /**
   * Moves or copies the declaration with its comments; what is stored for the server goes along. Rejects for what a
   * repository declares until the user has consented to it, and for secrets on their way into a repository.
   * @param path one of the files that declare the server. Default: the one that counts.
   * @returns the id of the server there.
   */
  transferServer(id: McpServerId, target: TransferTarget, path?: string): Promise<McpServerId>;
  setEnabled(id: McpServerId, enabled: boolean): Promise<void>;
  /**
   * Switches many servers, which the pools then show at once: one write for each file, and none at all when one of them
   * cannot be written.
   */
  setEnabledTogether(switches: readonly ServerSwitch[]): Promise<void>;
  /** Switches a global server off for one folder, in a file of that folder, or on again. */
  setEnabledInFolder(id: McpServerId, folderUri: string, enabled: boolean): Promise<void>;
  /** Switches a server of the folder, or a global one for the folder, by what this file of the folder says. */
  setEnabledIn(id: McpServerId, folderUri: string, enabled: boolean, file: PoolFile): Promise<void>;
  /** Top-level `disabled` of the pool's primary file. */
  setMasterDisabled(poolId: McpPoolId, disabled: boolean): Promise<void>;
  /** The top-level `settings` of the pool's primary file, as it holds them. */
  readSettings(poolId: McpPoolId): Promise<JsonObject>;
  /** Sets single settings there; `undefined` removes one. Rejects when a value does not fit. */
  updateSettings(poolId: McpPoolId, change: JsonObject): Promise<void>;
  /** Creates the pool's primary file with an empty `mcpServers` when it is missing; returns its path. */
  ensureFile(poolId: McpPoolId): Promise<string>;
  /** Problems an entry would have, without writing. */
  validate(name: string, entry: McpServerEntry): readonly ConfigProblem[];
}

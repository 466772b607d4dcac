/** What parsing one configuration file yields: entries and problems with positions, nothing resolved yet. */
import type { JsonObject } from '../../base/json.js';
import type {
  ConfigInput,
  ConfigLayer,
  ConfigProblem,
  ImportSource,
  McpServerLaunch,
  McpServerOptions,
  TextRange,
} from '../definition.js';

/** Where in a file a value stands, such as `['mcpServers', 'github']`. */
export type ConfigPath = readonly (string | number)[];

/** `bare`: the servers are the top-level properties. `mcp`: the opencode-style block. */
export type ConfigShape = 'mcpServers' | 'mcp-servers' | 'servers' | 'mcp' | 'bare' | 'empty';

/** Switches that an entry sets itself; what it leaves out comes from a lower entry or the defaults. */
export type EntryOptions = Partial<McpServerOptions>;

/** `directTools: "search"` is a way of exposure in the words of other programs. */
export function toOptions(values: readonly (readonly [string, unknown])[]): EntryOptions {
  const present = values.filter(([, value]) => value !== undefined);
  const { directTools, ...others } = Object.fromEntries(present) as Record<string, unknown>;
  const options: EntryOptions = others;
  switch (directTools) {
    case undefined:
      return options;
    case 'search':
      return { exposure: 'search', ...options };
    default:
      return { ...options, directTools: directTools as boolean | readonly string[] };
  }
}

/** One server entry as one file declares it. */
export interface ParsedEntry {
  readonly name: string;
  /** Location of the entry's value, for edits. */
  readonly path: ConfigPath;
  /** The whole property, name included. */
  readonly range: TextRange;
  /** The name, quotes excluded. */
  readonly nameRange: TextRange;
  /** Of the name, from 1. */
  readonly line?: number;
  /** The entry's fields as written; `undefined` when the entry is not an object. */
  readonly raw: JsonObject | undefined;
  /**
   * `overrides`: only switches of a lower entry. `invalid`: cannot be used, `problems` says why.
   */
  readonly kind: 'stdio' | 'http' | 'overrides' | 'invalid';
  readonly launch: McpServerLaunch | undefined;
  /** `undefined`: not set here. */
  readonly enabled: boolean | undefined;
  readonly options: EntryOptions;
  /** What of it counts only in files of the user. Default: nothing. */
  readonly ofUser?: readonly { readonly place: string; readonly range: TextRange }[];
  readonly problems: readonly ConfigProblem[];
}

export interface ParsedConfigFile {
  readonly path: string;
  readonly layer: ConfigLayer;
  readonly shape: ConfigShape;
  /** In file order; the last of several entries with one name is the one that counts and the only one here. */
  readonly entries: readonly ParsedEntry[];
  /** Problems of the file as a whole; those of an entry are with the entry. */
  readonly problems: readonly ConfigProblem[];
  /** The text cannot be read as JSON at all: keep the last good state and never write. */
  readonly hasSyntaxError: boolean;
  /** Top-level `disabled`; `undefined`: not set here. */
  readonly isMasterDisabled: boolean | undefined;
  /** Top-level `settings`, values of the right type only. */
  readonly settings: JsonObject;
  /** Top-level `imports`, known sources only. */
  readonly imports: readonly ImportSource[];
  readonly inputs: readonly ConfigInput[];
}

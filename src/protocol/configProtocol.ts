/**
 * Messages between the configuration editor's page and the extension. Plain JSON. The page is less trusted than the
 * extension: it sends ids and field edits, never something to run.
 */
import type { ConfigProblem, McpLifecycle } from '../config/definition.js';
import type { McpServerStateKind } from '../mcp/mcpTypes.js';
import type { IconView } from './agentProtocol.js';
import type { MessageMap } from './messages.js';

/** Everything the page shows; sent whole on every change. */
export interface ConfigViewState {
  readonly pools: readonly ConfigPoolView[];
  readonly isWorkspaceTrusted: boolean;
}

export interface ConfigPoolView {
  readonly id: string;
  readonly label: string;
  readonly isGlobal: boolean;
  /** Path of the file that new servers go to, for display. */
  readonly file: string;
  /** False when saving the first server will create the file. */
  readonly hasFile: boolean;
  readonly isMasterDisabled: boolean;
  readonly fileProblems: readonly ConfigFileProblemView[];
  /** `none` with pending servers asks for consent; absent for the global pool. */
  readonly trust?: {
    readonly kind: 'none' | 'folder' | 'servers';
    readonly pendingCount: number;
  };
  readonly servers: readonly ConfigServerView[];
}

interface ConfigFileProblemView {
  readonly path: string;
  readonly isError: boolean;
  readonly message: string;
  readonly remedy: string;
}

export interface ConfigServerView {
  readonly id: string;
  readonly name: string;
  readonly kind: 'stdio' | 'http' | 'invalid';
  readonly state: McpServerStateKind;
  /** One or two words, localized. */
  readonly stateWord: string;
  /** Name of a codicon, `~spin` appended when it turns. */
  readonly icon: string;
  /** One sentence, localized. */
  readonly stateText: string;
  /** Next step, localized; for states that need one. */
  readonly remedy?: string;
  readonly stderrTail?: readonly string[];
  /** Waits for the user to sign in. */
  readonly isSignedOut?: boolean;
  /** Problems of an entry that is used all the same. */
  readonly warnings: readonly string[];
  /** Command line or URL, secrets masked. */
  readonly summary: string;
  readonly enabled: boolean;
  /** File that declares the server. */
  readonly source: string;
  /** The server's own icon. */
  readonly picture?: IconView;
  readonly tools: readonly {
    readonly name: string;
    readonly description?: string;
    readonly picture?: IconView;
  }[];
}

/** What the form edits. Absent fields are not set in the file. */
export interface ConfigFormEntry {
  readonly kind: 'stdio' | 'http';
  readonly command?: string;
  readonly args?: readonly string[];
  readonly env?: readonly ConfigFormPair[];
  readonly cwd?: string;
  readonly url?: string;
  readonly transport?: 'auto' | 'streamable-http' | 'sse';
  readonly headers?: readonly ConfigFormPair[];
  readonly ignoreCertificateErrors?: boolean;
  readonly lifecycle?: McpLifecycle;
  /** Minutes; 0 = never. */
  readonly idleTimeout?: number;
  readonly startupTimeoutMs?: number;
  readonly requestTimeoutMs?: number;
}

export interface ConfigFormPair {
  readonly key: string;
  /** `***REDACTED***` keeps the stored value. */
  readonly value: string;
  /** Key under which the stored value is found when the user renamed the key. */
  readonly storedKey?: string;
}

export type SaveServerResult =
  /** `id` is the identity of the saved server, which changes with its name. */
  | { readonly saved: true; readonly id: string }
  /** Nothing was written; each problem may carry the `field` it belongs to. */
  | { readonly saved: false; readonly problems: readonly FieldProblem[] };

export type FieldProblem = Pick<ConfigProblem, 'code' | 'message' | 'remedy'> & {
  readonly field?: ConfigFormField;
};

export type ConfigFormField = 'name' | Exclude<keyof ConfigFormEntry, 'kind'>;

/** Requests of the page: parameters and reply. */
export interface ConfigRequests extends MessageMap {
  /** `form` is what {@link ConfigRequests.keepForm} stored since the panel was opened. */
  ready: { params: undefined; result: { state: ConfigViewState; form?: unknown } };
  /** Keeps the open form in the extension's memory, so that it survives hiding; secrets are never stored on disk. */
  keepForm: { params: { form?: unknown }; result: undefined };
  readServer: { params: { id: string }; result: { name: string; entry: ConfigFormEntry } };
  saveServer: {
    params: { id?: string; poolId: string; name: string; entry: ConfigFormEntry };
    result: SaveServerResult;
  };
  /** Asks the user first. */
  removeServer: { params: { id: string }; result: { removed: boolean } };
  setEnabled: { params: { id: string; enabled: boolean }; result: undefined };
  setMasterDisabled: { params: { poolId: string; disabled: boolean }; result: undefined };
  /** Connects afresh; asks for consent first where that is missing. */
  probe: { params: { id: string }; result: { state: McpServerStateKind; text: string } };
  stop: { params: { id: string }; result: undefined };
  signIn: { params: { id: string }; result: undefined };
  showLog: { params: { id: string }; result: undefined };
  /** The server's entry, the file of a problem, or the pool's file, which is created when missing. */
  openFile: { params: { poolId: string; id?: string; path?: string }; result: undefined };
  trustFolder: { params: { poolId: string }; result: undefined };
  revokeTrust: { params: { poolId: string }; result: undefined };
  manageWorkspaceTrust: { params: undefined; result: undefined };
}

export interface ConfigEvents extends MessageMap {
  state: { params: ConfigViewState; result: undefined };
  /** Opens the form: on a new server of a pool, or on an existing one. */
  edit: { params: { poolId: string; id?: string }; result: undefined };
}

/** Stands for a stored secret in both directions; the same text as the domain's sentinel. */
export const storedValue = '***REDACTED***';

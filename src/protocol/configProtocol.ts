/**
 * Messages between the configuration editor's page and the extension. Plain JSON. The page is less trusted than the
 * extension: it sends ids and field edits, never something to run.
 */
import type { ConfigProblem, McpServerStateKind } from '../mcp/mcpTypes.js';
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
  readonly isMasterDisabled: boolean;
  readonly fileProblems: readonly {
    readonly path: string;
    readonly message: string;
    readonly remedy: string;
  }[];
  /** `none` with pending servers asks for consent; absent for the global pool. */
  readonly trust?: {
    readonly kind: 'none' | 'folder' | 'servers';
    readonly pendingCount: number;
  };
  readonly servers: readonly ConfigServerView[];
}

export interface ConfigServerView {
  readonly id: string;
  readonly name: string;
  readonly kind: 'stdio' | 'http' | 'invalid';
  readonly state: McpServerStateKind;
  /** One sentence, localized. */
  readonly stateText: string;
  /** Next step, localized; for states that need one. */
  readonly remedy?: string;
  readonly stderrTail?: readonly string[];
  /** Command line or URL, secrets masked. */
  readonly summary: string;
  readonly enabled: boolean;
  readonly toolCount: number;
  readonly source: string;
  readonly tools: readonly { readonly name: string; readonly description?: string }[];
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
  readonly lifecycle?: string;
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

/** Requests of the page: parameters and reply. */
export interface ConfigRequests extends MessageMap {
  ready: { params: undefined; result: ConfigViewState };
  readServer: { params: { id: string }; result: { name: string; entry: ConfigFormEntry } };
  saveServer: {
    params: { id?: string; poolId: string; name: string; entry: ConfigFormEntry };
    result: { saved: true } | { saved: false; problems: readonly ConfigProblem[] };
  };
  removeServer: { params: { id: string }; result: { removed: boolean } };
  setEnabled: { params: { id: string; enabled: boolean }; result: undefined };
  setMasterDisabled: { params: { poolId: string; disabled: boolean }; result: undefined };
  probe: { params: { id: string }; result: { state: McpServerStateKind; text: string } };
  stop: { params: { id: string }; result: undefined };
  showLog: { params: { id: string }; result: undefined };
  openFile: { params: { poolId: string; id?: string }; result: undefined };
  trustFolder: { params: { poolId: string }; result: undefined };
  revokeTrust: { params: { poolId: string }; result: undefined };
  manageWorkspaceTrust: { params: undefined; result: undefined };
}

/** Events to the page. */
export interface ConfigEvents extends MessageMap {
  state: { params: ConfigViewState; result: undefined };
  /** Opens the form: on a new server of a pool, or on an existing one. */
  edit: { params: { poolId: string; id?: string }; result: undefined };
}

/**
 * Messages between the configuration editor's page and the extension. Plain JSON. The page is less trusted than the
 * extension: it sends ids and field edits, never something to run.
 */
import type { ErrorCode } from '../base/errorCodes.js';
import type { PoolFile } from '../config/configuration.js';
import type { ConfigProblem } from '../config/definition.js';
import type { McpServerStateKind } from '../mcp/mcpTypes.js';
import type { IconView } from './agentProtocol.js';
import type { MessageMap } from './messages.js';

export type { PoolFile };

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
  /** Where a new server may go; the first is `file`. */
  readonly places: readonly ConfigPlaceView[];
  /** False when saving the first server will create the file. */
  readonly hasFile: boolean;
  readonly isMasterDisabled: boolean;
  readonly fileProblems: readonly ConfigFileProblemView[];
  /** `none` with pending servers asks for consent; absent for the global pool. */
  readonly trust?: {
    readonly kind: 'none' | 'folder' | 'servers';
    readonly pendingCount: number;
  };
  /** How others and the agent use it; absent for the global pool. */
  readonly use?: {
    /** Its gateway runs. */
    readonly isLent: boolean;
    /** Localized; empty: none. */
    readonly profile: string;
  };
  readonly servers: readonly ConfigServerView[];
}

/** One of the files that new servers are written to. */
interface ConfigPlaceView {
  readonly file: PoolFile;
  /** Who has a server there, localized. */
  readonly label: string;
  readonly path: string;
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
  /** At most six words, localized. */
  readonly reason: string;
  /** Name of a codicon, `~spin` appended when it turns. */
  readonly icon: string;
  /** What can be done about it, localized, on a button. */
  readonly fix?: string | undefined;
  /** How many it offers, localized; empty where nobody knows. */
  readonly tools: string;
  readonly enabled: boolean;
  /** The server's own icon. */
  readonly picture?: IconView;
}

/** What a form edits: a server's entry, or the settings of a file. */
export interface ConfigFormEntry {
  readonly kind: 'stdio' | 'http';
  /** Field id → value; a field that is not set in the file is absent. */
  readonly values: Readonly<Record<string, FormValue>>;
  /** Ids of fields whose values the form cannot show; they stay until another one is set. Default: none. */
  readonly kept?: readonly string[];
}

/** A choice is its text. A secret that the file holds is {@link storedValue}, which may be a part of a longer text. */
export type FormValue = string | number | boolean | readonly string[] | readonly ConfigFormPair[];

/** `mixed`: one of the options, or a list. `long-secret`: of more than one line. */
export type FormControl =
  | 'text'
  | 'secret'
  | 'long-secret'
  | 'number'
  | 'flag'
  | 'choice'
  | 'list'
  | 'pairs'
  | 'mixed';

export interface FormField {
  /** Its path in the entry, such as `oauth.clientId`. */
  readonly id: string;
  readonly control: FormControl;
  readonly kind: 'stdio' | 'http' | 'both';
  /** Localized, as is `help`, which is Markdown with nothing but code in it. */
  readonly label: string;
  readonly help: string;
  /** Of a choice; the empty value is the default. */
  readonly options?: readonly { readonly value: string; readonly label: string }[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly isInteger?: boolean;
  /** A flag that is on when the file does not say. */
  readonly isOn?: boolean;
  /** Rows of a list count as they are, empty ones too. */
  readonly isExact?: boolean;
  readonly placeholder?: string;
  /** A server of its kind cannot do without it. */
  readonly isRequired?: boolean;
}

export interface FormGroup {
  readonly id: string;
  readonly label: string;
  readonly fields: readonly FormField[];
}

/** The fields of each kind of form. */
export interface FormModels {
  readonly server: readonly FormGroup[];
  /** Of the user's own files. */
  readonly settings: readonly FormGroup[];
  readonly folderSettings: readonly FormGroup[];
}

export interface ConfigFormPair {
  readonly key: string;
  /** `***REDACTED***` keeps the stored value. */
  readonly value: string;
  /** Key under which the stored value is found when the user renamed the key. */
  readonly storedKey?: string;
}

export interface SaveServerParams {
  /** The server that is edited. Default: a new one. */
  readonly id?: string;
  readonly poolId: string;
  /** Where a new one goes. */
  readonly file: PoolFile;
  readonly name: string;
  readonly entry: ConfigFormEntry;
  /** What the form was opened with: the rest of it is nobody's change. Default: as the file is. */
  readonly original?: ConfigFormEntry | undefined;
  /** Ids of the fields whose secrets the user wants in a file that others get to see. */
  readonly inFile: readonly string[];
}

/** What can be said of a form while it is filled in. */
export interface FormCheck {
  /** Why the name cannot be used. */
  readonly name?: FieldProblem;
  /** What stands in the field of the command is more than a command. */
  readonly offer?: CommandOffer;
  readonly secrets: readonly SecretNote[];
}

/** How the form would read what was entered as a command. */
export interface CommandOffer {
  /** What it is made from. */
  readonly line: string;
  /** For a server without a name. */
  readonly name: string;
  readonly entry: ConfigFormEntry;
}

/** A secret that others would get to see in the file. */
export interface SecretNote {
  /** Id of its field. */
  readonly field: string;
  /** What it stands for: a variable, a header, or a number of an argument. Empty for a field with one value. */
  readonly label: string;
  /** What the file would hold in its place. */
  readonly reference: string;
}

export type SaveServerResult =
  /** `id` is the identity of the saved server, which changes with its name. */
  | { readonly saved: true; readonly id: string }
  /** Nothing was written; each problem may carry the `field` it belongs to. */
  | { readonly saved: false; readonly problems: readonly FieldProblem[] };

export type FieldProblem = Pick<ConfigProblem, 'message' | 'remedy'> & {
  readonly code: ErrorCode;
  /** Id of the field, or `name`. */
  readonly field?: string;
};

/** What a form is about: an entry, a new one where there is no `id`, or the settings of a file. */
export interface FormTarget {
  readonly poolId: string;
  readonly id?: string | undefined;
  readonly isSettings?: boolean | undefined;
}

/** Requests of a form: parameters and reply. */
export interface FormRequests extends MessageMap {
  /** `form` is what {@link FormRequests.keepForm} stored since the window was opened. */
  ready: {
    params: undefined;
    result: {
      target: FormTarget;
      pools: readonly ConfigPoolView[];
      forms: FormModels;
      form?: unknown;
    };
  };
  /**
   * Keeps the open form in the extension's memory, so that it survives closing; secrets are never stored on disk.
   * `unsaved`: what it is about, when it has changes that are not saved.
   */
  keepForm: { params: { form?: unknown; unsaved?: string }; result: undefined };
  /** As its file has it now. */
  read: { params: undefined; result: { name: string; entry: ConfigFormEntry } };
  saveServer: { params: SaveServerParams; result: SaveServerResult };
  /** Writes nothing. */
  checkServer: { params: SaveServerParams; result: FormCheck };
  saveSettings: { params: Pick<SaveServerParams, 'entry' | 'original'>; result: SaveServerResult };
  /** What follows when it was saved: another page where the server is another one by now, and a start where it is wanted. */
  saved: { params: { id: string; isStarted: boolean }; result: undefined };
  /** Closes the page of a form that has no server. */
  close: { params: undefined; result: undefined };
}

/** Ids of servers. */
export interface StagedSwitchParams {
  readonly enable: readonly string[];
  readonly disable: readonly string[];
}

/** What staged boxes would do, localized. */
export interface SwitchPreviewView {
  readonly summary: string;
  /** By id of a server. */
  readonly effects: Readonly<Record<string, string>>;
}

/** Requests of the list. */
export interface ConfigRequests extends MessageMap {
  ready: { params: undefined; result: ConfigViewState };
  /** What the staged boxes would do; nothing is written. */
  previewSwitches: { params: StagedSwitchParams; result: SwitchPreviewView };
  /** All of them at once, or none when one cannot be written. */
  applySwitches: { params: StagedSwitchParams; result: ConfigViewState };
  setMasterDisabled: { params: { poolId: string; disabled: boolean }; result: undefined };
  /** The page of a server. */
  openServer: { params: { id: string }; result: undefined };
  /** The one thing to do about a server that does not work. */
  fixServer: { params: { id: string }; result: undefined };
  /** A form: of a new server, or of the settings of the file. */
  openForm: { params: { poolId: string; isSettings: boolean }; result: undefined };
  /** The file of a problem, or the pool's file, which is created when missing. */
  openFile: { params: { poolId: string; path?: string }; result: undefined };
  trustFolder: { params: { poolId: string }; result: undefined };
  revokeTrust: { params: { poolId: string }; result: undefined };
  manageWorkspaceTrust: { params: undefined; result: undefined };
  /** Starts or stops the gateway of a folder. */
  setLent: { params: { poolId: string; isLent: boolean }; result: undefined };
  /** Memory of each server that runs on this machine, by its id; localized. */
  measure: { params: undefined; result: { readonly memory: Readonly<Record<string, string>> } };
  /** Lets the user choose the profile of a folder. */
  selectProfile: { params: { poolId: string }; result: undefined };
}

export interface ConfigEvents extends MessageMap {
  state: { params: ConfigViewState; result: undefined };
}

/** Stands for a stored secret in both directions; the same text as the domain's sentinel. */
export const storedValue = '***REDACTED***';

/** Messages between the traffic of one server, or of a recording, and its tab. Texts of servers are only ever text. */

type EntryKind = 'request' | 'notification' | 'response' | 'http' | 'stderr' | 'life';
type RowStatus = 'open' | 'ok' | 'faulty' | 'error' | 'cancelled' | 'lost' | 'none';

/** One line of the timeline. */
export interface InspectorRow {
  readonly id: number;
  readonly gen: number;
  readonly kind: EntryKind;
  /** Who began it. Default: nobody in particular. */
  readonly dir?: 'sent' | 'received';
  /** Of JSON-RPC or HTTP; else a word for what it is. */
  readonly method: string;
  readonly target: string;
  /** Milliseconds since the epoch. */
  readonly t: number;
  /** Milliseconds that it took. */
  readonly ms?: number;
  readonly status: RowStatus;
  /** Progress, an error, a task: what there is to say in a few words. */
  readonly note?: string;
  readonly canReplay?: true;
}

export interface InspectorFact {
  readonly label: string;
  readonly text: string;
}

/** What differs from the connection before. */
export interface InspectorDifference {
  readonly kind: 'added' | 'removed' | 'changed';
  readonly path: string;
  readonly before?: string;
  readonly after?: string;
}

export interface InspectorConnection {
  readonly gen: number;
  readonly facts: readonly InspectorFact[];
  /** JSON of what was said in the handshake. */
  readonly client?: string;
  readonly server?: string;
  readonly instructions?: string;
  /** `undefined` for the first one. */
  readonly differences?: readonly InspectorDifference[];
}

export interface InspectorView {
  /** An imported one, of which nothing can be asked: whose it is, and where it is from. Default: it goes on. */
  readonly recording?: { readonly name: string; readonly text: string; readonly icon: string };
  /** The recording is the log of calls, which is exported as such. */
  readonly isCallLog?: boolean;
  /** The calls of the server are logged. */
  readonly hasCallLog?: boolean;
  /** What it was about is not there any more. */
  readonly isGone?: boolean;
  readonly isConnected: boolean;
  /** `undefined`: the server takes none. */
  readonly logLevels?: readonly string[];
  /** Newest first. */
  readonly connections: readonly InspectorConnection[];
}

export interface InspectorFrame {
  readonly seq: number;
  /** What it is of its entry. */
  readonly title: string;
  readonly t: number;
  /** Pretty-printed JSON, or plain text. */
  readonly text: string;
  readonly isJson: boolean;
  /** Characters of the whole, when this is only its beginning. */
  readonly wholeSize?: number;
}

export interface InspectorDetails {
  readonly frames: readonly InspectorFrame[];
  /** Why it cannot be sent again; `undefined` when it can, or makes no sense. */
  readonly noReplay?: string;
}

export type InspectorExport = 'file' | 'document' | 'har' | 'csv';

export interface InspectorRequests {
  ready: { params: undefined; result: { view: InspectorView; rows: readonly InspectorRow[] } };
  details: { params: { id: number }; result: InspectorDetails };
  /** The whole of a frame; `text` is missing when it is gone. */
  whole: { params: { seq: number }; result: { text?: string } };
  /** Entries in whose frames all the words stand. */
  find: { params: { words: readonly string[] }; result: { ids: readonly number[] } };
  /** Sends the request again as a new one. */
  replay: { params: { id: number }; result: undefined };
  ping: { params: undefined; result: { ms: number } };
  setLogLevel: { params: { level: string }; result: undefined };
  clear: { params: undefined; result: undefined };
  exportRecording: { params: { to: InspectorExport }; result: undefined };
  importRecording: { params: undefined; result: undefined };
  /** Shows the entry that would serve it; asks first where to export it, if it is no file. */
  serveMock: { params: undefined; result: undefined };
  /** Opens what is logged of the server's calls. */
  openCallLog: { params: undefined; result: undefined };
}

export interface InspectorEvents {
  rows: {
    params: { changed: readonly InspectorRow[]; removed: readonly number[] };
    result: undefined;
  };
  view: { params: InspectorView; result: undefined };
}

/**
 * Messages between the page that runs a tool and the extension. Plain JSON. The page is less trusted than the extension:
 * which tool it is about is not for the page to say.
 */
import type { JsonObject } from '../../base/json.js';
import type { StructuredView } from '../callWords.js';
import type { MessageMap } from '../messages.js';

/** What there is to show when a tool is opened, or comes back. */
export type RunToolStart = { readonly kind: 'tool'; readonly view: RunToolView } | MissingTool;

/** A tool that is not there, or not known yet. */
export interface MissingTool {
  readonly kind: 'missing';
  readonly tool: string;
  /** Why, and what to do. */
  readonly text: string;
  readonly isConnectable: boolean;
}

export interface RunToolView {
  readonly name: string;
  readonly title?: string;
  /** The server's words. */
  readonly description?: string;
  readonly inputSchema: JsonObject;
  /** It may run as a task, or always does. Default: it never does. */
  readonly task?: 'optional' | 'required';
  /** What a run may do, as far as the server says. */
  readonly warning?: string;
  /** Milliseconds that a run may take without a sign of the server. */
  readonly timeoutMs: number;
  /** A gateway runs that lends the server. */
  readonly hasGateway: boolean;
  readonly history: readonly RunRecordView[];
}

export interface RunRecordView {
  readonly id: string;
  readonly outcome: RunEnd;
  readonly ms: number;
  /** Localized. */
  readonly when: string;
  /** Absent when they were too long to be kept. */
  readonly args?: JsonObject;
  /** Some of the arguments were not kept, since they are secrets. */
  readonly lacksSecrets: boolean;
}

/** `failed`: the tool says so. `error`: there is no answer of the tool. */
export type RunEnd = 'done' | 'failed' | 'error' | 'cancelled';

export interface RunParams {
  readonly args: JsonObject;
  readonly meta?: JsonObject;
  readonly timeoutMs?: number;
  /** Default: it runs as a task where it may. */
  readonly asTask?: boolean;
}

/** Nothing was sent when they do not fit. */
export type RunReply =
  | { readonly kind: 'refused'; readonly problem: ArgumentProblem }
  | { readonly kind: 'ended'; readonly outcome: RunOutcome; readonly view: RunToolView };

export interface ArgumentProblem {
  /** Localized. */
  readonly message: string;
  /** The place in the arguments, such as `data/a/0`. */
  readonly at: string;
}

export interface RunOutcome {
  readonly end: RunEnd;
  readonly ms: number;
  /** Of what a model would read. */
  readonly tokens?: number;
  /** Why there is no answer, localized. */
  readonly message?: string;
  readonly remedy?: string;
  readonly structured?: StructuredView;
  /** How the structured content differs from the tool's output schema, as a sentence. */
  readonly mismatch?: string;
  readonly blocks: readonly RunResultBlock[];
}

/** All text is the server's. */
export type RunResultBlock =
  | { readonly kind: 'text'; readonly text: string; readonly omitted?: string }
  /** `data:` address. */
  | { readonly kind: 'image'; readonly source: string }
  | { readonly kind: 'link'; readonly uri: string; readonly name: string }
  | {
      readonly kind: 'resource';
      readonly uri: string;
      readonly text: string;
      readonly omitted?: string;
    }
  /** `file`: index of the part that can be opened. */
  | {
      readonly kind: 'file';
      readonly mimeType: string;
      readonly size: number;
      readonly file: number;
    };

/** `cli`: as a command line of Pi MCP. `curl`: as one that asks the gateway. */
export type CopyForm = 'json' | 'cli' | 'curl';

export const copyForms: readonly CopyForm[] = ['json', 'cli', 'curl'];

/** A secret that a copied call does not have. */
export interface LeftOut {
  /** Of the property. */
  readonly name: string;
  /** What stands in its place: a word, or a variable of the environment. */
  readonly place: string;
}

export interface RunToolRequests extends MessageMap {
  ready: { params: undefined; result: RunToolStart };
  /** What of the arguments may be written down. */
  keep: { params: { readonly args: JsonObject }; result: JsonObject };
  /** After consent, where that is missing. */
  connect: { params: undefined; result: undefined };
  /** Why the arguments would be refused; `null`: they would not. */
  check: { params: { readonly args: JsonObject }; result: ArgumentProblem | null };
  run: { params: RunParams; result: RunReply };
  cancel: { params: undefined; result: undefined };
  /** No secret is copied. */
  copy: {
    params: { readonly as: CopyForm; readonly args: JsonObject };
    result: { readonly leftOut: readonly LeftOut[] };
  };
  copyResult: { params: undefined; result: undefined };
  /** Lets the user choose a file; `null`: none. */
  pickFile: {
    params: undefined;
    result: { readonly name: string; readonly base64: string; readonly size: number } | null;
  };
  /** The whole result in an editor, or one file of it. */
  openResult: { params: { readonly file?: number }; result: undefined };
  /** A resource that the last result names. */
  openResource: { params: { readonly uri: string }; result: undefined };
  forgetHistory: { params: undefined; result: RunToolView };
}

export interface RunToolEvents extends MessageMap {
  progress: { params: { readonly text: string; readonly share?: number }; result: undefined };
  /** The server offers another tool of that name now, or none. */
  changed: { params: { readonly view?: RunToolView }; result: undefined };
  /** What is said of a tool that was never there has changed. */
  missing: { params: MissingTool; result: undefined };
}

/** Who else than the user of this window has caused a request of ours, so that what comes of it reaches nobody else. */
import type { JsonObject } from '../base/json.js';

/** One request of a client to which we lend the server. */
export interface RequestOrigin {
  /** The same for all requests of one client. */
  readonly client: object;
  /** Whether the client answers this; what it has not declared, it does not. */
  answers(method: string, params: JsonObject): boolean;
  /**
   * Rejects when the client refuses, or is gone.
   * @param params checked and bounded, without secrets
   * @param key as the server calls the question, where it does
   */
  ask(
    method: string,
    params: JsonObject,
    signal: AbortSignal,
    key?: string | undefined,
  ): Promise<JsonObject>;
  /** About what was asked. */
  tell(method: string, params: JsonObject): void;
}

/** Who has caused a question. */
export interface AskedFor {
  /** `undefined`: the user of this window, or nobody knows. */
  readonly origin: RequestOrigin | undefined;
  /** As the server calls the question. Default: it has no name. */
  readonly key?: string | undefined;
}

/** Of what a server says: a client, `undefined` for the user of this window; or nobody, or one that is not known. */
export type Cause =
  | { readonly kind: 'client'; readonly client: object | undefined }
  | { readonly kind: 'nobody' }
  | { readonly kind: 'unknown' };

/** Those in which a server does something for whoever asks. */
const causing: ReadonlySet<string> = new Set([
  'tools/call',
  'prompts/get',
  'resources/read',
  'completion/complete',
  'tasks/result',
]);

export function isCausing(method: string): boolean {
  return causing.has(method);
}

/** Who makes a call of a tool, and why it may be made: for the log of calls. */
export interface CallMaker {
  readonly by: 'agent' | 'app' | 'commandLine' | 'gateway' | 'person' | 'replay';
  /** Of the conversation, or as the client calls itself. */
  readonly name?: string | undefined;
  readonly approval?: CallApproval | undefined;
}

export interface CallApproval {
  /** What decided it, in a word. */
  readonly kind: string;
  /** Which rule, answer, mode or setting. */
  readonly rule?: string | undefined;
}

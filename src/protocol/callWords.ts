/** What a call is about in words and values, so that nobody has to read JSON. */

export type CallWords = TitledWords | ValueWords;

/** What a title says of a call of the agent's own tools. */
export type TitledWords = TitleOfCall & {
  /** The arguments say more. Who decides about the call has to see them. */
  readonly isPart?: true;
};

/** Of a tool of a server: its arguments, in their order and whole. */
interface ValueWords {
  readonly kind: 'values';
  readonly values: readonly NamedValue[];
}

export type TitleOfCall =
  | {
      readonly kind: 'command';
      readonly command: string;
      /** Seconds. */
      readonly timeout?: number;
    }
  | {
      readonly kind: 'read';
      readonly path: string;
      /** First and last line, from 1; absent for the whole file. */
      readonly lines?: { readonly from: number; readonly to?: number };
    }
  | { readonly kind: 'list'; readonly path: string }
  /** `grep`: in files, `find`: of files. `path`: the folder, absent for the one of the conversation. */
  | { readonly kind: 'grep' | 'find'; readonly pattern: string; readonly path?: string }
  /** The list of steps: how many are done, of how many. */
  | { readonly kind: 'steps'; readonly done: number; readonly of: number }
  | { readonly kind: 'tools'; readonly query: string }
  | { readonly kind: 'plan'; readonly title: string };

export interface NamedValue {
  readonly name: string;
  /** A text as it is unless it looks like something else, anything else as JSON. */
  readonly text: string;
}

/** `structuredContent` of a result in the shape that reads best; bounded. */
export interface StructuredView {
  readonly shape:
    | {
        readonly kind: 'table';
        readonly columns: readonly string[];
        readonly rows: readonly (readonly string[])[];
      }
    | {
        readonly kind: 'pairs';
        readonly pairs: readonly { readonly key: string; readonly value: string }[];
      }
    | { readonly kind: 'json'; readonly text: string };
  /** What was left out, as a sentence. */
  readonly omitted?: string;
  /** How it differs from the tool's output schema, as a sentence. */
  readonly mismatch?: string;
}

export type ToolCallStatus =
  | 'pending'
  | 'awaiting_approval'
  | 'running'
  /** The conversation went on without its result. */
  | 'background'
  | 'done'
  | 'failed'
  | 'denied';

export interface CallCost {
  readonly ms: number;
  readonly tokens: number;
}

/** What a run came to. */
export interface RunView {
  readonly files: number;
  readonly commands: number;
  /** Of tools of servers. */
  readonly calls: number;
  /** Milliseconds of work from the request to the last answer. */
  readonly ms?: number;
  /** Milliseconds in which calls waited for the user. */
  readonly waitedMs?: number;
  /** Tokens of all its requests, those of caches included, and of all answers. */
  readonly sent?: number;
  readonly received?: number;
  /** In dollars. */
  readonly cost?: number;
}

export interface TodoStep {
  readonly text: string;
  readonly state: 'open' | 'doing' | 'done';
}

/** The steps of the task that the model works on. */
export interface TodoView {
  readonly steps: readonly TodoStep[];
}

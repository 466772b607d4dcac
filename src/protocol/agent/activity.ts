/** What Pi is at, for one line. Times are milliseconds since the epoch. */

export type ActivityKind =
  /** The message is on its way to Pi; the request is being put together. */
  | 'sending'
  /** The request is sent, and nothing came back yet. */
  | 'waiting'
  | 'thinking'
  | 'writing'
  /** The arguments of a call are being written. */
  | 'preparing'
  | 'running'
  /** A call waits for the user's decision. */
  | 'approval'
  /** A call waits for the user to review its server. */
  | 'review'
  /** A call waits for an answer of the user to its server. */
  | 'form'
  | 'retrying'
  | 'compacting'
  /** An answer has begun, and nothing came for a while. */
  | 'stalled'
  | 'stopping';

export interface ActivityView {
  readonly kind: ActivityKind;
  readonly since: number;
  /** Of the run. */
  readonly begun: number;
  /** A command, a file, a tool, a thought, or why it is tried again; one line, bounded. */
  readonly label?: string;
  /** Lines, calls, or which try it is. */
  readonly count?: number;
  /** Tries in all. */
  readonly of?: number;
  /** When it ends by itself. */
  readonly until?: number;
  /** Of the run so far. */
  readonly tokensIn?: number;
  readonly tokensOut?: number;
}

/** What calls and runs took. */
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
  /** Milliseconds from the request to the last answer. */
  readonly ms?: number;
  /** In dollars. */
  readonly cost?: number;
}

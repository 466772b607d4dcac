/** A request as far as deciding on its repetition needs it. */
export interface ActiveCall {
  /** No other request was under way at any time during this one. */
  readonly isAlone: boolean;
}

/** The requests of one server that are under way. */
export class ActiveCalls {
  private readonly calls = new Set<{ isAlone: boolean }>();

  get size(): number {
    return this.calls.size;
  }

  begin(): ActiveCall {
    const call = { isAlone: this.calls.size === 0 };
    // of two and more none is alone any more
    if (this.calls.size === 1) {
      for (const other of this.calls) {
        other.isAlone = false;
      }
    }
    this.calls.add(call);
    return call;
  }

  end(call: ActiveCall): void {
    this.calls.delete(call);
  }
}

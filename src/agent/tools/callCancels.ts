import { CancellationError, linkSignals } from '../../base/async/cancellation.js';

/** Calls under way, each of which the user may end without the others. */
export class CallCancels {
  private readonly calls = new Map</* call id */ string, AbortController>();

  /** @param signal of the whole run */
  async run<T>(
    callId: string,
    signal: AbortSignal | undefined,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const own = new AbortController();
    const either = linkSignals(signal, own.signal);
    this.calls.set(callId, own);
    try {
      return await work(either.signal);
    } finally {
      either.dispose();
      this.calls.delete(callId);
    }
  }

  /** Does nothing for a call that has ended. */
  cancel(callId: string): void {
    // for the model, so in English
    this.calls.get(callId)?.abort(new CancellationError('This call was cancelled by the user.'));
  }
}

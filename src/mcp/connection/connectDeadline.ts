import { linkSignals } from '../../base/async/cancellation.js';
import { possibleDelay } from '../../base/async/possibleDelay.js';
import type { Disposable } from '../../base/disposable.js';

/** Our own limit on connecting has passed. */
export class ConnectTimeoutError extends Error {
  override readonly name = 'ConnectTimeoutError';

  /** @param isInstall the package of the server was not there by then. */
  constructor(
    readonly timeoutMs: number,
    readonly isInstall = false,
  ) {
    super(`Not connected after ${timeoutMs} ms`);
  }
}

/** Ends an attempt to connect when its time is up. */
export class ConnectDeadline implements Disposable {
  private readonly late = new AbortController();
  // not `AbortSignal.any`: the SDKs keep listening to what they get, and Node would keep such a signal for ever
  private readonly linked: ReturnType<typeof linkSignals>;
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** @param outer ends the attempt as well. */
  constructor(outer: AbortSignal | undefined) {
    this.linked = linkSignals(outer, this.late.signal);
  }

  get signal(): AbortSignal {
    return this.linked.signal;
  }

  /**
   * The attempt has so many milliseconds from now on, whatever it had before.
   * @param forInstall they are for the package that the server needs.
   */
  allow(ms: number, forInstall = false): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(
      () => this.late.abort(new ConnectTimeoutError(ms, forInstall)),
      possibleDelay(ms),
    );
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.linked.dispose();
  }
}

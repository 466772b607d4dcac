import * as l10n from '@vscode/l10n';
import { linkSignals } from '../../base/async/cancellation.js';
import { possibleDelay } from '../../base/async/possibleDelay.js';
import type { Disposable } from '../../base/disposable.js';
import { HumanError } from '../../base/errors.js';

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
      () => this.late.abort(connectTimeout(ms, forInstall)),
      possibleDelay(ms),
    );
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.linked.dispose();
  }
}

function connectTimeout(ms: number, forInstall: boolean): HumanError {
  return new HumanError(
    'initialize_timeout',
    l10n.t('The server did not finish starting within {0} s.', ms / 1000),
    {
      remedy: forInstall
        ? l10n.t('Run its command in a terminal to see why its package does not arrive.')
        : l10n.t(
            'Look at its log; if it only needs longer, for instance to download a package, raise "startupTimeoutMs".',
          ),
    },
  );
}
